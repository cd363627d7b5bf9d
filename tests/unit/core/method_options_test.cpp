// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/core/method_options.hpp>

namespace graze {
namespace {

struct Parameters {
  int steps = 3;
};

TEST(MethodOptions, NoneMeansTheDefaults) {
  const MethodOptions<Parameters> none;
  EXPECT_EQ(none.value().steps, 3);
}

TEST(MethodOptions, CopiesKeepWhatWasGiven) {
  MethodOptions<Parameters> kept;
  {
    const MethodOptions<Parameters> given = Parameters{.steps = 5};
    kept = given;
    EXPECT_EQ(&kept.value(), &given.value());
  }
  EXPECT_EQ(kept.value().steps, 5);
  kept = Parameters{};
  EXPECT_EQ(kept.value().steps, 3);
}

}  // namespace
}  // namespace graze
