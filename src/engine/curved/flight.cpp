// SPDX-License-Identifier: MIT
#include "engine/curved/flight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "core/limits.hpp"
#include "engine/curved/parts.hpp"
#include "engine/curved/placed_at.hpp"
#include "engine/curved/point_gap.hpp"
#include "engine/curved/scaling.hpp"
#include "engine/curved/turning_plane.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

// The certificate. At time t0, a part of A and the core of B are separated along a unit direction n: every point of B's
// core is at least `lower` further along n than every point of the part, less the rounding of the placements and of the
// kernel. Until t1 no point of the part travels further than `travel` along n, and no point of B's core further than
// its own `travel` along -n (motion/motion.hpp). So until t1 they stay apart by lower - rounding - both travels. While
// this exceeds the sum of the radii, the bodies are apart: a rounded body is within its radius of its core. A proof
// that is written down says the same along n, in the world: steps stop half a tolerance above the radii, which is at
// least 8 times the rounding of the placements, so the checker finds them apart along the rounded n, too. Of a
// half-space that turns the direction turns with it, and the travels are those of turning_plane.hpp.

namespace graze::engine::curved {

namespace {

using math::infinity;

std::array<double, 9> turned_back(const std::array<double, 9>& a, const std::array<double, 9>& b) {
  std::array<double, 9> r{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) r[3 * i + j] += a[3 * k + i] * b[3 * k + j];
  return r;
}

Vec3 turned_back(const std::array<double, 9>& r, const Vec3& v) {
  return {r[0] * v.x + r[3] * v.y + r[6] * v.z, r[1] * v.x + r[4] * v.y + r[7] * v.z,
          r[2] * v.x + r[5] * v.y + r[8] * v.z};
}

class Flight {
 public:
  Flight(const CurvedFlight& f, CurvedFound& found)
      : f_(f),
        found_(found),
        core_b_(*f.b.core),
        core_a_(f.a.shape ? *f.a.core : shape::Core(shape::Shape(shape::Sphere{0}))),
        far_a_(f.a.shape ? f.a.core->reach() : far_of(f.a.mesh.box())),
        far_b_(f.b.core->reach()),
        budget_(f.options.work) {
    const IntervalPlacement a = f.motion_a.over(Interval(0, 1)), b = f.motion_b.over(Interval(0, 1));
    double shift = 0;
    for (std::size_t k = 0; k < 3; ++k) shift += (b.t[k] - a.t[k]).magnitude();
    exponent_ = exponent_of(far_a_ + far_b_ + shift) + 2;
    core_a_.scale(-exponent_);
    core_b_.scale(-exponent_);
    placed_a_.core = &core_a_;
    // To keep a separation is to keep bodies apart that are rounded by it.
    separation_ = std::ldexp(f.options.min_separation, -exponent_);
    radius_ = core_a_.radius + core_b_.radius + separation_;
    tolerance_ = std::ldexp(f.tolerance, -exponent_);
    ball_b_ = ball_of(*f.b.core);
    if (f.proof && !f.a.shape) below_ = proof::items_below(f.a.tree.tree);
  }

  void run() {
    push_roots();
    while (!queue_.empty()) {
      const Clock clock = queue_.top();
      if (clock.time >= 1) break;
      if (!budget_.take()) {
        found_.status = Status::undecided;
        found_.safe = clock.time;
        return;
      }
      queue_.pop();
      ++found_.counters.queue_pops;
      if (step(clock)) return;
    }
    found_.status = Status::free;
    found_.safe = 1;
  }

  double rounding() {
    double most = 0;
    for (const double t : {0.0, 0.5, 1.0}) {
      set_time(t);
      most = std::max(most, error_);
    }
    return std::ldexp(most, exponent_);
  }

 private:
  struct Clock {
    double time;
    Part part;
    std::uint32_t proof = 0;                    ///< the step of the proof that continues with it
    bool operator<(const Clock& other) const {  // the earliest first; then by part, so that the order is fixed
      return time != other.time ? time > other.time : part > other.part;
    }
  };

  static double far_of(const Box3& box) {
    return length(Vec3{std::max(std::fabs(box.lo.x), std::fabs(box.hi.x)),
                       std::max(std::fabs(box.lo.y), std::fabs(box.hi.y)),
                       std::max(std::fabs(box.lo.z), std::fabs(box.hi.z))});
  }

  void push_roots() {
    if (f_.a.shape) return queue_.push({0, Part::whole()});
    push_children(0, 0, 0);
  }

  void push_children(std::uint32_t node, double time, std::uint32_t proof) {
    const bvh::WideNode& n = f_.a.tree.tree.nodes[node];
    if (f_.proof) {
      counts_.clear();
      for (std::uint32_t i = 0; i < n.count; ++i) counts_.push_back(n.bottom ? 1 : below_[n.first + i]);
      proof = f_.proof->split(proof, false, counts_);
    }
    for (int i = 0; i < n.count; ++i) queue_.push({time, Part::child(node, i), proof + static_cast<std::uint32_t>(i)});
  }

