// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <tuple>

#include <graze/ask/collide.hpp>
#include <graze/core/method_counters.hpp>

#include "body/body_data.hpp"
#include "body/compound.hpp"
#include "engine/deform/paths/rounded_core.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "world/placed_box.hpp"
#include "world/sweep/sweep.hpp"

namespace graze::world {

namespace {

using engine::deform::RoundedCore;

FirstContactResult always_apart() {
  FirstContactResult out;
  out.method = "deform";
  out.status = Status::free;
  out.time = {1, std::numeric_limits<double>::quiet_NaN()};
  out.gap = std::numeric_limits<double>::quiet_NaN();
  return out;
}

/// All that the body passes: a point on a straight line does not leave the common box of its ends.
Box3 path_box(const StraightBody& body) {
  Box3 box = placed_box(body.from.box(), body.pose_from);
  box.add(placed_box(body.to.box(), body.pose_to));
  return box;
}

/// `step` chooses the tolerance of two meshes by itself; others need one.
double tolerance_of(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance) {
  return tolerance ? *tolerance
                   : std::min(engine::first_contact::margin_of(a.to, 0), engine::first_contact::margin_of(b.to, 0));
}

/// Two bodies that are no compounds.
FirstContactResult piece_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                 double separation, std::uint64_t work, MethodCounters* requested) {
  for (const auto& [x, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (x->to.data().is_half_space()) return half_space_contact(*other, *x, tolerance_of(a, b, tolerance), separation);
    if (!RoundedCore::has(x->to)) return convex_contact(*other, *x, tolerance_of(a, b, tolerance), separation, work);
  }
  return mesh_contact(a, b, tolerance, separation, work, requested);
}

/// Which of two answers about pieces says what is known of the whole: a refusal, then the earliest contact, then the
/// earliest time after which nothing is known.
bool comes_first(const FirstContactResult& x, const FirstContactResult& y) {
  const auto rank = [](const FirstContactResult& r) {
    const bool touches = r.status == Status::contact || r.status == Status::touching_at_start;
    const double time = touches ? r.time.touch : r.status == Status::undecided ? r.time.safe : 2;
    return std::tuple(r.status != Status::invalid_request, time, !touches);
  };
  return rank(x) < rank(y);
}

FirstContactResult compound_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                    double separation, std::uint64_t work, MethodCounters* requested) {
  FirstContactResult out = always_apart();
  const body::Pieces of_a(a.to), of_b(b.to);
  const bool whole_a = a.to.pieces().empty(), whole_b = b.to.pieces().empty();
  MethodCounters sum;
  Counters counters;
  double safe = 1;
  for (std::uint32_t i = 0; i < of_a.size(); ++i)
    for (std::uint32_t j = 0; j < of_b.size(); ++j) {
      const StraightBody x{whole_a ? a.from : of_a[i], whole_a ? a.to : of_a[i], a.pose_from, a.pose_to};
      const StraightBody y{whole_b ? b.from : of_b[j], whole_b ? b.to : of_b[j], b.pose_from, b.pose_to};
      ++counters.box_tests;
      // Boxes are rounded outward, and so is one that is widened.
      if (!widened(path_box(x), separation).overlaps(path_box(y))) continue;
      FirstContactResult r = piece_contact(x, y, tolerance, separation, work, requested);
      if (requested) sum += *requested;
      counters += r.counters;
      if (r.status != Status::free) safe = std::min(safe, r.time.safe);
      r.pieces = {PieceId{i}, PieceId{j}};
      if (comes_first(r, out)) out = std::move(r);
    }
  if (requested) *requested = sum;
  out.counters = counters;
  if (out.status != Status::invalid_request) out.time.safe = std::min(out.time.safe, safe);
  return out;
}

/// One body inside the other at the start. While the surfaces are disjoint, deformation cannot change containment.
/// Shapes are solid in any case.
void add_containment(const StraightBody& a, const StraightBody& b, bool solid, FirstContactResult& out) {
  CollideOptions options;
  options.solid = solid;
  const CollideResult start = collide(a.from, a.pose_from, b.from, b.pose_from, options);
  out.counters += start.counters;
  if (start.contained == Containment::none) return;
  out.status = Status::touching_at_start;
  out.time = {0, 0};
  out.gap = 0;
  out.contained = start.contained;
  out.points = start.points;
  out.pieces = start.pieces;
  out.features.clear();
}

}  // namespace

bool has_straight_path(const StraightBody& body) {
  return !body.to.data().is_half_space() || body.pose_from.rotation() == body.pose_to.rotation();
}

FirstContactResult straight_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                    double separation, bool solid, std::uint64_t work, MethodCounters* requested) {
  const bool compound = !a.to.pieces().empty() || !b.to.pieces().empty();
  FirstContactResult out = compound ? compound_contact(a, b, tolerance, separation, work, requested)
                                    : piece_contact(a, b, tolerance, separation, work, requested);
  const bool plane = a.to.data().is_half_space() || b.to.data().is_half_space();  // nothing is inside its surface alone
  const bool any_solid = solid || compound || a.from.shape() || b.from.shape();
  const bool decided = out.status == Status::free || out.status == Status::contact;
  if (any_solid && !plane && decided) add_containment(a, b, solid, out);
  return out;
}

}  // namespace graze::world
