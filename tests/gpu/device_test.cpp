// SPDX-License-Identifier: MIT
#include <graze/gpu/device.hpp>

#include "check.hpp"

GPU_TEST(a_device_that_can_be_used_has_a_name) {
  EXPECT(!graze::gpu::devices().empty());
  EXPECT(!graze::gpu::devices()[0].name.empty());
}
