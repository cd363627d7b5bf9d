// SPDX-License-Identifier: MIT
// Part of graze/ompl.hpp.
#pragma once

#include <graze/core/export.hpp>  // first: it says that C++20 is needed

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateProjections.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>

#include <graze/core/error.hpp>
#include <graze/ompl/motion_validator.hpp>
#include <graze/robot/robot.hpp>

namespace graze {

/// The joints of a robot, or of a group of it, as a state space. Subspace 0, if a joint has limits, is a
/// `RealVectorStateSpace` of all of these, in the order of the robot's coordinates; each joint that turns without
/// limits is a `SO2StateSpace` after it. The other coordinates, and passive joints, keep the values of `rest`.
class RobotStateSpace : public ::ompl::base::CompoundStateSpace {
 public:
  using State = ::ompl::base::State;

  /// `group`: of the model; empty: all joints. `rest`: empty, or all coordinates; by default each is 0, or the limit
  /// nearest to it. Throws `Error` (bad_option) if there is no such group, if `rest` has another size, or if a joint
  /// has no limits and needs some: one that slides, a planar or floating one, and one that another joint follows.
  explicit RobotStateSpace(std::shared_ptr<const Robot> robot, std::string_view group = {},
                           std::span<const double> rest = {})
      : robot_(std::move(robot)), rest_(rest.begin(), rest.end()) {
    setName("Robot" + getName());
    const Chain& chain = robot_->chain();
    if (rest.empty()) rest_ = default_rest(chain);
    if (rest_.size() != chain.coordinates())
      refuse("`rest` must have " + std::to_string(chain.coordinates()) + " coordinates, not " +
             std::to_string(rest_.size()));
    std::vector<JointLimits> limits;
    for (std::uint32_t i = 0; i < chain.size(); ++i) {
      const Link& link = chain.link(LinkId{i});
      const std::optional<std::size_t> first = chain.first_coordinate(LinkId{i});
      if (!first || !is_planned(link.name, group)) continue;
      const bool turns =
          link.joint.type == JointType::continuous || (link.joint.type == JointType::revolute && !link.joint.limits);
      const JointLimits range = link.joint.limits.value_or(JointLimits{});
      const bool limited = link.joint.type != JointType::continuous && coordinates_of(link.joint.type) == 1 &&
                           std::isfinite(range.lower) && std::isfinite(range.upper);
      joints_.push_back(LinkId{i});
      if (limited) {
        limited_.push_back(*first);
        limits.push_back(range);
      } else if (turns && !is_followed(chain, link.name)) {
        turning_.push_back(*first);
      } else {
        refuse("the joint of link \"" + link.name +
               "\" must have limits to be planned with (or leave it out of the group)");
      }
    }
    if (limited_.empty() && turning_.empty()) refuse("no joint is left to plan with");
    add_subspaces(limits);
  }

  const Robot& robot() const { return *robot_; }
  /// The child links of the joints that are planned, in the order of the robot's links.
  const std::vector<LinkId>& joints() const { return joints_; }

  /// All coordinates of the robot at a state.
  void configuration(const State* state, std::span<double> q) const {
    std::copy(rest_.begin(), rest_.end(), q.begin());
    const auto& parts = *state->as<StateType>();
    for (std::size_t i = 0; i < limited_.size(); ++i)
      q[limited_[i]] = parts.as<::ompl::base::RealVectorStateSpace::StateType>(0)->values[i];
    for (std::size_t i = 0; i < turning_.size(); ++i)
      q[turning_[i]] =
          parts.as<::ompl::base::SO2StateSpace::StateType>(first_turning() + static_cast<unsigned>(i))->value;
  }
  std::vector<double> configuration(const State* state) const {
    std::vector<double> q(rest_.size());
    configuration(state, q);
    return q;
  }

