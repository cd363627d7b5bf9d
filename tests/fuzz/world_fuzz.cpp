// SPDX-License-Identifier: MIT
// The bytes are calls to a world, whose contacts and events must equal those of testing all pairs. Or, if the first
// byte is 'g', they are a recording, which must be replayed or rejected without crashing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;

class Calls : public fuzz::Bytes {
 public:
  using Bytes::Bytes;
  /// On a coarse grid, so that touching and aligned bodies are common.
  double coordinate() { return 0.25 * fuzz::small_whole(byte(), 8); }
  Pose pose() {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    const unsigned q = byte();
    return q % 2 ? Pose({x, y, z}) : Pose({x, y, z}, {1, 0.5 * (q % 3), 0.25 * (q % 5), 0.125 * (q % 7)});
  }
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

using Pairs = std::set<std::pair<BodyId, BodyId>>;

Pairs all_pairs(const World& world) {
  Pairs out;
  const std::vector<BodyId> ids = world.bodies();
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = i + 1; j < ids.size(); ++j)
      if (collide(world.body(ids[i]), world.pose(ids[i]), world.body(ids[j]), world.pose(ids[j])).status ==
          Status::contact)
        out.emplace(ids[i], ids[j]);
  return out;
}

void play(Calls bytes) {
  static const std::vector<Body> kinds{Body(make::box()), Body(make::tetrahedron()),
                                       Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 60}))};
  const std::string broad(broad_phases()[bytes.byte() % broad_phases().size()].name);
  World world({.broad = broad, .boxes = static_cast<BroadBoxes>(bytes.byte() % 3)});
  const FrameId frame = world.add_frame();
  std::vector<BodyId> ids;
  Pairs before;
  for (int calls = 0; bytes.more() && calls < 200; ++calls) {
    const unsigned what = bytes.byte();
    const BodyId some = ids.empty() ? BodyId{} : ids[bytes.byte() % ids.size()];
    const bool there = world.has(some);
    switch (what % 8) {
      case 0:
        if (world.size() < 12)
          ids.push_back(world.add(kinds[bytes.byte() % 3], bytes.pose(),
                                  {.frame = what % 16 < 8 ? std::nullopt : std::optional(frame)}));
        break;
      case 1:
        if (there) world.remove(some);
        break;
      case 2: world.move(frame, bytes.pose()); break;
      case 3:
        if (there) world.replace(some, kinds[bytes.byte() % 3]);
        break;
      case 4: {
        const CheckResult r = world.check();
        const Pairs now = all_pairs(world);
        const auto touching = world.touching();
        if (Pairs(touching.begin(), touching.end()) != now) fail("the contacts are not those of all pairs");
        for (const WorldEvent& e : r.events) {
          const std::pair pair(e.a, e.b);
          if (before.contains(pair) != (e.kind != EventKind::began)) fail("a beginning was told twice, or never");
          if (now.contains(pair) == (e.kind == EventKind::ended)) fail("an end was told twice, or never");
        }
        before = now;
        break;
      }
      case 5: world.sweep(); break;
      default:
        if (there) world.move(some, bytes.pose());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  if (data[0] != 'g') {
    play(Calls(data, size));
    return 0;
  }
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    replay_world(in, "recording");
  } catch (const Error&) {
  }
  return 0;
}
