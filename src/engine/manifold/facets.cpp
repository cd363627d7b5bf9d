// SPDX-License-Identifier: MIT
#include "engine/manifold/facets.hpp"

#include <algorithm>
#include <cmath>

#include "engine/manifold/flat_regions.hpp"

namespace graze::engine::manifold {

namespace {

double reach_of(const body::BodyData& body) {
  if (body.is_half_space()) return std::fabs(body.shape->rounding);
  const Box3& box = body.box();
  return std::max(math::largest(box.lo), math::largest(box.hi));
}

double size_of(const body::BodyData& body) {
  if (body.is_half_space()) return math::infinity;
  return math::largest(body.box().hi * 0.5 - body.box().lo * 0.5) * 2;
}

/// Seen under a smaller angle than this (its sine), heights of a facet are 16 times less accurate than its corners.
constexpr double slanting = 1.0 / 16;

FeatureRef mesh_vertex(std::uint32_t v) { return {FeatureRef::Type::vertex, false, {v, v}}; }
FeatureRef mesh_edge(std::uint32_t v, std::uint32_t w) {
  return {FeatureRef::Type::edge, false, {std::min(v, w), std::max(v, w)}};
}

/// The triangles of one mesh as facets.
class MeshShower {
 public:
  MeshShower(const Mesh& mesh, const FlatRegions& flat, int volume_sign, double radius, const PlacedBody& body,
             const Vec3& n, double level)
      : mesh_(mesh),
        flat_(flat),
        sign_(volume_sign),
        radius_(std::ldexp(radius, -body.exponent)),
        body_(body),
        n_(n),
        level_(level),
        own_n_(body.turn_back(n)) {
    if (radius_ <= 0) return;
    for (const Vec3& x : mesh.positions()) top_ = std::max(top_, height(x));
    for (const Vec3& x : mesh.positions()) reach_ = std::max(reach_, math::largest(body.scaled(x)));
  }

  void add_all(double least_sine, std::vector<Facet>& out) const {
    for (std::uint32_t t = 0; t < mesh_.triangle_count(); ++t) add(t, least_sine, out);
  }

 private:
  /// Along n, but for the translation of the body.
  double height(const Vec3& own) const { return dot(own_n_, body_.scaled(own)); }

  void add(std::uint32_t t, double least_sine, std::vector<Facet>& out) const {
    const Triangle& corners = mesh_.triangles()[t];
    const auto& x = mesh_.positions();
    const double highest = std::max({height(x[corners[0]]), height(x[corners[1]]), height(x[corners[2]])});
    if (highest + dot(n_, body_.t) + radius_ < level_) return;
    const std::array<Vec3, 3> p{body_.place(x[corners[0]]), body_.place(x[corners[1]]), body_.place(x[corners[2]])};
    Vec3 normal = math::unit(cross(math::of_size_one(p[1] - p[0]), math::of_size_one(p[2] - p[0])));
    if (sign_ < 0) normal = -normal;
    if (sign_ == 0) normal = math::facing(normal, n_);
    if (!(dot(normal, n_) > least_sine)) return;
    Facet f;
    f.count = 3;
    f.normal = normal;
    f.triangle = t;
    f.face = {FeatureRef::Type::face, false, {flat_.face[t], flat_.face[t]}};
    f.inner = flat_.inner[t];
    for (unsigned k = 0; k < 3; ++k) {
      Corner& c = f.corners[k];
      c.at = p[k] + normal * radius_;
      c.feature = mesh_vertex(corners[k]);
      c.inner = !flat_.is_edge[corners[k]];
      f.edges[k] = mesh_edge(corners[k], corners[(k + 1) % 3]);
      c.rounded = radius_ > 0 && height(x[corners[k]]) >= top_ - 0x1p-40 * reach_;
      c.furthest = p[k] + n_ * radius_;
    }
    out.push_back(f);
  }

  const Mesh& mesh_;
  const FlatRegions& flat_;
  int sign_;
  double radius_;
  const PlacedBody& body_;
  Vec3 n_;
  double level_;
  Vec3 own_n_;
  double top_ = -math::infinity, reach_ = 0;
};

void show_half_space(const PlacedBody& body, std::vector<Facet>& out) {
  Facet f;
  f.count = 1;
  f.plane = true;
  f.corners[0].at = body.place({0, 0, body.data->shape->rounding});
  f.normal = body.turn({0, 0, 1});
  f.face = f.corners[0].feature = {FeatureRef::Type::face, false, {0, 0}};
  out.push_back(f);
}

void show_mesh_with(const Mesh& mesh, const FlatRegions& flat, int volume_sign, double radius, const PlacedBody& body,
                    const Vec3& n, double level, std::vector<Facet>& out) {
  const MeshShower shower(mesh, flat, volume_sign, radius, body, n, level);
  shower.add_all(slanting, out);
  // A needle's tip: all that can be seen is steep.
  if (out.empty()) shower.add_all(slanting * slanting * slanting, out);
}

}  // namespace

PlacedPair::PlacedPair(const body::BodyData& body_a, const Pose& pose_a, const body::BodyData& body_b,
                       const Pose& pose_b, double given_margin) {
  const math::RelativePlacement placement(pose_a, pose_b);
  // Four times the size: a corner's coordinates are at most twice as large as those in its own frame, and B is moved.
  const double reach =
      std::max(reach_of(body_a), math::largest(placement.translation()) * 0.5 + reach_of(body_b) * 0.5);
  exponent = curved::exponent_of(reach) + 3;
  a.data = &body_a;
  a.exponent = b.exponent = exponent;
  a.factors = b.factors = {std::ldexp(1, -(exponent / 2)), std::ldexp(1, -(exponent - exponent / 2))};
  b.data = &body_b;
  b.r = placement.rotation();
  b.t = curved::scaled(placement.translation(), -exponent);
  margin = std::min(std::ldexp(given_margin, -exponent), 4.0);  // nothing is further apart than that
  size = std::ldexp(std::min(size_of(body_a), size_of(body_b)), -exponent);
}

void show(const PlacedBody& body, const Vec3& n, double level, std::vector<Facet>& out) {
  out.clear();
  const body::BodyData& data = *body.data;
  if (data.is_half_space()) return show_half_space(body, out);
  if (data.is_curved()) return show_curved(body, n, out);
  show_mesh_with(data.mesh, data.part<FlatRegions>(), data.classification().volume_sign, 0, body, n, level, out);
}

void show_mesh(const Mesh& mesh, int volume_sign, double radius, const PlacedBody& body, const Vec3& n, double level,
               std::vector<Facet>& out) {
  show_mesh_with(mesh, FlatRegions(mesh), volume_sign, radius, body, n, level, out);
}

}  // namespace graze::engine::manifold
