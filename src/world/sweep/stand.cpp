// SPDX-License-Identifier: MIT
#include "world/sweep/stand.hpp"

#include <algorithm>
#include <cmath>

#include <graze/ask/distance.hpp>

#include "body/body_data.hpp"
#include "engine/deform/paths/rounded_core.hpp"
#include "math/composed.hpp"
#include "motion/path.hpp"

namespace graze::world {

namespace {

/// At least the length, without squares that overflow or vanish.
double size_of(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// `Pose::apply` is wrong by at most this: the entries of its matrix by 2^-49 each (see placed_box.cpp), products and
/// sums by a few eps more, in each of three coordinates. The last term covers numbers so small that they are rounded by
/// more than that.
double placing_error(const Vec3& local, const Pose& pose) {
  return 0x1p-46 * (size_of(local) + size_of(pose.translation())) + 0x1p-1060;
}

/// The straight line of a vertex of the body: its ends as `straight_contact` takes them, and the point at time t.
struct Line {
  Vec3 from, to;
  Vec3 at(double t) const { return from + (to - from) * t; }
  /// Of that point: rounded differences, products and sums.
  double error() const { return 0x1p-50 * (size_of(from) + size_of(to)) + 0x1p-1060; }
};

/// The straight lines of the points that `carrying_points` lists.
class Lines {
 public:
  explicit Lines(const BodyRecord& r)
      : record_(r), from_(carrying_points(r.swept_body ? *r.swept_body : *r.body)), to_(carrying_points(*r.body)) {}
  std::size_t size() const { return to_.size(); }
  Line operator[](std::size_t i) const { return {record_.swept_from.apply(from_[i]), record_.pose.apply(to_[i])}; }

 private:
  const BodyRecord& record_;
  std::vector<Vec3> from_, to_;
};

/// The local positions that a pose carries to the points of the lines at time t, rounded.
std::vector<Vec3> positions_at(const BodyRecord& r, const Pose& pose, double t) {
  const Lines lines(r);
  const Quat q = pose.rotation();
  const Pose turned_back({}, {q.w, -q.x, -q.y, -q.z});
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < lines.size(); ++i) out.push_back(turned_back.apply(lines[i].at(t) - pose.translation()));
  return out;
}

/// The largest distance of a point of `carrying_points`, where the body stands, from its straight line at time t; for
/// a half-space, which keeps its direction, of a point within `reach` of its origin. Infinite or NaN: beyond all
/// doubles.
double distance_from_lines(const BodyRecord& r, const Stand& stand, double t, double reach) {
  const Lines lines(r);
  const std::vector<Vec3> positions = carrying_points(stand.body);
  const double turned = stand.body.data().is_half_space() ? 0x1p-44 * reach : 0;  // by rounding the rotation
  double most = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line = lines[i];
    const Vec3 off = stand.pose.apply(positions[i]) - line.at(t);
    const double d = size_of(off) * (1 + 0x1p-50) + placing_error(positions[i], stand.pose) + line.error() + turned;
    if (!(d <= most)) most = d;
    if (std::isnan(d)) return d;
  }
  return most;
}

/// How far a point that is at most this far from the path's reference point may be from its path: the path's own error
/// bound, plus the rounding of the placement, of the conversion of its matrix to a quaternion and of a chain's
/// coordinates: some tens of eps of the magnitudes involved.
double distance_from_path(const BodyRecord& r, const Mover& m, const Pose& pose, double size) {
  const motion::Path& path = m.motion.path();
  const motion::Bounds& bounds = path.bounds();
  const double sizes = length(pose.translation()) + length(r.pose.translation()) + length(path.reference()) + size +
                       bounds.speed + bounds.turn_speed * size;
  return bounds.error + bounds.turn_error * size + 0x1p-44 * sizes;
}

bool is_still(const State& state, std::uint32_t slot) {
  const BodyRecord& r = state.bodies[slot];
  return r.swept_from == r.pose && r.articulated == no_slot;
}

}  // namespace

std::vector<Vec3> carrying_points(const Body& body) {
  if (body.data().is_half_space()) return {Vec3{}};
  if (engine::deform::RoundedCore::has(body)) {
    const engine::deform::RoundedCore core(body);
    return {core.mesh().positions().begin(), core.mesh().positions().end()};
  }
  std::vector<Vec3> corners;
  const Box3& box = body.box();
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z});
  return corners;
}

Stand stand_of(const State& state, const Mover& m, double t) {
  const BodyRecord& r = state.bodies[m.slot];
  if (t == 0) return {r.swept_body ? *r.swept_body : *r.body, r.swept_from};
  if (t == 1) return {*r.body, r.pose};
  const Pose pose = is_still(state, m.slot) ? r.pose : pose_of(m.motion.at(t));
  if (!m.deforms) return {*r.body, pose};
  return {r.swept_body->deformed(positions_at(r, pose, t), {.threads = state.options.threads}), pose};
}

Stand stand_at(const State& state, const Movers& movers, std::uint32_t slot, double t) {
  const Mover* const m = movers.find(slot);
  return m ? stand_of(state, *m, t) : Stand{*state.bodies[slot].body, state.bodies[slot].pose};
}

Stands::Known& Stands::of(std::uint32_t slot) {
  const auto at = known_.find(slot);
  if (at != known_.end()) return at->second;
  return known_.emplace(slot, Known{stand_at(state_, movers_, slot, t_)}).first->second;
}

