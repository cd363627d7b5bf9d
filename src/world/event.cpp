// SPDX-License-Identifier: MIT
#include <graze/world/event.hpp>

#include <bit>

namespace graze {

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::began: return "began";
    case EventKind::stays: return "stays";
    case EventKind::ended: return "ended";
  }
  return "unknown";
}

namespace {

/// FNV-1a, eight bytes at a time, with a last shuffle so that high bits reach low ones.
class Hash {
 public:
  explicit Hash(std::uint64_t before) : value_(before ^ 0xCBF29CE484222325u) {}
  void add(std::uint64_t x) {
    value_ = (value_ ^ x) * 0x100000001B3u;
    value_ ^= value_ >> 29;
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Quat& q) { add(q.w), add(q.x), add(q.y), add(q.z); }
  void add(const Pose& p) { add(p.translation()), add(p.rotation()); }
  void add(BodyId id) { add(std::uint64_t{id.slot} << 32 | id.generation); }
  void add(const FeatureRef& f) {
    add(static_cast<std::uint64_t>(f.type) << 1 | (f.diagonal ? 1u : 0u));
    add(std::uint64_t{f.id[0]} << 32 | f.id[1]);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

}  // namespace

std::uint64_t event_hash(std::span<const WorldEvent> events, std::uint64_t before) {
  std::uint64_t value = before;
  for (const WorldEvent& e : events) {
    Hash h(value);
    h.add(static_cast<std::uint64_t>(e.kind));
    h.add(e.a), h.add(e.b);
    h.add(e.frame);
    h.add(e.pose_a), h.add(e.pose_b);
    h.add(std::uint64_t{e.contact ? 1 + static_cast<unsigned>(*e.contact) : 0});
    h.add(static_cast<std::uint64_t>(e.contained));
    if (e.pair) h.add(std::uint64_t{index(e.pair->a)} << 32 | index(e.pair->b));
    h.add(std::uint64_t{e.features.size()});
    for (const Feature& f : e.features) {
      h.add(static_cast<std::uint64_t>(f.kind));
      h.add(f.a), h.add(f.b);
    }
    h.add(std::uint64_t{e.points.has_value()});
    if (e.points) h.add((*e.points)[0]), h.add((*e.points)[1]);
    h.add(std::uint64_t{e.normal.has_value()});
    if (e.normal) h.add(*e.normal);
    value = h.value();
  }
  return value;
}

}  // namespace graze
