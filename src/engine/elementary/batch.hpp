// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/ask/elementary.hpp>

#include "engine/elementary/filter.hpp"
#include "engine/elementary/method.hpp"

namespace graze::engine::elementary {

/// The queries that the filter did not prove free; the others of the batch are free.
struct BatchAnswers {
  std::size_t asked = 0;
  std::array<std::uint16_t, batch_size> numbers;  ///< indices of those queries
  std::array<ElementaryResult, batch_size> results;
};

/// Answers at most `batch_size` queries of one kind by a method; the answers are the same as one by one. The filter is
/// part of `advancement`; other methods answer every query by themselves.
void answer_batch(const ElementaryMethod& method, ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                  const ElementaryOptions& options, BatchOrder order, BatchAnswers& out);

/// Sets the other fields of a `free` answer.
void set_free(ElementaryResult& result);

}  // namespace graze::engine::elementary
