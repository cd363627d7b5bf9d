// SPDX-License-Identifier: MIT
// A small mesh made from the input's bytes moves and breaks, step by step. In every step, a `Deformable` kept from step
// to step, with culling options and threads from the bytes, must find the same contacts as brute force, and the
// earliest of them. A step size asked before ends before all of them.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts; sometimes neighbouring doubles, or any digits. (Numbers of very different
/// sizes make exact arithmetic slow, and there are hundreds of queries here; the target elementary_fuzz tests them.)
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  if (b < 240) return fuzz::small_whole(b, 4);
  if (b < 250) return fuzz::small_whole(b, 4) * (1 + 0x1p-52 * in.byte());
  int exponent = 0;
  return std::frexp(in.any_double(), &exponent) * 8;
}
using Input = fuzz::Numbers<number>;

/// A slightly curved sheet, large enough for patches, or a few triangles that share vertices arbitrarily.
Mesh first_mesh(Input& in) {
  if (in.byte() % 2 == 0) return fuzz::mesh(in, {3, 9, 12, 1});
  constexpr std::uint32_t side = 4;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i <= side; ++i)
    for (std::uint32_t j = 0; j <= side; ++j) {
      positions.push_back({8.0 * i, 8.0 * j, 0.25 * in.number()});
      const std::uint32_t at = i * (side + 1) + j, right = at + side + 1;
      if (i == side || j == side || in.byte() % 16 == 15) continue;
      triangles.push_back({at, right, right + 1});
      triangles.push_back({at, right + 1, at + 1});
    }
  return Mesh(positions, std::span<const Triangle>(triangles));
}

std::vector<Vec3> moved(Input& in, std::span<const Vec3> positions) {
  std::vector<Vec3> next(positions.begin(), positions.end());
  const std::uint8_t how = in.byte();
  for (Vec3& x : next)
    if (how % 4 == 0 || in.byte() % 4 == 0) x = x + in.vector();
  return next;
}

/// Some triangles get other corners or a vertex of their own, or are removed or added.
Mesh broken(Input& in, const Mesh& mesh, std::span<const Vec3> at) {
  std::vector<Vec3> positions(at.begin(), at.end());
  std::vector<Triangle> triangles(mesh.triangles().begin(), mesh.triangles().end());
  for (int changes = 1 + in.byte() % 3; changes > 0; --changes) {
    Triangle& t = triangles[in.byte() % triangles.size()];
    std::uint32_t& corner = t[in.byte() % 3];
    switch (in.byte() % 4) {
      case 0: corner = in.byte() % static_cast<std::uint32_t>(positions.size()); break;
      case 1:
        positions.push_back(positions[corner]);
        corner = static_cast<std::uint32_t>(positions.size() - 1);
        break;
      case 2:
        if (triangles.size() > 1) triangles.pop_back();
        break;
      default: triangles.push_back({t[1], t[0], in.byte() % static_cast<std::uint32_t>(positions.size())}); break;
    }
  }
  return Mesh(positions, std::span<const Triangle>(triangles));
}

DeformOptions switches(Input& in) {
  DeformOptions o;
  const std::uint8_t bits = in.byte(), more = in.byte();
  o.exact = true;
  o.patches = !(bits & 1);
  o.representatives = !(bits & 2);
  o.orphans = !(bits & 4);
  o.feature_bounds = !(bits & 8);
  o.contour_accelerations = !(bits & 16);
  o.both_ends = !(bits & 32);
  o.directions = bits & 64 ? 3 : 9;
  o.threads = bits & 128 ? 2 : 1;
  o.self = more % 4 != 0;
  if (more % 8 == 7) {
    o.exact = false;
    o.min_separation = 0.25 * (more / 8);
  }
  return o;
}

bool same(const DeformContact& x, const DeformContact& y) {
  return x.kind == y.kind && x.vertices == y.vertices && x.time.safe == y.time.safe && x.time.touch == y.time.touch &&
         x.at_start == y.at_start;
}

void compare(const DeformResult& found, const DeformResult& expected, bool patches_may_drop) {
  require(found.crossing_at_start == expected.crossing_at_start);
  if (patches_may_drop) return;
  require(found.status == expected.status && found.contacts.size() == expected.contacts.size());
  for (std::size_t i = 0; i < found.contacts.size(); ++i) require(same(found.contacts[i], expected.contacts[i]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    Mesh mesh = first_mesh(in);
    Deformable kept(mesh);
    std::vector<Vec3> at(mesh.positions().begin(), mesh.positions().end());
    for (int steps = 1 + in.byte() % 3; steps > 0; --steps) {
      const std::vector<Vec3> next = moved(in, at);
      DeformOptions options = switches(in);
      const bool may_drop = !options.exact && options.min_separation == 0 && options.patches;
      const DeformResult expected = deform_brute(mesh, at, next, options);
      DeformOptions first = options;
      first.all = false;
      compare(Deformable(Mesh(at, mesh.triangles())).step(next, first), deform_brute(mesh, at, next, first), may_drop);
      // As a line search asks, before the step.
      StepSizeOptions size;
      size.self = options.self;
      size.min_separation = options.min_separation;
      size.ignore_start_crossings = true;
      size.ignore_start_if_separating = false;
      size.threads = options.threads;
      const double strict = kept.step_size(next, size).time.safe;
      for (const DeformContact& c : expected.contacts) require(strict <= c.time.safe);
      size.ignore_start_if_separating = true;
      require(kept.step_size(next, size).time.safe >= strict);
      compare(kept.step(next, options), expected, may_drop);
      at = next;
      if (in.byte() % 2 == 0) continue;
      mesh = broken(in, mesh, at);
      at.assign(mesh.positions().begin(), mesh.positions().end());
      kept.replace(mesh);
    }
  } catch (const Error&) {  // the bytes do not give a valid mesh, or a position is not finite
  }
  return 0;
}
