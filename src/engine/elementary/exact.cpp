// SPDX-License-Identifier: MIT
#include "engine/elementary/exact.hpp"

#include <limits>

#include "engine/elementary/closest_now.hpp"
#include "prim/moving/exact_moving.hpp"

namespace graze::engine::elementary {
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
  const ElementaryQuery& asked = e.unscaled ? *e.unscaled : e.query;  // scaling may have lost the smallest coordinates
  const auto first = prim::exact_first_time(pair_of(asked.kind), {asked.start, asked.end});
  if (!first) {
    result.status = Status::free;
    result.time = {1, nan};
    result.gap = nan;
    return;
  }
  // At `hi` their distance is at most what they move in 2^-52 of the time, less than any tolerance in use.
  const ClosestNow closest = closest_now(e.query, first->hi);
  result.status = Status::contact;
  result.time = {first->lo, first->hi};
  result.gap = first->lo == first->hi ? 0 : closest.gap;
  result.weights = closest.weights;
}

}  // namespace graze::engine::elementary
