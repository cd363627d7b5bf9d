// SPDX-License-Identifier: MIT
// A few small bodies made from the input's bytes, deformed or placed: every method of `interference`, with switches and
// threads from the bytes, must find what brute force finds.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/query/interference.hpp>

namespace {

using namespace graze;

/// Takes numbers from the bytes; zeros when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  /// Small whole numbers, which meet exactly and lie on walls of cells; now and then any double.
  double number() {
    const std::uint8_t b = byte();
    if (b != 255) return static_cast<int>(b % 9) - 4;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

Mesh mesh(Bytes& in) {
  std::vector<Vec3> positions;
  const int vertices = 3 + in.byte() % 5;
  for (int i = 0; i < vertices; ++i) positions.push_back(in.vector());
  PolygonList polygons;
  const int count = 1 + in.byte() % 3;
  for (int p = 0; p < count; ++p) {
    std::vector<std::uint32_t> corners(3u + in.byte() % 2u);
    for (std::uint32_t& c : corners) c = in.byte() % static_cast<std::uint32_t>(vertices);
    polygons.add(corners);
  }
  return Mesh(positions, polygons);
}

InterferenceOptions switches(Bytes& in) {
  InterferenceOptions o;
  o.kitamura.bodies = static_cast<KitamuraOptions::BodyStage>(in.byte() % 3);
  o.kitamura.root = static_cast<KitamuraOptions::Root>(in.byte() % 2);
  const std::uint8_t bits = in.byte();
  o.kitamura.clip = bits & 1;
  o.kitamura.bintree = bits & 2;
  o.self = bits & 4;
  o.threads = bits & 8 ? 2 : 1;
  if (bits & 16) o.kitamura.level = o.octree_update.level = bits / 32 % 4;
  if (bits & 16) o.octree_update.body_level = bits / 64;
  return o;
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  try {
    InterferenceOptions options = switches(in);
    std::vector<InterferenceBody> bodies;
    std::list<std::vector<Vec3>> moved;
    const int count = 1 + in.byte() % 3;
    for (int i = 0; i < count; ++i) {
      const Mesh m = mesh(in);
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
  } catch (const Error&) {  // the bytes made no mesh or no pose
  }
  return 0;
}
