// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "robot/reach.hpp"
#include "robot/route.hpp"

namespace graze::robot {

/// A pair that is certified apart until `not_before`.
struct OpenPair {
  Pair pair;
  double not_before;
};

/// All pairs that are asked, each with what it must keep besides its padding.
std::vector<Pair> all_pairs(const State& state, double separation);

/// Certifies pairs apart for spans of the motion from single states: `Reach` bounds how far parts get from where they
/// are in the middle of a span, and the distance there is larger. What is not certified after some halvings is left to
/// the search for the first contact.
class Spans {
 public:
  Spans(const State& state, const Route& route, Memory& memory, Counters& counters)
      : s_(state), route_(route), memory_(memory), counters_(counters), levels_(most_halvings + 1) {}

  /// Of these, in the order of the times until which they are certified.
  std::vector<OpenPair> open_pairs(const std::vector<Pair>& pairs);

 private:
  static constexpr int most_halvings = 5;

  void halve(double t0, double t1, int depth, const std::vector<Pair>& pairs);
  bool is_open(const Pair& pair) const;
  void leave(const Pair& pair, double t);

  const State& s_;
  const Route& route_;
  Memory& memory_;
  Counters& counters_;
  std::vector<double> middle_, away_;
  std::vector<std::vector<Pair>> levels_;
  std::vector<OpenPair> open_;
};

}  // namespace graze::robot
