// SPDX-License-Identifier: MIT
#include "engine/proof/step_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/limits.hpp"

namespace graze::engine::proof {

StepParts::StepParts(const Mesh& mesh, std::array<std::span<const Vec3>, 2> positions,
                     std::vector<std::uint32_t> body_of_vertex)
    : mesh_(mesh), place_(positions), body_of_vertex_(std::move(body_of_vertex)), order_(mesh.triangle_count()) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (!body_of_vertex_.empty())
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return body(a) < body(b); });
  if (!order_.empty()) build(0, order_.size());
}

bool StepParts::one_body(const StepPart& a, const StepPart& b) const {
  if (body_of_vertex_.empty()) return false;
  const std::uint32_t only = body(order_[a.first]);
  const auto same = [&](const StepPart& p) {
    return body(order_[p.first]) == only && body(order_[p.last - 1]) == only;
  };
  return same(a) && same(b);
}

double StepParts::middle(std::uint32_t triangle, int axis) const {
  double sum = 0;
  for (const std::uint32_t v : mesh_.triangles()[triangle]) sum += place_[0][v][axis] + place_[1][v][axis];
  return sum;
}

std::int32_t StepParts::build(std::size_t first, std::size_t last) {
  if (last - first > 64) core::poll_once();
  const auto id = static_cast<std::int32_t>(parts_.size());
  parts_.emplace_back();
  StepPart part;
  part.first = first;
  part.last = last;
  if (last - first > 1) {
    const std::size_t cut = cut_of(first, last);
    part.left = build(first, cut);
    part.right = build(cut, last);
    const StepPart &l = parts_[static_cast<std::size_t>(part.left)], &r = parts_[static_cast<std::size_t>(part.right)];
    for (std::size_t end = 0; end < 2; ++end)
      for (std::size_t k = 0; k < step_directions.size(); ++k) {
        part.low[end][k] = std::min(l.low[end][k], r.low[end][k]);
        part.high[end][k] = std::max(l.high[end][k], r.high[end][k]);
      }
  } else {
    for (std::size_t end = 0; end < 2; ++end)
      for (std::size_t k = 0; k < step_directions.size(); ++k) {
        const auto along = [&](std::uint32_t v) { return dot(step_directions[k], place_[end][v]); };
        const Triangle& t = mesh_.triangles()[order_[first]];
        part.low[end][k] = std::min({along(t[0]), along(t[1]), along(t[2])});
        part.high[end][k] = std::max({along(t[0]), along(t[1]), along(t[2])});
      }
  }
  parts_[static_cast<std::size_t>(id)] = part;
  return id;
}

/// Cuts between connected components (or bodies) first, then in halves along the widest axis.
std::size_t StepParts::cut_of(std::size_t first, std::size_t last) {
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (!body_of_vertex_.empty() && body(order_[first]) != body(order_[last - 1])) {
    const std::uint32_t middle_body = body(order_[first + (last - first) / 2]);
    const std::uint32_t from = middle_body == body(order_[first]) ? middle_body + 1 : middle_body;
    return static_cast<std::size_t>(
        std::partition_point(at(first), at(last), [&](std::uint32_t t) { return body(t) < from; }) - order_.begin());
  }
  int widest = 0;
  double width = -1;
  for (int axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = first; i < last; ++i) {
      low = std::min(low, middle(order_[i], axis));
      high = std::max(high, middle(order_[i], axis));
    }
    if (high - low > width) {
      width = high - low;
      widest = axis;
    }
  }
  const std::size_t half = first + (last - first) / 2;
  std::nth_element(at(first), at(half), at(last), [&](std::uint32_t a, std::uint32_t b) {
    const double x = middle(a, widest), y = middle(b, widest);
    return x != y ? x < y : a < b;
  });
  return half;
}

}  // namespace graze::engine::proof
