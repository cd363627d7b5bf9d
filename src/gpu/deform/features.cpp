// SPDX-License-Identifier: MIT
#include "gpu/deform/features.hpp"

#include <algorithm>
#include <numeric>

#include <graze/ask/deform_filter.hpp>

namespace graze::gpu {

namespace {

/// The bits of a number below 2^10, with two zeros after each.
std::uint32_t spread_bits(std::uint32_t x) {
  x = (x | x << 16) & 0x030000FF;
  x = (x | x << 8) & 0x0300F00F;
  x = (x | x << 4) & 0x030C30C3;
  return (x | x << 2) & 0x09249249;
}

/// The place of a point on a curve that fills the box of all points: neighbours on the curve are neighbours in space.
class Curve {
 public:
  explicit Curve(std::span<const Vec3> points) {
    if (points.empty()) return;
    Vec3 high = low_ = points[0];
    for (const Vec3& p : points)
      for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = std::min(low_[axis], p[axis]);
        high[axis] = std::max(high[axis], p[axis]);
      }
    double longest = 0;
    for (int axis = 0; axis < 3; ++axis) longest = std::max(longest, 0.5 * high[axis] - 0.5 * low_[axis]);
    if (longest > 0 && 511.99 / longest < 1e300) scale_ = 511.99 / longest;
  }
  /// Of the mean of n points.
  std::uint64_t key(std::span<const Vec3> positions, const std::uint32_t* v, int n) const {
    std::uint64_t low = 0, high = 0;
    for (int axis = 0; axis < 3; ++axis) {
      double x = 0;
      for (int i = 0; i < n; ++i) x += (0.5 * positions[v[i]][axis] - 0.5 * low_[axis]) / n;
      const double cells = std::clamp(x * scale_ * 1024, 0.0, 1048575.0);
      const auto cell = static_cast<std::uint32_t>(cells);
      high |= std::uint64_t{spread_bits(cell >> 10)} << axis;
      low |= std::uint64_t{spread_bits(cell & 1023)} << axis;
    }
    return high << 30 | low;
  }

 private:
  Vec3 low_{};
  double scale_ = 0;
};

template <class Corners>
std::vector<std::uint32_t> ordered(std::size_t count, const Corners& key) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(count);
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = {key(i), i};
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> at(count);
  for (std::size_t i = 0; i < count; ++i) at[i] = keys[i].second;
  return at;
}

}  // namespace

Features list_features(const Mesh& mesh, std::span<const Vec3> positions) {
  Features f;
  f.faces.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (const auto& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      f.edges.push_back({std::min(a, b), std::max(a, b)});
    }
  for (const auto& [a, b] : mesh.edges()) {
    f.faces.push_back({std::min(a, b), std::max(a, b), std::max(a, b)});
    if (a != b) f.edges.push_back({std::min(a, b), std::max(a, b)});
  }
  for (const std::uint32_t p : mesh.points()) f.faces.push_back({p, p, p});
  const auto sort = [](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  sort(f.edges);
  sort(f.faces);
  std::vector<bool> used(mesh.vertex_count(), false);
  for (const auto& t : f.faces)
    for (const std::uint32_t v : t) used[v] = true;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
    if (used[v]) f.vertices.push_back(v);
  f.piece = vertex_bodies(mesh);
  order_features(f, positions);
  return f;
}

void order_features(Features& f, std::span<const Vec3> positions) {
  const Curve curve(positions);
  std::sort(f.vertices.begin(), f.vertices.end());
  const std::vector<std::uint32_t> by_name = f.vertices;
  const auto at = ordered(by_name.size(), [&](std::uint32_t i) { return curve.key(positions, &by_name[i], 1); });
  for (std::size_t i = 0; i < at.size(); ++i) f.vertices[i] = by_name[at[i]];
  f.edge_at = ordered(f.edges.size(), [&](std::uint32_t i) { return curve.key(positions, f.edges[i].data(), 2); });
  f.face_at = ordered(f.faces.size(), [&](std::uint32_t i) { return curve.key(positions, f.faces[i].data(), 3); });
}

}  // namespace graze::gpu
