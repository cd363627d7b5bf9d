// SPDX-License-Identifier: MIT
#include <algorithm>

#include "world/sweep/sweep.hpp"

namespace graze::world {

Movers::Movers(State& state, std::vector<std::uint32_t> slots) : state_(state) {
  for (const std::uint32_t slot : slots) {
    const BodyRecord& r = state.bodies[slot];
    Mover m{slot, Still{r.pose}, r.swept_body.has_value()};
    if (r.articulated != no_slot) {
      const ArticulatedRecord& a = state.articulated[r.articulated];
      m.motion = chain(r.articulated).link_motion(a.links[r.link], a.swept_coordinates, a.coordinates);
    } else if (!(r.swept_from == r.pose)) {
      m.motion = Velocity(r.swept_from, r.pose);
    }
    all_.push_back(std::move(m));
  }
}

const Chain& Movers::chain(std::uint32_t articulated) {
  const auto known = chains_.find(articulated);
  if (known != chains_.end()) return known->second;
  const ArticulatedRecord& a = state_.articulated[articulated];
  const Motion base = a.swept_base == a.base ? Motion(Still{a.base}) : Motion(Velocity(a.swept_base, a.base));
  return chains_.emplace(articulated, on_base(*a.chain, base)).first->second;
}

const Mover* Movers::find(std::uint32_t slot) const {
  const auto at =
      std::lower_bound(all_.begin(), all_.end(), slot, [](const Mover& m, std::uint32_t s) { return m.slot < s; });
  return at != all_.end() && at->slot == slot ? &*at : nullptr;
}

std::optional<std::pair<LinkId, LinkId>> Movers::links_of_one_chain(PairKey key) const {
  const BodyRecord &a = state_.bodies[first(key)], &b = state_.bodies[second(key)];
  if (a.articulated == no_slot || a.articulated != b.articulated || !chains_.contains(a.articulated)) return {};
  const ArticulatedRecord& r = state_.articulated[a.articulated];
  return std::pair(r.links[a.link], r.links[b.link]);
}

std::pair<Motion, Motion> Movers::motions(PairKey key) const {
  if (const auto links = links_of_one_chain(key)) {
    const std::uint32_t slot = state_.bodies[first(key)].articulated;
    const ArticulatedRecord& r = state_.articulated[slot];
    return chains_.at(slot).pair_motions(links->first, links->second, r.swept_coordinates, r.coordinates);
  }
  const auto motion = [&](std::uint32_t slot) {
    const Mover* m = find(slot);
    return m ? m->motion : Motion(Still{state_.bodies[slot].pose});
  };
  return {motion(first(key)), motion(second(key))};
}

bool Movers::is_straight(PairKey key) const {
  const Mover *a = find(first(key)), *b = find(second(key));
  return (a && a->deforms) || (b && b->deforms);
}

void Movers::to_world(PairKey key, FirstContactResult& result) const {
  const auto links = links_of_one_chain(key);
  if (!links || !(result.points || result.normal)) return;
  const std::uint32_t slot = state_.bodies[first(key)].articulated;
  const Chain& chain = chains_.at(slot);
  const ArticulatedRecord& r = state_.articulated[slot];
  const auto ancestor = chain.common_ancestor(links->first, links->second);
  const Motion motion = ancestor ? chain.link_motion(*ancestor, r.swept_coordinates, r.coordinates) : chain.base();
  Placement p = motion.at(result.time.touch);
  if (result.points)
    for (Vec3& x : *result.points) x = p.apply(x);
  p.t = {};
  if (!result.normal) return;
  const Vec3 n = p.apply(*result.normal);
  result.normal = n * (1 / length(n));
}

}  // namespace graze::world
