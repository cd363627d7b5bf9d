// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/elementary.hpp>

namespace graze::engine::elementary {

/// The answer to a query that is not checked, within the current limits. `result` must be cleared.
void curved_contact(const CurvedElementaryQuery& query, const ElementaryOptions& options, ElementaryResult& result);

}  // namespace graze::engine::elementary
