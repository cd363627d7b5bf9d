// SPDX-License-Identifier: MIT
#include "output/robot_answer.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "output/print.hpp"

namespace graze::app {
namespace {

bool in_contact(Status status) { return status == Status::contact || status == Status::touching_at_start; }

std::string pair_of_links(const RobotScene& scene, const PartPair& pair) {
  const auto one = [&](std::uint32_t number) {
    const RobotPart part = scene.robot.part(number);
    return fmt::format("{}{}", part.link ? "" : "the obstacle ", part.name);
  };
  return fmt::format("A is {}, B is {}", one(pair.a), one(pair.b));
}

std::string limits_text(const RobotScene& scene, LinkId link) {
  const Link& moved = scene.robot.chain().link(link);
  return fmt::format("the joint{}{} of link {} gets beyond its limits", moved.joint.name.empty() ? "" : " ",
                     moved.joint.name, moved.name);
}

Json link_json(const RobotScene& scene, const std::optional<LinkId>& link) {
  return link ? Json(scene.robot.chain().link(*link).name) : Json();
}

/// Their numbers, as `--list` counts the bodies: a link may have several.
Json parts_json(const std::optional<PartPair>& pair) { return pair ? Json::array({pair->a, pair->b}) : Json(); }

Json clearance_json_of(const RobotClearance& c, const RobotScene& scene) {
  return Json{{"lower", c.lower},
              {"upper", c.upper},
              {"links", links_json(scene, c.pair)},
              {"parts", parts_json(c.pair)},
              {"segment", c.segment},
              {"time", c.time},
              {"points", Json::array({to_json(c.points[0]), to_json(c.points[1])})}};
}

}  // namespace

const Body& RobotScene::body(std::uint32_t part) const {
  const auto& pieces = robot.model().pieces;
  if (part < pieces.size()) return pieces[part].body;
  const auto& attached = robot.attached();
  const std::size_t rest = part - pieces.size();
  return rest < attached.size() ? attached[rest].body : obstacles[rest - attached.size()].body;
}

Json links_json(const RobotScene& scene, const std::optional<PartPair>& pair) {
  return pair ? Json::array({scene.name(pair->a), scene.name(pair->b)}) : Json();
}

Json to_json(const StateResult& result, const RobotScene& scene) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["links"] = links_json(scene, result.pair);
  out["parts"] = parts_json(result.pair);
  out["beyond_limits"] = link_json(scene, result.beyond_limits);
  out["asked"] = result.asked;
  out["counters"] = to_json(result.counters);
  if (result.error) out["error"] = to_json(*result.error);
  return out;
}

Json to_json(const RobotMotionResult& result, const FirstContactOptions& options, const RobotScene& scene) {
  // Which bodies features belong to; without a pair there are none.
  const PartPair pair = result.pair.value_or(PartPair{0, 0});
  FirstContactResult contact = result.contact;
  contact.status = result.status;
  contact.time.safe = result.safe;
  if (!in_contact(result.status)) contact.time.touch = std::numeric_limits<double>::quiet_NaN();
  contact.counters = result.counters;
  contact.seconds = result.seconds;
  contact.error = result.error;
  Json whole = to_json(contact, options, scene.body(pair.a), scene.body(pair.b));
  Json out = new_object();
  out["status"] = whole["status"];
  out["links"] = links_json(scene, result.pair);
  out["parts"] = parts_json(result.pair);
  out["segment"] = result.segment;
  out.update(whole);
  if (!result.pair) out["gap"] = out["tolerance"] = Json();  // those of the pair
  out["clearance"] = result.clearance ? clearance_json_of(*result.clearance, scene) : Json();
  out.erase("contacts");
  return out;
}

Json to_json(const RobotTrajectoryResult& result, const FirstContactOptions& options, const RobotScene& scene) {
  Json out = to_json(static_cast<const RobotMotionResult&>(result), options, scene);
  const bool touches = in_contact(result.status) && std::isfinite(result.when.touch);
  out["when"] = Json::array({result.when.safe, touches ? Json(result.when.touch) : Json()});
  out["beyond_limits"] = result.beyond_limits ? Json{{"link", link_json(scene, result.beyond_limits)},
                                                     {"segment", result.beyond_limits_in}}
                                              : Json();
  return out;
}

void print(const StateResult& result, const RobotScene& scene) {
  const char* const headline = in_contact(result.status)       ? "in contact"
                               : result.status == Status::free ? "free: certified for the exact joint coordinates"
                                                               : graze::name(result.status);
  fmt::print("{}\n", coloured(headline, result.status));
  if (result.pair) print_field("links", pair_of_links(scene, *result.pair));
  if (result.beyond_limits) print_field("limits", limits_text(scene, *result.beyond_limits));
  print_field("pairs", fmt::format("{} of {} asked", result.asked, scene.robot.pairs()));
}

void print(const RobotTrajectoryResult& result, const RobotScene& scene, std::size_t segments) {
  std::string headline = graze::name(result.status);
  if (result.status == Status::free) headline = "free: certified for the whole path";
  if (result.status == Status::contact) headline = fmt::format("contact at t = {:.9g}", result.when.touch);
  if (result.status == Status::touching_at_start) headline = fmt::format("in contact at t = {:.9g}", result.when.touch);
  if (result.status == Status::undecided)
    headline = fmt::format("undecided: certified free before t = {:.9g}, then the budget ran out", result.when.safe);
  fmt::print("{}\n", coloured(headline, result.status));
  print_field("segments", fmt::format("{} from waypoint to waypoint", segments));
  if (in_contact(result.status)) {
    print_field("free before", fmt::format("t = {}, certified", result.when.safe));
    print_field("segment", fmt::format("{} (from 0), at {:.9g} of it", result.segment, result.contact.time.touch));
  }
  if (result.pair) print_field("links", pair_of_links(scene, *result.pair));
  if (result.contact.points) {
    print_field("point on A", point_text((*result.contact.points)[0]));
    print_field("point on B", point_text((*result.contact.points)[1]));
  }
  if (result.contact.normal) print_field("normal", point_text(*result.contact.normal));
  if (result.clearance)
    print_field("clearance", fmt::format("at least {:.9g}, at most {:.9g} (segment {}, at {:.9g} of it; {})",
                                         result.clearance->lower, result.clearance->upper, result.clearance->segment,
                                         result.clearance->time, pair_of_links(scene, result.clearance->pair)));
  if (result.beyond_limits)
    print_field("limits",
                fmt::format("{} in segment {}", limits_text(scene, *result.beyond_limits), result.beyond_limits_in));
  print_field("pairs", fmt::format("{}; {} were searched", scene.robot.pairs(), result.pairs));
  print_field("time", time_text(result.seconds));
}

}  // namespace graze::app