  /// The state at coordinates of the robot; those that are not planned are not looked at.
  void set_state(std::span<const double> q, State* state) const {
    auto& parts = *state->as<StateType>();
    for (std::size_t i = 0; i < limited_.size(); ++i)
      parts.as<::ompl::base::RealVectorStateSpace::StateType>(0)->values[i] = q[limited_[i]];
    for (std::size_t i = 0; i < turning_.size(); ++i) {
      const unsigned at = first_turning() + static_cast<unsigned>(i);
      parts.as<::ompl::base::SO2StateSpace::StateType>(at)->value = q[turning_[i]];
      getSubspace(at)->enforceBounds(parts[at]);
    }
  }

  /// The coordinates from which and to which all change evenly on OMPL's way between two states: joints without limits
  /// turn the short way, as `SO2StateSpace` does, and may end beyond pi. They end there within a rounding of the turn
  /// (2^-50 radians) from `to`.
  void motion(const State* from, const State* to, std::span<double> q_from, std::span<double> q_to) const {
    configuration(from, q_from);
    configuration(to, q_to);
    for (const std::size_t i : turning_) {
      const double way = q_to[i] - q_from[i];
      if (std::fabs(way) > std::numbers::pi) q_to[i] = q_from[i] - std::copysign(2 * std::numbers::pi, way) + way;
    }
  }

  /// To the first joints with limits, at most three.
  void registerProjections() override {
    if (limited_.empty()) return;
    // Not the subspace's own: of two dimensions it is OMPL's identity, which ends the program (1.5.2).
    std::vector<unsigned> first;
    for (unsigned i = 0; i < std::min<std::size_t>(limited_.size(), 3); ++i) first.push_back(i);
    registerDefaultProjection(std::make_shared<::ompl::base::SubspaceProjectionEvaluator>(
        this, 0u, std::make_shared<::ompl::base::RealVectorOrthogonalProjectionEvaluator>(getSubspace(0), first)));
  }

 private:
  [[noreturn]] static void refuse(std::string message) {
    ErrorDetail detail;
    detail.code = ErrorCode::bad_option;
    detail.element = "state space";
    detail.message = std::move(message);
    throw Error(std::move(detail));
  }
  unsigned first_turning() const { return limited_.empty() ? 0 : 1; }

  static std::vector<double> default_rest(const Chain& chain) {
    std::vector<double> rest(chain.coordinates(), 0);
    for (std::uint32_t i = 0; i < chain.size(); ++i) {
      const Joint& joint = chain.link(LinkId{i}).joint;
      const std::optional<std::size_t> first = chain.first_coordinate(LinkId{i});
      if (first && joint.type == JointType::floating) rest[*first + 3] = 1;
      if (first && joint.limits) rest[*first] = std::min(std::max(0.0, joint.limits->lower), joint.limits->upper);
    }
    return rest;
  }
  bool is_planned(const std::string& link, std::string_view group) const {
    const std::vector<std::string>& passive = robot_->model().passive;
    if (std::find(passive.begin(), passive.end(), link) != passive.end()) return false;
    if (group.empty()) return true;
    for (const RobotGroup& g : robot_->model().groups)
      if (g.name == group) return std::find(g.links.begin(), g.links.end(), link) != g.links.end();
    refuse("the robot has no group \"" + std::string(group) + "\"");
  }
  /// A whole turn is then no return to the same state.
  static bool is_followed(const Chain& chain, const std::string& link) {
    for (std::uint32_t i = 0; i < chain.size(); ++i)
      if (const auto& mimic = chain.link(LinkId{i}).joint.mimic; mimic && mimic->link == link) return true;
    return false;
  }
  void add_subspaces(const std::vector<JointLimits>& limits) {
    if (!limits.empty()) {
      const auto count = static_cast<unsigned>(limits.size());
      auto limited = std::make_shared<::ompl::base::RealVectorStateSpace>(count);
      ::ompl::base::RealVectorBounds bounds(count);
      for (unsigned i = 0; i < count; ++i) {
        bounds.setLow(i, limits[i].lower);
        bounds.setHigh(i, limits[i].upper);
      }
      limited->setBounds(bounds);
      addSubspace(limited, 1);
    }
    for (std::size_t i = 0; i < turning_.size(); ++i) addSubspace(std::make_shared<::ompl::base::SO2StateSpace>(), 1);
    lock();
  }

