// SPDX-License-Identifier: MIT
// A few small bodies made from the input's bytes, deformed or placed: every method of `interference`, with switches and
// threads from the bytes, must find the same pairs as brute force.
#include <cstdint>
#include <cstdlib>
#include <list>
#include <vector>

#include <graze/ask/interference.hpp>
#include <graze/classic/kitamura.hpp>
#include <graze/core/error.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts and lie on cell boundaries; sometimes any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  return b != 255 ? fuzz::small_whole(b, 4) : in.any_double();
}
using Input = fuzz::Numbers<number>;

InterferenceOptions switches(Input& in) {
  InterferenceOptions o;
  classic::kitamura::Options kitamura;
  auto& [octree, octree_update] = kitamura;
  octree.bodies = static_cast<classic::kitamura::OctreeOptions::BodyStage>(in.byte() % 3);
  octree.root = static_cast<classic::kitamura::OctreeOptions::Root>(in.byte() % 2);
  const std::uint8_t bits = in.byte();
  octree.clip = bits & 1;
  octree.bintree = bits & 2;
  o.self = bits & 4;
  o.threads = bits & 8 ? 2 : 1;
  if (bits & 16) octree.level = octree_update.level = bits / 32 % 4;
  if (bits & 16) octree_update.body_level = bits / 64;
  o.kitamura = kitamura;
  return o;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    InterferenceOptions options = switches(in);
    std::vector<InterferenceBody> bodies;
    std::list<std::vector<Vec3>> moved;
    const int count = 1 + in.byte() % 3;
    for (int i = 0; i < count; ++i) {
      const Mesh m = fuzz::mesh(in, {3, 5, 3, 2});
      const std::uint8_t way = in.byte() % 3;
      bodies.push_back({.mesh = m});
      if (way == 1) {
        auto& positions = moved.emplace_back(m.positions().begin(), m.positions().end());
        for (Vec3& p : positions) p = p + in.vector();
        bodies.back().positions = positions;
      } else if (way == 2) {
        const Vec3 t = in.vector();
        const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
        bodies.back().pose = Pose(t, {w, x, y, z});
      }
    }
    options.method = "brute";
    const InterferenceResult expected = interference(bodies, options);
    for (const InterferenceTraits& method : interference_methods()) {
      options.method = method.name;
      const InterferenceResult r = interference(bodies, options);
      require(r.status == expected.status && r.pairs == expected.pairs);
    }
  } catch (const Error&) {  // the bytes do not give a valid mesh or pose
  }
  return 0;
}
