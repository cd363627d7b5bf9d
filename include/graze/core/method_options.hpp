// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <graze/core/export.hpp>

namespace graze {

/// Options that only some methods read: none, or a copy that is never changed and that copies of this object share.
/// Where none are given, `T` may be incomplete; so the header of a question need not include those of its methods.
template <class T>
class MethodOptions {
 public:
  MethodOptions() = default;
  /// Allocates once.
  template <std::same_as<T> U>
  MethodOptions(U value) : value_(std::make_shared<const U>(std::move(value))) {}

  /// The options given, or the defaults.
  const T& value() const {
    static const T defaults{};
    return value_ ? *value_ : defaults;
  }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace graze
