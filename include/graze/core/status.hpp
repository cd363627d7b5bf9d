// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>

namespace graze {

/// How a question was answered. There is deliberately no conversion to bool: "undecided" must not read as "no".
enum class Status {
  free,               ///< certified: no common point
  contact,            ///< certified: at least one common point
  touching_at_start,  ///< continuous questions: in contact at t = 0 already
  undecided,          ///< a budget ran out, or a one-sided method reached its uncertain side
  invalid_request,    ///< the question cannot be asked of these bodies; `error` says why
};

/// "free", "contact", "touching_at_start", "undecided", "invalid_request".
GRAZE_API const char* name(Status status);

}  // namespace graze
