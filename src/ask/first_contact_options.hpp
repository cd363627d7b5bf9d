// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>

namespace graze::ask {

/// The error in these options, if any; independent of the bodies.
std::optional<ErrorDetail> mistake_in(const FirstContactOptions& options);

}  // namespace graze::ask