  /// Places B in A's frame at t, all lengths scaled.
  void set_time(double t) {
    if (t == time_) return;
    time_ = t;
    const PlacedAt a = place_of(f_.motion_a, t, far_a_), b = place_of(f_.motion_b, t, far_b_);
    turn_a_ = a.r;
    place_a_ = a.t;
    const Vec3 between = b.t - place_a_;
    placed_b_.core = &core_b_;
    placed_b_.r = turned_back(a.r, b.r);
    placed_b_.t = scaled(turned_back(turn_a_, between), -exponent_);
    // The rounding of the places themselves is within the spreads; the products round as those of a RelativePlacement
    // do, less. A rounded matrix is a rotation only to within its error: as it is turned back, that counts for A's
    // points and for the distance between the places, too. The world's origin may be far away: subtracting the places
    // rounds relative to them.
    const double places = length(place_a_) + length(b.t);
    const double not_turned_back = 8 * a.turn * (length(between) + far_a_ + far_b_);
    constexpr double lost = 64 * std::numeric_limits<double>::denorm_min();  // products that underflow
    // A plane has no end: its normal's error counts as far as A reaches.
    const double tilted = f_.plane ? 8 * b.turn * (length(between) + far_a_ + far_b_) : 0;
    error_ =
        shape::rounding +
        std::ldexp(2 * (a.spread + b.spread) + not_turned_back + tilted + 16 * math::eps * places + lost, -exponent_);
  }

  /// The distance of a convex set from a plane, along the plane's normal.
  template <class Set>
  shape::Gap gap_to_plane(const Set& a) const {
    shape::Gap gap;
    const Vec3 n = math::turned(placed_b_.r, {0, 0, -1});
    gap.look_along(n, dot(n, placed_b_.furthest(n) - a.furthest(n)));
    gap.upper = gap.lower;
    return gap;
  }

  template <class Set>
  shape::Gap gap_of_set(const Set& a, double relative) const {
    if (f_.plane) return gap_to_plane(a);
    return shape::find_gap(a, placed_b_, direction_, infinity, -1, relative);
  }

  shape::Gap gap_of(const Part& part, double relative) {
    ++found_.counters.motion_steps;
    if (part.is_whole()) return gap_of_set(placed_a_, relative);
    const bvh::WideNode& node = f_.a.tree.tree.nodes[part.node];
    if (core_b_.kind == shape::Core::Kind::point && !f_.plane) {
      const Vec3 centre = placed_b_.centre();
      if (!node.bottom) return point_gap(child_box(f_.a, node, part.slot, exponent_), centre);
      const shape::Gap gap = point_gap(triangle(f_.a, triangle_of(part), exponent_), centre);
      if (gap.upper > 0x1p-40) return gap;
    }
    if (node.bottom) return gap_of_set(triangle(f_.a, triangle_of(part), exponent_), relative);
    return gap_of_set(child_box(f_.a, node, part.slot, exponent_), relative);
  }

  std::uint32_t triangle_of(const Part& part) const {
    return f_.a.tree.triangle(f_.a.tree.tree.nodes[part.node].first + static_cast<std::uint32_t>(part.slot));
  }

  bool is_leaf(const Part& part) const { return part.is_whole() || f_.a.tree.tree.nodes[part.node].bottom; }

  /// Advances one clock. True: the first contact is found.
  bool step(const Clock& clock) {
    set_time(clock.time);
    const bool leaf = is_leaf(clock.part);
    shape::Gap gap = gap_of(clock.part, leaf ? 1e-4 : 1e-2);
    // The bodies' distance is less than the cores' by the radii: near contact the cores' is needed to the last digit.
    if (leaf && gap.upper - gap.lower > 0.1 * (gap.lower - radius_)) gap = gap_of(clock.part, 0);
    if (gap.lower > 0) direction_ = gap.normal;
    const double apart = gap.lower - radius_ - error_;
    if (leaf && gap.upper - radius_ + error_ <= tolerance_) {
      const double opened = clock.time == 0 && f_.options.ignore_start_if_separating ? opening_time(clock, gap) : 0;
      if (!(opened > 0)) return report(clock, gap);
      queue_.push({opened, clock.part, clock.proof});
      return false;
    }
    double next = clock.time;
    if (apart > 0.5 * tolerance_) next = advance(clock, gap.normal, apart - 0.5 * tolerance_);
    std::uint32_t step_of_proof = clock.proof;
    if (f_.proof && next > clock.time)
      step_of_proof = f_.plane ? f_.proof->separate(step_of_proof, {0, 0, -1}, next, proof::Frame::b)
                               : f_.proof->separate(step_of_proof, math::turned(turn_a_, gap.normal), next);
    if (next >= 1) return false;
    if (leaf) {
      if (!(next > clock.time)) return give_up(clock);
      queue_.push({next, clock.part, step_of_proof});
      return false;
    }
    // A box that is far away compared with its size is stepped again; a near one is opened.
    if (next > clock.time && apart > 0.5 * std::ldexp(ball_of(clock.part).radius, -exponent_)) {
      queue_.push({next, clock.part, step_of_proof});
      return false;
    }
    ++found_.counters.node_pairs;
    push_children(f_.a.tree.tree.nodes[clock.part.node].first + static_cast<std::uint32_t>(clock.part.slot), next,
                  step_of_proof);
    return false;
  }

