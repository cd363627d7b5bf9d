// SPDX-License-Identifier: MIT
#include "classic/zachmann/separating_plane.hpp"

#include <algorithm>
#include <string>

#include <graze/classic/zachmann.hpp>

#include "classic/zachmann/coherence.hpp"
#include "engine/collide/placed_boxes.hpp"

namespace graze::classic::zachmann {

namespace {

using Plane = CollideCoherence::State::Plane;
using Start = SeparatingPlaneOptions::Start;

/// A point or a plane in projective space. The last coordinate of points is +-1/2, so that points in the unit cube have
/// length <= 1.
struct Vec4 {
  Vec3 xyz;
  double w = 0;
};
double dot(const Vec4& a, const Vec4& b) { return graze::dot(a.xyz, b.xyz) + a.w * b.w; }
constexpr double height = 0.5;

struct LearningPoint {
  Vec4 z;
  std::uint32_t vertex;
  bool of_b;
};

class Perceptron {
 public:
  Perceptron(const engine::collide::CollideQuery& query, CollideResult& r)
      : q_(query),
        options_(query.options.zachmann.value().separating_plane),
        result_(r),
        vertices_(query),
        box_a_(vertices_.body_box(query, false)),
        box_b_(vertices_.body_box(query, true)) {
    Box3 both = box_a_;
    both.add(box_b_);
    centre_ = middle(both);
    const Vec3 size = both.hi - both.lo;
    int exponent = 0;
    std::frexp(std::max({size.x, size.y, size.z}), &exponent);
    scale_ = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
    add_points(false);
    add_points(true);
  }

  void run() {
    CollideCoherence::State* memory = q_.options.coherence ? &q_.options.coherence->state() : nullptr;
    bool found = false;
    if (memory && memory->plane) {
      const std::uint64_t before = q_.counters.plane_updates;
      found = search(from_frame(*memory->plane), false);
      q_.counters.plane_reused += found && q_.counters.plane_updates == before;
    }
    if (!found) found = search(start(), true);
    result_.status = found ? Status::free : Status::undecided;
    if (!found) report_deepest();
    if (memory) memory->plane = in_frame();
  }

 private:
  static Vec3 middle(const Box3& box) { return box.lo * 0.5 + box.hi * 0.5; }
  Vec3 scaled(const Vec3& x) const { return (x - centre_) * scale_; }

  void add_points(bool b) {
    const Mesh& mesh = (b ? q_.b : q_.a).mesh;
    std::vector<char> used(mesh.vertex_count(), 0);
    for (const Triangle& t : mesh.triangles())
      for (const std::uint32_t v : t) used[v] = 1;
    for (std::uint32_t v = 0; v < used.size(); ++v) {
      if (!used[v]) continue;
      const Vec3 x = scaled(vertices_.of(b)[v]);
      points_.push_back({b ? Vec4{-x, height} : Vec4{x, -height}, v, b});
    }
  }

  // w . (x', -h) = s n . (x - c) - h w4: the plane n . x = n . c + h w4 / s.
  Plane in_frame() const { return {w_.xyz, graze::dot(w_.xyz, centre_) + height * w_.w / scale_}; }
  Vec4 from_frame(const Plane& p) const {
    return {p.normal, (p.offset - graze::dot(p.normal, centre_)) * scale_ / height};
  }

  /// The perpendicular bisector plane of two points.
  Vec4 between(const Vec3& a, const Vec3& b) const {
    const Vec3 n = a - b;
    const double len = length(n);
    if (!(len > 0) || !std::isfinite(len)) return {{1, 0, 0}, 0};
    const Vec3 unit = n * (1 / len);
    return {unit, graze::dot(unit, a * 0.5 + b * 0.5) / height};
  }

  Vec4 start() const {
    if (options_.start == Start::x_axis) return {{1, 0, 0}, 0};
    if (options_.start == Start::box_centres) return between(scaled(middle(box_a_)), scaled(middle(box_b_)));
    Vec3 sum[2];
    double count[2] = {0, 0};
    for (const LearningPoint& p : points_) {
      sum[p.of_b] = p.of_b ? sum[p.of_b] - p.z.xyz : sum[p.of_b] + p.z.xyz;
      ++count[p.of_b];
    }
    return between(sum[0] * (1 / count[0]), sum[1] * (1 / count[1]));
  }

  bool use_box_phase() const {
    return options_.box_phase && q_.a.classification().convex && q_.b.classification().convex;
  }

  /// Learns from a first plane; true if a plane is found that certainly separates all vertices.
  bool search(const Vec4& first, bool with_box_phase) {
    w_ = first;
    eta_ = options_.eta;
    updates_left_ = options_.max_updates;
    if (with_box_phase && use_box_phase() && !learn_in_boxes()) return false;
    return learn(points_) && is_certain();
  }

  bool learn_in_boxes() {
    const auto inside = [&](const LearningPoint& p) {
      const Vec3& x = vertices_.of(p.of_b)[p.vertex];
      return box_a_.contains(x) && box_b_.contains(x);
    };
    if (const std::optional<Vec4> plane = between_boxes()) {
      w_ = *plane;
      return true;
    }
    std::vector<LearningPoint> some;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(some), inside);
    q_.counters.plane_box_points += some.size();
    return learn(some);
  }

