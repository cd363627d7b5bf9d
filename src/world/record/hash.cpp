// SPDX-License-Identifier: MIT
#include "world/record/hash.hpp"

#include <vector>

namespace graze::world {

std::uint64_t answer_hash(const SweepResult& result) {
  // The hash of the equivalent events.
  std::vector<WorldEvent> events;
  for (const SweepContact& c : result.contacts) {
    WorldEvent& e = events.emplace_back();
    e.a = c.a;
    e.b = c.b;
    e.frame = static_cast<std::uint64_t>(c.contact.status);
    e.features = c.contact.features;
    e.contained = c.contact.contained;
    e.pieces = c.contact.pieces;
    e.pose_a = Pose({c.contact.time.safe, c.contact.status == Status::undecided ? 0 : c.contact.time.touch, 0});
  }
  return event_hash(events);
}

std::uint64_t answer_hash(std::span<const NearPair> pairs) {
  Hash h(pairs.size());
  for (const NearPair& p : pairs) {
    h.add(p.a), h.add(p.b);
    h.add(static_cast<std::uint64_t>(p.distance.status));
    h.add(p.distance.distance);
    h.add(p.distance.points[0]), h.add(p.distance.points[1]);
    h.add(p.distance.pair);
    if (p.distance.feature) h.add(*p.distance.feature);
    if (p.distance.normal) h.add(*p.distance.normal);
    if (p.distance.pieces) h.add(std::uint64_t{index((*p.distance.pieces)[0])} << 32 | index((*p.distance.pieces)[1]));
  }
  return h.value();
}

std::uint64_t answer_hash(std::span<const BodyHit> hits) {
  Hash h(hits.size());
  for (const BodyHit& x : hits) {
    h.add(x.body);
    h.add(x.hit.fraction);
    h.add(x.hit.point);
    h.add(std::uint64_t{index(x.hit.triangle)} << 32 | index(x.hit.polygon));
    if (x.hit.piece) h.add(std::uint64_t{index(*x.hit.piece)});
  }
  return h.value();
}

std::uint64_t answer_hash(std::span<const BodyId> bodies) {
  Hash h(bodies.size());
  for (const BodyId id : bodies) h.add(id);
  return h.value();
}

}  // namespace graze::world
