// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>

namespace graze {

/// How a question was answered. There is deliberately no conversion to bool: "undecided" must not read as "no".
enum class Status {
  free,               ///< certified: no common point
  contact,            ///< certified: at least one common point
  touching_at_start,  ///< continuous questions: already in contact at t = 0
  undecided,          ///< a limit ended the query, or a one-sided method reached its uncertain side
  invalid_request,    ///< not a valid question, or not for these bodies; `error` gives the reason
};

/// "free", "contact", "touching_at_start", "undecided", "invalid_request".
GRAZE_API const char* name(Status status);

}  // namespace graze
