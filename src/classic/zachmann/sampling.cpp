// SPDX-License-Identifier: MIT
#include "classic/zachmann/sampling.hpp"

#include <algorithm>
#include <utility>

#include <graze/classic/zachmann.hpp>

#include "engine/collide/placed_boxes.hpp"
#include "engine/contains/point_in_body.hpp"

namespace graze::classic::zachmann {

namespace {

/// A small generator (Steele, Lea and Flood's split-mix): the same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  /// Uniform in [0, 1], both ends possible: the bodies' boxes may share only a face.
  double unit() { return static_cast<double>(next() >> 11) / 0x1.fffffffffffffp52; }
  /// A number below n, which is less than 2^32.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((next() >> 32) * n) >> 32); }

 private:
  std::uint64_t state_;
};

class Sampler {
 public:
  Sampler(const engine::collide::CollideQuery& query, CollideResult& r)
      : q_(query),
        result_(r),
        a_from_b_(query.pose_b, query.pose_a),
        a_itself_(query.pose_a, query.pose_a),
        vertices_(query),
        box_a_(vertices_.body_box(query, false)),
        box_b_(vertices_.body_box(query, true)),
        options_(query.options.zachmann.value().sampling),
        random_(options_.seed) {}

  void run() {
    result_.status = Status::undecided;
    if (!box_a_.overlaps(box_b_)) return;
    if (options_.vertices_first && try_vertices()) return;
    try_points();
  }

 private:
  struct Vertex {
    std::uint32_t id;
    bool of_b;
  };

  /// Vertices of one body inside the other's box. Vertices that no polygon uses are not part of the body.
  void add_vertices(bool b, std::vector<Vertex>& out) const {
    const Mesh& mesh = (b ? q_.b : q_.a).mesh;
    std::vector<char> used(mesh.vertex_count(), 0);
    for (const Triangle& t : mesh.triangles())
      for (const std::uint32_t v : t) used[v] = 1;
    for (std::uint32_t v = 0; v < used.size(); ++v)
      if (used[v] && vertices_.box(b, std::array{v}).overlaps(b ? box_a_ : box_b_)) out.push_back({v, b});
  }

  /// A vertex belongs to its own body, so it only has to be in the other one.
  bool try_vertices() {
    std::vector<Vertex> order;
    add_vertices(false, order);
    add_vertices(true, order);
    for (std::size_t left = order.size(); left > 0; --left) {
      if (engine::collide::over(q_.limits, q_.counters)) return true;
      std::swap(order[left - 1], order[random_.below(left)]);
      const Vertex v = order[left - 1];
      const Vec3& x = (v.of_b ? q_.b : q_.a).mesh.positions()[v.id];
      ++q_.counters.sampled_vertices;
      const Location where = v.of_b ? engine::contains::point_in_body(q_.a, q_.placement, x, q_.counters)
                                    : engine::contains::point_in_body(q_.b, a_from_b_, x, q_.counters);
      if (where == Location::outside) continue;
      found((v.of_b ? q_.pose_b : q_.pose_a).apply(x));
      return true;
    }
    return false;
  }

  /// Points in A's frame, inside both boxes.
  void try_points() {
    const Vec3 lo{std::max(box_a_.lo.x, box_b_.lo.x), std::max(box_a_.lo.y, box_b_.lo.y),
                  std::max(box_a_.lo.z, box_b_.lo.z)};
    const Vec3 hi{std::min(box_a_.hi.x, box_b_.hi.x), std::min(box_a_.hi.y, box_b_.hi.y),
                  std::min(box_a_.hi.z, box_b_.hi.z)};
    for (int i = 0; i < options_.points; ++i) {
      if (engine::collide::over(q_.limits, q_.counters)) return;
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis) {
        const double t = random_.unit();
        x[axis] = std::clamp(lo[axis] * (1 - t) + hi[axis] * t, lo[axis], hi[axis]);
      }
      ++q_.counters.sampled_points;
      if (engine::contains::point_in_body(q_.a, a_itself_, x, q_.counters) == Location::outside) continue;
      if (engine::contains::point_in_body(q_.b, a_from_b_, x, q_.counters) == Location::outside) continue;
      return found(q_.pose_a.apply(x));
    }
  }

  void found(const Vec3& world) {
    result_.status = Status::contact;
    result_.points = {world, world};
  }

  const engine::collide::CollideQuery& q_;
  CollideResult& result_;
  math::RelativePlacement a_from_b_, a_itself_;  ///< points of A seen from B, and from A
  engine::collide::PlacedVertices vertices_;
  Box3 box_a_, box_b_;  ///< both in A's frame
  const SamplingOptions& options_;
  Random random_;
};

}  // namespace

std::optional<ErrorDetail> Sampling::refuses(const engine::collide::CollideQuery& query) {
  if (query.options.zachmann.value().sampling.points >= 0) return std::nullopt;
  return core::bad_option("sampling.points", "the number of points must not be negative");
}

void Sampling::run(const engine::collide::CollideQuery& query, CollideResult& result) { Sampler(query, result).run(); }

}  // namespace graze::classic::zachmann
