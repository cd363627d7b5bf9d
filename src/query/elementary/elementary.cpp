// SPDX-License-Identifier: MIT
#include <graze/query/elementary.hpp>

#include <algorithm>
#include <cmath>

#include "core/fp_guard.hpp"
#include "core/parallel.hpp"
#include "math/vectors.hpp"
#include "prim/exact_moving.hpp"
#include "query/elementary/batch.hpp"
#include "query/elementary/closest_now.hpp"
#include "query/elementary/contact_lanes.hpp"
#include "query/elementary/difference.hpp"
#include "query/elementary/filter.hpp"
#include "query/elementary/methods.hpp"
#include "query/elementary/touch_now.hpp"

namespace graze {

namespace {

using math::not_a_number;

using query::Elementary;

constexpr double default_tolerance = 1e-12;

struct MethodEntry {
  ElementaryTraits traits;
  void (*run)(const Elementary&, ElementaryResult&);
};
template <class... T>
constexpr auto table_of(query::ElementaryTypeList<T...>) {
  return std::array{MethodEntry{T::traits, &T::run}...};
}
template <class... T>
constexpr auto traits_of(query::ElementaryTypeList<T...>) {
  return std::array{T::traits...};
}
constexpr auto table = table_of(query::ElementaryMethods{});
constexpr auto all_traits = traits_of(query::ElementaryMethods{});

const MethodEntry* find(std::string_view name) {
  for (const MethodEntry& m : table)
    if (m.traits.name == name) return &m;
  return nullptr;
}

std::optional<ErrorCode> mistake(const ElementaryOptions& o) {
  if (!find(o.method)) return ErrorCode::bad_option;
  if (o.tolerance && !(*o.tolerance > 0 && std::isfinite(*o.tolerance))) return ErrorCode::bad_option;
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation))) return ErrorCode::bad_option;
  if (o.exact && o.min_separation > 0) return ErrorCode::unsupported;
  return std::nullopt;
}

ElementaryResult refused(ErrorCode code) {
  ElementaryResult r;
  r.status = Status::invalid_request;
  r.error = code;
  return r;
}

/// Do the features share a point at some time? Exactly.
bool meet(const ElementaryQuery& q) {
  using prim::MovingPair;
  constexpr MovingPair pairs[] = {MovingPair::vertex_face, MovingPair::edge_edge, MovingPair::vertex_edge,
                                  MovingPair::vertex_vertex};
  return prim::exactly_meet(pairs[static_cast<int>(q.kind)], {q.start, q.end});
}

ElementaryResult& set_free(ElementaryResult& r) {
  r.status = Status::free;
  r.time = {1, not_a_number};
  r.gap = not_a_number;
  return r;
}

/// What is within the tolerance may yet never touch.
void settle_exactly(const ElementaryQuery& q, ElementaryResult& r) {
  if ((r.status != Status::contact && r.status != Status::touching_at_start) || meet(q)) return;
  const std::uint64_t steps = r.steps;
  r = ElementaryResult{};
  r.steps = steps;
  set_free(r);
}

/// A start within the tolerance: how far apart it really is decides what tolerance can be used, if any.
void answer_in_range(const MethodEntry& method, const ElementaryQuery& q, const query::MovingDifference& d,
                     const ElementaryOptions& options, ElementaryResult& r) {
  const double least = 16 * d.rounding;
  Elementary e{q, options, std::max(options.tolerance.value_or(default_tolerance * d.size), least), d.rounding, &d};
  method.run(e, r);
  if (r.status != Status::contact || r.time.touch != 0) return;
  const double apart = r.gap - options.min_separation;
  if (apart <= 2 * d.rounding) {
    // Within a minimum separation doubles say all there is to say; touching is decided exactly, and a start that is
    // apart but nearer than doubles can tell stays a contact at 0.
    if (options.min_separation > 0 || query::touch_now(q.kind, q.start)) r.status = Status::touching_at_start;
  } else if (0.5 * apart >= least && 0.5 * apart < e.tolerance) {
    const std::uint64_t steps = r.steps;
    e.tolerance = 0.5 * apart;
    r = ElementaryResult{};
    method.run(e, r);
    r.steps += steps;
  }
}

/// Sixth powers of lengths are computed; beyond these sizes they would be lost. Such a query is answered at a size near
/// 1: multiplied by a power of two, which rounds nothing that counts beside the largest difference.
constexpr double smallest_size = 0x1p-120, largest_size = 0x1p120;

