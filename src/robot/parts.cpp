// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"
#include "robot/state.hpp"

namespace graze::robot {

namespace {

double sum_of(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

}  // namespace

void State::add_part(const Body& body, std::uint32_t link, const Pose& pose) {
  Part part{body, link, pose};
  part.rounded = motion::rounded(pose);
  if (link != no_link) part.padding = padding[link];
  const Box3& box = body.box();
  part.centre = 0.5 * box.lo + 0.5 * box.hi;
  for (int i = 0; i < 3; ++i) {
    part.half[i] = std::max(box.hi[i] - part.centre[i], part.centre[i] - box.lo[i]) * slack;
    part.far += std::max(std::fabs(box.lo[i]), std::fabs(box.hi[i]));  // no less than the root of the sum of squares
  }
  part.radius = length(part.half) * slack;
  parts.push_back(part);
}

// A point of the box is at R (c + d) + t with |d_i| <= h_i, so within |R| h of R c + t. Entries of R are accurate to
// 20 eps and the sums to a few more: below 48 eps (|t| + |c| + |h|) in all; the bound has 64 eps, of which the rest
// covers differences of ends of boxes.
Placed place(const Part& part, const LinkPose& pose) {
  Placed out;
  out.pose = pose.pose;
  out.error = (pose.error + pose.turn_error * part.far) * slack;
  const std::array<double, 9> r = math::rotation_matrix(math::near_unit_size(pose.pose.rotation()));
  const Vec3& t = pose.pose.translation();
  out.centre = math::turned(r, part.centre) + t;
  const double margin = (out.error + 64 * math::eps * (sum_of(t) + sum_of(part.centre) + sum_of(part.half))) * slack;
  for (int i = 0; i < 3; ++i) {
    const double* const row = &r[static_cast<std::size_t>(3 * i)];
    const double reach =
        std::fabs(row[0]) * part.half.x + std::fabs(row[1]) * part.half.y + std::fabs(row[2]) * part.half.z + margin;
    out.box.lo[i] = out.centre[i] - reach;
    out.box.hi[i] = out.centre[i] + reach;
  }
  return out;
}

double box_gap(const Box3& a, const Box3& b) {
  double most = 0;
  for (int i = 0; i < 3; ++i) most = std::max({most, a.lo[i] - b.hi[i], b.lo[i] - a.hi[i]});
  return most;
}

std::pair<Motion, Motion> motions_of(const State& s, const Pair& pair, std::span<const double> from,
                                     std::span<const double> to) {
  const Part &a = s.parts[pair.a], &b = s.parts[pair.b];
  const LinkId link{a.link};
  if (b.link == no_link) return {s.chain.link_motion(link, from, to, a.pose), Still{b.pose}};
  return s.chain.pair_motions(link, LinkId{b.link}, from, to, a.pose, b.pose);
}

}  // namespace graze::robot
