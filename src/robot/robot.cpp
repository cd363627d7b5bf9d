// SPDX-License-Identifier: MIT
#include <graze/robot/robot.hpp>

#include <algorithm>
#include <cmath>

#include <graze/world/world.hpp>

#include "core/fp_guard.hpp"
#include "robot/state.hpp"

namespace graze {

RobotMemory::RobotMemory() : memory_(std::make_unique<robot::Memory>()) {}
RobotMemory::~RobotMemory() = default;
RobotMemory::RobotMemory(RobotMemory&&) noexcept = default;
RobotMemory& RobotMemory::operator=(RobotMemory&&) noexcept = default;

Robot::Robot(RobotModel model, const RobotOptions& options) {
  const core::FpGuard guard;
  state_ = std::make_unique<robot::State>(std::move(model), options);
}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;
Robot& Robot::operator=(Robot&&) noexcept = default;

const RobotModel& Robot::model() const { return state_->model; }
const Chain& Robot::chain() const { return state_->chain; }

namespace robot {

namespace {

/// By its name, or by "group/name".
const RobotState& named_state(const RobotModel& model, std::string_view name) {
  const RobotState* found = nullptr;
  int count = 0;
  std::string all, same;
  for (const RobotState& state : model.states) {
    const std::string whole = state.group + "/" + state.name;
    all += (all.empty() ? "" : ", ") + state.name;
    if (whole == name) return state;
    if (state.name != name) continue;
    same += (count++ ? ", " : "") + whole;
    found = &state;
  }
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (!found)
    refuse(ErrorCode::bad_option,
           "the robot has no state " + quoted + "; it has " + (all.empty() ? std::string("none") : all));
  if (count > 1) refuse(ErrorCode::bad_option, "several groups have a state " + quoted + "; choose one of " + same);
  return *found;
}

}  // namespace

}  // namespace robot

void Robot::set_named_state(std::string_view name, std::span<double> q) const {
  if (q.size() != coordinates())
    robot::refuse(ErrorCode::bad_option, "the state must have " + std::to_string(coordinates()) + " coordinates, not " +
                                             std::to_string(q.size()));
  const RobotState& named = robot::named_state(model(), name);
  std::vector<double> all(q.begin(), q.end());  // nothing is changed unless everything fits
  for (const auto& [link, values] : named.values) {
    const LinkId id = state_->link_of(link);
    const std::optional<std::size_t> first = chain().first_coordinate(id);
    if (!first) continue;
    const std::size_t wanted = coordinates_of(chain().link(id).joint.type);
    if (values.size() != wanted)
      robot::refuse(ErrorCode::bad_option, "the state \"" + std::string(name) + "\" has " +
                                               std::to_string(values.size()) + " values for the joint of link \"" +
                                               link + "\", which has " + std::to_string(wanted));
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(*first));
  }
  std::copy(all.begin(), all.end(), q.begin());
}

void Robot::allow(std::string_view a, std::string_view b, std::string reason) {
  state_->decided[robot::in_order(index(state_->link_of(a)), index(state_->link_of(b)))] = std::move(reason);
  state_->rebuild();
}

void Robot::forbid(std::string_view a, std::string_view b) {
  state_->decided[robot::in_order(index(state_->link_of(a)), index(state_->link_of(b)))] = std::nullopt;
  state_->rebuild();
}

std::optional<std::string> Robot::allowed(std::string_view a, std::string_view b) const {
  return state_->why_allowed(index(state_->link_of(a)), index(state_->link_of(b)));
}

