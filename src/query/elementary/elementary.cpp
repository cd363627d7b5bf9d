// SPDX-License-Identifier: MIT
#include <graze/query/elementary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fp_guard.hpp"
#include "core/parallel.hpp"
#include "prim/exact_moving.hpp"
#include "query/elementary/filter.hpp"
#include "query/elementary/methods.hpp"

namespace graze {

namespace {

using query::Elementary;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
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
void answer(const MethodEntry& method, const ElementaryQuery& q, const ElementaryOptions& options,
            ElementaryResult& r) {
  const query::MovingDifference d(q);
  const double least = 16 * d.rounding;
  Elementary e{q, options, std::max(options.tolerance.value_or(default_tolerance * d.size), least), d.rounding};
  method.run(e, r);
  if (r.status != Status::contact || r.time.touch != 0) return;
  const double apart = r.gap - options.min_separation;
  if (apart <= 2 * d.rounding) {
    // Within a minimum separation doubles say all there is to say; touching is decided exactly, and a start that is
    // apart but nearer than doubles can tell stays a contact at 0.
    if (options.min_separation > 0 || meet({q.kind, q.start, q.start})) r.status = Status::touching_at_start;
  } else if (0.5 * apart >= least && 0.5 * apart < e.tolerance) {
    const std::uint64_t steps = r.steps;
    e.tolerance = 0.5 * apart;
    r = ElementaryResult{};
    method.run(e, r);
    r.steps += steps;
  }
}

/// The filter is part of `advancement`; other methods are asked for their own answers. A budget counts their steps.
bool filters(const ElementaryOptions& options) { return options.method == table[0].traits.name && options.work == 0; }

}  // namespace

std::span<const ElementaryTraits> elementary_methods() { return all_traits; }

ElementaryResult elementary_contact(const ElementaryQuery& q, const ElementaryOptions& options) {
  const core::FpGuard guard;
  if (const auto code = mistake(options)) return refused(*code);
  for (std::size_t i = 0; i < 4; ++i)
    if (!is_finite(q.start[i]) || !is_finite(q.end[i])) return refused(ErrorCode::not_finite);
  ElementaryResult r;
  const MethodEntry& method = *find(options.method);
  if (filters(options)) {  // as in a batch
    const std::array<std::array<Vec3, 8>, 1> points{
        {{q.start[0], q.start[1], q.start[2], q.start[3], q.end[0], q.end[1], q.end[2], q.end[3]}}};
    std::array<bool, 1> free{};
    query::filter_elementary(q.kind, points, options.tolerance, default_tolerance, options.min_separation, free);
    if (free[0]) return set_free(r);
  }
  answer(method, q, options, r);
  if (options.exact) settle_exactly(q, r);
  return r;
}

void elementary_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                         const ElementaryOptions& options, int threads, std::span<ElementaryResult> results) {
  const core::FpGuard guard;
  const std::size_t n = std::min(queries.size(), results.size());
  if (const auto code = mistake(options)) {
    std::fill_n(results.begin(), n, refused(*code));
    return;
  }
  const MethodEntry& method = *find(options.method);
  const bool filtered = filters(options);
  constexpr std::size_t chunk = 1024;
  core::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    std::array<bool, chunk> free{};
    const std::size_t first = c * chunk, count = std::min(chunk, n - first);
    if (filtered)
      query::filter_elementary(kind, queries.subspan(first, count), options.tolerance, default_tolerance,
                               options.min_separation, std::span(free).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<Vec3, 8>& p = queries[first + i];
      ElementaryResult& r = results[first + i];
      r = ElementaryResult{};
      if (free[i]) {
        set_free(r);
        continue;
      }
      const ElementaryQuery q{kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
      if (!std::all_of(p.begin(), p.end(), [](const Vec3& x) { return is_finite(x); })) {
        r = refused(ErrorCode::not_finite);
        continue;
      }
      answer(method, q, options, r);
      if (options.exact) settle_exactly(q, r);
    }
  });
}

}  // namespace graze
