// SPDX-License-Identifier: MIT
#include "robot/reach.hpp"

#include <algorithm>
#include <cmath>

#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"

namespace graze::robot {

bool reach_applies(const Chain& chain, std::span<const double> from, std::span<const double> to) {
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    if (chain.link(LinkId{i}).joint.type != JointType::floating) continue;
    const std::size_t first = chain.first_coordinate(LinkId{i}).value();
    if (!std::equal(&from[first], &from[first] + 7, &to[first])) return false;
  }
  return true;
}

void Reach::set(std::span<const double> away, std::span<const LinkPose> links, std::span<const Placed> placed) {
  const Chain& chain = s_.chain;
  turns_.assign(chain.size(), 0);
  slides_.assign(chain.size(), 0);
  axes_.resize(chain.size());
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Joint& joint = chain.link(LinkId{i}).joint;
    if (joint.type == JointType::fixed || joint.type == JointType::floating) continue;
    const LinkId moved_by = joint.mimic ? s_.link_of(joint.mimic->link) : LinkId{i};
    const std::size_t first = chain.first_coordinate(moved_by).value();
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
      default: turns_[i] = h; break;
    }
    if (turns_[i] > 0)
      axes_[i] =
          math::turned(math::rotation_matrix(math::near_unit_size(links[i].pose.rotation())), math::unit(joint.axis));
  }
  far_.resize(s_.moving);
  for (std::uint32_t p = 0; p < s_.moving; ++p) {
    const Part& part = s_.parts[p];
    const std::vector<std::uint32_t>& way = s_.ways[part.link];
    std::vector<double>& far = far_[p];
    far.assign(way.size() + 1, 0);
    for (std::size_t k = way.size(); k-- > 0;) {
      const std::uint32_t link = way[k];
      far[k] = far[k + 1] + slides_[link];
      if (turns_[link] > 0) {
        // The axis goes through the origin of the link. Axis, origin and centre are rounded: the axis by less than the
        // turn error and 2^-47, the others by their errors and 64 eps of what they were computed from.
        const Vec3 origin = links[link].pose.translation(), arm = placed[p].centre - origin;
        const double size = length(arm);
        const double rounded = links[link].error + placed[p].error +
                               0x1p-46 * (length(origin) + length(placed[p].centre) + part.far + part.radius);
        const double across = length(cross(axes_[link], arm)) + (links[link].turn_error + 0x1p-46) * size;
        const double d = (std::min(across, size) + rounded + part.radius + far[k + 1]) * slack;
        far[k] = (far[k] + turns_[link] * d) * slack;
      }
    }
  }
}

double Reach::of(std::uint32_t part, std::uint32_t ancestor) const {
  if (part >= s_.moving) return 0;
  const std::vector<std::uint32_t>& way = s_.ways[s_.parts[part].link];
  std::size_t k = 0;
  if (ancestor != no_link) k = static_cast<std::size_t>(std::find(way.begin(), way.end(), ancestor) - way.begin()) + 1;
  return far_[part][std::min(k, way.size())];
}

double Reach::of(const Pair& pair) const { return (of(pair.a, pair.ancestor) + of(pair.b, pair.ancestor)) * slack; }

}  // namespace graze::robot
