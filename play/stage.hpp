// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/math/pose.hpp>

#include "least_deviation.hpp"
#include "mass.hpp"

namespace graze::play {

/// Which input moves the bodies.
enum class Order {
  first,   ///< velocities: bodies move as wished, and stop at once when nothing is wished
  second,  ///< forces: bodies keep their velocities
};

struct Actor {
  Body body;
  Pose pose = {};
  Mass mass = {};      ///< `mass_of(body)`
  bool fixed = false;  ///< never moves
  std::string name = {};
};

struct StageOptions {
  Order order = Order::first;
  Vec3 gravity = {};     ///< of second order
  double bounce = 0;     ///< 0 to 1: what remains of the speed of an impact; of second order
  double margin = 1e-3;  ///< bodies stay farther apart than this (less where they start nearer)
  double turn = 0.2;     ///< a body turns by at most this angle in one slice of the step, in radians
  int slices = 12;       ///< at most so many certified motions a step; what then remains of it is left out
  int rounds = 16;       ///< at most so many times contacts are added in a slice
  int threads = 1;
};

/// Two bodies that touched in a step.
struct StageContact {
  std::size_t a = 0, b = 0;
  Vec3 point, normal;  ///< where they touched, from A to B; world coordinates
  Feature feature;
  double impulse = 0;  ///< 0: it did not push
};

struct StageReport {
  double moved = 1;                    ///< of the step; less than 1 if bodies are stuck
  std::vector<StageContact> contacts;  ///< of the last slice
  std::size_t slices = 0, rounds = 0;
  double violation = 0, gap = 0;  ///< the worst certificates of the step: see `LeastDeviation`
  double seconds = 0;
  /// Bodies that shared a point at the start: nothing was moved.
  std::optional<std::pair<std::size_t, std::size_t>> overlap;
};

/// Bodies that are pushed, dragged and dropped, and never interpenetrate.
///
/// A step looks for the velocities of least deviation and asks `first_contacts` about the motion that they give. What
/// it meets becomes a constraint, and the velocities are computed again, until the motion is certified free of contact;
/// then the bodies move. Only contacts that matter are ever computed. If a round finds nothing new (constraints are
/// linear, motions turn), the bodies move to the certified first contact, and slide on from there with what is left of
/// the step.
///
/// Certified: on the whole path of every step, any two bodies stay farther apart than `margin`, or than half their
/// distance at the start of the slice where they were nearer than it. So, poses being rounded far below that, no two
/// bodies ever share a point, whatever is wished. Not certified: that the velocities are the best for contacts that
/// move while the bodies turn; those of each round are (`gap`).
class Stage {
 public:
  explicit Stage(const StageOptions& options = {}) : options_(options) {}

  std::size_t add(Actor actor);
  std::size_t size() const { return actors_.size(); }
  const Actor& actor(std::size_t i) const { return actors_[i].actor; }
  const Pose& pose(std::size_t i) const { return actors_[i].actor.pose; }
  Twist velocity(std::size_t i) const { return actors_[i].velocity; }
  StageOptions& options() { return options_; }

  /// First order: the velocity for the next step. Second order: sets the velocity that the body has.
  void wish(std::size_t i, const Twist& velocity) { actors_[i].velocity = velocity; }
  /// Second order: a force at the centre of mass and a torque, for the next step.
  void push(std::size_t i, const Vec3& force, const Vec3& torque = {});
  /// Put there, not moved there.
  void place(std::size_t i, const Pose& pose) { actors_[i].actor.pose = pose; }
  /// The velocity that brings the body to this pose within `time`: what a mouse or a hand wishes.
  Twist towards(std::size_t i, const Pose& pose, double time) const;

  StageReport step(double time);

 private:
  struct Entry {
    Actor actor;
    Twist velocity;
    Vec3 force, torque;
  };
  /// A contact that was found, by points that are fixed to the bodies.
  struct Known {
    std::size_t a, b;
    Vec3 local_a, local_b;  ///< in the coordinates of each body
    Vec3 normal;            ///< from A to B, in world coordinates
    Feature feature;
  };
  /// One certified motion of all bodies; see stage.cpp.
  class Slice;

  Inert inert(std::size_t i) const;

  StageOptions options_;
  std::vector<Entry> actors_;
  std::vector<Known> known_;  ///< of the last slice: tried first in the next one
};

}  // namespace graze::play
