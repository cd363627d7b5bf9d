// SPDX-License-Identifier: MIT
// Answers have the same bits on every processor, compiler and standard library: each hash below stands for the answers
// to a fixed list of questions, and is checked wherever the tests run (x86 and, in qemu, 64-bit Arm: scripts/test
// --only aarch64). A change that is meant to change answers changes its line, too: the test prints the new one.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <graze/graze.hpp>
#include <optional>
#include <random>
#include <vector>

#include "core/portability.hpp"

namespace graze {
namespace {

/// FNV-1a over 64-bit words.
class Bits {
 public:
  /// Statuses are counted, too: queries that all have the same answer would test little.
  int contacts = 0, others = 0;

  void add(std::uint64_t x) { value_ = (value_ ^ x) * 0x100000001B3u ^ value_ >> 29; }
  void add(double x) { add(x == x ? core::bit_cast<std::uint64_t>(x) : std::uint64_t{0x7ff8} << 48); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Status& s) {
    add(static_cast<std::uint64_t>(s));
    ++(s == Status::contact ? contacts : others);
  }
  void add(const TrianglePair& p) { add(std::uint64_t{index(p.a)} << 32 | index(p.b)); }
  void add(const TimeBracket& t) { add(t.safe), add(t.touch); }
  void add(const FeatureRef& f) {
    add(static_cast<std::uint64_t>(f.type) << 1 | (f.diagonal ? 1u : 0u));
    add(std::uint64_t{f.id[0]} << 32 | f.id[1]);
  }
  void add(const Feature& f) { add(static_cast<std::uint64_t>(f.kind)), add(f.a), add(f.b); }
  void add(const std::array<Vec3, 2>& p) { add(p[0]), add(p[1]); }
  template <class T>
  void add(const std::optional<T>& x) {
    add(std::uint64_t{x.has_value()});
    if (x) add(*x);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(std::uint64_t{list.size()});
    for (const T& x : list) add(x);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

void expect_both_answers(const Bits& bits) {
  EXPECT_GT(bits.contacts, 0);
  EXPECT_GT(bits.others, 0);
}

void expect_hash(const Bits& bits, std::uint64_t golden) {
  char line[64];
  std::snprintf(line, sizeof line, "0x%016llx", static_cast<unsigned long long>(bits.value()));
  EXPECT_EQ(bits.value(), golden) << "the hash is now " << line;
}

/// Numbers from bits alone: the standard distributions differ between libraries.
class Questions {
 public:
  explicit Questions(std::uint64_t seed) : random_(seed) {}
  double number() { return static_cast<double>(random_() >> 11) * 0x1p-52 - 1; }  // in [-1, 1)
  Vec3 vector(double size = 1) {
    const double x = number(), y = number(), z = number();
    return {size * x, size * y, size * z};
  }
  Pose pose(double size) {
    const Vec3 at = vector(size);
    const double w = number(), x = number(), y = number(), z = number();
    return Pose(at, Quat{w, x, y, z});
  }

 private:
  std::mt19937_64 random_;
};

const std::vector<Body>& bodies() {
  static const std::vector<Body> all{Body(make::box()), Body(make::sphere({.triangles = 168})), Body(make::cone()),
                                     Body(make::torus_knot({.triangles = 720}))};
  return all;
}

/// Every two bodies, in a few random placements.
template <class Ask>
void for_pairs(std::uint64_t seed, int placements, double size, Ask ask) {
  Questions q(seed);
  for (std::size_t i = 0; i < bodies().size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (int k = 0; k < placements; ++k) {
        const Pose a = q.pose(size), b = q.pose(size);
        ask(bodies()[i], a, bodies()[j], b, q);
      }
}

TEST(SameBits, Shapes) {
  Bits bits;
  for (const Body& body : bodies())
    for (const Vec3& p : body.mesh().positions()) bits.add(p);
  for (const Mesh& mesh : {make::torus({.triangles = 200}), make::cylinder(), make::tetrahedron()})
    for (const Vec3& p : mesh.positions()) bits.add(p);
  expect_hash(bits, 0xab728210bcadbb37);
}

TEST(SameBits, Collide) {
  Bits bits;
  for_pairs(1, 6, 0.6, [&](const Body& a, const Pose& pa, const Body& b, const Pose& pb, Questions&) {
    const CollideResult r = collide(a, pa, b, pb, {.all = true, .all_features = true});
    bits.add(r.status), bits.add(r.pairs), bits.add(r.features), bits.add(r.points), bits.add(r.normal);
  });
  expect_both_answers(bits);
  expect_hash(bits, 0x3ff7f3bb88a0d1dd);
}

TEST(SameBits, Distance) {
  Bits bits;
  for_pairs(2, 6, 2, [&](const Body& a, const Pose& pa, const Body& b, const Pose& pb, Questions&) {
    const DistanceResult r = distance(a, pa, b, pb);
    bits.add(r.status), bits.add(r.distance), bits.add(r.pair), bits.add(r.points), bits.add(r.feature);
    bits.add(r.normal);
  });
  expect_both_answers(bits);
  expect_hash(bits, 0xd355c74366968b55);
}

TEST(SameBits, Rays) {
  Bits bits;
  for_pairs(3, 20, 0.5, [&](const Body& a, const Pose& pa, const Body&, const Pose&, Questions& q) {
    const Vec3 from = q.vector(2), to = q.vector(2);
    const RayResult r = cast_ray(a, pa, from, to);
    bits.add(std::uint64_t{r.hit.has_value()});
    if (!r.hit) return;
    bits.add(r.hit->fraction), bits.add(r.hit->point), bits.add(std::uint64_t{index(r.hit->triangle)});
  });
  expect_hash(bits, 0xfec4275afd545289);
}

TEST(SameBits, FirstContact) {
  Bits bits;
  for_pairs(4, 3, 1.5, [&](const Body& a, const Pose& pa, const Body& b, const Pose& pb, Questions& q) {
    const Pose to_a = q.pose(1), to_b = q.pose(1);
    for (const bool screw : {false, true}) {
      const Motion ma = screw ? Motion(Screw(pa, to_a)) : Motion(LinearParameters(pa, to_a));
      const Motion mb = screw ? Motion(Screw(pb, to_b)) : Motion(LinearParameters(pb, to_b));
      const FirstContactResult r = first_contact(a, ma, b, mb, {.all_features = true});
      bits.add(r.status), bits.add(r.time), bits.add(r.gap), bits.add(r.pair), bits.add(r.features);
      bits.add(r.points), bits.add(r.normal);
    }
  });
  expect_both_answers(bits);
  expect_hash(bits, 0x3e8bbb79c3aca154);
}

TEST(SameBits, Elementary) {
  Bits bits;
  Questions q(5);
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge})
    for (const std::string_view method : {"advancement", "exact"}) {
      std::vector<std::array<Vec3, 8>> queries(100);
      for (auto& query : queries)
        for (Vec3& p : query) p = q.vector();
      std::vector<ElementaryResult> results(queries.size());
      elementary_contacts(kind, queries, {.method = method}, 1, results);
      for (const ElementaryResult& r : results) {
        bits.add(r.status), bits.add(r.time), bits.add(r.gap);
        for (const double w : r.weights) bits.add(w);
      }
    }
  expect_both_answers(bits);
  expect_hash(bits, 0x0ebcf13399405f51);
}

TEST(SameBits, Deform) {
  Bits bits;
  Questions q(6);
  const Mesh mesh = make::torus({.triangles = 400});
  Deformable cloth(mesh);
  std::vector<Vec3> at(mesh.positions().begin(), mesh.positions().end());
  for (int step = 0; step < 6; ++step) {
    const Vec3 push = q.vector(0.2);
    for (Vec3& p : at) {
      const double bend = 1 - 0.25 * step;
      p = {p.x * bend + push.x * p.y * p.y, p.y + push.y * p.z, p.z * bend + push.z * p.x * p.y};
    }
    const DeformResult r = cloth.step(at);
    bits.add(r.status), bits.add(r.time), bits.add(r.crossing_at_start);
    bits.add(std::uint64_t{r.contacts.size()});
    for (const DeformContact& c : r.contacts) {
      bits.add(static_cast<std::uint64_t>(c.kind)), bits.add(c.time), bits.add(c.gap);
      for (const std::uint32_t v : c.vertices) bits.add(std::uint64_t{v});
    }
  }
  expect_both_answers(bits);
  expect_hash(bits, 0x0c4fab58361ac310);
}

TEST(SameBits, World) {
  World world;
  Questions q(7);
  std::vector<BodyId> ids;
  for (int i = 0; i < 24; ++i)
    ids.push_back(world.add(bodies()[static_cast<std::size_t>(i) % bodies().size()], q.pose(3)));
  std::uint64_t hash = 0;
  for (int frame = 0; frame < 6; ++frame) {
    for (const BodyId id : ids) world.move(id, q.pose(3));
    hash = event_hash(world.check().events, hash);
  }
  Bits bits;
  bits.add(hash);
  expect_hash(bits, 0xe46b7b630fb72ad0);
}

}  // namespace
}  // namespace graze
