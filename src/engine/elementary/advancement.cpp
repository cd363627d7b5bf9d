// SPDX-License-Identifier: MIT
#include "engine/elementary/advancement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/limits.hpp"
#include "engine/elementary/coplanarity.hpp"
#include "engine/elementary/difference.hpp"
#include "engine/elementary/kept_distance.hpp"
#include "math/vectors.hpp"

namespace graze::engine::elementary {
namespace {

using math::infinity;
using math::norm;
using math::not_a_number;

using ProofKind = ElementaryProofStep::Kind;

Vec3 unit_or_none(const Vec3& v) {
  const double size = norm(v);
  return size > 0 ? v * (1 / size) : Vec3{};
}

/// What is known at one time of the motion.
struct Moment {
  double t;
  ClosestDifference closest;
  double gap;
  Vec3 n;  ///< separating unit vector; 0 if none is known
};

class Advance {
 public:
  Advance(const Elementary& e, ElementaryResult& r)
      : e_(e),
        r_(r),
        d_(e.difference ? *e.difference : MovingDifference(e.query)),
        keep_(e.options.min_separation),
        near_(keep_ + e.tolerance),
        stop_(keep_ + 0.5 * e.tolerance + e.rounding),
        beyond_(keep_ + 2 * e.rounding) {
    if (d_.n >= 3 && keep_ == 0) plane_.emplace(e.query, d_);
    if (keep_ > 0) kept_.emplace(e.query.kind, d_, beyond_);
  }

  void run() {
    r_.tolerance = e_.tolerance;
    double t = e_.from;
    // Off the plane by more than the tolerance: the distance of the features is not needed.
    if (plane_ && t == 0 && plane_->starts_beyond(near_)) {
      ++r_.steps;
      t = plane_->safe_until(0, 0.25 * e_.tolerance);
      if (t > 0) record({ProofKind::plane, {}, {}, std::min(t, 1.0)});
      if (t > 1) return finish_free();
    }
    Moment now = look(t);
    for (;;) {
      ++r_.steps;
      if (now.gap + e_.rounding <= near_) {
        // Near, but the features may still pass each other.
        if (step_along(now.n, now.t) > 1) {
          record({ProofKind::direction, now.n, {}, 1});
          return finish_free();
        }
        return finish_contact(now);
      }
      if (e_.options.work != 0 && r_.steps > e_.options.work) return finish_undecided(now.t);
      if (r_.steps % 64 == 0 && core::stop_requested()) return finish_undecided(now.t);
      const double fixed = along_fixed(now);
      if (fixed > 1) {
        record({ProofKind::direction, now.n, {}, 1});
        return finish_free();
      }
      const double planar = plane_ ? plane_->safe_until(now.t, 0.25 * e_.tolerance) : 0;
      if (planar > 1) {
        record({ProofKind::plane, {}, {}, 1});
        return finish_free();
      }
      const double next = std::max(fixed, planar);
      // A step that covers a large part of the remaining time needs no improvement.
      if (next - now.t < 0.25 * (1 - now.t)) {
        const auto turned = along_turning(now, next);
        // The direction of the closest parts themselves is more work, and needed only where all others crawl.
        const double before = turned ? turned->t : next;
        if (kept_ && before - now.t < 0.25 * (1 - now.t)) {
          KeptParts parts = 0;
          const double kept = kept_->safe_until(now.t, now.closest, parts);
          if (kept > before) {
            record({ProofKind::kept, {}, {}, std::min(kept, 1.0), parts});
            if (kept > 1) return finish_free();
            step_ = kept - now.t;
            now = look(kept);
            continue;
          }
        }
        if (turned) {
          record({ProofKind::turning, turn_[0], turn_[1], turned->t});
          if (turned->t >= 1 && turned->gap > near_) return finish_free();
          step_ = turned->t - now.t;
          now = *turned;
          continue;
        }
      }
      if (!(next > now.t)) return finish_contact(now);  // no step is certified: as near as double precision can resolve
      record({planar > fixed ? ProofKind::plane : ProofKind::direction, now.n, {}, next});
      step_ = next - now.t;
      now = look(next);
    }
  }

