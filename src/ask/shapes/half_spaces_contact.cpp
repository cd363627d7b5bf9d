// SPDX-License-Identifier: MIT
// Two half-spaces have no end: they are apart only while their surfaces are exactly parallel and face each other. So
// one that turns beside another one meets it at once, somewhere far away; two that do not turn close their gap evenly.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ask/shapes/half_space.hpp"
#include "ask/shapes/shape_contact.hpp"
#include "body/body_data.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"

namespace graze::ask {

namespace {

std::optional<ErrorDetail> refused_for_half_spaces(const FirstContactOptions& o) {
  const auto refuse = [](const char* option) {
    return engine::collide::unsupported("two half-spaces are only asked when they first touch", option);
  };
  if (o.method != "best_first") return refuse("option method");
  if (o.all_contacts) return refuse("option all_contacts");
  if (o.clearance) return refuse("option clearance");
  if (o.certificate) return refuse("option certificate");
  return std::nullopt;
}

/// Does it move on a straight line at a constant speed, from one pose to another?
bool is_straight(const motion::Path& path) {
  return path.kinematic() && path.bounds().twist && path.bounds().turn_speed == 0 && path.start() && path.end();
}

class HalfSpacesContact {
 public:
  HalfSpacesContact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                    const FirstContactOptions& options, FirstContactResult& result)
      : a_(a),
        b_(b),
        motion_a_(motion_a),
        motion_b_(motion_b),
        options_(options),
        result_(result),
        start_(half_space_gap(a, start_pose(motion_a), b, start_pose(motion_b))) {}

  void answer() {
    const bool straight = is_straight(motion_a_.path()) && is_straight(motion_b_.path());
    const bool within = !start_.apart || (options_.min_separation > 0 && start_.distance <= options_.min_separation);
    const bool ignored = straight && start_.touch && options_.ignore_start_if_separating && gap_at_end().apart;
    if (ignored) return free();
    if (within) return touch(Status::touching_at_start, 0, 0, std::max(start_.distance, 0.0));
    straight ? close_evenly() : turn();
  }

 private:
  HalfSpaceGap gap_at_end() const {
    const auto end = [](const Motion& m) {
      if (const auto pose = m.path().end()) return *pose;
      const Placement p = m.at(1);
      return Pose::from_matrix(
          {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
    };
    return half_space_gap(a_, end(motion_a_), b_, end(motion_b_));
  }

  void free() {
    result_.status = Status::free;
    result_.time = {1, math::not_a_number};
  }

  /// The gap is a linear function of the time, and both ends of it are known to the nearest double.
  void close_evenly() {
    const double separation = options_.min_separation, from = start_.distance - separation;
    const double to = gap_at_end().distance - separation;
    // The ends' roundings, and those of the division and of the gap below.
    const double least = 0x1p-44 * (start_.distance + std::fabs(from) + std::fabs(to) + separation);
    const double wanted = std::min(options_.tolerance.value_or(1e-6 * start_.distance), 0.5 * from);
    result_.tolerance = std::max(wanted, least);
    if (to > (separation > 0 ? least : 0)) return free();
    const double share = std::clamp((from - 0.5 * result_.tolerance) / (from - to), 0.0, 1.0);
    touch(Status::contact, share, share, std::max(separation + from - (from - to) * share, 0.0));
  }

  /// Surfaces that are not parallel at the end, but at the start, are so only at single times between. Those of motions
  /// of limited speeds are not as near to the start as the smallest number.
  void turn() {
    if (!gap_at_end().parallel) return touch(Status::contact, 0, std::numeric_limits<double>::denorm_min(), 0);
    result_.status = Status::undecided;  // a turn about the normal, or one that comes back: nothing is proved
  }

  void touch(Status status, double safe, double time, double gap) {
    result_.status = status;
    result_.time = {safe, time};
    result_.gap = gap;
    if (!start_.parallel) return;
    const Placement p = motion_a_.at(time);
    const Vec3 foot = p.apply({0, 0, a_.shape()->rounding});
    const Vec3 normal = math::unit(Vec3{p.r[2], p.r[5], p.r[8]});
    result_.normal = normal;
    result_.points = {foot, foot + normal * gap};
  }

  const Body &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const FirstContactOptions& options_;
  FirstContactResult& result_;
  HalfSpaceGap start_;
};

}  // namespace

void first_contact_half_spaces(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                               const FirstContactOptions& options, FirstContactResult& result) {
  if (auto error = refused_for_half_spaces(options)) return core::refuse(result, *std::move(error));
  HalfSpacesContact(a, motion_a, b, motion_b, options, result).answer();
}

}  // namespace graze::ask
