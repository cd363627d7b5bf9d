// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>

namespace graze::app {

/// Random numbers that are the same on every platform.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double between(double lo, double hi) { return lo + (hi - lo) * static_cast<double>(next() >> 11) * 0x1p-53; }
  std::uint64_t below(std::uint64_t n) { return next() % n; }

 private:
  std::uint64_t state_;
};

struct CageOptions {
  std::uint64_t bodies = 100, seed = 1;
  std::optional<std::uint64_t> movers = {};  ///< number of moving bodies; none: all
  std::vector<std::string> kinds;
  std::uint64_t triangles = 0;  ///< number of triangles of each body; 0: the default of the shape
  double room = 1.5;            ///< side of the cage relative to cbrt(bodies); a body's box has a diagonal of 1
  double speed = 0.05;          ///< largest travelled distance of a body per frame, along each axis
  bool together = false;        ///< all move alike in one place: every pair is as expensive as possible
};

/// Zachmann's test program (5.4.4): bodies that move and rotate in a cage and bounce off its walls. The side of the
/// cage grows with the cube root of their number, so that the density is constant. The numbers are the same on every
/// processor: a rotation is a normalised product of quaternions, without sines.
class CageScene {
 public:
  explicit CageScene(const CageOptions& options);

  std::size_t size() const { return flights_.size(); }
  /// The first `movers` bodies move.
  std::size_t movers() const { return movers_; }
  const Body& body(std::size_t i) const { return kinds_[i % kinds_.size()]; }
  const Pose& pose(std::size_t i) const { return flights_[i].pose; }
  double side() const { return side_; }
  const std::vector<Body>& kinds() const { return kinds_; }
  void step();
  /// A random pose in the cage.
  Pose anywhere(Dice& dice) const;

 private:
  struct Flight {
    Pose pose;
    Vec3 velocity;
    Quat turn;
  };
  std::vector<Body> kinds_;
  std::vector<Flight> flights_;
  std::size_t movers_;
  double side_;
};

}  // namespace graze::app
