// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/core/export.hpp>

namespace graze::gpu {

/// A device of CUDA, as its driver names it.
struct DeviceInfo {
  int number = 0;  ///< as CUDA counts them
  std::string name;
  int major = 0, minor = 0;  ///< the compute capability
  std::size_t memory = 0;    ///< bytes
};

/// All devices; none if there is no driver, or one that is too old.
GRAZE_API std::vector<DeviceInfo> devices();

/// Why the present device cannot be used, and what to do about it: no device, no driver, a driver too old for the CUDA
/// that graze was built with, a device too old, or a context that an earlier error has ended. Nothing: it can be used.
/// Everything else in `graze::gpu` throws this as an `Error`; what the same question on the CPU answers is unaffected.
GRAZE_API std::optional<ErrorDetail> device_problem();

}  // namespace graze::gpu
