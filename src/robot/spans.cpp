// SPDX-License-Identifier: MIT
#include "robot/spans.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "robot/turning.hpp"

namespace graze::robot {

std::vector<Pair> all_pairs(const State& s, double separation) {
  std::vector<Pair> all = s.pairs;
  for (std::uint32_t a = 0; a < s.moving; ++a)
    for (std::uint32_t o = 0; o < s.obstacles.size(); ++o)
      if (!s.may_touch_obstacle(a, o)) all.push_back(s.with_obstacle(a, o));
  for (Pair& pair : all) {
    const Interval sum = Interval(pair.separation) + Interval(separation);
    pair.separation = sum.hi;
  }
  return all;
}

std::vector<OpenPair> Spans::open_pairs(const std::vector<Pair>& pairs) {
  if (turns_are_known(s_, route_.from, route_.to)) {
    halve(0, 1, 0, pairs);
  } else {
    for (const Pair& pair : pairs) open_.push_back({pair, 0});
  }
  return std::move(open_);
}

void Spans::halve(double t0, double t1, int depth, const std::vector<Pair>& pairs) {
  route_.middle(s_, t0, t1, middle_, away_);
  StateCheck check(s_, middle_, memory_, counters_);
  check.place_all();
  Reach reach(s_);
  reach.set(away_, memory_.links, memory_.placed);
  std::vector<Pair>& rest = levels_[static_cast<std::size_t>(depth)];
  rest.clear();
  for (const Pair& pair : pairs) {
    core::poll_once();
    const double way = reach.of(pair);
    if (!check.apart(pair, way)) rest.push_back(pair);
  }
  if (rest.empty()) return;
  if (depth == most_halvings) {
    for (const Pair& pair : rest) leave(pair, t0);
    return;
  }
  const double t = 0.5 * (t0 + t1);
  halve(t0, t, depth + 1, rest);
  // What is open already is searched from there on in any case.
  std::erase_if(rest, [&](const Pair& pair) { return is_open(pair); });
  if (!rest.empty()) halve(t, t1, depth + 1, rest);
}

bool Spans::is_open(const Pair& pair) const {
  return std::any_of(open_.begin(), open_.end(), [&](const OpenPair& o) { return same_pair(o.pair, pair); });
}

void Spans::leave(const Pair& pair, double t) {
  if (!is_open(pair)) open_.push_back({pair, t});
}

}  // namespace graze::robot
