// SPDX-License-Identifier: MIT
#include <graze/core/error.hpp>
#include <graze/core/status.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using graze::Error;
using graze::ErrorCode;
using graze::ErrorDetail;
using graze::Status;

TEST(Error, TextHoldsWhatIsKnown) {
  ErrorDetail detail;
  detail.message = "the header promises more faces than the file holds; is it cut off?";
  EXPECT_EQ(detail.text(), detail.message);
  detail.file = "bunny.ply";
  EXPECT_EQ(detail.text(), "bunny.ply: " + detail.message);
  detail.line = 7;
  EXPECT_EQ(detail.text(), "bunny.ply:7: " + detail.message);
  detail.element = "polygon";
  EXPECT_EQ(detail.text(), "bunny.ply:7: polygon: " + detail.message);
  detail.id = 0;
  EXPECT_EQ(detail.text(), "bunny.ply:7: polygon 0: " + detail.message);
  detail.file.clear();
  EXPECT_EQ(detail.text(), "polygon 0: " + detail.message) << "a line without a file says nothing";
}

TEST(Error, IsAStandardExceptionWithDetail) {
  try {
    throw Error({.code = ErrorCode::not_finite, .message = "x is NaN", .element = "vertex", .id = 3, .file = {}});
  } catch (const std::exception& caught) {
    EXPECT_STREQ(caught.what(), "vertex 3: x is NaN");
    const auto* error = dynamic_cast<const Error*>(&caught);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->detail().code, ErrorCode::not_finite);
    EXPECT_EQ(error->detail().id, 3u);
    EXPECT_EQ(error->detail().line, ErrorDetail::none);
  }
}

TEST(Error, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  const int last = static_cast<int>(ErrorCode::unsupported);
  for (int code = 0; code <= last; ++code) names.insert(name(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(name(ErrorCode::bad_file), "bad_file");
}

TEST(Error, EveryStatusHasItsOwnName) {
  std::set<std::string> names;
  const int last = static_cast<int>(Status::invalid_request);
  for (int status = 0; status <= last; ++status) names.insert(name(static_cast<Status>(status)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(name(Status::undecided), "undecided");
}

}  // namespace
