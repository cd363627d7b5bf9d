// SPDX-License-Identifier: MIT
#include "robot/route.hpp"

#include <algorithm>
#include <cmath>

#include "motion/trajectory_data.hpp"
#include "robot/turning.hpp"

namespace graze::robot {

Route route_of(const Trajectory& trajectory, std::size_t segment) {
  const motion::TrajectorySegment& s = trajectory.data().segments[segment];
  return {s.from, s.to, &trajectory, segment};
}

void Route::state(double t, std::vector<double>& q) const {
  q.resize(from.size());
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = trajectory ? trajectory->data().segments[segment].courses[i].value(t)
           : t == 1   ? to[i]
                      : from[i] + t * (to[i] - from[i]);
}

// Evenly: half of the way in the span, and the rounding of the middle. Along a course: the farthest of its values in
// the span, which are enclosed.
void Route::middle(const State& s, double t0, double t1, std::vector<double>& q, std::vector<double>& away) const {
  const double t = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  state(t, q);
  away.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (trajectory && trajectory->data().segments[segment].courses[i].degree() > 1) {
      const motion::Polynomial& course = trajectory->data().segments[segment].courses[i];
      const Interval all = course.constant() ? course.range() : course.part(t0, t1).range();
      away[i] = std::max(0.0, std::max(next_up(all.hi - q[i]), next_up(q[i] - all.lo)));
      if (all.lo == q[i] && all.hi == q[i]) away[i] = 0;
      continue;
    }
    const double way = to[i] - from[i];
    away[i] =
        way == 0 ? 0 : (half * std::fabs(way)) * (1 + 0x1p-40) + 0x1p-50 * (std::fabs(from[i]) + std::fabs(to[i]));
  }
  set_turns(s, from, to, t, half, q, away);
}

bool Route::curved() const {
  if (!trajectory) return false;
  const std::vector<motion::Polynomial>& courses = trajectory->data().segments[segment].courses;
  return std::any_of(courses.begin(), courses.end(),
                     [](const motion::Polynomial& p) { return p.degree() > 1 && !p.constant(); });
}

Motion Route::motion(const Chain& chain, LinkId link, const Pose& on_link) const {
  return trajectory ? chain.link_motion(link, *trajectory, segment, on_link)
                    : chain.link_motion(link, from, to, on_link);
}

std::pair<Motion, Motion> Route::motions_of(const State& s, const Pair& pair) const {
  if (!trajectory) return robot::motions_of(s, pair, from, to);
  const Part &a = s.parts[pair.a], &b = s.parts[pair.b];
  const LinkId link{a.link};
  if (b.link == no_link) return {motion(s.chain, link, a.pose), Still{b.pose}};
  return s.chain.pair_motions(link, LinkId{b.link}, *trajectory, segment, a.pose, b.pose);
}

}  // namespace graze::robot
