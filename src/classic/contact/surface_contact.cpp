// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include <graze/ask/surface.hpp>

#include "body/body_data.hpp"
#include "classic/contact/interval_boxes.hpp"
#include "classic/contact/surface_piece.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/pair/scaled_question.hpp"
#include "motion/scaled.hpp"

namespace graze {

namespace classic::contact {
namespace {

double diagonal(const Box3& b) { return length(b.hi - b.lo); }

/// The traversal of method `interval` over the two trees, with pieces of the surface at its leaves.
class SurfaceSearch {
 public:
  SurfaceSearch(const SurfaceData& a, const motion::Path& motion_a, const Mesh& mesh, const IntervalTree& b,
                const motion::Path& motion_b, const SurfaceContactOptions& options, double tolerance,
                AllCounters& counters)
      : a_(a),
        mesh_(mesh),
        tree_b_(b),
        options_(options),
        counters_(counters),
        work_left_(options.work > 0 ? options.work : ~std::uint64_t{0}),
        scene_(motion_a, a.box, motion_b, mesh.box(), tolerance, 0) {}

  /// The error bound of a placed point, in the caller's units.
  double rounding() {
    double most = 0;
    for (const double t : {0.0, 0.5, 1.0}) {
      const prim::MovingFrame& f = scene_.over(t, t).a_in_b();
      for (const Vec3& corner : {a_.box.lo, a_.box.hi}) most = std::max(most, f.place(scene_.local_a(corner)).r);
    }
    return most / scene_.scale();
  }

  void run() {
    stack_.push_back({0, 0, 0, 1});
    core::Steps time(0);
    while (!stack_.empty() && work_left_ > 0 && time.take()) {
      const Entry e = stack_.back();
      stack_.pop_back();
      visit(e);
    }
    for (const Entry& e : stack_) unresolved_ = std::min(unresolved_, e.lo);
  }

  const SurfacePiece::Contact& best() const { return best_; }
  std::uint32_t triangle() const { return triangle_; }
  double unresolved() const { return unresolved_; }
  Vec3 to_mesh(const Vec3& y) const { return scene_.unscaled_b(y); }

 private:
  struct Entry {
    std::uint32_t a, b;
    double lo, hi;
  };

  double horizon() const { return std::min({options_.interval.current_time ? best_.time : 1.0, unresolved_, 1.0}); }

  void visit(Entry e) {
    const double horizon = this->horizon();
    if (e.hi > horizon) {
      ++counters_.current_time_cuts;
      if (e.lo > horizon) return;
      e.hi = horizon;
    }
    const IntervalNode &a = a_.tree.nodes[e.a], &b = tree_b_.nodes[e.b];
    --work_left_;
    ++counters_.continuous_box_tests;
    const IntervalBox box_a{scene_.local_a(a.box.centre), a.box.axis, a.box.half * scene_.scale()};
    const IntervalBox box_b{scene_.local_b(b.box.centre), b.box.axis, b.box.half * scene_.scale()};
    const BoxCourse course(scene_.over(e.lo, e.hi).a_in_b(), box_b, box_a);
    if (course.apart(scene_.tolerance, options_.interval.partial, counters_)) return;
    if (e.hi - e.lo > 0x1p-40 && course.worth_halving(options_.interval.subdivision, scene_.tolerance)) {
      ++counters_.time_subdivisions;
      const double middle = 0.5 * (e.lo + e.hi);
      stack_.push_back({e.a, e.b, middle, e.hi});
      stack_.push_back({e.a, e.b, e.lo, middle});
    } else if (a.leaf && b.leaf) {
      solve(a.first, b.first, e);
    } else {
      open(e, a, b);
    }
  }

  void open(const Entry& e, const IntervalNode& a, const IntervalNode& b) {
    ++counters_.node_pairs;
    Entry first = e, second = e;
    if (!a.leaf && (b.leaf || a.radius >= b.radius)) {
      first.a = a.first;
      second.a = a.first + 1;
    } else {
      first.b = b.first;
      second.b = b.first + 1;
    }
    if (options_.interval.directional && distance(second) < distance(first)) std::swap(first, second);
    stack_.push_back(second);
    stack_.push_back(first);
  }

  double distance(const Entry& e) {
    const prim::MovingPoint x = scene_.over(e.lo, e.lo).a_in_b().place(scene_.local_a(a_.tree.nodes[e.a].box.centre));
    const Vec3 d = x.c - scene_.local_b(tree_b_.nodes[e.b].box.centre);
    return dot(d, d);
  }

  void solve(std::uint32_t piece, std::uint32_t triangle, const Entry& e) {
    ++counters_.leaf_pairs;
    std::array<Vec3, 3> face;
    for (std::size_t k = 0; k < 3; ++k) face[k] = scene_.local_b(mesh_.positions()[mesh_.triangles()[triangle][k]]);
    SurfacePiece pair(scene_, counters_, *a_.source, face);
    const SurfacePiece::Contact contact = pair.first(a_.leaves[piece], e.lo, e.hi, work_left_);
    unresolved_ = std::min(unresolved_, pair.unresolved());
    if (contact.time < best_.time) {
      best_ = contact;
      triangle_ = triangle;
    }
  }

