// SPDX-License-Identifier: MIT
#include <graze/ask/distance.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include <graze/ask/collide.hpp>

#include "ask/compound/compound.hpp"
#include "ask/shapes/box_distance.hpp"
#include "ask/shapes/box_pair.hpp"
#include "ask/shapes/shapes.hpp"
#include "ask/shapes/within_quickly.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "body/features.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/distance/candidates.hpp"
#include "engine/distance/sharp_list.hpp"
#include "engine/distance/tree_distance.hpp"
#include "math/placed_points.hpp"
#include "math/vectors.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze {

namespace ask {

namespace {

using math::infinity;

void every_pair(const engine::distance::DistanceQuery& q, engine::distance::Candidates& out) {
  core::Poll poll;
  for (std::uint32_t i = 0; i < q.a.mesh.triangle_count(); ++i)
    for (std::uint32_t j = 0; j < q.b.mesh.triangle_count(); ++j) {
      poll();
      out.consider(i, j);
    }
}

/// All triangle pairs that may hold the minimum, if it is below the bound.
engine::distance::CandidateList collect(const engine::distance::DistanceQuery& q, bool tree, int threads,
                                        engine::distance::UpperBound& bound, double enough,
                                        engine::distance::DistanceArena& arena, Counters& counters) {
  engine::distance::Candidates all(q, bound, enough, arena.get());
  // Also if the query is ended on the way.
  const struct Count {
    ~Count() { to += from; }
    Counters& to;
    const Counters& from;
  } count{counters, all.counters};
  all.direction = q.placement.place(q.b.tree.frame.centre) - q.a.tree.frame.centre;  // until there is a better one
  const body::TreeFrame frame(q.placement, q.a.tree, q.b.tree);
  if (!tree || !frame.usable) {
    every_pair(q, all);
  } else {
    // A question that is answered within `alone` pairs is not worth a second thread.
    constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max(), alone = 1024;
    engine::distance::DistancePairs stack(arena.get());
    stack.reserve(512);
    stack.push_back({0, 0, 0});
    traverse_distance(q, frame, stack, threads > 1 ? alone : no_limit, all);
    const std::size_t tasks = std::min(stack.size(), 16 * static_cast<std::size_t>(threads));
    std::vector<std::optional<engine::distance::Candidates>> parts(tasks);
    core::parallel_for(tasks, threads, [&](std::size_t i) {
      parts[i].emplace(q, bound, enough);
      parts[i]->direction = all.direction;
      // The end of the stack comes first.
      const auto from = [&](std::size_t task) {
        return static_cast<std::ptrdiff_t>(stack.size() * (tasks - task) / tasks);
      };
      engine::distance::DistancePairs mine(stack.begin() + from(i + 1), stack.begin() + from(i));
      traverse_distance(q, frame, mine, no_limit, *parts[i]);
    });
    for (const auto& part : parts) {
      all.list.insert(all.list.end(), part->list.begin(), part->list.end());
      all.counters += part->counters;
    }
  }
  all.prune();
  return std::move(all.list);
}

prim::ExactDistance exactly(const engine::distance::DistanceQuery& q, std::uint32_t ta, std::uint32_t tb) {
  std::array<math::DyadicVec3, 3> a, b;
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = q.placement.exact_a(q.a.corner(ta, k));
    b[k] = q.placement.exact_b(q.b.corner(tb, k));
  }
  return prim::exact_distance(a, b);
}

/// The exact square, in A's frame: coordinates there carry the placement's scale.
math::Dyadic scaled_den(const engine::distance::DistanceQuery& q, const prim::ExactDistance& d) {
  return d.den * q.placement.scale() * q.placement.scale();
}

void report(const engine::distance::DistanceQuery& q, const engine::distance::Candidate& c, prim::Part pa,
            prim::Part pb, DistanceResult& result) {
  body::ClosestFeature nearest{c.a, c.b, c.closest, {}};
  if (const auto feature = body::closest_feature(q.a.mesh, c.a, pa, q.b.mesh, c.b, pb)) {
    nearest.feature = *feature;
  } else {  // inside a face: the polygons are as near in a vertex or in two edges
    const auto corners_a = [&](std::uint32_t t) {
      return std::array{q.a.corner(t, 0), q.a.corner(t, 1), q.a.corner(t, 2)};
    };
    const auto corners_b = [&](std::uint32_t t) {
      const auto placed = [&](std::size_t k) { return q.placement.place(q.b.corner(t, k)); };
      return std::array{placed(0), placed(1), placed(2)};
    };
    nearest = closest_feature_of_polygons(q.a, c.a, corners_a, q.b, c.b, corners_b);
  }
  result.status = Status::free;
  result.pair = {TriangleId{nearest.triangle_a}, TriangleId{nearest.triangle_b}};
  result.points = {q.pose_a.apply(nearest.closest.a), q.pose_a.apply(nearest.closest.b)};
  result.feature = nearest.feature;
  if (const Vec3 n = math::unit(nearest.closest.b - nearest.closest.a); n != Vec3{})
    result.normal = math::unit(Pose({0, 0, 0}, q.pose_a.rotation()).apply(n));
}

double lowest(const engine::distance::CandidateList& list) {
  double least = infinity;
  for (const engine::distance::Candidate& c : list) least = std::min(least, c.lower);
  return least;
}

/// Reports the least of the rounded distances (of the least ids, by which the list is sorted), if all that may be less
/// is within the relative error of it.
bool report_rounded(const engine::distance::DistanceQuery& q, const engine::distance::CandidateList& list, double bound,
                    double relative_error, DistanceResult& result) {
  const double least = lowest(list);
  if (!(least > 0 && bound - least <= relative_error * least)) return false;
  const engine::distance::Candidate& best = *std::min_element(
      list.begin(), list.end(), [](const engine::distance::Candidate& x, const engine::distance::Candidate& y) {
        return x.rounded != y.rounded ? x.rounded < y.rounded : x.closest.squared < y.closest.squared;
      });
  result.distance = best.rounded;
  report(q, best, best.closest.part_a, best.closest.part_b, result);
  return true;
}

/// The same from brackets to twice a double's length, if those show it.
bool report_sharp(const engine::distance::DistanceQuery& q, const engine::distance::CandidateList& list,
                  double relative_error, DistanceResult& result) {
  const auto nearest = engine::distance::SharpList(q).nearest(list, relative_error, result.counters);
  if (!nearest) return false;
  result.distance = nearest->distance;
  report(q, nearest->candidate, nearest->candidate.closest.part_a, nearest->candidate.closest.part_b, result);
  return true;
}

/// Settles the candidates by exact arithmetic: the least square, then the least ids. For bodies that do not meet.
///
/// A needle's own lower bound may not show that it is farther apart than the bound. Whether the search came upon such a
/// pair or left it early depends on the order; the answer must not. So those are left out first, and the rest may then
/// turn out to be settled by doubles.
void settle_exactly(const engine::distance::DistanceQuery& q, const engine::distance::CandidateList& list, double bound,
                    double relative_error, DistanceResult& result) {
  const bool bounded = std::isfinite(bound);
  const math::Dyadic square = bounded ? math::Dyadic(bound) * math::Dyadic(bound) : math::Dyadic(0);
  std::optional<prim::ExactDistance> best;
  std::optional<engine::distance::Candidate> winner;
  engine::distance::CandidateList near;
  core::Poll poll;
  for (const engine::distance::Candidate& c : list) {
    poll();
    ++result.counters.rational_decided;
    prim::ExactDistance d = exactly(q, c.a, c.b);
    if (!bounded || !(square * scaled_den(q, d) < d.num)) near.push_back(c);
    if (best && !(d.num * best->den < best->num * d.den)) continue;
    best = std::move(d);
    winner = c;
  }
  if (!near.empty() &&
      (report_rounded(q, near, bound, relative_error, result) || report_sharp(q, near, relative_error, result)))
    return;
  result.distance = math::sqrt_ratio(best->num, scaled_den(q, *best));
  report(q, *winner, best->part_a, best->part_b, result);
}

Status within(const engine::distance::DistanceQuery& q, double d, int threads, Counters& counters) {
  engine::distance::UpperBound bound(d);
  engine::distance::DistanceArena arena;
  const engine::distance::CandidateList list = collect(q, true, threads, bound, d, arena, counters);
  if (bound.get() < 0) return Status::contact;
  const math::Dyadic square = math::Dyadic(d) * math::Dyadic(d);
  math::PlacedPoints points(q.placement, counters);
  core::Poll poll;
  for (const engine::distance::Candidate& c : list) {
    poll();
    points.clear();
    for (std::size_t k = 0; k < 3; ++k) points.add_a(q.a.corner(c.a, k));
    for (std::size_t k = 0; k < 3; ++k) points.add_b(q.b.corner(c.b, k));
    if (prim::triangle_triangle(points) != prim::TriangleContact::none) return Status::contact;
    ++counters.rational_decided;
    const prim::ExactDistance e = exactly(q, c.a, c.b);
    if (!(square * scaled_den(q, e) < e.num)) return Status::contact;
  }
  return Status::free;
}

/// The surfaces may touch: that is `collide`'s question.
bool report_contact(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DistanceOptions& asked,
                    DistanceResult& result) {
  CollideOptions options;
  options.threads = asked.threads;
  options.work = asked.work;
  const CollideResult hit = collide(a, pose_a, b, pose_b, options);
  result.counters += hit.counters;
  if (hit.status == Status::undecided) throw core::Stopped();  // out of work
  if (hit.status != Status::contact) return false;
  result.status = Status::contact;
  result.distance = 0;
  if (!hit.pairs.empty()) result.pair = hit.pairs.front();  // none: one is inside the other
  if (hit.points) result.points = *hit.points;
  if (!hit.features.empty()) result.feature = hit.features.front();
  result.normal = hit.normal;
  return true;
}

/// Is it certain that an edge of one box passes through a face of the other?
bool boxes_cross(const engine::distance::DistanceQuery& q, Counters& counters) {
  const auto pair = piercing_pair(q.a, q.b, q.placement);
  return pair && triangles_cross(q.a, q.b, q.placement, *pair, counters);
}

/// One is inside the other, which is a solid shape: their distance is 0.
void report_inside(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, DistanceResult& result) {
  CollideResult inside;
  if (!inside_solid_shape(a, pose_a, b, pose_b, inside)) return;
  result.counters += inside.counters;
  result.status = Status::contact;
  result.distance = 0;
  result.feature.reset();
  result.normal.reset();
  result.points = *inside.points;
}

}  // namespace

}  // namespace ask