 private:
  Moment look(double t) const {
    Moment m{t, closest_difference(e_.query.kind, d_, t), 0, {}};
    m.gap = norm(m.closest.point);
    m.n = unit_or_none(m.closest.direction);
    return m;
  }

  /// The time until which all points of the difference are certified to stay beyond the target along the moment's
  /// direction: their distances are linear in time, so the smallest stays above the target until the first one reaches
  /// it. Returns infinity if even at t = 1 it exceeds the target by more than the rounding error.
  double along_fixed(Moment& now) const {
    double step = step_along(now.n, now.t);
    if (!(step > 0)) {
      std::array<Vec3, 4> p;
      for (std::size_t i = 0; i < static_cast<std::size_t>(d_.n); ++i) p[i] = d_.place(i, now.t);
      now.n = best_direction(std::span(p).first(static_cast<std::size_t>(d_.n)), now.n);
      step = step_along(now.n, now.t);
    }
    if (now.t + step > 1 + 0x1p-50) return infinity;
    return std::min(1.0, next_down(now.t + step * (1 - 0x1p-50)));
  }
  double step_along(const Vec3& n, double t) const {
    double step = infinity;
    bool free = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(d_.n); ++i) {
      const double here = dot(n, d_.place(i, t)), slope = dot(n, d_.displacement[i]);
      if (!(here > beyond_)) return 0;
      if (slope < 0) {
        free = free && here + slope * (1 - t) > beyond_;
        step = std::min(step, (here - stop_) / -slope);
      }
    }
    return free ? infinity : std::max(step, 0.0);
  }

  /// A direction that changes linearly, n(s) = (1 - s) n0 + s n1 from one moment to a later one: along it a point's
  /// distance is a quadratic with Bernstein coefficients n0.p0, (n0.p1 + n1.p0) / 2, n1.p1. The length of n(s) is
  /// convex, so at most (1 - s) |n0| + s |n1|, with the coefficients |n0|, (|n0| + |n1|) / 2, |n1|. If each coefficient
  /// exceeds the bound times that, so does the distance in between.
  bool turning_separates(const Moment& from, const Vec3& n0, const Moment& to, const Vec3& n1) const {
    const double first = beyond_ * norm(n0), last = beyond_ * norm(n1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(d_.n); ++i) {
      const Vec3 p = d_.place(i, from.t), q = d_.place(i, to.t);
      if (!(dot(n0, p) > first && dot(n1, q) > last && dot(n0, q) + dot(n1, p) > first + last)) return false;
    }
    turn_ = {n0, n1};
    return true;
  }

  /// A direction perpendicular to a moving edge at all times: e(t) x m is linear in t for a fixed m; the best m is
  /// perpendicular to the edge and to the direction of the origin from it.
  bool edge_separates(const Moment& from, const Moment& to, const std::array<int, 2>& edge) const {
    if (edge[0] < 0) return false;
    const auto i = static_cast<std::size_t>(edge[0]), j = static_cast<std::size_t>(edge[1]);
    const Vec3 e0 = d_.place(j, from.t) - d_.place(i, from.t), e1 = d_.place(j, to.t) - d_.place(i, to.t);
    const Vec3 m0 = unit_or_none(cross(from.n, e0)), m1 = unit_or_none(cross(to.n, e1));
    const auto separates = [&](const Vec3& m) { return turning_separates(from, cross(e0, m), to, cross(e1, m)); };
    return separates(m0 + m1) || separates(m0) || separates(m1);
  }

