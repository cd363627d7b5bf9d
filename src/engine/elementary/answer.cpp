// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "core/limits.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/batch.hpp"
#include "engine/elementary/contact_lanes.hpp"
#include "engine/elementary/difference.hpp"
#include "engine/elementary/scaling.hpp"
#include "engine/elementary/touch_now.hpp"
#include "math/vectors.hpp"
#include "prim/moving/exact_moving.hpp"

namespace graze::engine::elementary {

void set_free(ElementaryResult& r) {
  r.status = Status::free;
  r.time = {1, math::not_a_number};
  r.gap = math::not_a_number;
}

namespace {

constexpr double default_tolerance = 1e-12;

/// Do the features share a point at some time? Exact.
bool meet(const ElementaryQuery& q) {
  using prim::MovingPair;
  constexpr MovingPair pairs[] = {MovingPair::vertex_face, MovingPair::edge_edge, MovingPair::vertex_edge,
                                  MovingPair::vertex_vertex};
  return prim::exactly_meet(pairs[static_cast<int>(q.kind)], {q.start, q.end});
}

/// Features within the tolerance may still never touch.
void settle_exactly(const ElementaryQuery& q, ElementaryResult& r) {
  if ((r.status != Status::contact && r.status != Status::touching_at_start) || meet(q)) return;
  const std::uint64_t steps = r.steps;
  r = ElementaryResult{};
  r.steps = steps;
  set_free(r);
}

/// For a start within the tolerance, the actual distance decides which tolerance can be used, if any.
void answer_in_range(const ElementaryMethod& method, const ElementaryQuery& q, const MovingDifference& d,
                     const ElementaryOptions& options, ElementaryResult& r, const ElementaryQuery* unscaled = nullptr) {
  const double least = 16 * d.rounding;
  Elementary e{q, options, std::max(options.tolerance.value_or(default_tolerance * d.size), least), d.rounding, &d};
  e.unscaled = unscaled;
  method.run(e, r);
  if (r.status != Status::contact || r.time.touch != 0) return;
  const double apart = r.gap - options.min_separation;
  if (apart <= 2 * d.rounding) {
    // Within a minimum separation, double precision is sufficient. Without one, touching is decided exactly, and a
    // start that is apart, but nearer than double precision can prove, remains a contact at 0.
    if (options.min_separation > 0 || touch_now(q.kind, unscaled ? unscaled->start : q.start))
      r.status = Status::touching_at_start;
  } else if (0.5 * apart >= least && 0.5 * apart < e.tolerance) {
    const std::uint64_t steps = r.steps;
    e.tolerance = 0.5 * apart;
    r = ElementaryResult{};
    method.run(e, r);
    r.steps += steps;
  }
}

/// Sixth powers of lengths are computed; outside these sizes they would overflow or underflow. Such a query is answered
/// at a size near 1: multiplied by a power of two, which rounds nothing that is significant relative to the largest
/// difference.
constexpr double smallest_size = 0x1p-120, largest_size = 0x1p120;

void answer(const ElementaryMethod& method, const ElementaryQuery& q, const ElementaryOptions& options,
            ElementaryResult& r) {
  const MovingDifference d(q);
  if (d.largest >= smallest_size && d.largest <= largest_size) return answer_in_range(method, q, d, options, r);
  const double scale = scale_for(std::max(half_extent(q.start), half_extent(q.end)));
  const ElementaryQuery scaled{q.kind, scaled_instant(q.start, scale), scaled_instant(q.end, scale)};
  ElementaryOptions asked = options;
  if (asked.tolerance) asked.tolerance = length_at_scale(*asked.tolerance, scale);
  asked.min_separation = length_at_scale(asked.min_separation, scale);
  answer_in_range(method, scaled, MovingDifference(scaled), asked, r, &q);
  r.gap /= scale;
  r.tolerance = tolerance_back(r.tolerance, scale, options.tolerance.value_or(0));
}

void answer_one(ElementaryKind kind, const std::array<Vec3, 8>& p, const ElementaryMethod& method,
                const ElementaryOptions& options, ElementaryResult& r) {
  r = ElementaryResult{};
  if (!std::all_of(p.begin(), p.end(), [](const Vec3& x) { return is_finite(x); })) {
    r.status = Status::invalid_request;
    r.error = ErrorCode::not_finite;
    return;
  }
  const ElementaryQuery q{kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
  answer(method, q, options, r);
  if (options.exact) settle_exactly(q, r);
}

}  // namespace

void answer_batch(const ElementaryMethod& method, ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                  const ElementaryOptions& options, BatchOrder order, BatchAnswers& out) {
  std::array<std::uint16_t, batch_size> left;
  out.asked = queries.size();
  std::size_t count = out.asked;
  if (method.run == &ElementaryAdvancement::run) {
    const FilterBounds asked{options.min_separation, options.tolerance.value_or(0), default_tolerance};
    FilterLeft unsure;
    filter_elementary(kind, queries, asked, order, unsure);
    // Features that stay in a common plane have no first time of coplanarity, so they cannot be plain contacts.
    out.asked = unsure.count + unsure.flat_count;
    const auto flat = std::copy_n(unsure.numbers.begin(), unsure.count, out.numbers.begin());
    std::copy_n(unsure.flat.begin(), unsure.flat_count, flat);
    count =
        find_plain_contacts(kind, queries, asked, out.numbers.data(), unsure.count, out.results.data(), left.data());
    for (std::size_t k = unsure.count; k < out.asked; ++k) left[count++] = static_cast<std::uint16_t>(k);
  } else {
    for (std::size_t i = 0; i < count; ++i) out.numbers[i] = left[i] = static_cast<std::uint16_t>(i);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (k % 16 == 15) core::poll_once();
    answer_one(kind, queries[out.numbers[left[k]]], method, options, out.results[left[k]]);
  }
  // Plain contacts, too, are only within the tolerance: whether they touch is decided separately.
  for (std::size_t k = 0, next = 0; options.exact && k < out.asked; ++k) {
    if (next < count && left[next] == k) {
      ++next;
      continue;
    }
    core::poll_once();
    const std::array<Vec3, 8>& p = queries[out.numbers[k]];
    settle_exactly({kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}}, out.results[k]);
  }
}

}  // namespace graze::engine::elementary