  /// They touch at the start, by no more than rounding. Until when do no points of either travel towards the other one
  /// along the contact's normal, so that they get no nearer, and are apart along it then? 0: no such time is found.
  double opening_time(const Clock& clock, const shape::Gap& gap) {
    Vec3 normal = gap.normal;
    double apart = gap.lower - radius_;
    if (gap.overlap || normal == Vec3{}) {
      const shape::Depth depth = depth_of(clock.part, gap);
      normal = depth.direction;
      apart = -depth.upper - radius_;
    }
    if (normal == Vec3{} || apart < -2 * error_) return 0;
    const Vec3 n = math::turned(turn_a_, normal);
    const Ball a = ball_of(clock.part);
    const double still = std::ldexp(error_, exponent_);
    double t = 1;
    while (t > 0x1p-40 && !(closing(n, a, 0, t) <= still)) t *= 0.25;
    set_time(t);
    const bool opened = apart_along(clock.part, n) - radius_ - error_ > 0.5 * tolerance_;
    set_time(0);
    return opened ? t : 0;
  }

  /// Along a direction of the world.
  double apart_along(const Part& part, const Vec3& n) const {
    const Vec3 m = turned_back(turn_a_, n);
    const Vec3 of_a =
        part.is_whole() ? placed_a_.furthest(m) : triangle(f_.a, triangle_of(part), exponent_).furthest(m);
    return dot(m, placed_b_.furthest(-m) - of_a);
  }

  shape::Depth depth_of(const Part& part, const shape::Gap& gap) const {
    const auto depth = [&](const auto& set) {
      return shape::find_depth(shape::SupportPair(set, placed_b_), gap.simplex, infinity, -1);
    };
    return part.is_whole() ? depth(placed_a_) : depth(triangle(f_.a, triangle_of(part), exponent_));
  }

  /// Neither within the tolerance nor provably apart: bounds of a caller's motion that do not get tight enough.
  bool give_up(const Clock& clock) {
    found_.status = Status::undecided;
    found_.safe = clock.time;
    return true;
  }

  Ball ball_of(const Part& part) const {
    if (part.is_whole()) return curved::ball_of(*f_.a.core);
    const bvh::WideNode& node = f_.a.tree.tree.nodes[part.node];
    if (node.bottom) return curved::ball_of(f_.a, triangle_of(part));
    const shape::BoxCore box = child_box(f_.a, node, part.slot, 0);
    return {box.centre(), 0.5 * length(box.hi - box.lo) * (1 + 0x1p-40)};
  }
  Ball ball_of(const shape::Core& core) const { return curved::ball_of(core); }

  /// The end of a certified step along n (in A's frame), `apart` in scaled units.
  double advance(const Clock& clock, const Vec3& normal, double apart) {
    const Vec3 n = math::turned(turn_a_, normal);
    const double spare = std::ldexp(apart, exponent_);
    const Ball a = ball_of(clock.part);
    // The turned direction is of length one up to a rounding that the factor covers; it is the certificate's direction
    // because both the gap and the travels are measured along it to within the errors counted.
    if (f_.plane && f_.motion_b.bounds().turn_speed > 0) {
      const Vec3 foot = in_b(a.centre);
      const double level = std::get<shape::Hull>(f_.b.shape->kind).points[0].z;
      const TurningPlane plane(f_.motion_b, -n, {foot.x, foot.y, level}, foot.z - level, clock.time);
      return longest_step(clock.time, spare, [&](double end) { return plane.closing(f_.motion_a, a, end); });
    }
    const double end = longest_step(clock.time, spare, [&](double t) { return closing(n, a, clock.time, t); });
    // The other step takes as long again to find, so only searches that have become long look for it. (A search with a
    // certificate takes none of them: others have the same times with and without one.)
    constexpr double short_step = 0x1p-8;
    constexpr int many = 256;
    if (end - clock.time >= short_step || ++short_steps_ < many) return end;
    return std::max(end, turning_step(clock.time, n, spare, a));
  }