  /// Tries a direction that changes from one closest direction to the other; directions perpendicular to the edge that
  /// is closest at either moment; or, if a vertex is closest at both, its direction: its position is linear in t.
  bool apart_between(const Moment& from, const Moment& to) const {
    return turning_separates(from, from.n, to, to.n) || edge_separates(from, to, from.closest.edge) ||
           edge_separates(from, to, to.closest.edge) ||
           turning_separates(from, from.closest.direction, to, to.closest.direction);
  }

  /// The time until the gap is a quarter of the tolerance if it keeps closing at its present rate.
  double closing_time(const Moment& now) const {
    const std::array<double, 4>& w = now.closest.weights;
    const auto displacement = [&](std::size_t i) { return e_.query.end[i] - e_.query.start[i]; };
    const bool edges = e_.query.kind == ElementaryKind::edge_edge;
    const Vec3 first = edges ? displacement(0) * w[0] + displacement(1) * w[1] : displacement(0);
    const Vec3 second = (edges ? Vec3{} : displacement(1) * w[1]) + displacement(2) * w[2] + displacement(3) * w[3];
    const double speed = -dot(now.n, first - second);
    return speed > 0 ? (now.gap - keep_ - 0.25 * e_.tolerance) / speed : infinity;
  }

  /// The same if an edge is closest, which may rotate. Projected along the present normal of the plane through the edge
  /// and the origin, the area between them is a quadratic in time; returns when it equals the area for the edge at a
  /// quarter of the tolerance.
  double edge_closing_time(const Moment& now) const {
    const auto i = static_cast<std::size_t>(now.closest.edge[0]), j = static_cast<std::size_t>(now.closest.edge[1]);
    const Vec3 p = d_.place(i, now.t), q = d_.place(j, now.t), normal = cross(p, q);
    const double area = norm(normal);
    if (!(area > 0)) return closing_time(now);
    const Vec3 m = normal * (1 / area);
    const double c0 = area - (keep_ + 0.25 * e_.tolerance) * norm(q - p);
    const double c1 = dot(m, cross(d_.displacement[i], q) + cross(p, d_.displacement[j])),
                 c2 = dot(m, cross(d_.displacement[i], d_.displacement[j]));
    const double square = c1 * c1 - 4 * c2 * c0;
    if (!(square >= 0)) return infinity;
    const double below = std::sqrt(square) - c1;
    return below > 0 ? 2 * c0 / below : infinity;
  }

  /// The latest of a few times, beyond `least`, up to which a linearly changing direction separates.
  std::optional<Moment> along_turning(const Moment& now, double least) const {
    double h = std::min({1 - now.t, 4 * std::max(step_, least - now.t),
                         now.closest.edge[0] < 0 ? closing_time(now) : edge_closing_time(now)});
    for (int tries = 0; tries < 8 && now.t + h > least; ++tries, h *= 0.25) {
      const Moment m = look(h < 1 - now.t ? now.t + h : 1.0);
      if (apart_between(now, m)) return m;
    }
    return std::nullopt;
  }

  void record(const ElementaryProofStep& step) const {
    if (e_.proof) e_.proof->push_back(step);
  }
  void finish_free() {
    r_.status = Status::free;
    r_.time = {1, not_a_number};
    r_.gap = not_a_number;
  }
  void finish_undecided(double t) {
    r_.status = Status::undecided;
    r_.time = {t, not_a_number};
  }
  void finish_contact(const Moment& m) {
    r_.status = Status::contact;
    r_.time = {m.t, m.t};
    r_.gap = m.gap;
    r_.weights = m.closest.weights;
  }

  const Elementary& e_;
  ElementaryResult& r_;
  MovingDifference d_;
  double keep_, near_, stop_, beyond_;
  std::optional<Coplanarity> plane_;
  std::optional<KeptDistance> kept_;
  double step_ = 1;                     ///< the last step
  mutable std::array<Vec3, 2> turn_{};  ///< the last changing direction that separated
};

}  // namespace

void ElementaryAdvancement::run(const Elementary& e, ElementaryResult& r) { Advance(e, r).run(); }

}  // namespace graze::engine::elementary
