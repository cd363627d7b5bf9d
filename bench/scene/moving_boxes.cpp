// SPDX-License-Identifier: MIT
#include "scene/moving_boxes.hpp"

#include <cmath>
#include <random>

namespace graze::bench {

BoxFlight fly_boxes(const BoxFlightPlan& plan) {
  std::mt19937_64 random(plan.seed);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const auto point = [&](double from, double to) {
    return Vec3{uniform(from, to), uniform(from, to), uniform(from, to)};
  };
  BoxFlight flight;
  flight.side = plan.side;
  flight.movers = plan.movers;
  std::vector<Vec3> velocity;
  for (std::size_t i = 0; i < plan.bodies; ++i) {
    flight.start.push_back(point(0, plan.side));
    flight.half.push_back(uniform(plan.least_half, plan.most_half));
    if (uniform(0, 1) < plan.giants) flight.half.back() *= 10;
    if (plan.all_sizes) flight.half.back() = plan.most_half * std::exp2(uniform(-10, 0));
    Vec3 v = point(-1, 1);
    velocity.push_back(v * (plan.speed / std::max(length(v), 1e-9)));
  }
  std::vector<Vec3> at(flight.start.begin(), flight.start.begin() + static_cast<std::ptrdiff_t>(plan.movers));
  for (std::size_t f = 0; f < plan.frames; ++f) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        at[i][k] += velocity[i][k];
        if ((at[i][k] < 0 && velocity[i][k] < 0) || (at[i][k] > plan.side && velocity[i][k] > 0))
          velocity[i][k] = -velocity[i][k];
      }
    }
    flight.frames.push_back(at);
  }
  if (plan.two_places) {
    const auto shift = [&](std::vector<Vec3>& middles) {
      for (std::size_t i = 0; i < middles.size(); i += 2) middles[i].y += 1000 * plan.side;
    };
    shift(flight.start);
    for (auto& middles : flight.frames) shift(middles);
  }
  return flight;
}

}  // namespace graze::bench
