// SPDX-License-Identifier: MIT
#include "world/coherence.hpp"

namespace graze::world {

namespace {

template <class Memory>
Memory* lookup(std::unordered_map<PairKey, Remembered<Memory>>& all, std::size_t most, PairKey key, const Body& a,
               const Body& b) {
  const auto at = all.find(key);
  if (at != all.end()) {
    Remembered<Memory>& r = at->second;
    // Another body, or the same body with another shape: the stored nodes and planes no longer exist.
    if (&r.a.data() != &a.data() || &r.b.data() != &b.data()) r = Remembered<Memory>{a, b, Memory()};
    return &r.memory;
  }
  if (all.size() >= most) return nullptr;  // passing no coherence data is always correct, only slower
  return &all.emplace(key, Remembered<Memory>{a, b, Memory()}).first->second.memory;
}

}  // namespace

CollideCoherence* Coherences::collide(PairKey key, const Body& a, const Body& b) {
  return lookup(collide_, most_, key, a, b);
}

FirstContactCoherence* Coherences::first_contact(PairKey key, const Body& a, const Body& b) {
  return lookup(first_contact_, most_, key, a, b);
}

}  // namespace graze::world
