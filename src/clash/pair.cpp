// SPDX-License-Identifier: MIT
#include "clash/pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/ask/distance.hpp>
#include <graze/ask/penetration.hpp>

#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/contains/point_in_body.hpp"
#include "math/relative_placement.hpp"
#include "world/placed_box.hpp"

namespace graze::clash {

namespace {

ErrorDetail out_of_work(const char* question) {
  return core::problem(
      ErrorCode::bad_option, "pair",
      std::string("the limit `work` ended the question ") + question + "; allow more work for it, or ignore the pair");
}

bool is_closed(const Kept& kept) { return kept.body().data().classification().even; }

/// Is a component of `inner` inside `outer`, whose surfaces do not meet? A point of it, in the world.
///
/// A component that is inside has all its points in outer's box, in real arithmetic; the boxes here contain what they
/// stand for, so a component that has a point whose box misses outer's box is not inside. For the others one of their
/// vertices is asked exactly.
std::optional<Vec3> part_inside(const Placed& outer, const Placed& inner, Counters& counters) {
  if (!outer.box.overlaps(inner.box)) return std::nullopt;
  const std::span<const Vec3> positions = inner.kept.body().mesh().positions();
  std::optional<math::RelativePlacement> placement;
  core::Poll poll;
  for (const Component& component : inner.kept.parts()) {
    poll.only_time();
    const bool maybe = std::all_of(component.begin(), component.end(), [&](std::uint32_t v) {
      return world::placed_box({positions[v], positions[v]}, inner.pose).overlaps(outer.box);
    });
    if (!maybe) continue;
    if (!placement) {
      if (!is_closed(outer.kept)) return std::nullopt;
      placement.emplace(outer.pose, inner.pose);
    }
    const Vec3& vertex = positions[component[0]];
    if (engine::contains::point_in_body(outer.kept.body().data(), *placement, vertex, counters) == Location::inside)
      return inner.pose.apply(vertex);
  }
  return std::nullopt;
}

class Question {
 public:
  Question(const Pair& pair, const Placed& a, const Placed& b, const Options& options, int threads,
           CollideResult& scratch)
      : pair_(pair), a_(a), b_(b), options_(options), threads_(threads), scratch_(scratch) {}

  PairAnswer answer() {
    clash_.a = pair_.a;
    clash_.b = pair_.b;
    clash_.overlap = common(a_.box, b_.box);
    if (!meets(false)) return failed_;
    if (scratch_.status == Status::contact) return contact();
    if (inside()) return report(Kind::inside);
    return near();
  }

 private:
  /// Asks the surfaces, or the solids. False: `failed_` says why there is no answer.
  bool meets(bool solid) {
    CollideOptions question;
    question.solid = solid;
    question.threads = threads_;
    question.work = options_.work;
    collide(a_.kept.body(), a_.pose, b_.kept.body(), b_.pose, question, scratch_);
    return answered(scratch_.status, scratch_.error, "collide");
  }
  bool answered(Status status, const std::optional<ErrorDetail>& error, const char* question) {
    if (status == Status::undecided)
      failed_.error = out_of_work(question);
    else if (status == Status::invalid_request)
      failed_.error = error;
    return !failed_.error;
  }

  PairAnswer contact() {
    if (scratch_.points) clash_.points = *scratch_.points;
    if (scratch_.kind == ContactKind::crossing) return report(Kind::crossing);
    if (!is_closed(a_.kept) || !is_closed(b_.kept)) return report(Kind::touching);
    if (!meets(true)) return failed_;
    return report(scratch_.kind == ContactKind::overlap ? Kind::overlap : Kind::touching);
  }

  bool inside() {
    std::optional<Vec3> point = part_inside(a_, b_, scratch_.counters);
    if (point) {
      clash_.contained = Containment::b_in_a;
    } else {
      point = part_inside(b_, a_, scratch_.counters);
      if (!point) return false;
      clash_.contained = Containment::a_in_b;
    }
    clash_.points = {*point, *point};
    return true;
  }

  PairAnswer near() {
    if (!(pair_.settings.clearance > 0)) return {};
    const WithinResult close = within(pair_.settings.clearance, a_.kept.body(), a_.pose, b_.kept.body(), b_.pose,
                                      {.threads = threads_, .work = options_.work});
    if (!answered(close.status, close.error, "within")) return failed_;
    if (close.status == Status::free) return {};
    DistanceOptions question;
    question.threads = threads_;
    question.work = options_.work;
    const DistanceResult apart = distance(a_.kept.body(), a_.pose, b_.kept.body(), b_.pose, question);
    if (!answered(apart.status, apart.error, "distance")) return failed_;
    clash_.kind = Kind::near;
    clash_.distance = apart.distance;
    clash_.points = apart.points;
    return {clash_, {}};
  }

  /// A pair that shares a point.
  PairAnswer report(Kind kind) {
    clash_.kind = kind;
    const double tolerance = pair_.settings.tolerance;
    if (kind != Kind::touching) {
      clash_.depth = depth_of_boxes(a_.box, b_.box);
      const bool small = tolerance > 0 && clash_.depth <= tolerance;
      if (options_.depth || (tolerance > 0 && !small)) {
        if (!go_deep()) return failed_;
      }
      if (tolerance > 0 && clash_.depth <= tolerance) clash_.kind = Kind::touching;
    }
    if (clash_.kind == Kind::touching) {
      clash_.contained = Containment::none;
      if (!options_.touching) return {};
    }
    return {clash_, {}};
  }

  /// The depth between the surfaces, if it is known to be less than that of the boxes. Undecided with a translation
  /// found so far is good enough, as every translation found is certified.
  bool go_deep() {
    PenetrationOptions question;
    question.work = options_.work;
    const PenetrationResult deep = penetration(a_.kept.body(), a_.pose, b_.kept.body(), b_.pose, question);
    if (deep.status == Status::invalid_request) return answered(deep.status, deep.error, "penetration");
    if (deep.status == Status::free) return true;  // parts of open meshes inside each other have no depth
    // The translation is longer than `upper` by a rounding bound, and its length is rounded here.
    const double length_up =
        std::nextafter(length(deep.translation) * (1 + 0x1p-48), std::numeric_limits<double>::infinity());
    if (length_up > 0 && std::isfinite(length_up)) clash_.depth = std::min(clash_.depth, length_up);
    return true;
  }

  const Pair& pair_;
  const Placed &a_, &b_;
  const Options& options_;
  int threads_;
  CollideResult& scratch_;
  Clash clash_;
  PairAnswer failed_;
};

}  // namespace

Box3 common(const Box3& a, const Box3& b) {
  Box3 out;
  if (!a.overlaps(b)) return out;
  for (int k = 0; k < 3; ++k) {
    out.lo[k] = std::max(a.lo[k], b.lo[k]);
    out.hi[k] = std::min(a.hi[k], b.hi[k]);
  }
  return out;
}

double depth_of_boxes(const Box3& a, const Box3& b) {
  double least = std::numeric_limits<double>::max();
  for (int k = 0; k < 3; ++k)
    for (const double gap : {a.hi[k] - b.lo[k], b.hi[k] - a.lo[k]})
      least = std::min(least, std::max(0.0, std::nextafter(gap, std::numeric_limits<double>::infinity())));
  return least;
}

PairAnswer ask(const Pair& pair, const Placed& a, const Placed& b, const Options& options, int threads,
               CollideResult& scratch) {
  return Question(pair, a, b, options, threads, scratch).answer();
}

}  // namespace graze::clash
