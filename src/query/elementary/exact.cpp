// SPDX-License-Identifier: MIT
#include "query/elementary/exact.hpp"

#include <limits>

#include "prim/exact_moving.hpp"
#include "query/elementary/closest_now.hpp"

namespace graze::query {
namespace {

prim::MovingPair pair_of(ElementaryKind kind) {
  switch (kind) {
    case ElementaryKind::edge_edge: return prim::MovingPair::edge_edge;
    case ElementaryKind::vertex_edge: return prim::MovingPair::vertex_edge;
    case ElementaryKind::vertex_vertex: return prim::MovingPair::vertex_vertex;
    case ElementaryKind::vertex_face: break;
  }
  return prim::MovingPair::vertex_face;
}

}  // namespace

void ElementaryExact::run(const Elementary& e, ElementaryResult& result) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  result.tolerance = e.tolerance;
  if (e.options.min_separation > 0) {
    result.status = Status::invalid_request;
    result.error = ErrorCode::unsupported;
    return;
  }
  result.steps = 1;
  const auto first = prim::exact_first_time(pair_of(e.query.kind), {e.query.start, e.query.end});
  if (!first) {
    result.status = Status::free;
    result.time = {1, nan};
    result.gap = nan;
    return;
  }
  // At `hi` they are apart by what they move in 2^-52 of the time, less than any tolerance in use.
  const ClosestNow closest = closest_now(e.query, first->hi);
  result.status = Status::contact;
  result.time = {first->lo, first->hi};
  result.gap = first->lo == first->hi ? 0 : closest.gap;
  result.weights = closest.weights;
}

}  // namespace graze::query
