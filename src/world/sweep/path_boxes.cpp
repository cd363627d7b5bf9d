// SPDX-License-Identifier: MIT
#include "world/sweep/path_boxes.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "world/placed_box.hpp"

namespace graze::world {

std::optional<double> PathBoxes::tolerance(PairKey key) const {
  const PairRecord* own = state_.find_pair(key);
  return own && own->settings.tolerance ? own->settings.tolerance : options_.tolerance;
}

double PathBoxes::margin(std::uint32_t slot) const {
  const BodyRecord& r = state_.bodies[slot];
  // The separation is in both margins, so that it is in that of a body that moves: a body at rest may keep the swept
  // box of an earlier sweep.
  double m = engine::first_contact::margin_of(*r.body, options_.tolerance.value_or(0)) + options_.min_separation;
  for (const std::uint32_t other : r.pair_partners)
    if (const auto own = state_.find_pair(key_of(slot, other))->settings.tolerance)
      m = std::max(m, *own + options_.min_separation);
  return m;
}

Box3 PathBoxes::swept_box(std::uint32_t slot) const {
  const BodyRecord& r = state_.bodies[slot];
  const Mover* m = movers_.find(slot);
  if (!m) return widened(placed_box(r.body->box(), r.pose), margin(slot));
  // The boxes at both ends, plus a box for the motion between. Vertices on straight lines do not leave the common box
  // of the ends.
  Box3 ends = placed_box(r.body->box(), r.pose);
  ends.add(placed_box((r.swept_body ? *r.swept_body : *r.body).box(), r.swept_from));
  if (!m->deforms) ends.add(widened(engine::first_contact::swept_box(*r.body, m->motion, 0, 1, 0), 0));
  return widened(ends, margin(slot));
}

/// The bodies with new swept boxes: those that move now, and those that moved in the last sweep and now rest.
void PathBoxes::update_boxes() {
  std::vector<std::uint32_t> slots;
  if (!state_.swept_broad) {
    state_.swept_broad = state_.new_broad_phase();
    for (std::uint32_t s = 0; s < state_.body_slots.end(); ++s)
      if (state_.body_slots.used(s)) slots.push_back(s);
  } else {
    slots = take(state_, state_.last_swept, &BodyRecord::swept);
    for (const Mover& m : movers_.all()) slots.push_back(m.slot);
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  }
  std::vector<Box3> boxes(slots.size());
  core::parallel_for(slots.size(), state_.options.threads, [&](std::size_t i) { boxes[i] = swept_box(slots[i]); });
  for (std::size_t i = 0; i < slots.size(); ++i) {
    BodyRecord& r = state_.bodies[slots[i]];
    if (r.swept_placed)
      state_.swept_broad->update(slots[i], boxes[i]);
    else
      state_.swept_broad->insert(slots[i], boxes[i]);
    r.swept_placed = true;
  }
}

std::vector<PairKey> PathBoxes::near(const std::unordered_set<PairKey>& again) {
  update_boxes();
  std::vector<BoxPair> near;
  state_.swept_broad->moved_pairs(near, state_.options.threads);
  std::vector<PairKey> keys;
  for (const BoxPair& p : near)
    if (movers_.find(p.a) || movers_.find(p.b)) keys.push_back(key_of(p.a, p.b));  // else a body only came to rest
  for (const PairKey k : again)
    if (state_.body_slots.used(first(k)) && state_.body_slots.used(second(k)) &&
        swept_box(first(k)).overlaps(swept_box(second(k))))  // with the margins of the present tolerance
      keys.push_back(k);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace graze::world
