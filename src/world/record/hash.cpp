// SPDX-License-Identifier: MIT
#include "world/record/hash.hpp"

#include <cmath>
#include <vector>

namespace graze::world {

namespace {

/// 0 where there is none: it may be NaN then, whose bits say nothing.
double touch_of(const FirstContactResult& r) {
  return r.status == Status::undecided || std::isnan(r.time.touch) ? 0 : r.time.touch;
}

}  // namespace

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
    e.pose_a = Pose({c.contact.time.safe, touch_of(c.contact), 0});
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

std::uint64_t answer_hash(std::span<const std::vector<BodyHit>> of_rays) {
  Hash h(of_rays.size());
  for (const std::vector<BodyHit>& hits : of_rays) h.add(answer_hash(std::span<const BodyHit>(hits)));
  return h.value();
}

namespace {

void add_contact(Hash& h, const CastContact& c) {
  h.add(c.body);
  h.add(static_cast<std::uint64_t>(c.contact.status));
  h.add(c.contact.time.safe);
  h.add(touch_of(c.contact));
  for (const Feature& f : c.contact.features) h.add(f);
}

}  // namespace

std::uint64_t answer_hash(const CastResult& result) {
  Hash h(result.contacts.size());
  h.add(static_cast<std::uint64_t>(result.status));
  h.add(result.safe);
  if (result.earliest) add_contact(h, *result.earliest);
  for (const CastContact& c : result.contacts) add_contact(h, c);
  return h.value();
}

std::uint64_t answer_hash(const OverlapResult& result) {
  Hash h(answer_hash(std::span<const BodyId>(result.bodies)));
  h.add(static_cast<std::uint64_t>(result.status));
  h.add(std::uint64_t{result.certain});
  return h.value();
}

std::uint64_t answer_hash(const NearestResult& result) {
  Hash h(result.bodies.size());
  h.add(static_cast<std::uint64_t>(result.status));
  for (const NearestBody& b : result.bodies) h.add(b.body), h.add(b.distance), h.add(b.point);
  return h.value();
}

}  // namespace graze::world
