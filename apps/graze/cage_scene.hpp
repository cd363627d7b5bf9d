// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/query/body.hpp>

namespace graze::app {

/// Numbers that are the same everywhere.
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
  std::optional<std::uint64_t> movers = {};  ///< how many of the bodies move; none: all
  std::vector<std::string> kinds;
  std::uint64_t triangles = 0;  ///< of each body; 0: the shape's own default
  double room = 1.5;            ///< the cage's side is this times cbrt(bodies); a body's box has a diagonal of 1
  double speed = 0.05;          ///< a body goes at most this far in a frame, along each axis
  bool together = false;        ///< all fly the same way: in one place, and every pair as heavy as can be
};

/// Zachmann's test program (5.4.4): bodies flying and turning in a cage, bouncing off its walls. The cage's side grows
/// as the cube root of their number, so that the density stays. The same numbers on every processor: a turn is a
/// product of quaternions brought back to length one, without sines.
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
  /// Somewhere in the cage, turned somehow.
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