  /// A plane between the boxes, if they are apart.
  std::optional<Vec4> between_boxes() const {
    for (int axis = 0; axis < 3; ++axis)
      for (const bool a_above : {true, false}) {
        const double lower = a_above ? box_b_.hi[axis] : box_a_.hi[axis],
                     upper = a_above ? box_a_.lo[axis] : box_b_.lo[axis];
        if (!(lower < upper)) continue;
        Vec3 n, point = centre_;
        n[axis] = a_above ? 1 : -1;
        point[axis] = lower * 0.5 + upper * 0.5;
        return Vec4{n, graze::dot(n, scaled(point)) / height};
      }
    return std::nullopt;
  }

  /// The learning rule: iterates over the points until none is on the wrong side, or the maximum number of updates is
  /// reached.
  bool learn(const std::vector<LearningPoint>& points) {
    for (;;) {
      if (engine::collide::over(q_.limits, q_.counters)) return false;
      ++q_.counters.plane_passes;
      bool clean = true;
      for (const LearningPoint& p : points) {
        const double side = dot(w_, p.z);
        if (side > 0) continue;
        if (updates_left_-- <= 0 || !std::isfinite(side)) return false;
        clean = false;
        turn(p.z, side);
      }
      if (clean) return true;
    }
  }

  void turn(const Vec4& z, double side) {
    ++q_.counters.plane_updates;
    double step = eta_;
    if (options_.by_badness) {
      const double lengths = std::sqrt(dot(w_, w_) * dot(z, z));
      if (lengths > 0) step += -side / lengths;
    }
    w_ = {w_.xyz + z.xyz * step, w_.w + z.w * step};
    eta_ *= options_.relaxation;
  }

  /// Does the plane's direction separate all vertices, exactly? First moves its offset to the middle of the gap.
  bool is_certain() const {
    const Vec3& n = w_.xyz;
    constexpr double inf = std::numeric_limits<double>::infinity();
    double lowest_a = inf, highest_b = -inf;
    for (const LearningPoint& p : points_) {
      const double along = graze::dot(n, vertices_.of(p.of_b)[p.vertex]);
      if (p.of_b)
        highest_b = std::max(highest_b, along);
      else
        lowest_a = std::min(lowest_a, along);
    }
    const double offset = lowest_a * 0.5 + highest_b * 0.5;
    if (!std::isfinite(offset)) return false;
    return std::all_of(points_.begin(), points_.end(),
                       [&](const LearningPoint& p) { return side(p, n, offset) == (p.of_b ? -1 : 1); });
  }

  /// The exact sign of n . x - offset at a vertex.
  int side(const LearningPoint& p, const Vec3& n, double offset) const {
    const Vec3& x = vertices_.of(p.of_b)[p.vertex];
    const double value = graze::dot(n, x) - offset;
    // Three products, two sums and a difference: at most 4 roundings per term; then the point's own error, then
    // underflow.
    const double bound =
        0x1p-50 * (std::fabs(n.x * x.x) + std::fabs(n.y * x.y) + std::fabs(n.z * x.z) + std::fabs(offset)) +
        1.001 * vertices_.error(p.of_b) * (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z)) +
        std::numeric_limits<double>::min();
    if (value > bound || value < -bound) {
      ++q_.counters.filter_decided;
      return value > 0 ? 1 : -1;
    }
    ++q_.counters.rational_decided;
    const Vec3& local = (p.of_b ? q_.b : q_.a).mesh.positions()[p.vertex];
    const math::DyadicVec3 exact = p.of_b ? q_.placement.exact_b(local) : q_.placement.exact_a(local);
    return (math::dot(math::DyadicVec3(n), exact) - math::Dyadic(offset) * q_.placement.scale()).sign();
  }

  void report_deepest() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    double least[2] = {inf, inf};
    std::array<VertexId, 2> deepest{VertexId{points_.front().vertex}, VertexId{points_.back().vertex}};
    for (const LearningPoint& p : points_) {
      const double d = dot(w_, p.z);
      if (!(d < least[p.of_b])) continue;
      least[p.of_b] = d;
      deepest[p.of_b] = VertexId{p.vertex};
    }
    result_.deepest = deepest;
  }

  const engine::collide::CollideQuery& q_;
  const SeparatingPlaneOptions& options_;
  CollideResult& result_;
  engine::collide::PlacedVertices vertices_;
  Box3 box_a_, box_b_;
  Vec3 centre_;
  double scale_ = 1;
  std::vector<LearningPoint> points_;  ///< A's, then B's
  Vec4 w_;
  double eta_ = 0;
  int updates_left_ = 0;
};

}  // namespace

std::optional<ErrorDetail> SeparatingPlane::refuses(const engine::collide::CollideQuery& query) {
  const SeparatingPlaneOptions& o = query.options.zachmann.value().separating_plane;
  const auto bad = [](std::string message, const std::string& name) {
    return core::bad_option("separating_plane." + name, std::move(message));
  };
  if (!(o.eta >= 0) || !std::isfinite(o.eta) || (o.eta == 0 && !o.by_badness))
    return bad("the step width must be positive and finite (0 only with by_badness)", "eta");
  if (!(o.relaxation > 0 && o.relaxation <= 1)) return bad("the factor must be above 0 and at most 1", "relaxation");
  if (o.max_updates < 0) return bad("the number of turns must not be negative", "max_updates");
  return std::nullopt;
}

void SeparatingPlane::run(const engine::collide::CollideQuery& query, CollideResult& result) {
  Perceptron(query, result).run();
}

}  // namespace graze::classic::zachmann
