// SPDX-License-Identifier: MIT
// The rule of graze/core/error.hpp, for tables of calls with one bad argument each.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <graze/core/error.hpp>
#include <graze/core/status.hpp>

namespace graze::testing::error_rule {

using Answer = std::pair<Status, std::optional<ErrorDetail>>;

template <class Result>
Answer of(const Result& r) {
  return {r.status, r.error};
}

struct Query {
  const char* name;
  std::function<Answer()> ask;
};

/// Each returns `invalid_request`, says why, and throws nothing.
inline void expect_invalid_requests(const std::vector<Query>& queries) {
  for (const Query& q : queries) {
    SCOPED_TRACE(q.name);
    Answer answer;
    EXPECT_NO_THROW(answer = q.ask());
    EXPECT_EQ(answer.first, Status::invalid_request);
    if (!answer.second) {
      ADD_FAILURE() << "no error";
      continue;
    }
    EXPECT_FALSE(answer.second->message.empty());
    EXPECT_FALSE(answer.second->element.empty()) << answer.second->message;
  }
}

struct Call {
  const char* name;
  std::function<void()> call;
};

/// Each throws `Error`, and says why.
inline void expect_errors(const std::vector<Call>& calls) {
  for (const Call& c : calls) {
    SCOPED_TRACE(c.name);
    try {
      c.call();
      ADD_FAILURE() << "no Error";
    } catch (const Error& error) {
      EXPECT_FALSE(error.detail().message.empty());
    } catch (const std::exception& other) {
      ADD_FAILURE() << "another exception: " << other.what();
    }
  }
}

}  // namespace graze::testing::error_rule
