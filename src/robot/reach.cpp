// SPDX-License-Identifier: MIT
#include "robot/reach.hpp"

#include <algorithm>
#include <cmath>

#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"

namespace graze::robot {

void Reach::set_joints(std::span<const double> away, std::span<const LinkPose> links) {
  const Chain& chain = s_->chain;
  turns_.assign(chain.size(), 0);
  slides_.assign(chain.size(), 0);
  axes_.resize(chain.size());
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Joint& joint = chain.link(LinkId{i}).joint;
    if (joint.type == JointType::fixed) continue;
    const std::size_t first = s_->coordinate[i];
    double h = away[first];
    if (joint.mimic) h *= std::fabs(joint.mimic->factor) * slack;
    switch (joint.type) {
      case JointType::prismatic: slides_[i] = h; break;
      case JointType::screw:
        turns_[i] = h;
        slides_[i] = std::fabs(joint.pitch) * h * slack;
        break;
      case JointType::planar:
        slides_[i] = (away[first] + away[first + 1]) * slack;
        turns_[i] = away[first + 2];
        break;
      case JointType::floating:
        slides_[i] = (away[first] + away[first + 1] + away[first + 2]) * slack;
        turns_[i] = away[first + 3];
        continue;
      default: turns_[i] = h; break;
    }
    if (turns_[i] > 0)
      axes_[i] =
          math::turned(math::rotation_matrix(math::near_unit_size(links[i].pose.rotation())), math::unit(joint.axis));
  }
}

template <class Each>
double Reach::walk(std::uint32_t p, std::size_t down_to, std::span<const LinkPose> links, const Placed& placed,
                   const Each& each) const {
  const Part& part = s_->parts[p];
  const std::vector<std::uint32_t>& way = s_->ways[part.link];
  double far = 0;
  for (std::size_t k = way.size(); k-- > down_to;) {
    const std::uint32_t link = way[k];
    const double behind = far;
    far += slides_[link];
    if (turns_[link] > 0) {
      // The axis goes through the origin of the link. Axis, origin and centre are rounded: the axis by less than the
      // turn error and 2^-47, the others by their errors and 64 eps of what they were computed from.
      const Vec3 origin = links[link].pose.translation(), arm = placed.centre - origin;
      const double size = length(arm);
      const double rounded = links[link].error + placed.error +
                             0x1p-46 * (length(origin) + length(placed.centre) + part.far + part.radius);
      const bool any_axis = s_->chain.link(LinkId{link}).joint.type == JointType::floating;
      const double across =
          any_axis ? size : length(cross(axes_[link], arm)) + (links[link].turn_error + 0x1p-46) * size;
      const double d = (std::min(across, size) + rounded + part.radius + behind) * slack;
      far = (far + turns_[link] * d) * slack;
    }
    each(k, far);
  }
  return far;
}

void Reach::set(std::span<const double> away, std::span<const LinkPose> links, std::span<const Placed> placed) {
  set_joints(away, links);
  far_.resize(s_->moving);
  for (std::uint32_t p = 0; p < s_->moving; ++p) {
    std::vector<double>& far = far_[p];
    far.assign(s_->ways[s_->parts[p].link].size() + 1, 0);
    walk(p, 0, links, placed[p], [&](std::size_t k, double reach) { far[k] = reach; });
  }
}

std::size_t Reach::joints_until(std::uint32_t part, std::uint32_t ancestor) const {
  const std::vector<std::uint32_t>& way = s_->ways[s_->parts[part].link];
  if (ancestor == no_link) return 0;
  const auto found = std::find(way.begin(), way.end(), ancestor);
  return std::min(static_cast<std::size_t>(found - way.begin()) + 1, way.size());
}

double Reach::of(std::uint32_t part, std::uint32_t ancestor) const {
  return part >= s_->moving ? 0 : far_[part][joints_until(part, ancestor)];
}

double Reach::of(const Pair& pair) const { return (of(pair.a, pair.ancestor) + of(pair.b, pair.ancestor)) * slack; }

double Reach::alone(const Pair& pair, std::span<const LinkPose> links, const Placed& a, const Placed& b) const {
  const auto of = [&](std::uint32_t part, const Placed& placed) {
    if (part >= s_->moving) return 0.0;
    return walk(part, joints_until(part, pair.ancestor), links, placed, [](std::size_t, double) {});
  };
  return (of(pair.a, a) + of(pair.b, b)) * slack;
}

}  // namespace graze::robot
