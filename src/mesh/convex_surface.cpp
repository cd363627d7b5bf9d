// SPDX-License-Identifier: MIT
#include "mesh/convex_surface.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <graze/mesh/classify.hpp>

#include "core/limits.hpp"
#include "math/predicates.hpp"

namespace graze::mesh {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The triangle across each edge (corner k to corner k + 1), where exactly two triangles share it and traverse it in
/// opposite directions.
std::vector<std::array<std::uint32_t, 3>> neighbours(const Mesh& mesh) {
  const std::span<const Triangle> triangles = mesh.triangles();
  struct Side {
    std::uint32_t low, high, triangle;
    std::uint8_t corner;
    bool forward;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::uint8_t k = 0; k < 3; ++k) {
      const std::uint32_t from = triangles[t][k], to = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::array{x.low, x.high, x.triangle} < std::array{y.low, y.high, y.triangle};
  });
  std::vector<std::array<std::uint32_t, 3>> across(triangles.size(), {none, none, none});
  for (std::size_t i = 0, j; i < sides.size(); i = j) {
    for (j = i + 1; j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high;) ++j;
    const Side &x = sides[i], &y = sides[i + 1 < sides.size() ? i + 1 : i];
    if (j - i != 2 || x.forward == y.forward || x.triangle == y.triangle) continue;
    across[x.triangle][x.corner] = y.triangle;
    across[y.triangle][y.corner] = x.triangle;
  }
  return across;
}

/// Does the mesh as a whole face inward? An estimate in double precision: it only chooses on which side pieces are
/// convex.
bool faces_inward(const Mesh& mesh) {
  double volume = 0;
  const Vec3 o = mesh.positions()[mesh.triangles()[0][0]];
  for (const Triangle& t : mesh.triangles())
    volume += dot(mesh.positions()[t[0]] - o, cross(mesh.positions()[t[1]] - o, mesh.positions()[t[2]] - o));
  return volume < 0;
}

class Decomposition {
 public:
  Decomposition(const Mesh& mesh, std::size_t most_planes)
      : mesh_(mesh),
        most_planes_(most_planes),
        across_(neighbours(mesh)),
        inward_(faces_inward(mesh)),
        taken_(mesh.triangle_count(), false),
        plane_of_(mesh.triangle_count(), none),
        piece_of_vertex_(mesh.vertex_count(), none) {}

  ConvexSurface run() {
    for (std::uint32_t seed = 0; seed < mesh_.triangle_count(); ++seed) {
      if (taken_[seed]) continue;
      grow(seed);
      surface_.first.push_back(static_cast<std::uint32_t>(surface_.triangles.size()));
    }
    return std::move(surface_);
  }

 private:
  const Vec3& at(std::uint32_t vertex) const { return mesh_.positions()[vertex]; }
  const Triangle& corners(std::uint32_t t) const { return mesh_.triangles()[t]; }

  /// +1 above the triangle's plane (outside), 0 on it, -1 below; exact.
  int side(const Triangle& t, std::uint32_t vertex) const {
    if (vertex == t[0] || vertex == t[1] || vertex == t[2]) return 0;
    const Vec3 &a = at(t[0]), &b = at(t[1]), &c = at(t[2]), &d = at(vertex);
    int s = math::orient3d_filter(a, b, c, d, 0);
    if (s == 0) s = math::orient3d(a, b, c, d);
    return inward_ ? -s : s;
  }

  bool degenerate(const Triangle& t) const {
    for (int u = 0; u < 3; ++u) {
      const int v = (u + 1) % 3;
      const Vec3 &a = at(t[0]), &b = at(t[1]), &c = at(t[2]);
      if (math::orient2d(a[u], a[v], b[u], b[v], c[u], c[v]) != 0) return false;
    }
    return true;
  }

  void grow(std::uint32_t seed) {
    const auto piece = static_cast<std::uint32_t>(surface_.size());
    vertices_.clear();
    planes_.clear();
    const std::size_t begin = surface_.triangles.size();
    take(piece, seed, none);
    if (degenerate(corners(seed))) return;
    // The list of the piece's triangles is also the queue of the breadth-first search.
    for (std::size_t i = begin; i < surface_.triangles.size() && planes_.size() < most_planes_; ++i) {
      if (++steps_ % 64 == 0) core::poll_once();
      const std::uint32_t from = surface_.triangles[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t t = across_[from][k];
        if (t == none || taken_[t] || degenerate(corners(t))) continue;
        // Its corner lies on the neighbour's plane: then the triangle lies in that plane, against which all corners
        // have been tested.
        const bool coplanar = side(corners(from), apex(t, from, k)) == 0;
        if (coplanar ? fits_below_planes(piece, t) : fits(piece, t)) take(piece, t, coplanar ? plane_of_[from] : none);
      }
    }
  }

  /// The corner of t that is not on edge k of its neighbour.
  std::uint32_t apex(std::uint32_t t, std::uint32_t neighbour, std::size_t k) const {
    const Triangle& n = corners(neighbour);
    for (const std::uint32_t v : corners(t))
      if (v != n[k] && v != n[(k + 1) % 3]) return v;
    return corners(t)[0];
  }

  bool fits(std::uint32_t piece, std::uint32_t t) const {
    for (auto v = vertices_.rbegin(); v != vertices_.rend(); ++v)  // the latest are the most likely to fail
      if (side(corners(t), *v) > 0) return false;
    return fits_below_planes(piece, t);
  }

  bool fits_below_planes(std::uint32_t piece, std::uint32_t t) const {
    for (const std::uint32_t v : corners(t)) {
      if (piece_of_vertex_[v] == piece) continue;
      for (auto p = planes_.rbegin(); p != planes_.rend(); ++p)
        if (side(corners(*p), v) > 0) return false;
    }
    return true;
  }

  void take(std::uint32_t piece, std::uint32_t t, std::uint32_t plane) {
    surface_.triangles.push_back(t);
    taken_[t] = true;
    plane_of_[t] = plane == none ? t : plane;
    if (plane == none) planes_.push_back(t);
    for (const std::uint32_t v : corners(t)) {
      if (piece_of_vertex_[v] == piece) continue;
      piece_of_vertex_[v] = piece;
      vertices_.push_back(v);
    }
  }

  const Mesh& mesh_;
  const std::size_t most_planes_;
  const std::vector<std::array<std::uint32_t, 3>> across_;
  const bool inward_;
  unsigned steps_ = 0;  ///< for polling now and then
  std::vector<bool> taken_;
  std::vector<std::uint32_t> plane_of_;           // per triangle: the first of its piece in the same plane
  std::vector<std::uint32_t> piece_of_vertex_;    // per vertex: the last piece that contains it
  std::vector<std::uint32_t> vertices_, planes_;  // of the current piece; a plane is given by a triangle
  ConvexSurface surface_;
};

}  // namespace

ConvexSurface convex_surface(const Mesh& mesh, std::size_t most_planes) {
  if (mesh.triangle_count() > most_planes && classify(mesh).convex) {
    ConvexSurface whole;
    whole.triangles.resize(mesh.triangle_count());
    std::iota(whole.triangles.begin(), whole.triangles.end(), 0U);
    whole.first.push_back(static_cast<std::uint32_t>(mesh.triangle_count()));
    return whole;
  }
  return Decomposition(mesh, most_planes).run();
}

}  // namespace graze::mesh