  std::shared_ptr<const Robot> robot_;
  std::vector<double> rest_;
  std::vector<LinkId> joints_;
  std::vector<std::size_t> limited_, turning_;  ///< numbers of coordinates
};

namespace detail {

/// Buffers for each thread that asks at the same time.
class RobotBuffers {
 public:
  struct Buffers {
    RobotMemory memory;
    std::vector<double> from, to;
    StateResult state;
    RobotFreeResult motion;
  };
  explicit RobotBuffers(std::size_t coordinates) : coordinates_(coordinates) {}

  /// `ask(buffers)`, with buffers that nobody else uses.
  template <class Ask>
  auto use(const Ask& ask) {
    std::unique_ptr<Buffers> mine = take();
    const auto answer = ask(*mine);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(mine));
    return answer;
  }

 private:
  std::unique_ptr<Buffers> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Buffers> last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    auto fresh = std::make_unique<Buffers>();
    fresh->from.resize(coordinates_);
    fresh->to.resize(coordinates_);
    return fresh;
  }

  std::size_t coordinates_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffers>> idle_;
};

inline const RobotStateSpace& robot_space(const ::ompl::base::SpaceInformationPtr& si) {
  return *si->getStateSpace()->as<RobotStateSpace>();  // OMPL's own checked cast in debug builds
}

}  // namespace detail

/// Is the robot free at a state of its `RobotStateSpace`, and within the limits of all joints?
class RobotStateValidityChecker : public ::ompl::base::StateValidityChecker {
 public:
  explicit RobotStateValidityChecker(const ::ompl::base::SpaceInformationPtr& si)
      : StateValidityChecker(si), space_(detail::robot_space(si)), buffers_(space_.robot().coordinates()) {
    specs_.clearanceComputationType = ::ompl::base::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
  }

  bool isValid(const ::ompl::base::State* state) const override {
    return buffers_.use([&](auto& b) {
      space_.configuration(state, b.from);
      StateOptions options;
      options.witness = false;
      options.memory = &b.memory;
      space_.robot().check(b.from, options, b.state);
      return b.state.status == Status::free && !b.state.beyond_limits;
    });
  }

  /// Certified: no pair that may not touch is nearer.
  double clearance(const ::ompl::base::State* state) const override {
    return buffers_.use([&](auto& b) {
      space_.configuration(state, b.from);
      StateOptions options;
      options.memory = &b.memory;
      return space_.robot().distance(b.from, options).lower;
    });
  }

 private:
  const RobotStateSpace& space_;
  mutable detail::RobotBuffers buffers_;
};

/// Is the motion between two states of a `RobotStateSpace` free, certified for the exact joint coordinates? Motions
/// that a limit or a mistake leaves undecided are not valid.
class RobotMotionValidator : public detail::CertifiedMotionValidator {
 public:
  explicit RobotMotionValidator(const ::ompl::base::SpaceInformationPtr& si)
      : CertifiedMotionValidator(si), space_(detail::robot_space(si)), buffers_(space_.robot().coordinates()) {}

 protected:
  bool is_free(const State* from, const State* to) const override {
    return buffers_.use([&](auto& b) {
      space_.motion(from, to, b.from, b.to);
      if (space_.robot().chain().beyond_limits(b.to)) return false;
      RobotFreeOptions options;
      options.memory = &b.memory;
      space_.robot().motion_free(b.from, b.to, options, b.motion);
      return b.motion.status == Status::free;
    });
  }

  double free_until(const State* from, const State* to) const override {
    return buffers_.use([&](auto& b) {
      space_.motion(from, to, b.from, b.to);
      RobotMotionOptions options;
      options.memory = &b.memory;
      const RobotMotionResult result = space_.robot().check_motion(b.from, b.to, options);
      return result.status == Status::invalid_request ? 0.0 : result.safe;
    });
  }

 private:
  const RobotStateSpace& space_;
  mutable detail::RobotBuffers buffers_;
};

}  // namespace graze