  const SurfaceData& a_;
  const Mesh& mesh_;
  const IntervalTree& tree_b_;
  const SurfaceContactOptions& options_;
  AllCounters& counters_;
  std::uint64_t work_left_;
  IntervalScene scene_;
  std::vector<Entry> stack_;
  SurfacePiece::Contact best_;
  std::uint32_t triangle_ = 0;
  double unresolved_ = SurfacePiece::never;
};

std::optional<ErrorDetail> mistake(const SurfaceContactOptions& o) {
  if (!(o.interval.subdivision > 0 && std::isfinite(o.interval.subdivision)))
    return core::bad_option("subdivision", "the subdivision constant must be finite and above 0; the paper's is 0.2");
  return core::bad_tolerance(o.tolerance);
}

void answer(const SurfaceSearch& search, const SurfaceData& a, const Motion& motion_a, const Motion& motion_b,
            SurfaceContactResult& result) {
  const SurfacePiece::Contact& found = search.best();
  result.gap = result.time.touch = std::numeric_limits<double>::quiet_NaN();
  if (found.time > search.unresolved()) {
    result.status = Status::undecided;
    result.time.safe = std::min(search.unresolved(), found.time);
    return;
  }
  if (found.time == SurfacePiece::never) {
    result.status = Status::free;
    result.time.safe = 1;
    return;
  }
  result.status = Status::contact;
  result.time = {found.time, found.time};
  result.gap = found.gap;
  result.triangle = TriangleId{search.triangle()};
  if (a.is_parametric) result.patch = found.cell.patch;
  result.where = found.cell.box;
  result.points = {motion_a.at(found.time).apply(found.point.point),
                   motion_b.at(found.time).apply(search.to_mesh(found.on_face))};
}

void ask_surface(const SurfaceData& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, bool is_scaled, SurfaceContactResult& result);

/// Answers a query of extremely small or large size at a normal scale (as `scaled_question` does for meshes); false: no
/// other scale is better. The tree is rebuilt: such scenes are rare.
bool ask_scaled(const SurfaceData& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                SurfaceContactOptions options, SurfaceContactResult& result) {
  const auto exponent = engine::first_contact::better_exponent(a.box, motion_a.path(), b.mesh().box(), motion_b.path());
  if (!exponent) return false;
  const Body mesh = engine::first_contact::scaled(b, *exponent, 1);
  if (!engine::first_contact::same_triangles(mesh.mesh(), b.mesh())) return false;
  const SurfaceData surface(a.source->scaled(*exponent), a.is_parametric, a.made_with);
  if (options.tolerance) options.tolerance = engine::first_contact::scaled_tolerance(*options.tolerance, *exponent);
  ask_surface(surface, motion_a.path().scaled(*exponent), mesh, motion_b.path().scaled(*exponent), options, true,
              result);
  result.gap = std::ldexp(result.gap, -*exponent);
  result.tolerance = engine::first_contact::scaled_up(result.tolerance, -*exponent);
  if (result.points)
    for (Vec3& x : *result.points) x = engine::first_contact::scaled_place(x, -*exponent);
  if (!a.is_parametric)
    for (Interval& x : result.where) x = motion::scaled(x, -*exponent);
  return true;
}

void ask_surface(const SurfaceData& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, bool is_scaled, SurfaceContactResult& result) {
  const Mesh& mesh = b.mesh();
  const IntervalTree& tree = b.data().part<classic::contact::IntervalTree>();
  AllCounters counters;
  const auto search = [&](double tolerance) {
    return SurfaceSearch(a, motion_a.path(), mesh, tree, motion_b.path(), options, tolerance, counters);
  };
  const double rounding = search(1).rounding();
  const bool usual = rounding >= engine::first_contact::least_usual_rounding &&
                     rounding <= engine::first_contact::largest_usual_rounding;
  if (!usual && !is_scaled && ask_scaled(a, motion_a, b, motion_b, options, result)) return;
  const double smaller = std::min(diagonal(a.box), diagonal(mesh.box()));
  result.tolerance = std::max(options.tolerance.value_or(1e-6 * smaller), 16 * rounding);
  SurfaceSearch found = search(result.tolerance);
  found.run();
  core::report(counters, result.counters, options.method_counters);
  answer(found, a, motion_a, motion_b, result);
}

}  // namespace
}  // namespace classic::contact

SurfaceBody::SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>> patches, const SurfaceOptions& options) {
  const core::FpGuard guard;
  data_ = std::make_shared<classic::contact::SurfaceData>(classic::contact::parametric_source(std::move(patches)), true,
                                                          options);
}
SurfaceBody::SurfaceBody(std::shared_ptr<const ImplicitSurface> surface, const SurfaceOptions& options) {
  const core::FpGuard guard;
  data_ = std::make_shared<classic::contact::SurfaceData>(classic::contact::implicit_source(std::move(surface)), false,
                                                          options);
}
const Box3& SurfaceBody::box() const { return data_->box; }
std::size_t SurfaceBody::leaf_count() const { return data_->leaves.size(); }

void first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                   const SurfaceContactOptions& options, SurfaceContactResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  result = SurfaceContactResult{};
  core::clear(options.method_counters);
  if (core::refused(result, classic::contact::mistake(options))) return;
  result.gap = result.time.touch = std::numeric_limits<double>::quiet_NaN();  // unless an answer is found
  core::Limits limits(options.cancel, options.budget);                        // the search counts its work itself
  core::run_within(limits, [&](core::Limits*) {
    classic::contact::ask_surface(a.data(), motion_a, b, motion_b, options, false, result);
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                   const SurfaceContactOptions& options) {
  SurfaceContactResult result;
  first_contact(a, motion_a, b, motion_b, options, result);
  return result;
}

}  // namespace graze