void answer(const MethodEntry& method, const ElementaryQuery& q, const ElementaryOptions& options,
            ElementaryResult& r) {
  const query::MovingDifference d(q);
  if (d.largest >= smallest_size && d.largest <= largest_size) return answer_in_range(method, q, d, options, r);
  const double scale = query::unit_scale(q);
  const ElementaryQuery scaled = query::at_scale(q, scale);
  ElementaryOptions asked = options;
  if (asked.tolerance) asked.tolerance = *asked.tolerance * scale;
  asked.min_separation *= scale;
  answer_in_range(method, scaled, query::MovingDifference(scaled), asked, r);
  r.gap /= scale;
  r.tolerance /= scale;
}

/// The filter is part of `advancement`; other methods are asked for their own answers.
bool filters(const ElementaryOptions& options) { return options.method == table[0].traits.name; }

void answer_one(ElementaryKind kind, const std::array<Vec3, 8>& p, const MethodEntry& method,
                const ElementaryOptions& options, ElementaryResult& r) {
  r = ElementaryResult{};
  if (!std::all_of(p.begin(), p.end(), [](const Vec3& x) { return is_finite(x); })) {
    r = refused(ErrorCode::not_finite);
    return;
  }
  const ElementaryQuery q{kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
  answer(method, q, options, r);
  if (options.exact) settle_exactly(q, r);
}

}  // namespace

std::span<const ElementaryTraits> elementary_methods() { return all_traits; }

ElementaryResult elementary_contact(const ElementaryQuery& q, const ElementaryOptions& options) {
  const core::FpGuard guard;
  if (const auto code = mistake(options)) return refused(*code);
  const std::array<std::array<Vec3, 8>, 1> points{
      {{q.start[0], q.start[1], q.start[2], q.start[3], q.end[0], q.end[1], q.end[2], q.end[3]}}};
  ElementaryResult result;
  query::BatchAnswers answers;
  query::answer_batch(q.kind, points, options, query::BatchOrder::axes_first, answers);
  return answers.asked == 1 ? answers.results[0] : set_free(result);
}

void elementary_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                         const ElementaryOptions& options, int threads, std::span<ElementaryResult> results) {
  const core::FpGuard guard;
  const std::size_t n = std::min(queries.size(), results.size());
  if (const auto code = mistake(options)) {
    std::fill_n(results.begin(), n, refused(*code));
    return;
  }
  ElementaryResult free;
  set_free(free);
  constexpr std::size_t chunk = 8 * query::batch_size;
  core::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    query::BatchAnswers answers;
    const std::size_t end = std::min(n, (c + 1) * chunk);
    for (std::size_t first = c * chunk; first < end; first += query::batch_size) {
      const std::size_t count = std::min(query::batch_size, end - first);
      query::answer_batch(kind, queries.subspan(first, count), options, query::BatchOrder::axes_first, answers);
      std::fill_n(results.begin() + static_cast<std::ptrdiff_t>(first), count, free);
      for (std::size_t k = 0; k < answers.asked; ++k) results[first + answers.numbers[k]] = answers.results[k];
    }
  });
}

namespace query {

void answer_batch(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const ElementaryOptions& options,
                  BatchOrder order, BatchAnswers& out) {
  const MethodEntry& method = *find(options.method);
  std::array<std::uint16_t, batch_size> left;
  out.asked = queries.size();
  std::size_t count = out.asked;
  if (filters(options)) {
    const FilterBounds asked{options.min_separation, options.tolerance.value_or(0), default_tolerance};
    FilterLeft unsure;
    filter_elementary(kind, queries, asked, order, unsure);
    // What stays in a plane lands in no plane.
    out.asked = unsure.count + unsure.flat_count;
    const auto flat = std::copy_n(unsure.numbers.begin(), unsure.count, out.numbers.begin());
    std::copy_n(unsure.flat.begin(), unsure.flat_count, flat);
    count =
        find_plain_contacts(kind, queries, asked, out.numbers.data(), unsure.count, out.results.data(), left.data());
    for (std::size_t k = unsure.count; k < out.asked; ++k) left[count++] = static_cast<std::uint16_t>(k);
  } else {
    for (std::size_t i = 0; i < count; ++i) out.numbers[i] = left[i] = static_cast<std::uint16_t>(i);
  }
  for (std::size_t k = 0; k < count; ++k)
    answer_one(kind, queries[out.numbers[left[k]]], method, options, out.results[left[k]]);
  // Plain contacts are within the tolerance, too: whether they touch is a question of its own.
  for (std::size_t k = 0, next = 0; options.exact && k < out.asked; ++k) {
    if (next < count && left[next] == k) {
      ++next;
      continue;
    }
    const std::array<Vec3, 8>& p = queries[out.numbers[k]];
    settle_exactly({kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}}, out.results[k]);
  }
}

}  // namespace query

}  // namespace graze
