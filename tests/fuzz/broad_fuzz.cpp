// SPDX-License-Identifier: MIT
// Calls of a broad phase made from the input's bytes: every method must give the same answers as plain loops over the
// boxes.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/core/error.hpp>

#include "broad/segment.hpp"
#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts; sometimes any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  return b < 250 ? fuzz::small_whole(b, 8) : in.any_double();
}
using Input = fuzz::Numbers<number>;

Box3 take_box(Input& in) {
  Box3 out;
  out.add(in.vector());
  out.add(in.vector());
  return out;
}

struct Truth {
  std::map<std::uint32_t, Box3> boxes;
  std::set<std::uint32_t> moved;

  std::vector<BoxPair> pairs(bool only_moved) {
    std::vector<BoxPair> out;
    for (auto a = boxes.begin(); a != boxes.end(); ++a) {
      for (auto b = std::next(a); b != boxes.end(); ++b) {
        const bool asked = !only_moved || moved.count(a->first) != 0 || moved.count(b->first) != 0;
        if (asked && a->second.overlaps(b->second)) out.push_back({a->first, b->first});
      }
    }
    moved.clear();
    return out;
  }
  template <class Test>
  std::vector<std::uint32_t> ids(Test test) const {
    std::vector<std::uint32_t> out;
    for (const auto& [id, box] : boxes) {
      if (test(box)) out.push_back(id);
    }
    return out;
  }
};

void one_call(Input& in, BroadPhase& phase, Truth& truth) {
  const std::uint8_t what = in.byte();
  const std::uint32_t id = in.byte() % 40;
  std::vector<BoxPair> pairs;
  std::vector<std::uint32_t> ids;
  switch (what % 8) {
    case 0: {
      const bool only_moved = (what & 8) != 0;
      if (only_moved)
        phase.moved_pairs(pairs);
      else
        phase.pairs(pairs);
      require(pairs == truth.pairs(only_moved));
      return;
    }
    case 1: {
      const Box3 box = take_box(in);
      phase.overlapping(box, ids);
      require(ids == truth.ids([&](const Box3& b) { return b.overlaps(box); }));
      return;
    }
    case 2: {
      const Vec3 origin = in.vector(), direction = in.vector();
      const double length = std::abs(in.number());
      phase.along_ray(origin, direction, length, ids);
      require(ids == truth.ids([&](const Box3& b) { return broad::Segment{origin, direction, length}.meets(b); }));
      return;
    }
    case 3:
      phase.remove(id);
      truth.boxes.erase(id);
      truth.moved.erase(id);
      return;
    default: {
      const Box3 box = take_box(in);
      if (phase.contains(id))
        phase.update(id, box);
      else
        phase.insert(id, box);
      truth.boxes[id] = box;
      truth.moved.insert(id);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const BroadTraits& traits : broad_phases()) {
    Input in(data, size);
    BroadOptions options{.method = traits.name};
    const std::uint8_t choice = in.byte();
    if ((choice & 1) != 0) options.bounds = Box3{{-4, -4, -4}, {4, 4, 4}};
    if ((choice & 2) != 0) options.cell = 1;
    if ((choice & 4) != 0) options.depth = 1 + choice / 32;
    if ((choice & 8) != 0) options.margin = 0;
    BroadPhase phase(options);
    Truth truth;
    while (in.more()) {
      try {
        one_call(in, phase, truth);
      } catch (const Error&) {  // a body that does not exist, or a number that is not finite
      }
    }
  }
  return 0;
}