  /// How far the ball and B approach along n, which is in the world and stays.
  double closing(const Vec3& n, const Ball& a, double t0, double end) const {
    return f_.motion_a.travel(n, a.centre, a.radius, t0, end) +
           f_.motion_b.travel(-n, ball_b_.centre, ball_b_.radius, t0, end);
  }

  /// A long body that turns is fast far away, along every direction that stays. Along one that turns with it, its own
  /// points do not move, and only those of its small partner count. Not for proofs: no step needs this one.
  double turning_step(double t0, const Vec3& n, double spare, const Ball& a) const {
    constexpr double long_enough = 4;
    const auto turns = [](const motion::Path& path) { return path.kinematic() && path.bounds().turn_speed > 0; };
    if (f_.proof || f_.plane) return t0;
    if (turns(f_.motion_a) && a.radius > long_enough * ball_b_.radius) {
      const Vec3 centre = scaled(ball_b_.centre, -exponent_);
      const Vec3 foot = scaled(math::turned(placed_b_.r, centre) + placed_b_.t, exponent_);
      const TurningPlane plane(f_.motion_a, n, foot, 0, t0);
      return longest_step(t0, spare, [&](double end) { return plane.closing(f_.motion_b, ball_b_, end); });
    }
    if (turns(f_.motion_b) && ball_b_.radius > long_enough * a.radius) {
      const TurningPlane plane(f_.motion_b, -n, in_b(a.centre), 0, t0);
      return longest_step(t0, spare, [&](double end) { return plane.closing(f_.motion_a, a, end); });
    }
    return t0;
  }

  /// The latest time found until which less than `spare` is closed.
  template <class Closing>
  static double longest_step(double t0, double spare, Closing&& closing) {
    double good = t0, bad = 1, at = 1;
    // More than a few tries only until one succeeds: what a fast turn can bring nearer hardly depends on the time until
    // that is a small part of a turn.
    for (int i = 0; i < 24 || !(good > t0); ++i) {
      const double c = closing(at) * (1 + 0x1p-40);
      if (c < spare) {
        if (at >= 1) return 1;
        good = at;
        if (i > 0 && (c > 0.5 * spare || bad - good < 0.1 * (good - t0))) break;
        at = good + 0.5 * (bad - good);
      } else {
        bad = at;
        const double share = std::clamp(spare / c, 0.01, i < 8 ? 0.9 : 0.5);
        const double guess = t0 + 0.95 * share * (at - t0);
        at = guess > good ? guess : 0.5 * (good + bad);
      }
      if (!(at > t0)) break;
    }
    return good;
  }

  /// A point of A's frame in B's, not scaled.
  Vec3 in_b(const Vec3& point) const { return turned_back(placed_b_.r, point - scaled(placed_b_.t, exponent_)); }

  bool report(const Clock& clock, const shape::Gap& gap) {
    found_.status = Status::contact;
    found_.safe = found_.touch = clock.time;
    if (f_.plane) return true;
    found_.gap = std::ldexp(std::max(gap.upper - (radius_ - separation_), 0.0), exponent_);
    if (!clock.part.is_whole()) found_.triangle = triangle_of(clock.part);
    const Vec3 n = gap.normal;
    const Vec3 on_a = gap.simplex.point_a() + n * core_a_.radius, on_b = gap.simplex.point_b() - n * core_b_.radius;
    const auto to_world = [&](const Vec3& x) { return math::turned(turn_a_, scaled(x, exponent_)) + place_a_; };
    found_.points = {to_world(on_a), to_world(on_b)};
    if (n != Vec3{}) found_.normal = math::unit(math::turned(turn_a_, n));
    if (!clock.part.is_whole())
      found_.feature = mesh_feature(f_.a, found_.triangle, gap.simplex, triangle(f_.a, found_.triangle, exponent_));
    else
      found_.feature = shape_feature(f_.a, f_.b, placed_b_, gap.simplex, exponent_);
    return true;
  }

  const CurvedFlight& f_;
  CurvedFound& found_;
  shape::Core core_b_, core_a_;
  double far_a_, far_b_;
  core::Steps budget_;
  int exponent_ = 0, short_steps_ = 0;
  double radius_ = 0, tolerance_ = 0, separation_ = 0;
  Ball ball_b_;
  std::priority_queue<Clock> queue_;
  std::vector<std::uint32_t> below_, counts_;  ///< for a proof: triangles below each node, and of one split
  double time_ = -1, error_ = 0;
  std::array<double, 9> turn_a_{};
  Vec3 place_a_;
  shape::PlacedCore placed_a_, placed_b_;
  Vec3 direction_;
};

}  // namespace

double flight_rounding(const CurvedFlight& flight) {
  CurvedFound unused;
  return Flight(flight, unused).rounding();
}

void run_flight(const CurvedFlight& flight, CurvedFound& found) { Flight(flight, found).run(); }

}  // namespace graze::engine::curved
