// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/query/elementary.hpp>

#include "query/elementary/filter.hpp"

namespace graze::query {

/// What the filter did not free at once: the others of the batch are free.
struct BatchAnswers {
  std::size_t asked = 0;
  std::array<std::uint16_t, batch_size> numbers;  ///< of those queries
  std::array<ElementaryResult, batch_size> results;
};

/// At most `batch_size` queries of one kind; the method of the options exists. The same answers as one by one.
void answer_batch(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const ElementaryOptions& options,
                  BatchOrder order, BatchAnswers& out);

}  // namespace graze::query
