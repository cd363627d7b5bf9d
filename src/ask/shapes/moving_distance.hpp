// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/motion/motion.hpp>

namespace graze::ask {

/// The distance of two moving bodies of any kind (but two half-spaces) at one time: certified to lie between two
/// bounds.
struct DistanceAt {
  double time = 0;
  double lower = 0, upper = 0;
  bool known = false;    ///< else a limit ended it, or there was an error
  bool touches = false;  ///< at the rounded poses
  Counters counters = {};
  std::optional<ErrorDetail> error = {};
};

/// How the distance of two moving bodies changes over time.
///
/// Reason. Let x and y be the nearest points of A and B at a time s, fixed in their bodies. At another time t the
/// distance is at most |x(t) - y(t)|, so it differs from that at s by at most what x - y moves between s and t: it is
/// Lipschitz, with the greatest relative speed of two points that can be the nearest. x and y lie in balls around the
/// bodies. Of a half-space y is the foot of x, or x itself: no further from its origin than x is, because a projection
/// to a convex set that contains the origin moves no two points apart.
class MovingDistance {
 public:
  MovingDistance(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b);

  /// `work`: a limit for this one distance; 0: none.
  DistanceAt at(double t, double relative_error, std::uint64_t work) const;

  /// A lower bound of the distance at all times between two at which bounds are known.
  double lower_between(const DistanceAt& first, const DistanceAt& last) const;
  /// The time between them at which that bound is attained: where to ask next.
  double doubtful_time(const DistanceAt& first, const DistanceAt& last) const;

 private:
  struct Side {
    const Body& body;
    const Motion& motion;
    Vec3 centre;
    double radius = 0, far = 0;  ///< `far`: of its points from the origin

    Side(const Body& of, const Motion& moves, const Body& other, const Motion& moves_other);
    /// How far its points may be from the path that the speeds are about.
    double path_error() const;
    /// The speed at which points move relative to the reference point.
    double turning_speed() const;
    double displacement(double t0, double t1) const;
  };

  Side a_, b_;
  double speed_;       ///< how fast the distance can change; infinity: not known (an own motion)
  double path_error_;  ///< of both
};

/// The least distance during the whole motion, to a relative 1e-3 where the bounds allow it. `work`: limits each
/// distance and how many there are; 0: none. None if nothing is known.
std::optional<Clearance> least_moving_distance(const MovingDistance& moving, std::uint64_t work, Counters& counters);

/// With `clearance`: adds it to an answer of bodies of which one is curved or a compound.
void add_moving_clearance(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                          const FirstContactOptions& options, FirstContactResult& result);

}  // namespace graze::ask
