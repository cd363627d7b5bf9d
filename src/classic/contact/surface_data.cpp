// SPDX-License-Identifier: MIT
#include "classic/contact/surface_data.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "engine/first_contact/pair/kinematics.hpp"

namespace graze::classic::contact {
namespace {

using Leaf = SurfaceData::Leaf;

[[noreturn]] void refuse(ErrorCode code, const char* message) {
  throw Error({.code = code, .message = message, .element = "surface", .file = {}});
}

bool is_finite(const SurfaceHull& hull) {
  bool all = std::isfinite(hull.radius);
  for (int i = 0; i < hull.count; ++i) all &= graze::is_finite(hull.points[static_cast<std::size_t>(i)]);
  return all;
}

Box3 box_of(const std::vector<Leaf>& leaves) {
  Box3 box;
  for (const Leaf& leaf : leaves)
    for (int i = 0; i < leaf.hull.count; ++i) {
      const Vec3& p = leaf.hull.points[static_cast<std::size_t>(i)];
      const double r = leaf.hull.radius;
      box.add(Vec3{next_down(p.x - r), next_down(p.y - r), next_down(p.z - r)});
      box.add(Vec3{next_up(p.x + r), next_up(p.y + r), next_up(p.z + r)});
    }
  return box;
}

/// Halves cells breadth first until all pieces are small, or there are too many.
std::vector<Leaf> pieces(const SurfaceSource& source, const SurfaceOptions& options) {
  if (!(options.leaf_size > 0) || options.most_leaves < 1)
    refuse(ErrorCode::bad_option, "the size and the number of leaves must be positive");
  std::deque<Leaf> waiting;
  const auto offer = [&](const SurfaceCell& cell) {
    Leaf leaf{cell, {}};
    if (source.enclose(cell, leaf.hull)) waiting.push_back(leaf);
  };
  for (const SurfaceCell& cell : source.roots()) offer(cell);
  if (waiting.empty()) refuse(ErrorCode::empty_mesh, "there is nothing of this surface within its bounds");
  const Box3 whole = box_of({waiting.begin(), waiting.end()});
  const double small = options.leaf_size * engine::first_contact::length_at_any_scale(whole.hi - whole.lo);
  std::vector<Leaf> done;
  while (!waiting.empty()) {
    const Leaf leaf = waiting.front();
    waiting.pop_front();
    const bool enough = done.size() + waiting.size() + 1 >= options.most_leaves;
    if ((is_finite(leaf.hull) && leaf.hull.size() <= 0.5 * small) || enough || !source.divisible(leaf.cell)) {
      if (!is_finite(leaf.hull)) refuse(ErrorCode::not_finite, "the inclusion function of a surface is not finite");
      done.push_back(leaf);
      continue;
    }
    for (const SurfaceCell& half : source.halves(leaf.cell)) offer(half);
  }
  if (done.empty()) refuse(ErrorCode::empty_mesh, "there is nothing of this surface within its bounds");
  return done;
}

IntervalItems items_of(const std::vector<Leaf>& leaves) {
  IntervalItems items;
  for (const Leaf& leaf : leaves) {
    items.add({leaf.hull.points.data(), static_cast<std::size_t>(leaf.hull.count)});
    items.radius.push_back(leaf.hull.radius);
  }
  return items;
}

}  // namespace

SurfaceData::SurfaceData(std::unique_ptr<const SurfaceSource> from, bool parametric, const SurfaceOptions& options)
    : source(std::move(from)),
      is_parametric(parametric),
      made_with(options),
      leaves(pieces(*source, options)),
      box(box_of(leaves)),
      tree(items_of(leaves)) {}

}  // namespace graze::classic::contact
