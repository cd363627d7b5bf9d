// SPDX-License-Identifier: MIT
#include <graze/world/event.hpp>

#include "world/record/hash.hpp"

namespace graze {

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::began: return "began";
    case EventKind::stays: return "stays";
    case EventKind::ended: return "ended";
  }
  return "unknown";
}

std::uint64_t event_hash(std::span<const WorldEvent> events, std::uint64_t before) {
  std::uint64_t value = before;
  for (const WorldEvent& e : events) {
    world::Hash h(value);
    h.add(static_cast<std::uint64_t>(e.kind));
    h.add(e.a), h.add(e.b);
    h.add(e.frame);
    h.add(e.pose_a), h.add(e.pose_b);
    h.add(std::uint64_t{e.contact ? 1 + static_cast<unsigned>(*e.contact) : 0});
    h.add(static_cast<std::uint64_t>(e.contained));
    if (e.pair) h.add(*e.pair);
    h.add(std::uint64_t{e.features.size()});
    for (const Feature& f : e.features) h.add(f);
    h.add(std::uint64_t{e.points.has_value()});
    if (e.points) h.add((*e.points)[0]), h.add((*e.points)[1]);
    h.add(std::uint64_t{e.normal.has_value()});
    if (e.normal) h.add(*e.normal);
    if (e.gap > 0) h.add(e.gap);
    if (e.pieces) h.add(std::uint64_t{index((*e.pieces)[0])} << 32 | index((*e.pieces)[1]));
    value = h.value();
  }
  return value;
}

}  // namespace graze
