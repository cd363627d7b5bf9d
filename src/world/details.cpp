// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

void add_details_of(const State& state, const ContactDetails& details, Question& q) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  WorldEvent& event = *q.witness;
  const bool apart = event.gap > 0;
  if (details.manifold) event.manifold.emplace();  // `undecided` if a limit ends this before they are asked
  if (details.depth && !apart) event.depth.emplace();
  // The gap is rounded, and the margins decide it exactly: a little more, so that its place is not left out.
  const double within = apart ? q.margin * (1 + 1e-9) : 0;
  if (event.manifold)
    *event.manifold = manifold(*a.body, a.pose, *b.body, b.pose, {.margin = std::max(details.margin, within)});
  if (event.depth) *event.depth = penetration(*a.body, a.pose, *b.body, b.pose);
  if (!details.all_pairs || apart) return;
  CollideOptions options;
  options.all = true;
  options.solid = state.options.solid;
  CollideResult all = collide(*a.body, a.pose, *b.body, b.pose, options);
  event.all_pairs = std::move(all.pairs);
  event.piece_contacts = std::move(all.piece_contacts);
}

}  // namespace

void add_details(const State& state, const ContactDetails& details, std::vector<Question>& questions) {
  if (!details.all_pairs && !details.manifold && !details.depth) return;
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
