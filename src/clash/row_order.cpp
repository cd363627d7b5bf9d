// SPDX-License-Identifier: MIT
#include "clash/row_order.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "core/refusal.hpp"
#include "world/placed_box.hpp"

namespace graze::clash {

namespace {

/// Ids of a broad phase are smaller.
constexpr std::size_t most_parts = std::size_t{1} << 24;

void check_assembly(const Assembly& assembly) {
  if (assembly.parts.size() > most_parts)
    core::throw_if(core::problem(
        ErrorCode::too_large, "assembly",
        "has " + std::to_string(assembly.parts.size()) + " parts, and 16,777,216 can be numbered; check it in pieces"));
  for (std::size_t g = 0; g < assembly.geometries.size(); ++g) {
    const Geometry& geometry = assembly.geometries[g];
    if (!geometry.load)
      core::throw_if(core::problem(ErrorCode::bad_option, "geometry", "has no function `load`; use geometry(mesh)", g));
    if (geometry.box.empty())
      core::throw_if(core::problem(ErrorCode::empty_mesh, "geometry", "has an empty box; give that of its mesh", g));
    if (!is_finite(geometry.box.lo) || !is_finite(geometry.box.hi))
      core::throw_if(core::problem(ErrorCode::not_finite, "geometry", "has a box that is not finite", g));
  }
  for (std::size_t p = 0; p < assembly.parts.size(); ++p)
    if (assembly.parts[p].geometry >= assembly.geometries.size())
      core::throw_if(core::problem(ErrorCode::index_out_of_range, "part",
                                   "names geometry " + std::to_string(assembly.parts[p].geometry) + ", but there are " +
                                       std::to_string(assembly.geometries.size()) + ", counted from 0",
                                   p));
}

int longest_axis(const Box3& box) {
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (box.hi[k] * 0.5 - box.lo[k] * 0.5 > box.hi[best] * 0.5 - box.lo[best] * 0.5) best = k;
  return best;
}

}  // namespace

RowOrder::RowOrder(const Assembly& assembly, double clearance) : clearance_(clearance), broad_({.method = "tree"}) {
  check_assembly(assembly);
  Box3 all;
  for (const Part& part : assembly.parts) {
    boxes_.push_back(world::placed_box(assembly.geometries[part.geometry].box, part.pose));
    all.add(boxes_.back());
  }
  const int axis = longest_axis(all);
  part_of_.resize(boxes_.size());
  std::iota(part_of_.begin(), part_of_.end(), 0U);
  std::sort(part_of_.begin(), part_of_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(boxes_[a].lo[axis], a) < std::tuple(boxes_[b].lo[axis], b);
  });
  // An earlier part is needed until the first row whose box begins beyond its own, widened by the clearance. Widening
  // the one or the other is the same in real arithmetic; the two roundings can differ, so both are taken into account:
  // `earlier_near` finds no pair that the box widened twice as much would not overlap.
  end_of_.assign(assembly.geometries.size(), 0);
  for (std::uint64_t row = 0; row < size(); ++row) {
    const std::uint32_t part = part_of_[row];
    const double end = world::widened(world::widened(boxes_[part], clearance), clearance).hi[axis];
    const auto beyond = std::upper_bound(part_of_.begin(), part_of_.end(), end,
                                         [&](double x, std::uint32_t p) { return x < boxes_[p].lo[axis]; });
    std::uint64_t& last = end_of_[assembly.parts[part].geometry];
    last = std::max({last, row + 1, static_cast<std::uint64_t>(beyond - part_of_.begin())});
  }
}

void RowOrder::earlier_near(std::uint64_t row, std::vector<std::uint32_t>& parts) {
  for (; inserted_ < row; ++inserted_)
    broad_.insert(static_cast<std::uint32_t>(inserted_), boxes_[part_of_[inserted_]]);
  const Box3& own = boxes_[part_of_[row]];
  broad_.overlapping(clearance_ > 0 ? world::widened(own, clearance_) : own, parts);
  // Only after a run of later rows are there others.
  parts.erase(std::lower_bound(parts.begin(), parts.end(), static_cast<std::uint32_t>(row)), parts.end());
  for (std::uint32_t& p : parts) p = part_of_[p];
}

}  // namespace graze::clash