std::vector<AllowedPair> Robot::allow_touching(std::span<const double> states) {
  const core::FpGuard guard;
  const std::size_t n = coordinates();
  if (n == 0 || states.empty() || states.size() % n != 0)
    robot::refuse(ErrorCode::bad_option, "give whole states of " + std::to_string(n) + " coordinates, at least one");
  std::vector<bool> always(state_->pairs.size(), true);
  robot::Memory memory;
  Counters counters;
  for (std::size_t i = 0; i < states.size(); i += n) {
    robot::StateCheck check(*state_, states.subspan(i, n), memory, counters);
    check.place_all();
    for (std::size_t p = 0; p < always.size(); ++p) always[p] = always[p] && check.touches(state_->pairs[p]);
  }
  std::vector<AllowedPair> found;
  const std::size_t pieces = model().pieces.size();
  const std::string reason =
      "a guess: they touch in " + std::to_string(states.size() / n) + " given state" + (states.size() == n ? "" : "s");
  for (std::size_t p = 0; p < always.size(); ++p) {
    const robot::Pair& pair = state_->pairs[p];
    if (!always[p] || pair.b >= pieces) continue;
    const robot::LinkPair ends = robot::in_order(state_->parts[pair.a].link, state_->parts[pair.b].link);
    if (!state_->decided.emplace(ends, reason).second) continue;
    found.push_back({chain().link(LinkId{ends.first}).name, chain().link(LinkId{ends.second}).name, reason});
  }
  state_->rebuild();
  return found;
}

namespace {

void check_padding(double distance) {
  if (!(distance >= 0) || !std::isfinite(distance))
    robot::refuse(ErrorCode::bad_option, "padding must be a finite distance of 0 or more", "option");
}

}  // namespace

void Robot::padding(std::string_view link, double distance) {
  check_padding(distance);
  state_->padding[index(state_->link_of(link))] = distance;
  state_->rebuild();
}

void Robot::padding(double distance) {
  check_padding(distance);
  std::fill(state_->padding.begin(), state_->padding.end(), distance);
  state_->rebuild();
}

void Robot::attach(AttachedBody body) {
  state_->link_of(body.link);
  for (const std::string& link : body.may_touch) state_->link_of(link);
  for (const AttachedBody& other : state_->attached)
    if (other.name == body.name)
      robot::refuse(ErrorCode::bad_option, "a body named \"" + body.name + "\" is attached already; detach it first");
  state_->attached.push_back(std::move(body));
  state_->rebuild();
}

bool Robot::detach(std::string_view name) {
  const auto gone = [&](const AttachedBody& body) { return body.name == name; };
  if (std::erase_if(state_->attached, gone) == 0) return false;
  state_->rebuild();
  return true;
}

const std::vector<AttachedBody>& Robot::attached() const { return state_->attached; }

void Robot::surroundings(std::vector<Obstacle> obstacles) {
  const core::FpGuard guard;
  for (const Obstacle& obstacle : obstacles) {
    for (const std::string& link : obstacle.may_touch) state_->link_of(link);
    if (!(obstacle.radius >= 0) || !std::isfinite(obstacle.radius))
      robot::refuse(ErrorCode::bad_option,
                    "the radius of obstacle \"" + obstacle.name + "\" must be a finite distance of 0 or more",
                    "option");
  }
  state_->obstacles = std::move(obstacles);
  state_->rebuild();
}

void Robot::surroundings(const World& world) {
  std::vector<Obstacle> obstacles;
  for (const BodyId id : world.bodies()) obstacles.push_back({world.body(id), world.pose(id), world.name(id)});
  surroundings(std::move(obstacles));
}

std::uint32_t Robot::parts() const { return static_cast<std::uint32_t>(state_->parts.size()); }

RobotPart Robot::part(std::uint32_t number) const {
  if (number >= state_->parts.size())
    robot::refuse(ErrorCode::index_out_of_range, "there are " + std::to_string(parts()) + " parts", "part", number);
  const std::size_t pieces = model().pieces.size();
  if (number < pieces) {
    const RobotPiece& piece = model().pieces[number];
    return {piece.link, state_->link_of(piece.link), piece.name};
  }
  if (number < state_->moving) return {state_->attached[number - pieces].name, LinkId{state_->parts[number].link}, {}};
  return {state_->obstacles[number - state_->moving].name, std::nullopt, {}};
}

std::size_t Robot::pairs() const {
  std::size_t count = state_->pairs.size();
  for (std::uint32_t a = 0; a < state_->moving; ++a)
    for (std::uint32_t o = 0; o < state_->obstacles.size(); ++o) count += !state_->may_touch_obstacle(a, o);
  return count;
}

}  // namespace graze
