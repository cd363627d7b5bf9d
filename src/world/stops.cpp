// SPDX-License-Identifier: MIT
#include "world/stops.hpp"

#include <algorithm>

namespace graze::world {

Stops::Stops(const State& state, const Movers& movers, const std::vector<PairKey>& near,
             const std::vector<PairEnd>& ends)
    : state_(state), movers_(movers) {
  for (const Mover& m : movers.all())
    if (moves(m.slot)) {
      index_.emplace(m.slot, parent_.size());
      parent_.push_back(parent_.size());
    }
  // The links of one chain move together.
  std::unordered_map<std::uint32_t, std::uint32_t> link_of;
  for (const auto& entry : index_) {
    const std::uint32_t chain = state.bodies[entry.first].articulated;
    if (chain != no_slot) join(entry.first, link_of.try_emplace(chain, entry.first).first->second);
  }
  for (const PairKey key : near)
    if (index_.contains(first(key)) && index_.contains(second(key))) join(first(key), second(key));
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = find(i);
  for (const auto& entry : index_) groups_.try_emplace(parent_[entry.second]);
  for (const PairKey key : near) {
    const std::uint32_t mover = index_.contains(first(key)) ? first(key) : second(key);
    if (index_.contains(mover)) groups_[parent_[index_[mover]]].pairs.push_back(key);
  }
  for (const PairEnd& e : ends)
    for (const std::uint32_t slot : {first(e.key), second(e.key)})
      if (const auto at = index_.find(slot); at != index_.end()) {
        Group& g = groups_[parent_[at->second]];
        g.ends = std::min(g.ends, e.safe);
      }
  for (auto& entry : groups_) {
    Group& g = entry.second;
    if (g.ends <= 1) g.stand = time_to_stand(state, movers, g.pairs, g.ends);
  }
  for (const PairEnd& e : ends)
    if (stops(e))
      for (const std::uint32_t slot : {first(e.key), second(e.key)}) {
        final_[slot] = true;
        const std::uint32_t chain = state.bodies[slot].articulated;
        if (chain == no_slot) continue;
        for (const BodyId link : state.articulated[chain].bodies) final_[link.slot] = true;
      }
}

bool Stops::moves(std::uint32_t slot) const {
  const BodyRecord& r = state_.bodies[slot];
  if (r.articulated == no_slot) return !(r.swept_from == r.pose);
  const ArticulatedRecord& a = state_.articulated[r.articulated];
  return a.coordinates != a.swept_coordinates || !(a.base == a.swept_base);
}

std::size_t Stops::find(std::size_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void Stops::join(std::uint32_t a, std::uint32_t b) { parent_[find(index_[a])] = find(index_[b]); }

const Stops::Group* Stops::group(std::uint32_t slot) const {
  const auto at = index_.find(slot);
  return at == index_.end() ? nullptr : &groups_.at(parent_[at->second]);
}

double Stops::time(std::uint32_t slot) const {
  const Group* g = group(slot);
  return g ? g->stand : 1;
}

bool Stops::is_final(std::uint32_t slot) const { return final_.contains(slot); }

bool Stops::stops(const PairEnd& end) const {
  const Group *a = group(first(end.key)), *b = group(second(end.key));
  const Group* g = a ? a : b;
  return end.touches && (!g || end.safe <= g->ends);
}

bool Stops::apply(State& state) const {
  bool any_left = false;
  for (const Mover& m : movers_.all()) {
    const Group* g = group(m.slot);
    if (!g || g->ends > 1) continue;  // it does not move, or arrives
    const bool keep_rest = !is_final(m.slot);
    any_left |= keep_rest;
    advance_body(state, m, g->stand, keep_rest);
  }
  return any_left;
}

}  // namespace graze::world
