// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/body/contact.hpp>
#include <graze/core/portability.hpp>
#include <graze/math/pose.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>
#include <graze/world/questions.hpp>

namespace graze::world {

/// FNV-1a, eight bytes at a time. Each step ends with a shift and xor so that high bits reach low ones.
class Hash {
 public:
  explicit Hash(std::uint64_t before) : value_(before ^ 0xCBF29CE484222325u) {}
  void add(std::uint64_t x) {
    value_ = (value_ ^ x) * 0x100000001B3u;
    value_ ^= value_ >> 29;
  }
  void add(double x) { add(core::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Quat& q) { add(q.w), add(q.x), add(q.y), add(q.z); }
  void add(const Pose& p) { add(p.translation()), add(p.rotation()); }
  void add(BodyId id) { add(std::uint64_t{id.slot} << 32 | id.generation); }
  void add(const TrianglePair& p) { add(std::uint64_t{index(p.a)} << 32 | index(p.b)); }
  void add(const FeatureRef& f) {
    add(static_cast<std::uint64_t>(f.type) << 1 | (f.diagonal ? 1u : 0u));
    add(std::uint64_t{f.id[0]} << 32 | f.id[1]);
  }
  void add(const Feature& f) {
    add(static_cast<std::uint64_t>(f.kind));
    add(f.a), add(f.b);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

/// Hashes of answers. Recordings store only these: equal answers have equal hashes.
std::uint64_t answer_hash(const SweepResult& result);
std::uint64_t answer_hash(std::span<const NearPair> pairs);
std::uint64_t answer_hash(std::span<const BodyHit> hits);
std::uint64_t answer_hash(std::span<const BodyId> bodies);
std::uint64_t answer_hash(std::span<const std::vector<BodyHit>> of_rays);
std::uint64_t answer_hash(const CastResult& result);
std::uint64_t answer_hash(const OverlapResult& result);
std::uint64_t answer_hash(const NearestResult& result);

}  // namespace graze::world
