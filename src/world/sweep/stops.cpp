// SPDX-License-Identifier: MIT
#include "world/sweep/stops.hpp"

#include <algorithm>

#include "core/disjoint_sets.hpp"

namespace graze::world {

Stops::Stops(const State& state, const Movers& movers, const std::vector<PairKey>& near,
             const std::vector<PairEnd>& ends, double separation)
    : state_(state), movers_(movers) {
  std::unordered_map<std::uint32_t, std::uint32_t> index;  // of the moving bodies
  for (const Mover& m : movers.all())
    if (moves(m.slot)) index.emplace(m.slot, static_cast<std::uint32_t>(index.size()));
  core::DisjointSets sets(index.size());
  // The links of one chain move together.
  std::unordered_map<std::uint32_t, std::uint32_t> link_of;
  for (const auto& [slot, i] : index) {
    const std::uint32_t chain = state.bodies[slot].articulated;
    if (chain != no_slot) sets.unite(i, link_of.try_emplace(chain, i).first->second);
  }
  for (const PairKey key : near)
    if (index.contains(first(key)) && index.contains(second(key)))
      sets.unite(index.at(first(key)), index.at(second(key)));
  for (const auto& [slot, i] : index) {
    group_of_[slot] = sets.root(i);
    groups_.try_emplace(sets.root(i));
  }
  for (const PairKey key : near) {
    const auto at = group_of_.find(group_of_.contains(first(key)) ? first(key) : second(key));
    if (at != group_of_.end()) groups_[at->second].pairs.push_back(key);
  }
  for (const PairEnd& e : ends)
    for (const std::uint32_t slot : {first(e.key), second(e.key)})
      if (const auto at = group_of_.find(slot); at != group_of_.end()) {
        Group& g = groups_[at->second];
        g.ends = std::min(g.ends, e.safe);
      }
  for (auto& entry : groups_) {
    Group& g = entry.second;
    if (g.ends <= 1) g.stand = time_to_stand(state, movers, g.pairs, separation, g.ends);
  }
  for (const PairEnd& e : ends) {
    if (!stops(e)) continue;
    for (const std::uint32_t slot : {first(e.key), second(e.key)}) {
      final_.insert(slot);
      const std::uint32_t chain = state.bodies[slot].articulated;
      if (chain == no_slot) continue;
      for (const BodyId link : state.articulated[chain].bodies) final_.insert(link.slot);
    }
  }
}

bool Stops::moves(std::uint32_t slot) const {
  const BodyRecord& r = state_.bodies[slot];
  if (r.swept_body) return true;
  if (r.articulated == no_slot) return !(r.swept_from == r.pose);
  const ArticulatedRecord& a = state_.articulated[r.articulated];
  return a.coordinates != a.swept_coordinates || !(a.base == a.swept_base);
}

const Stops::Group* Stops::group(std::uint32_t slot) const {
  const auto at = group_of_.find(slot);
  return at == group_of_.end() ? nullptr : &groups_.at(at->second);
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
