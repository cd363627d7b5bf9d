// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <tuple>

#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "world/filter.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"

namespace graze {

using world::State;

namespace {

/// A point as a body: a triangle whose corners coincide.
const Body& point_body() {
  static const Body body(Mesh({Vec3{}, Vec3{}, Vec3{}}, std::array<Triangle, 1>{Triangle{0, 1, 2}}));
  return body;
}

/// The nearest bodies, in ascending order of the distance of their boxes, until no box is nearer than the k-th body.
class NearestSearch {
 public:
  NearestSearch(const State& state, const Vec3& point, std::size_t k, const NearestOptions& options,
                NearestResult& result)
      : state_(state), point_(point), k_(k), options_(options), result_(result) {}

  /// False: a body ran out of work.
  bool run() {
    core::Poll poll;
    bool enough = true;
    result_.counters.boxes_compared += state_.broad.around_point(point_, [&](std::uint32_t slot, double bound) {
      poll.only_time();
      if (result_.bodies.size() >= k_ && bound > result_.bodies[k_ - 1].distance) return false;
      if (!world::admits(state_, options_.bodies, slot)) return true;
      ++result_.counters.near_pairs;
      enough = measure(slot);
      if (!enough) return false;
      if (result_.bodies.size() > k_) result_.bodies.pop_back();  // no longer one of the k nearest
      return true;
    });
    return enough;
  }

 private:
  /// Inserts the body in its place. False: it ran out of work.
  bool measure(std::uint32_t slot) {
    const world::BodyRecord& r = state_.bodies[slot];
    NearestBody found{state_.id(slot), 0, point_};
    const bool inside =
        state_.options.solid && r.body->has_mesh() && contains(*r.body, r.pose, point_).location == Location::inside;
    if (!inside) {
      DistanceOptions options;
      options.work = options_.work;
      const DistanceResult d = distance(point_body(), Pose(point_), *r.body, r.pose, options);
      result_.counters.methods += d.counters;
      ++result_.counters.asked;
      if (d.status == Status::undecided) return false;
      if (d.error) throw Error(*d.error);
      found.distance = d.distance;
      if (d.status == Status::free) found.point = d.points[1];
    }
    const auto at = std::upper_bound(result_.bodies.begin(), result_.bodies.end(), found,
                                     [](const NearestBody& x, const NearestBody& y) {
                                       return std::tie(x.distance, x.body) < std::tie(y.distance, y.body);
                                     });
    result_.bodies.insert(at, found);
    return true;
  }

  const State& state_;
  const Vec3& point_;
  std::size_t k_;
  const NearestOptions& options_;
  NearestResult& result_;
};

}  // namespace

void World::nearest(const Vec3& point, std::size_t k, const NearestOptions& options, NearestResult& result) try {
  result = NearestResult{};
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  if (!is_finite(point))
    return core::refuse(
        result, core::problem(ErrorCode::not_finite, "point", "a coordinate is not finite; give three finite numbers"));
  if (k == 0) return core::refuse(result, core::bad_option("k", "ask for at least one body"));
  world::check_filter(s, options.bodies);
  if (s.recorder) s.recorder->flush();
  world::place_moved(s, result.counters);
  bool enough = true;
  const bool in_time = world::ask_within_limits(
      s, options, [&](core::Limits*) { enough = NearestSearch(s, point, k, options, result).run(); });
  const bool decided = in_time && enough;
  if (!decided) result.bodies.clear();
  result.status = !decided                                                   ? Status::undecided
                  : !result.bodies.empty() && result.bodies[0].distance == 0 ? Status::contact
                                                                             : Status::free;
  if (s.recorder && decided)
    s.recorder->line("nearest", point, std::uint64_t{k}, options.bodies, options.work, world::answer_hash(result));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = NearestResult{};
  core::refuse(result, error.detail());
}

NearestResult World::nearest(const Vec3& point, std::size_t k, const NearestOptions& options) {
  NearestResult result;
  nearest(point, k, options, result);
  return result;
}

}  // namespace graze
