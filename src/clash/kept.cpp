// SPDX-License-Identifier: MIT
#include "clash/kept.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/disjoint_sets.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"

namespace graze::clash {

std::vector<Component> components(const Mesh& mesh) {
  core::DisjointSets sets(mesh.vertex_count());
  for (const Triangle& t : mesh.triangles()) {
    sets.unite(t[0], t[1]);
    sets.unite(t[1], t[2]);
  }
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(mesh.vertex_count(), none);
  std::vector<Component> out;
  const auto positions = mesh.positions();
  for (const Triangle& t : mesh.triangles())
    for (const std::uint32_t v : t) {
      std::uint32_t& n = number[sets.root(v)];
      if (n == none) {
        n = static_cast<std::uint32_t>(out.size());
        out.push_back({v, v, v, v, v, v});
      }
      Component& c = out[n];
      for (int k = 0; k < 3; ++k) {
        std::uint32_t &low = c[static_cast<std::size_t>(2 * k)], &high = c[static_cast<std::size_t>(2 * k + 1)];
        if (positions[v][k] < positions[low][k]) low = v;
        if (positions[v][k] > positions[high][k]) high = v;
      }
    }
  return out;
}

std::span<const Component> Kept::parts() const {
  std::call_once(once_, [this] { components_ = components(body_.mesh()); });
  return components_;
}

std::size_t Kept::bytes() const {
  const Mesh& mesh = body_.mesh();
  // Triangles that are polygons are kept once; others beside their polygons, and with the polygon of each.
  const std::size_t each = mesh.triangle_count() == mesh.polygon_count() ? 0 : sizeof(Triangle) + 5;
  return mesh.vertex_count() * sizeof(Vec3) +
         (mesh.polygons().corners.size() + mesh.polygons().first.size()) * sizeof(std::uint32_t) +
         mesh.triangle_count() * each + body_.tree_bytes();
}

void Store::load(std::uint32_t geometry, int threads) {
  Slot& slot = slots_[geometry];
  try {
    const Geometry& source = assembly_.geometries[geometry];
    Mesh mesh = source.load();
    Box3 both = source.box;
    both.add(mesh.box());
    if (!(both == source.box))
      core::throw_if(core::problem(ErrorCode::bad_option, "geometry",
                                   "its mesh is not inside the box that was given for it; give the box of the mesh",
                                   geometry));
    slot.kept = std::make_unique<Kept>(std::move(mesh), threads);
  } catch (const Error& error) {
    slot.error = error.detail();
  }
}

void Store::need(std::span<const std::uint32_t> geometries, int threads) {
  ++calls_;
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t g : geometries) {
    slots_[g].used = calls_;
    if (!slots_[g].kept && !slots_[g].error) missing.push_back(g);
  }
  // Few: all threads build each of them.
  const bool few = missing.size() < static_cast<std::size_t>(threads);
  core::parallel_for(missing.size(), few ? 1 : threads, [&](std::size_t i) { load(missing[i], few ? threads : 1); });
  for (const std::uint32_t g : missing)
    if (const Kept* kept = find(g)) {
      held_.push_back(g);
      bytes_ += kept->bytes();
      ++built_;
    }
  most_bytes_ = std::max(most_bytes_, bytes_);
}

void Store::release(std::size_t i) {
  Slot& slot = slots_[held_[i]];
  bytes_ -= slot.kept->bytes();
  slot.kept.reset();
  held_[i] = held_.back();
  held_.pop_back();
}

void Store::shrink(std::size_t most) {
  if (bytes_ <= most) return;
  std::sort(held_.begin(), held_.end(),
            [&](std::uint32_t x, std::uint32_t y) { return slots_[x].used > slots_[y].used; });
  while (bytes_ > most && !held_.empty()) release(held_.size() - 1);
}

}  // namespace graze::clash
