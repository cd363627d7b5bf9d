// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/core/error.hpp>
#include <graze/query/first_contact.hpp>

namespace graze::query {

/// What is wrong with these options, whatever the bodies are.
std::optional<ErrorDetail> mistake_in(const FirstContactOptions& options);

}  // namespace graze::query
