// SPDX-License-Identifier: MIT
// A rod of seven strands that is twisted tightly, as IPC's rods are: everything is near something else. What does the
// exact test of the start cost?
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/ask/deform.hpp>

#include "harness/clock.hpp"
#include "rows/deform/deform.hpp"
#include "scene/step_queries.hpp"

namespace graze::bench {
namespace {

/// One strand in the middle, six around it, each a tube of radius 1; the gaps between neighbours are a tenth of that,
/// and close while the rod is twisted further.
DeformScene twisted_rod(std::size_t triangles) {
  constexpr std::uint32_t around = 16, strands = 7;
  constexpr double pi = 3.14159265358979323846, step = 0.4;
  const auto along = static_cast<std::uint32_t>(triangles / (2 * around * strands));
  std::vector<Vec3> start, end;
  std::vector<Triangle> list;
  for (std::uint32_t s = 0; s < strands; ++s) {
    const auto base = static_cast<std::uint32_t>(start.size());
    for (std::uint32_t i = 0; i <= along; ++i)
      for (std::uint32_t k = 0; k < around; ++k)
        for (const double t : {0.0, 1.0}) {
          const double z = step * i, turn = (0.04 + 0.0004 * t) * z + s * pi / 3, a = 2 * pi * k / around;
          const double far = s == 6 ? 0 : 2.1 - 0.15 * t * (0.5 + 0.5 * std::sin(0.05 * z));
          (t == 0 ? start : end).push_back({far * std::cos(turn) + std::cos(a), far * std::sin(turn) + std::sin(a), z});
        }
    for (std::uint32_t i = 0; i < along; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        const std::uint32_t p = base + i * around + k, q = base + i * around + (k + 1) % around;
        list.push_back({p, q, q + around});
        list.push_back({p, q + around, p + around});
      }
  }
  return {"twisted rod", Mesh(start, std::span<const Triangle>(list)), end};
}

struct Answer {
  double seconds = std::numeric_limits<double>::max();
  DeformResult result;
};

void pass(const DeformScene& scene, bool start, Answer& best) {
  DeformOptions options;
  options.crossing_at_start = start;
  const double begin = thread_seconds();
  Deformable mesh(scene.mesh);
  DeformResult result = mesh.step(scene.end, options);
  const double seconds = thread_seconds() - begin;
  if (seconds >= best.seconds) return;
  best.seconds = seconds;
  best.result = std::move(result);
}

}  // namespace

void row_deform_rod(Context& context) {
  const DeformScene scene = twisted_rod(context.quick ? 8000 : 80000);
  Answer without, with;
  for (int i = 0; i < (context.quick ? 2 : 5); ++i) {
    pass(scene, false, without);
    pass(scene, true, with);
  }
  const bool same = with.result.contacts.size() == without.result.contacts.size() && !with.result.contacts.empty() &&
                    with.result.crossing_at_start.empty();
  const double ratio = with.seconds / without.seconds;
  context.table.add(
      {"rod", fmt::format("{}, {} triangles", scene.name, scene.mesh.triangle_count()),
       "with the build and the start's check, of without the check", Timing{with.seconds, with.seconds, with.seconds},
       ratio, 1.5, same ? judge_ratio(ratio, 1.5) : Verdict::wrong,
       fmt::format("{:.0f} ms without; {} contacts", 1e3 * without.seconds, without.result.contacts.size())});
}

}  // namespace graze::bench
