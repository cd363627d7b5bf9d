// SPDX-License-Identifier: MIT
// Two small meshes and two poses made from the input's bytes: all certain methods must agree with each other and with
// `distance`, in both orders.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/query/collide.hpp>
#include <graze/query/distance.hpp>

namespace {

using namespace graze;

/// Takes numbers from the bytes; zeros when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  /// Small whole numbers, which meet exactly; now and then any double.
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
  const int vertices = 3 + in.byte() % 6;
  for (int i = 0; i < vertices; ++i) positions.push_back(in.vector());
  PolygonList polygons;
  const int count = 1 + in.byte() % 4;
  for (int p = 0; p < count; ++p) {
    std::vector<std::uint32_t> corners(3u + in.byte() % 3u);
    for (std::uint32_t& c : corners) c = in.byte() % static_cast<std::uint32_t>(vertices);
    polygons.add(corners);
  }
  return Mesh(positions, polygons);
}

Pose pose(Bytes& in) {
  const Vec3 t = in.vector();
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  return Pose(t, {w, x, y, z});
}

void require(bool condition) {
  if (!condition) std::abort();
}

CollideResult ask(const Body& a, const Pose& pa, const Body& b, const Pose& pb, const char* method) {
  CollideOptions options;
  options.method = method;
  options.all = options.all_features = true;
  return collide(a, pa, b, pb, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  try {
    const Body a(mesh(in)), b(mesh(in));
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
  } catch (const Error&) {  // the bytes made no mesh or no pose
  }
  return 0;
}
