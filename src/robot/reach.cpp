// SPDX-License-Identifier: MIT
#include "robot/reach.hpp"

#include <algorithm>
#include <cmath>

#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"

namespace graze::robot {

void Reach::set_joints(std::span<const double> away, std::span<const LinkPose> links, std::span<const double> ways) {
  const Chain& chain = s_->chain;
  joints_.resize(chain.size());
  even_ = !ways.empty();
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Joint& joint = chain.link(LinkId{i}).joint;
    JointWay& w = joints_[i] = {};
    if (joint.type == JointType::fixed) continue;
    const std::size_t first = s_->coordinate[i];
    double h = away[first], way = even_ ? ways[first] : 0;
    if (joint.mimic) {
      h *= std::fabs(joint.mimic->factor) * slack;
      way *= joint.mimic->factor;
    }
    switch (joint.type) {
      case JointType::prismatic:
        w.slides = h;
        w.slide = way;
        break;
      case JointType::screw:
        w.turns = h;
        w.turn = way;
        w.slides = std::fabs(joint.pitch) * h * slack;
        w.slide = joint.pitch * way;
        break;
      case JointType::planar:
        w.slides = (away[first] + away[first + 1]) * slack;
        w.turns = away[first + 2];
        w.bends = w.slides + w.turns > 0;
        break;
      case JointType::floating:
        w.slides = (away[first] + away[first + 1] + away[first + 2]) * slack;
        w.turns = away[first + 3];
        w.any_axis = true;
        w.bends = w.slides + w.turns > 0;
        break;
      default:
        w.turns = h;
        w.turn = way;
        break;
    }
    w.origin = links[i].pose.translation();
    w.origin_size = length(w.origin);
    if (!w.any_axis && (w.turns > 0 || w.slides > 0))
      w.axis =
          math::turned(math::rotation_matrix(math::near_unit_size(links[i].pose.rotation())), math::unit(joint.axis));
  }
}

template <class Each>
Reach::Moved Reach::walk(std::uint32_t p, std::size_t down_to, std::span<const LinkPose> links, const Placed& placed,
                         const Each& each) const {
  const Part& part = s_->parts[p];
  const std::vector<std::uint32_t>& way = s_->ways[part.link];
  const double centre_size = length(placed.centre) + part.far + part.radius;
  Moved m;
  for (std::size_t k = way.size(); k-- > down_to;) {
    const std::uint32_t link = way[k];
    const JointWay& w = joints_[link];
    const double behind = m.far;
    m.far += w.slides;
    if (w.turns > 0 || w.slides > 0) {
      // The axis goes through the origin of the link. Axis, origin and centre are rounded: the axis by less than the
      // turn error and 2^-47, the others by their errors and 64 eps of what they were computed from.
      const Vec3 arm = placed.centre - w.origin, across_arm = cross(w.axis, arm);
      const double size = length(arm), axis_error = links[link].turn_error + 0x1p-46;
      const double rounded = links[link].error + placed.error + 0x1p-46 * (w.origin_size + centre_size);
      const double across = w.any_axis ? size : length(across_arm) + axis_error * size;
      const double d = (std::min(across, size) + rounded + part.radius + behind) * slack;
      if (w.turns > 0) m.far = (m.far + w.turns * d) * slack;
      m.shift = m.shift + w.turn * across_arm + w.slide * w.axis;
      m.turn = m.turn + w.turn * w.axis;
      // What the two sums leave out; see the proof.
      m.rest += w.turns * (0.5 * w.turns * d + behind) + (w.turns - std::fabs(w.turn)) * d +
                (w.slides - std::fabs(w.slide)) +
                2 * (w.turns * (axis_error * (size + part.radius) + rounded) + w.slides * axis_error);
      if (w.bends) m.rest = math::infinity;
    }
    each(k, m);
  }
  return m;
}

double Reach::within(std::uint32_t part, const Moved& m) const {
  if (!even_ || part >= s_->moving) return m.far;  // obstacles stay
  return std::min(m.far, (length(m.shift) + length(m.turn) * s_->parts[part].radius + m.rest) * slack);
}

void Reach::set(std::span<const double> away, std::span<const LinkPose> links, std::span<const Placed> placed,
                std::span<const double> ways) {
  set_joints(away, links, ways);
  far_.resize(s_->moving);
  for (std::uint32_t p = 0; p < s_->moving; ++p) {
    std::vector<Moved>& far = far_[p];
    far.assign(s_->ways[s_->parts[p].link].size() + 1, {});
    walk(p, 0, links, placed[p], [&](std::size_t k, const Moved& moved) { far[k] = moved; });
  }
}

std::size_t Reach::joints_until(std::uint32_t part, std::uint32_t ancestor) const {
  const std::vector<std::uint32_t>& way = s_->ways[s_->parts[part].link];
  if (ancestor == no_link) return 0;
  const auto found = std::find(way.begin(), way.end(), ancestor);
  return std::min(static_cast<std::size_t>(found - way.begin()) + 1, way.size());
}

Reach::Moved Reach::moved(std::uint32_t part, std::uint32_t ancestor) const {
  return part >= s_->moving ? Moved{} : far_[part][joints_until(part, ancestor)];
}

Reach::Moved Reach::moved_alone(std::uint32_t part, std::uint32_t ancestor, std::span<const LinkPose> links,
                                const Placed& placed) const {
  if (part >= s_->moving) return {};
  return walk(part, joints_until(part, ancestor), links, placed, [](std::size_t, const Moved&) {});
}

double Reach::of(std::uint32_t part, std::uint32_t ancestor) const { return within(part, moved(part, ancestor)); }

double Reach::of(const Pair& pair) const { return (of(pair.a, pair.ancestor) + of(pair.b, pair.ancestor)) * slack; }

// What is no part of the way, of both; 2^-48 of the ways covers the rounding of their difference.
Drift Reach::between(const Pair& pair, const Moved& a, const Moved& b) const {
  Drift drift;
  const auto add = [&](std::uint32_t part, const Moved& m, double sign) {
    if (part >= s_->moving) return;  // obstacles stay
    const double far = within(part, m);
    drift.whole += far;
    const double turns = length(m.turn) * s_->parts[part].radius + m.rest;
    if (!even_ || !(turns < far)) {
      drift.rest += far;
      return;
    }
    drift.way = drift.way + sign * m.shift;
    drift.rest += turns + 0x1p-48 * length(m.shift);
  };
  add(pair.a, a, -1);
  add(pair.b, b, 1);
  drift.whole *= slack;
  drift.rest *= slack;
  return drift;
}

Drift Reach::drift(const Pair& pair) const {
  return between(pair, moved(pair.a, pair.ancestor), moved(pair.b, pair.ancestor));
}

double Reach::alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const {
  return (within(pair.a, moved_alone(pair.a, pair.ancestor, links, a)) +
          within(pair.b, moved_alone(pair.b, pair.ancestor, links, b))) *
         slack;
}

Drift Reach::drift_alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const {
  return between(pair, moved_alone(pair.a, pair.ancestor, links, a), moved_alone(pair.b, pair.ancestor, links, b));
}

}  // namespace graze::robot
