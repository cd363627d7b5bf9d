// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/fp_guard.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/ray/fraction.hpp"
#include "math/vectors.hpp"
#include "world/filter.hpp"
#include "world/placed_box.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"

namespace graze {

using world::State;

namespace {

/// What a thread uses for one ray after the other.
struct RayBuffers {
  std::vector<std::uint32_t> slots, some;
  std::vector<std::pair<double, std::uint32_t>> order;
  RayResult result;
};
thread_local RayBuffers ray_buffers;

/// Bodies whose boxes the segment may meet, into `buffers.slots`. No body that it meets is missing.
void find_along(const BroadPhase& broad, const Vec3& from, const Vec3& to, RayBuffers& buffers) {
  std::vector<std::uint32_t>& slots = buffers.slots;
  slots.clear();
  const Vec3 way = to - from;
  bool exact = !(way == Vec3{}) && is_finite(way);
  for (int k = 0; k < 3; ++k) {
    // The rounding error of to - from, itself exact (Knuth).
    const double part = to[k] - way[k];
    exact = exact && (to[k] - (way[k] + part)) + (part - from[k]) == 0;
  }
  if (exact) return broad.along_ray(from, way, 1, slots);
  // A rounded direction could miss a box that the segment just touches. So use boxes around parts of the segment, each
  // widened by more than the error of its end points (a product and a sum: less than 4 eps of |from| + |to| along each
  // axis).
  constexpr int parts = 32;
  const auto at = [&](int i) {
    const double u = static_cast<double>(i) / parts;
    return from * (1 - u) + to * u;
  };
  for (int i = 0; i < parts; ++i) {
    Box3 box;
    box.add(at(i));
    box.add(at(i + 1));
    double size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, std::fabs(from[k]) * 0x1p-50 + std::fabs(to[k]) * 0x1p-50);
    broad.overlapping(world::widened(box, size + std::numeric_limits<double>::min()), buffers.some);
    slots.insert(slots.end(), buffers.some.begin(), buffers.some.end());
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

/// The fraction of a hit as it is ordered by. Those on curved shapes, and starts inside solids, are what they are
/// rounded to.
engine::ray::ExactFraction order_of(const State& s, const Vec3& from, const Vec3& to, const BodyHit& x) {
  if (x.hit.feature.type == FeatureRef::Type::surface) return {math::Dyadic(x.hit.fraction), math::Dyadic(1)};
  const world::BodyRecord& body = s.bodies[x.body.slot];
  return engine::ray::exact_fraction(x.hit, *body.body, body.pose, from, to);
}

/// By the exact fraction along the ray, then by body and triangle. Rounding keeps the order, so only hits whose rounded
/// fractions are equal have to be compared exactly.
void sort_hits(const State& s, const Vec3& from, const Vec3& to, std::vector<BodyHit>& hits) {
  std::sort(hits.begin(), hits.end(), [](const BodyHit& x, const BodyHit& y) {
    return std::tie(x.hit.fraction, x.body, x.hit.triangle) < std::tie(y.hit.fraction, y.body, y.hit.triangle);
  });
  using Exact = std::pair<engine::ray::ExactFraction, BodyHit>;
  std::vector<Exact> tied;
  for (auto first = hits.begin(); first != hits.end();) {
    const auto last =
        std::find_if(first, hits.end(), [&](const BodyHit& x) { return x.hit.fraction != first->hit.fraction; });
    if (last - first > 1) {
      tied.clear();
      for (auto x = first; x != last; ++x) tied.emplace_back(order_of(s, from, to, *x), *x);
      std::stable_sort(tied.begin(), tied.end(),
                       [](const Exact& x, const Exact& y) { return engine::ray::compare(x.first, y.first) < 0; });
      std::transform(tied.begin(), tied.end(), first, [](const Exact& x) { return x.second; });
    }
    first = last;
  }
}

/// A lower bound of the fraction at which the segment can be in the box; 0 if nothing is known. Differences and
/// quotients are rounded by less than 4 eps of themselves together, which the factor covers.
double entry(const Box3& box, const Vec3& from, const Vec3& to) {
  double enter = 0;
  for (int k = 0; k < 3; ++k) {
    const double way = to[k] - from[k];
    const double t = ((way > 0 ? box.lo[k] : box.hi[k]) - from[k]) / way * (1 - 0x1p-49);
    if (way != 0 && std::isfinite(t) && t > enter) enter = t;
  }
  return enter;
}

void add_hits(const State& s, std::uint32_t slot, const Vec3& from, const Vec3& to, RayHits wanted, RayBuffers& buffers,
              std::vector<BodyHit>& hits) {
  const world::BodyRecord& body = s.bodies[slot];
  cast_ray(*body.body, body.pose, from, to, {.hits = wanted}, buffers.result);
  if (buffers.result.error) throw Error(*buffers.result.error);  // a list of all hits of a surface given by functions
  if (!buffers.result.hit) return;
  if (wanted != RayHits::all) return hits.push_back({s.id(slot), *buffers.result.hit, buffers.result.certain});
  for (const RayHit& hit : buffers.result.all) hits.push_back({s.id(slot), hit, buffers.result.certain});
}

/// Only the first hit of all: bodies in the order in which the segment can reach their boxes, until no other can be
/// reached before the first hit.
void find_first(const State& s, const Vec3& from, const Vec3& to, RayBuffers& buffers, std::vector<BodyHit>& hits) {
  buffers.order.clear();
  for (const std::uint32_t slot : buffers.slots) buffers.order.emplace_back(entry(s.broad.box(slot), from, to), slot);
  std::sort(buffers.order.begin(), buffers.order.end());
  double first = math::infinity;  // the least rounded fraction; the exact one is at most half a unit larger
  for (const auto& [enter, slot] : buffers.order) {
    if (enter > first * (1 + 0x1p-50)) break;
    add_hits(s, slot, from, to, RayHits::first, buffers, hits);
    if (!hits.empty()) first = std::min(first, hits.back().hit.fraction);
  }
  std::erase_if(hits, [&](const BodyHit& x) { return x.hit.fraction > first; });
  sort_hits(s, from, to, hits);
  if (hits.size() > 1) hits.erase(hits.begin() + 1, hits.end());
}

void find_hits(const State& s, const Vec3& from, const Vec3& to, const WorldRayOptions& options,
               std::vector<BodyHit>& hits) {
  hits.clear();
  RayBuffers& buffers = ray_buffers;
  find_along(s.broad, from, to, buffers);
  std::erase_if(buffers.slots, [&](std::uint32_t slot) { return !world::admits(s, options.bodies, slot); });
  if (options.hits == WorldRayHits::first) return find_first(s, from, to, buffers, hits);
  if (options.hits == WorldRayHits::any) {
    for (std::size_t i = 0; i < buffers.slots.size() && hits.empty(); ++i)
      add_hits(s, buffers.slots[i], from, to, RayHits::any, buffers, hits);
    return;
  }
  const RayHits wanted = options.hits == WorldRayHits::all ? RayHits::all : RayHits::first;
  for (const std::uint32_t slot : buffers.slots) add_hits(s, slot, from, to, wanted, buffers, hits);
  sort_hits(s, from, to, hits);
}

bool is_default(const WorldRayOptions& o) {
  return o.hits == WorldRayHits::each_body && !o.bodies.mask && !o.bodies.except;
}

}  // namespace

void world::check_ray(const Vec3& from, const Vec3& to) {
  if (!is_finite(from) || !is_finite(to))
    refuse(ErrorCode::not_finite, "an end of the ray is not finite; give three finite numbers", "ray");
}

void World::ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options, std::vector<BodyHit>& hits) {
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  world::check_ray(from, to);
  world::check_filter(s, options.bodies);
  if (s.recorder) s.recorder->flush();
  WorldCounters counters;
  world::place_moved(s, counters);
  find_hits(s, from, to, options, hits);
  if (s.recorder && is_default(options)) s.recorder->line("ray", from, to, world::answer_hash(hits));
  if (s.recorder && !is_default(options))
    s.recorder->line("ray_with", static_cast<std::uint32_t>(options.hits), options.bodies, from, to,
                     world::answer_hash(hits));
}

std::vector<BodyHit> World::ray(const Vec3& from, const Vec3& to, const WorldRayOptions& options) {
  std::vector<BodyHit> hits;
  ray(from, to, options, hits);
  return hits;
}

void World::rays(std::span<const Ray> rays, const WorldRayOptions& options, std::span<std::vector<BodyHit>> hits) {
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  if (rays.size() != hits.size())
    throw Error(core::bad_option("rays", "there are " + std::to_string(rays.size()) + " rays and " +
                                             std::to_string(hits.size()) + " lists for their hits; give one for each"));
  for (const Ray& r : rays) world::check_ray(r.from, r.to);
  world::check_filter(s, options.bodies);
  if (s.recorder) s.recorder->flush();
  WorldCounters counters;
  world::place_moved(s, counters);
  constexpr std::size_t block = 16;
  core::parallel_for((rays.size() + block - 1) / block, s.options.threads, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(rays.size(), (b + 1) * block); ++i)
      find_hits(s, rays[i].from, rays[i].to, options, hits[i]);
  });
  if (s.recorder)
    s.recorder->line("rays", static_cast<std::uint32_t>(options.hits), options.bodies, rays,
                     world::answer_hash(std::span<const std::vector<BodyHit>>(hits)));
}

}  // namespace graze