double Stands::reach_of(std::uint32_t slot, std::uint32_t other) {
  // Only points of a half-space near its partner matter: the point of its surface that is nearest to a point p is not
  // farther from the half-space's origin than p is, and whatever of its boundary moves by at most e there changes its
  // distance from p by at most e. p is where the partner stands or on its path, which is much nearer to there than
  // the sizes summed up here. A second half-space reaches everywhere.
  const Stand &plane = of(slot).stand, &partner = of(other).stand;
  const Box3& box = partner.body.box();
  return 2 * (size_of(plane.pose.translation()) + size_of(partner.pose.translation()) + size_of(box.lo) +
              size_of(box.hi) + size_of_path(slot) + size_of_path(other));
}

double Stands::error_of(std::uint32_t slot, std::uint32_t other, bool straight) {
  Known& k = of(slot);
  const BodyRecord& r = state_.bodies[slot];
  const bool plane = r.body->data().is_half_space();
  const Mover* const m = movers_.find(slot);
  const bool still = !m || is_still(state_, slot);
  // Where vertices move straight, a mesh was tested as it is placed by rounding, also at rest; a half-space was not.
  if (still && (!straight || plane)) return 0;
  std::optional<double>& known = straight ? k.straight_error : k.error;
  if (known && !plane) return *known;
  if (straight) {
    known = distance_from_lines(r, k.stand, t_, plane ? reach_of(slot, other) : 0);
  } else {
    const Vec3& reference = m->motion.path().reference();
    const Box3& box = r.body->box();
    const double size =
        plane ? reach_of(slot, other) + length(reference) : length(box.hi - reference) + length(box.lo - reference);
    known = distance_from_path(r, *m, k.stand.pose, size);
  }
  return *known;
}

double Stands::size_of_path(std::uint32_t slot) {
  const BodyRecord& r = state_.bodies[slot];
  const double placed = size_of(r.swept_from.translation()) + size_of(r.pose.translation());
  if (r.body->data().is_half_space()) return placed;  // by its origin and normal
  return placed + size_of(r.body->box().lo) + size_of(r.body->box().hi);
}

double Stands::room(PairKey key) {
  return 0x1p-36 * (size_of_path(first(key)) + size_of_path(second(key))) + 0x1p-26 * separation_;
}

bool Stands::has_room(PairKey key, double errors) {
  const Stand &a = of(first(key)).stand, &b = of(second(key)).stand;
  return within(separation_ + errors + room(key), a.body, a.pose, b.body, b.pose).status == Status::free;
}

bool Stands::keeps_its_distance(PairKey key) {
  const auto start = [&](std::uint32_t slot) { return stand_at(state_, movers_, slot, 0); };
  const auto apart = [](const Stand& a, const Stand& b) {
    return distance(a.body, a.pose, b.body, b.pose, {.relative_error = 1e-14}).distance;
  };
  // Places on a path that keeps the distance are rounded by less than that.
  return apart(of(first(key)).stand, of(second(key)).stand) >=
         apart(start(first(key)), start(second(key))) - room(key) / 64;
}

bool Stands::are_apart(PairKey key) try {
  const bool straight = movers_.is_straight(key);
  const double errors = error_of(first(key), second(key), straight) + error_of(second(key), first(key), straight);
  if (errors == 0) return true;  // neither moved
  const Stand &a = of(first(key)).stand, &b = of(second(key)).stand;
  if (separation_ > 0 && has_room(key, errors)) return true;
  // The sum is rounded up.
  const double apart = separation_ > 0 ? (separation_ + errors) * (1 + 0x1p-51) : errors;
  return within(apart, a.body, a.pose, b.body, b.pose).status == Status::free &&
         (separation_ == 0 || keeps_its_distance(key));
} catch (const Error&) {
  return false;  // no doubles say where it would stand
}

void include_ends(const State& state, PairKey key, double separation, FirstContactResult& answer) {
  const BodyRecord &a = state.bodies[first(key)], &b = state.bodies[second(key)];
  double gap = 0;  // where they are not apart
  const auto apart = [&](const Body& body_a, const Pose& pose_a, const Body& body_b, const Pose& pose_b) {
    const auto error = [](const Body& body, const Pose& pose) {
      double most = 0;
      for (const Vec3& p : carrying_points(body)) most = std::max(most, placing_error(p, pose));
      return most;
    };
    const double errors = error(body_a, pose_a) + error(body_b, pose_b);
    const double least = separation > 0 ? (separation + errors) * (1 + 0x1p-51) : errors;
    if (within(least, body_a, pose_a, body_b, pose_b).status == Status::free) return true;
    if (separation > 0) gap = distance(body_a, pose_a, body_b, pose_b).distance;
    return false;
  };
  const bool decided = answer.status == Status::free || answer.status == Status::contact;
  if (decided && !apart(a.swept_body ? *a.swept_body : *a.body, a.swept_from, b.swept_body ? *b.swept_body : *b.body,
                        b.swept_from)) {
    answer.status = Status::touching_at_start;
    answer.time = {0, 0};
    answer.gap = gap;
  } else if (answer.status == Status::free && !apart(*a.body, a.pose, *b.body, b.pose)) {
    answer.status = Status::contact;
    answer.time = {1, 1};  // until then it is certified
    answer.gap = gap;
  }
}

}  // namespace graze::world
