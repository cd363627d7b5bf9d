// SPDX-License-Identifier: MIT
#include "robot/state.hpp"

#include <algorithm>

#include "core/refusal.hpp"

namespace graze::robot {

void refuse(ErrorCode code, std::string message, std::string element, std::uint64_t id) {
  throw Error(core::problem(code, std::move(element), std::move(message), id));
}

State::State(RobotModel given, const RobotOptions& chosen)
    : model(std::move(given)), options(chosen), chain(model.links, Still{options.base}), padding(model.links.size()) {
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    std::vector<std::uint32_t>& way = ways.emplace_back();
    for (std::optional<LinkId> up = LinkId{i}; up; up = chain.parent(*up)) way.insert(way.begin(), index(*up));
    std::uint32_t root = i;
    while (chain.link(LinkId{root}).joint.type == JointType::fixed && chain.parent(LinkId{root}))
      root = index(*chain.parent(LinkId{root}));
    // All that is fixed to the base is one group, that of the first such link.
    if (chain.link(LinkId{root}).joint.type == JointType::fixed)
      for (std::uint32_t k = 0; k < i; ++k)
        if (ways[k].size() && chain.link(LinkId{group[k]}).joint.type == JointType::fixed) {
          root = group[k];
          break;
        }
    group.push_back(root);
  }
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const std::optional<Mimic>& mimic = chain.link(LinkId{i}).joint.mimic;
    if (chain.link(LinkId{i}).joint.type == JointType::floating)
      floating.push_back(chain.first_coordinate(LinkId{i}).value());
    coordinate.push_back(chain.first_coordinate(mimic ? link_of(mimic->link) : LinkId{i}).value_or(0));
  }
  has_bodies.resize(chain.size());
  for (const RobotPiece& piece : model.pieces) has_bodies[group[index(link_of(piece.link))]] = true;
  for (const AllowedPair& pair : model.allowed) {
    decided[in_order(index(link_of(pair.a)), index(link_of(pair.b)))] = pair.reason;
  }
  rebuild();
}

LinkId State::link_of(std::string_view name) const {
  if (const auto link = chain.find(name)) return *link;
  refuse(ErrorCode::bad_option, "the robot has no link \"" + std::string(name) + "\"");
}

/// Is one of the groups the nearest one with bodies above the other?
bool State::adjacent(std::uint32_t a, std::uint32_t b) const {
  const auto above = [&](std::uint32_t g) {
    do {
      const auto parent = chain.parent(LinkId{g});
      if (!parent) return no_link;
      g = group[index(*parent)];
    } while (!has_bodies[g]);
    return g;
  };
  return above(group[a]) == group[b] || above(group[b]) == group[a];
}

std::optional<std::string> State::why_allowed(std::uint32_t a, std::uint32_t b) const {
  if (group[a] == group[b]) return "never move relative to each other";
  if (const auto found = decided.find(in_order(a, b)); found != decided.end()) return found->second;
  if (options.adjacent_may_touch.value_or(model.allowed.empty()) && adjacent(a, b)) return "adjacent";
  return std::nullopt;
}

bool State::may_touch(std::uint32_t part_a, std::uint32_t part_b) const {
  const std::uint32_t a = parts[part_a].link, b = parts[part_b].link;
  const std::size_t pieces = model.pieces.size();
  if (group[a] == group[b]) return true;
  if (part_b < pieces) return why_allowed(a, b).has_value();
  // Attached bodies touch what they are allowed to, and nothing else.
  const auto names = [&](std::uint32_t part, std::uint32_t link) {
    if (part < pieces) return false;
    const std::vector<std::string>& list = attached[part - pieces].may_touch;
    return std::find(list.begin(), list.end(), chain.link(LinkId{link}).name) != list.end();
  };
  const bool both = part_a >= pieces;
  return names(part_b, a) || (both && names(part_a, b));
}

void State::rebuild() {
  parts.clear();
  pairs.clear();
  obstacles_placed.clear();
  touching_links.clear();
  widest_radius = 0;
  std::vector<Box3> boxes;
  for (const RobotPiece& piece : model.pieces) add_part(piece.body, index(link_of(piece.link)), piece.pose);
  for (const AttachedBody& body : attached) add_part(body.body, index(link_of(body.link)), body.pose);
  moving = static_cast<std::uint32_t>(parts.size());
  for (const Obstacle& o : obstacles) {
    add_part(o.body, no_link, o.pose);
    obstacles_placed.push_back(place(parts.back(), {o.pose, 0, 0}));
    std::vector<std::uint32_t>& links = touching_links.emplace_back();
    for (const std::string& link : o.may_touch) links.push_back(index(link_of(link)));
    widest_radius = std::max(widest_radius, o.radius);
    boxes.push_back(obstacles_placed.back().box);
  }
  obstacle_tree = boxes.empty() ? std::vector<body::PieceNode>{} : body::piece_tree(boxes);
  for (std::uint32_t a = 0; a < moving; ++a)
    for (std::uint32_t b = a + 1; b < moving; ++b) {
      if (may_touch(a, b)) continue;
      const auto ancestor = chain.common_ancestor(LinkId{parts[a].link}, LinkId{parts[b].link});
      pairs.push_back({a, b, ancestor ? index(*ancestor) : no_link, 0});
    }
}

void State::near_obstacles(std::uint32_t part, const Box3& part_box, double distance,
                           std::vector<std::uint32_t>& out) const {
  out.clear();
  if (obstacle_tree.empty()) return;
  // No less than any obstacle's own separation and the distance, whatever the rounding.
  const double enough = next_up(next_up(parts[part].padding + widest_radius) + distance);
  // The tree halves the number of obstacles from level to level.
  std::array<std::uint32_t, 64> stack{};
  std::size_t size = 1;
  while (size > 0) {
    const body::PieceNode& node = obstacle_tree[stack[--size]];
    if (boxes_farther(part_box, node.box, enough)) continue;
    if (!node.is_leaf()) {
      stack[size++] = node.left;
      stack[size++] = node.right;
    } else if (!may_touch_obstacle(part, node.piece)) {
      out.push_back(node.piece);
    }
  }
  std::sort(out.begin(), out.end());
}

}  // namespace graze::robot