namespace {

bool refused(const DistanceOptions& options, DistanceResult& result) {
  if (!(options.relative_error >= 1e-14 && options.relative_error < 1))
    core::refuse(result,
                 core::bad_option("relative_error", "the relative error must be at least 1e-14 and less than 1"));
  else if (options.method != "tree" && options.method != "brute")
    core::refuse(result, core::no_such_method(options.method, "tree, brute"));
  else
    return core::refused(result, core::bad_threads(options.threads));
  return true;
}

/// Work is counted by one thread.
template <class Options>
int threads_of(const Options& options) {
  return options.work > 0 ? 1 : options.threads;
}

/// Field by field: building and moving a whole result takes as long as two spheres do.
void clear(DistanceResult& result) {
  result.status = Status::undecided;
  result.distance = 0;
  result.certain = true;
  result.points = {};
  result.feature.reset();
  result.pair = {};
  result.normal.reset();
  result.counters = {};
  result.seconds = 0;
  result.error.reset();
  result.pieces.reset();
}

/// Two boxes, asked by the default method: a search in doubles most often answers.
bool asks_boxes(const Body& a, const Body& b, const DistanceOptions& options) {
  return options.method == "tree" && ask::plain_boxes(a.data(), b.data());
}

void measure(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DistanceOptions& options,
             DistanceResult& result) {
  if (ask::is_compound(a) || ask::is_compound(b)) return ask::distance_compounds(a, pose_a, b, pose_b, options, result);
  if (ask::about_surfaces(a, b)) return ask::distance_surfaces(a, pose_a, b, pose_b, options, result);
  if (ask::beyond_meshes(a, b)) return ask::distance_shapes(a, pose_a, b, pose_b, options, result);
  const bool boxes = asks_boxes(a, b, options);
  std::optional<ask::BoxDistance> quick;
  if (boxes) {
    quick.emplace(a.data(), pose_a, b.data(), pose_b, options.relative_error, result.counters);
    if (quick->report(result)) return;
  }
  const engine::distance::DistanceQuery q{a.data(), b.data(), pose_a, pose_b, math::RelativePlacement(pose_a, pose_b)};
  if (boxes) {
    engine::distance::Candidate nearest;
    if (quick->closest_triangles(q, nearest)) {
      result.distance = nearest.rounded;
      return ask::report(q, nearest, nearest.closest.part_a, nearest.closest.part_b, result);
    }
    if (quick->overlap() && ask::boxes_cross(q, result.counters) &&
        ask::report_contact(a, pose_a, b, pose_b, options, result))
      return;
  }
  engine::distance::UpperBound bound(ask::infinity);
  engine::distance::DistanceArena arena;
  engine::distance::CandidateList list =
      ask::collect(q, options.method != "brute", threads_of(options), bound, -1, arena, result.counters);
  const auto by_ids = [](const engine::distance::Candidate& x, const engine::distance::Candidate& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  };
  std::sort(list.begin(), list.end(), by_ids);
  const bool may_meet = !(ask::lowest(list) > 0);
  // Closest points that coincide in doubles are most likely a crossing, of which brackets show nothing.
  const bool crossing = may_meet && std::any_of(list.begin(), list.end(), [](const engine::distance::Candidate& c) {
                          return c.closest.squared == 0;
                        });
  const auto meet = [&] { return may_meet && ask::report_contact(a, pose_a, b, pose_b, options, result); };
  if (!ask::report_rounded(q, list, bound.get(), options.relative_error, result) && !(crossing && meet()) &&
      !ask::report_sharp(q, list, options.relative_error, result) && (crossing || !meet()))
    ask::settle_exactly(q, list, bound.get(), options.relative_error, result);
  if (result.status == Status::free && (a.shape() || b.shape())) ask::report_inside(a, pose_a, b, pose_b, result);
}

template <class Options>
bool unlimited(const Options& options) {
  return options.work == 0 && !options.budget && !options.cancel.flag() && !core::current_limits();
}

}  // namespace

