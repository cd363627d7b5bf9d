// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "world/details.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

void add_details_of(const State& state, const ContactDetails& details, Question& q) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  const std::optional<double> apart = q.witness->gap > 0 ? std::optional(q.margin) : std::nullopt;
  ask_details(details, state.options.solid, *a.body, a.pose, *b.body, b.pose, apart, *q.witness);
}

}  // namespace

void add_details(const State& state, const ContactDetails& details, std::vector<Question>& questions) {
  if (!wants_any(details)) return;
  std::vector<Question*> contacts;
  for (Question& q : questions)
    if (q.status == Status::contact) contacts.push_back(&q);
  core::parallel_for(contacts.size(), state.options.threads, [&](std::size_t i) {
    try {
      add_details_of(state, details, *contacts[i]);
    } catch (const core::Stopped&) {
      // A limit of the whole check: what has been answered stays, and the questions that were begun are undecided.
    }
  });
}

}  // namespace graze::world
