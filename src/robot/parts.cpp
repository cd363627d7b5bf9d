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
  const std::array<double, 9> r = out.r = math::rotation_matrix(math::near_unit_size(pose.pose.rotation()));
  const Vec3& t = pose.pose.translation();
  out.centre = math::turned(r, part.centre) + t;
  const double margin = out.margin =
      (out.error + 64 * math::eps * (sum_of(t) + sum_of(part.centre) + sum_of(part.half))) * slack;
  for (int i = 0; i < 3; ++i) {
    const double* const row = &r[static_cast<std::size_t>(3 * i)];
    const double reach =
        std::fabs(row[0]) * part.half.x + std::fabs(row[1]) * part.half.y + std::fabs(row[2]) * part.half.z + margin;
    out.box.lo[i] = out.centre[i] - reach;
    out.box.hi[i] = out.centre[i] + reach;
  }
  return out;
}

double box_gap(const Box3& a, const Box3& b, const Vec3& way) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    most = std::max(most, std::max(a.lo[i] - b.hi[i], b.lo[i] - a.hi[i]) - std::fabs(way[i]) * slack);
  return most;
}

// For any vector n, no points x, y of the two boxes are nearer than (|n.T| - a's reach - b's reach) / |n|, T the way
// from centre to centre. The 15 vectors are columns of the rotations A, B and their cross products, none longer than 1
// + 2^-44. Everything is computed from C = A^T B and A^T T as if A were orthonormal, which it is to 2^-46: with sums of
// a few products of numbers no larger than |T| and the half sides, all rounding stays below 2^-43 of |T| + |ha| + |hb|;
// the bound has 2^-42. The bodies are within their margins of the boxes. Moving one by up to the vector m to either
// side takes |n.m| from |n.T|; m is rounded as T is.
double turned_box_gap(const Part& part_a, const Placed& a, const Part& part_b, const Placed& b, double enough,
                      const Vec3& move) {
  const Vec3 way = b.centre - a.centre;
  const Vec3 &ha = part_a.half, &hb = part_b.half;
  const double slip = a.margin + b.margin + 0x1p-42 * (sum_of(way) + sum_of(ha) + sum_of(hb) + sum_of(move));
  std::array<double, 9> c, size;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      c[3 * i + j] = a.r[i] * b.r[j] + a.r[3 + i] * b.r[3 + j] + a.r[6 + i] * b.r[6 + j];
      size[3 * i + j] = std::fabs(c[3 * i + j]);
    }
  Vec3 t, m;
  for (int i = 0; i < 3; ++i) {
    t[i] = a.r[i] * way.x + a.r[3 + i] * way.y + a.r[6 + i] * way.z;
    m[i] = a.r[i] * move.x + a.r[3 + i] * move.y + a.r[6 + i] * move.z;
  }
  double most = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double reach = hb.x * size[3 * i] + hb.y * size[3 * i + 1] + hb.z * size[3 * i + 2];
    most = std::max(
        most, std::fabs(t[static_cast<int>(i)]) - ha[static_cast<int>(i)] - reach - std::fabs(m[static_cast<int>(i)]));
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const double reach = ha.x * size[j] + ha.y * size[3 + j] + ha.z * size[6 + j];
    const double along = t.x * c[j] + t.y * c[3 + j] + t.z * c[6 + j];
    const double moved = m.x * c[j] + m.y * c[3 + j] + m.z * c[6 + j];
    most = std::max(most, std::fabs(along) - hb[static_cast<int>(j)] - reach - std::fabs(moved));
  }
  for (std::size_t i = 0; i < 3 && most - slip <= enough; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double along = t[static_cast<int>(i2)] * c[3 * i1 + j] - t[static_cast<int>(i1)] * c[3 * i2 + j];
      const double reach = ha[static_cast<int>(i1)] * size[3 * i2 + j] + ha[static_cast<int>(i2)] * size[3 * i1 + j] +
                           hb[static_cast<int>(j1)] * size[3 * i + j2] + hb[static_cast<int>(j2)] * size[3 * i + j1];
      const double moved = m[static_cast<int>(i2)] * c[3 * i1 + j] - m[static_cast<int>(i1)] * c[3 * i2 + j];
      most = std::max(most, std::fabs(along) - reach - std::fabs(moved));
    }
  }
  return (most - slip) * (1 - 0x1p-40);
}

std::pair<Motion, Motion> motions_of(const State& s, const Pair& pair, std::span<const double> from,
                                     std::span<const double> to) {
  const Part &a = s.parts[pair.a], &b = s.parts[pair.b];
  const LinkId link{a.link};
  if (b.link == no_link) return {s.chain.link_motion(link, from, to, a.pose), Still{b.pose}};
  return s.chain.pair_motions(link, LinkId{b.link}, from, to, a.pose, b.pose);
}

}  // namespace graze::robot
