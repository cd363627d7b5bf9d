// SPDX-License-Identifier: MIT
// Two small meshes and two poses made from the input's bytes: all certified methods must agree with each other and with
// `distance`, in both orders.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/core/error.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts; sometimes any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  return b != 255 ? fuzz::small_whole(b, 4) : in.any_double();
}
using Input = fuzz::Numbers<number>;

Pose pose(Input& in) {
  const Vec3 t = in.vector();
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  return Pose(t, {w, x, y, z});
}

CollideResult ask(const Body& a, const Pose& pa, const Body& b, const Pose& pb, const char* method) {
  CollideOptions options;
  options.method = method;
  options.all = options.all_features = true;
  return collide(a, pa, b, pb, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    const Body a(fuzz::mesh(in, {3, 6, 4, 3})), b(fuzz::mesh(in, {3, 6, 4, 3}));
    const Pose pa = pose(in), pb = pose(in);
    const CollideResult expected = ask(a, pa, b, pb, "brute");
    for (const char* method : {"tree", "box_tree"}) {
      const CollideResult r = ask(a, pa, b, pb, method);
      require(r.status == expected.status && r.kind == expected.kind && r.pairs == expected.pairs &&
              r.features == expected.features);
    }
    const CollideResult swapped = ask(b, pb, a, pa, "tree");
    require(swapped.status == expected.status && swapped.kind == expected.kind &&
            swapped.pairs.size() == expected.pairs.size());
    const DistanceResult d = distance(a, pa, b, pb);
    require(d.status == expected.status && (d.status == Status::free || d.distance == 0));
    const SelfCollideResult s = self_collide(a, {.all = true}), t = self_collide(a, {.method = "brute", .all = true});
    require(s.status == t.status && s.pairs == t.pairs && s.kind == t.kind);
  } catch (const Error&) {  // the bytes do not give a valid mesh or pose
  }
  return 0;
}