void distance(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DistanceOptions& options,
              DistanceResult& result) {
  const core::FpGuard guard;
  clear(result);
  if (refused(options, result)) return;
  // Without `seconds`: two looks at the clock take a third as long as two spheres.
  core::Limits limits(options);
  if (ask::plain_shapes(a, b) && limits.allow_at_once())
    return ask::distance_plain_shapes(a, pose_a, b, pose_b, options.relative_error, result);
  if (asks_boxes(a, b, options) && unlimited(options)) return measure(a, pose_a, b, pose_b, options, result);
  const auto start = std::chrono::steady_clock::now();
  if (!core::run_within(limits, [&](core::Limits*) { measure(a, pose_a, b, pose_b, options, result); })) {
    const Counters counters = result.counters;
    result = DistanceResult{};
    result.counters = counters;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

DistanceResult distance(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  DistanceResult result;
  distance(a, pose_a, b, pose_b, options, result);
  return result;
}

void within(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
            const WithinOptions& options, WithinResult& result) {
  const core::FpGuard guard;
  result.status = Status::undecided;
  result.certain = true;
  result.counters = {};
  result.seconds = 0;
  result.error.reset();
  if (!(d >= 0) || !std::isfinite(d))
    return core::refuse(result, core::bad_option("d", "the distance must be finite and not negative"));
  if (core::refused(result, core::bad_threads(options.threads))) return;
  core::Limits limits(options);
  if (limits.allow_at_once() && ask::within_quickly(d, a, pose_a, b, pose_b, result)) return;
  const auto start = std::chrono::steady_clock::now();
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    if (ask::is_compound(a) || ask::is_compound(b))
      return ask::within_compounds(d, a, pose_a, b, pose_b, options, result);
    if (ask::about_surfaces(a, b)) return ask::within_surfaces(d, a, pose_a, b, pose_b, options, result);
    if (ask::beyond_meshes(a, b)) return ask::within_shapes(d, a, pose_a, b, pose_b, result);
    const engine::distance::DistanceQuery q{a.data(), b.data(), pose_a, pose_b,
                                            math::RelativePlacement(pose_a, pose_b)};
    result.status = ask::within(q, d, threads_of(options), result.counters);
    CollideResult inside;
    if (result.status == Status::free && ask::inside_solid_shape(a, pose_a, b, pose_b, inside))
      result.status = Status::contact;
  });
  if (!ended) result.status = Status::undecided;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

WithinResult within(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                    const WithinOptions& options) {
  WithinResult result;
  within(d, a, pose_a, b, pose_b, options, result);
  return result;
}

}  // namespace graze
