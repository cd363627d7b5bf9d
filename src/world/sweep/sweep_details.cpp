// SPDX-License-Identifier: MIT
#include <limits>
#include <vector>

#include <graze/ask/distance.hpp>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/first_contact/many/batches.hpp"
#include "world/details.hpp"
#include "world/sweep/stand.hpp"
#include "world/sweep/sweep_pass.hpp"

namespace graze::world {

void SweepPass::add_details(std::vector<SweepQuestion>& questions) const {
  if (!wants_any(options_.details)) return;
  std::vector<SweepQuestion*> contacts;
  for (SweepQuestion& q : questions)
    if (engine::first_contact::touches(q.answer)) contacts.push_back(&q);
  core::parallel_for(contacts.size(), state_.options.threads, [&](std::size_t i) {
    SweepQuestion& q = *contacts[i];
    try {
      const Stand a = stand_at(state_, *movers_, first(q.key), q.answer.time.touch);
      const Stand b = stand_at(state_, *movers_, second(q.key), q.answer.time.touch);
      const DistanceResult apart = distance(a.body, a.pose, b.body, b.pose);
      ask_details(options_.details, state_.options.solid, a.body, a.pose, b.body, b.pose,
                  apart.status == Status::free ? std::optional(apart.distance) : std::nullopt, q.details);
    } catch (const core::Stopped&) {  // a limit of the whole sweep, which has no answer then
    } catch (const Error&) {          // no doubles say where they are then
    }
  });
}

}  // namespace graze::world
