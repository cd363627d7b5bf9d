// SPDX-License-Identifier: MIT
#include <graze/ask/first_contact.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "ask/compound/compound.hpp"
#include "ask/first_contact_table.hpp"
#include "ask/shapes/shape_contact.hpp"
#include "ask/shapes/shapes.hpp"
#include "ask/shared/first_contact_options.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/coherence.hpp"
#include "engine/first_contact/pair/kinematics.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"
#include "engine/first_contact/pair/scaled_question.hpp"
#include "engine/first_contact/spans/all_contacts.hpp"
#include "engine/first_contact/witness.hpp"
#include "math/vectors.hpp"
#include "prim/closest/apart.hpp"

namespace graze {

namespace {

using math::not_a_number;

using engine::first_contact::Flight;
using engine::first_contact::Found;

double diagonal(const Body& body) { return length(body.box().hi - body.box().lo); }

/// A pose to ask discrete questions at, rounded.
Pose pose_at(const motion::Path& path, double t) {
  const Placement p = path.placement(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

/// Exact where the motion has a pose there.
Pose start_pose(const motion::Path& path) {
  const std::optional<Pose> p = path.start();
  return p ? *p : pose_at(path, 0);
}

double rounding_of(const body::BodyData& a, const motion::Path& ma, const body::BodyData& b, const motion::Path& mb,
                   const FirstContactOptions& options) {
  if (ma.kinematic() && mb.kinematic()) return engine::first_contact::Kinematics(a, ma, b, mb).rounding();
  const Flight f{a, b, ma, mb, options, 0, 0};
  const engine::first_contact::OwnPairs pairs(f);
  return std::max({pairs.at(0).error, pairs.at(0.5).error, pairs.at(1).error});
}

/// One query: the question, and where its answer goes.
class Question {
 public:
  /// `scaled_from`: the caller's options, if it was brought into the usual sizes already.
  Question(const Body& a, const Motion& ma, const Body& b, const Motion& mb, const FirstContactOptions& options,
           FirstContactResult& result, const FirstContactOptions* scaled_from = nullptr)
      : a_(a),
        b_(b),
        motion_a_(ma),
        motion_b_(mb),
        ma_(ma.path()),
        mb_(mb.path()),
        options_(options),
        result_(result),
        scaled_(scaled_from != nullptr),
        stated_separation_(scaled_from ? scaled_from->min_separation : options.min_separation) {}

  /// Returns also if a limit ends the query.
  void answer() try { answer_to_the_end(); } catch (const core::Stopped&) {
    give_up(result_);
  }

  /// Certified free before what is known of t_safe; nothing else is said.
  static void give_up(FirstContactResult& result) {
    result.status = Status::undecided;
    result.time = {std::isfinite(result.time.safe) ? result.time.safe : 0, not_a_number};
    result.gap = not_a_number;
    result.pair.reset();
    result.features.clear();
    result.points.reset();
    result.normal.reset();
    result.direction.reset();
    result.contained = Containment::none;
    result.contacts.clear();
    result.clearance.reset();
  }

 private:
  void answer_to_the_end() {
    if (core::refused(result_, ask::mistake_in(options_))) return;
    const ask::FirstContactMethod& method = *ask::find_first_contact_method(options_.method);
    result_.method = method.traits.name;
    if (options_.ignore_start_if_separating && !(ma_.kinematic() && mb_.kinematic()))
      return core::refuse(result_,
                          core::problem(ErrorCode::unsupported, "option ignore_start_if_separating",
                                        "a caller's own motion gives no speeds that could show that a start opens"));
    if (options_.solid)
      for (const auto& [body, label] : {std::pair(&a_, "A"), std::pair(&b_, "B")})
        if (core::refused(result_, engine::contains::not_solid(body->data(), label))) return;
    rounding_ = rounding_of(a_.data(), ma_, b_.data(), mb_, options_);
    const bool usual = rounding_ >= engine::first_contact::least_usual_rounding &&
                       rounding_ <= engine::first_contact::largest_usual_rounding;
    if (!usual && !scaled_ && answer_scaled()) return;
    if (!(rounding_ <= engine::first_contact::largest_usual_rounding))
      return core::refuse(result_, core::problem(ErrorCode::bad_option, "motion",
                                                 "the bodies' places overflow, or nothing is known of them: composed "
                                                 "placements beyond the largest double, or an own motion without "
                                                 "bounds; scale the scene"));
    double wanted = options_.tolerance.value_or(1e-6 * std::min(diagonal(a_), diagonal(b_)));
    result_.tolerance = std::max(wanted, 16 * rounding_);
    const bool solid = options_.solid || a_.shape() || b_.shape();
    if (!(solid && starts_inside())) run(method, wanted);
    if (result_.status != Status::contact && result_.status != Status::touching_at_start) return;
    if (options_.clearance && !result_.clearance) clearance_beyond_separation();
    if (options_.all_contacts) add_all_contacts(flight(options_.min_separation + result_.tolerance), result_);
  }

  /// They come within the separation: how near, the same question without a separation tells.
  void clearance_beyond_separation() {
    FirstContactOptions asked = flight(0).options;  // with the work that is left
    asked.min_separation = 0;
    asked.all_contacts = asked.all_features = asked.certificate = false;
    FirstContactResult nearest;
    Question(a_, motion_a_, b_, motion_b_, asked, nearest, scaled_ ? &asked : nullptr).answer();
    result_.counters += nearest.counters;
    result_.clearance = nearest.clearance;
  }

  /// False: no other size is better.
  bool answer_scaled() {
    const auto q = engine::first_contact::scaled_question(a_, motion_a_, b_, motion_b_, options_);
    if (!q) return false;
    Question(q->a, q->motion_a, q->b, q->motion_b, q->options, result_, &options_).answer();
    engine::first_contact::scale_back(q->exponent, result_);
    return true;
  }

  /// With the work that earlier stages left of the caller's: at least a step, as 0 would be no limit.
  Flight flight(double tolerance) {
    if (options_.work > 0) {
      left_ = options_;
      left_->work -= std::min(options_.work - 1, result_.counters.queue_pops);
    }
    return {a_.data(), b_.data(), ma_, mb_, left_ ? *left_ : options_, tolerance, rounding_, stated_separation_};
  }

  void run(const ask::FirstContactMethod& method, double wanted) {
    const double separation = options_.min_separation;
    // Lengths about the separation are rounded relative to it.
    const double least = std::max(16 * rounding_, 0x1p-44 * separation);
    result_.tolerance = std::max(wanted, least);
    Flight f = flight(separation + result_.tolerance);
    if (core::refused(result_, method.refuses(f))) return;
    Found found;
    const auto keep_progress = [&] {
      core::report(found.counters, result_.counters, options_.method_counters);
      // Known from here on, if a limit ends the query. Not yet: which side of each other's surface a start opens to.
      result_.time.safe = options_.solid && options_.ignore_start_if_separating ? 0 : found.safe;
    };
    try {
      method.run(f, found);
    } catch (const core::Stopped&) {  // while structures were built, or a proof was written
      keep_progress();
      throw;
    }
    keep_progress();
    if (found.status == Status::contact && found.touch == 0 && separation > 0) {
      if (starts_within(separation)) return;
      const DistanceResult start = distance(a_, start_pose(ma_), b_, start_pose(mb_), {.relative_error = 1e-10});
      result_.counters += start.counters;
      const double spare = start.distance * (1 - 1e-10) - separation;
      if (0.5 * spare >= least && 0.5 * spare < result_.tolerance) return run(method, 0.5 * spare);
      found.triangle_a = index(start.pair.a);  // whichever pair the method met first
      found.triangle_b = index(start.pair.b);
    } else if (found.status == Status::contact && found.touch == 0) {
      // A distance tells that they are apart, and is asked first if it looks so: where they are very near, `collide`
      // has to be exact.
      const bool near = !looks_apart_at_start(f, found);
      if (near && touches_at_start()) return;
      // About half the distance does for a tolerance: a hundredth of it need not be known.
      const DistanceResult start = distance(a_, start_pose(ma_), b_, start_pose(mb_), {.relative_error = 0.01});
      result_.counters += start.counters;
      if (start.status == Status::contact && !near && touches_at_start()) return;
      if (0.5 * start.distance >= least && 0.5 * start.distance < f.tolerance) return run(method, 0.5 * start.distance);
      found.triangle_a = index(start.pair.a);  // whichever pair the method met first
      found.triangle_b = index(start.pair.b);
    }
    if ((options_.solid || a_.shape() || b_.shape()) && options_.ignore_start_if_separating && starts_ignored(f) &&
        opens_inside(found.safe))
      return;
    result_.status = found.status;
    if (found.certificate && !starts_ignored(f)) result_.certificate = std::move(found.certificate);
    if (found.status == Status::contact) {
      result_.time = {found.safe, found.touch};
      add_witness(f, found, result_);
    } else {
      result_.time = {found.safe, not_a_number};
      result_.gap = not_a_number;
    }
    if (options_.clearance) add_clearance();
  }

  /// Bodies that touch at the start are not proved apart there, whatever they do next.
  bool starts_ignored(const Flight& f) {
    return options_.ignore_start_if_separating &&
           within(f.tolerance + f.rounding, a_, start_pose(ma_), b_, start_pose(mb_)).status != Status::free;
  }

  /// Nothing is left of a clearance where they touch; else its search starts from the distances at a few times.
  void add_clearance() try {
    if (result_.status == Status::contact && !(options_.min_separation > 0))
      result_.clearance = Clearance{0, result_.gap, result_.time.touch};
    if (result_.status != Status::free) return;
    std::vector<Clearance> seen;
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      seen.push_back({0, distance_above(t), t});
      if (!result_.clearance || seen.back().upper < result_.clearance->upper) result_.clearance = seen.back();
    }
    AllCounters work;
    result_.clearance = engine::first_contact::least_clearance(flight(result_.tolerance), seen, work);
    core::report(work, result_.counters, options_.method_counters);
    // The pair that gave it need not be the nearest at that time.
    Clearance& c = *result_.clearance;
    c.upper = std::min(c.upper, distance_above(c.time));
  } catch (const core::Stopped&) {
    // That they are free is certified all the same. Of the clearance the least distance seen is known.
  }

  /// The bodies' distance at t, rounded up.
  double distance_above(double t) {
    const DistanceResult d = distance(a_, pose_at(ma_, t), b_, pose_at(mb_, t));
    result_.counters += d.counters;
    return d.distance * (1 + 1e-9) + 4 * rounding_;
  }

  /// Whether one body is inside the other at the start, their surfaces apart. While the surfaces stay apart it remains
  /// so: the parity of a point's ray changes only where the point is on the surface. So nothing gets inside before the
  /// first contact, and the start decides for all time. Exact where both motions have a pose there; else at rounded
  /// poses, which differ by less than a sixteenth of the tolerance.
  bool starts_inside() {
    const CollideResult hit = solid_at(start_pose(ma_), start_pose(mb_));
    if (hit.contained != Containment::none) report_inside(hit);
    return hit.contained != Containment::none;
  }

  /// Surfaces that touch at the start and open at once may open inward. They are apart from there until `safe`, so one
  /// time between tells; rounded poses may touch at some of them. If they do at all of them, the start counts.
  bool opens_inside(double safe) {
    if (!(safe > 0)) return false;  // nothing is certified, nothing is said
    for (const double share : {0.5, 0.25, 0.75, 0.125, 0x1p-6}) {
      const CollideResult hit = solid_at(pose_at(ma_, share * safe), pose_at(mb_, share * safe));
      if (hit.status == Status::free) return false;
      if (hit.contained == Containment::none) continue;
      report_inside(hit);
      return true;
    }
    return touches_at_start();
  }

  CollideResult solid_at(const Pose& pose_a, const Pose& pose_b) {
    CollideOptions options;
    options.threads = options_.threads;
    options.solid = options_.solid;  // shapes are solid in any case
    CollideResult hit = collide(a_, pose_a, b_, pose_b, options);
    result_.counters += hit.counters;
    return hit;
  }

  void report_inside(const CollideResult& hit) {
    result_.status = Status::touching_at_start;
    result_.time = {0, 0};
    result_.gap = 0;
    result_.contained = hit.contained;
    result_.points = hit.points;
    if (options_.clearance) result_.clearance = Clearance{0, 0, 0};
  }

  /// Are the two triangles that were found apart, by more than a few roundings of their coordinates? A guess, and about
  /// these two alone.
  bool looks_apart_at_start(const Flight& f, const Found& found) const {
    if (!ma_.kinematic() || !mb_.kinematic()) return false;
    const engine::first_contact::Kinematics kinematics(f.a, ma_, f.b, mb_);
    const engine::first_contact::MovingPair p = engine::first_contact::PairMotion(f.a, f.b, kinematics, f.tolerance)
                                                    .place(kinematics.at(0), found.triangle_a, found.triangle_b);
    double size = 0;
    for (const auto* corners : {&p.a, &p.b})
      for (const Vec3& x : *corners) size = std::max(size, math::largest(x));
    const prim::ClosestPair c = prim::closest_apart(p.a, p.b);
    const double d = engine::first_contact::distance_of(c);
    return d > 0x1p-48 * size && d <= f.tolerance &&
           prim::separation(p.a, p.b, prim::across_parts(p.a, p.b, c), 0) > 0.5 * d;
  }

  /// Are they at most this far apart at the start? Decided exactly.
  bool starts_within(double separation) {
    const WithinResult near = within(separation, a_, start_pose(ma_), b_, start_pose(mb_));
    result_.counters += near.counters;
    if (near.status != Status::contact) return false;
    const DistanceResult start = distance(a_, start_pose(ma_), b_, start_pose(mb_));
    result_.counters += start.counters;
    ask::report_near_start(start, result_);
    if (result_.normal && result_.points)
      result_.direction =
          direction_of(flight(separation), 0, (*result_.points)[0], (*result_.points)[1], *result_.normal);
    return true;
  }

  bool touches_at_start() {
    CollideOptions options;
    options.threads = options_.threads;
    options.all = options.all_features = options_.all_features;
    CollideResult own;
    CollideResult& hit = options_.coherence ? options_.coherence->state().start : own;
    collide(a_, start_pose(ma_), b_, start_pose(mb_), options, hit);
    result_.counters += hit.counters;
    if (hit.status != Status::contact) return false;
    result_.status = Status::touching_at_start;
    result_.time = {0, 0};
    result_.gap = 0;
    if (options_.clearance) result_.clearance = Clearance{0, 0, 0};
    result_.pair = hit.pairs.front();
    result_.features.assign(hit.features.begin(), hit.features.end());
    result_.points = hit.points;
    result_.normal = hit.normal;
    if (result_.normal && result_.points)
      result_.direction =
          direction_of(flight(result_.tolerance), 0, (*result_.points)[0], (*result_.points)[1], *result_.normal);
    return true;
  }

  const Body& a_;
  const Body& b_;
  const Motion& motion_a_;
  const Motion& motion_b_;
  const motion::Path& ma_;
  const motion::Path& mb_;
  const FirstContactOptions& options_;
  FirstContactResult& result_;
  bool scaled_;
  double stated_separation_;
  double rounding_ = 0;
  std::optional<FirstContactOptions> left_;
};

}  // namespace

FirstContactCoherence::FirstContactCoherence() : state_(std::make_unique<State>()) {}
FirstContactCoherence::~FirstContactCoherence() = default;
FirstContactCoherence::FirstContactCoherence(FirstContactCoherence&&) noexcept = default;
FirstContactCoherence& FirstContactCoherence::operator=(FirstContactCoherence&&) noexcept = default;

void ask::first_contact_inside(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                               const FirstContactOptions& options, FirstContactResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  // Its lists keep their memory.
  std::vector<Feature> features = std::move(result.features);
  std::vector<ContactEvent> contacts = std::move(result.contacts);
  features.clear();
  contacts.clear();
  result = FirstContactResult{};
  result.features = std::move(features);
  result.contacts = std::move(contacts);
  core::clear(options.method_counters);
  core::Limits limits(options.cancel, options.budget);  // the methods count their work themselves
  bool begun = false;
  core::run_within(limits, [&](core::Limits*) {
    begun = true;
    if (ask::is_compound(a) || ask::is_compound(b))
      return ask::first_contact_compounds(a, motion_a, b, motion_b, options, result);
    if (ask::about_surfaces(a, b)) return ask::first_contact_surfaces(a, motion_a, b, motion_b, options, result);
    if (ask::beyond_meshes(a, b)) return ask::first_contact_shapes(a, motion_a, b, motion_b, options, result);
    if (!options.certificate || !(a.shape() || b.shape()))
      return Question(a, motion_a, b, motion_b, options, result).answer();
    FirstContactOptions without = options;  // a shape is stated as what it is, not as its triangles
    without.certificate = false;
    Question(a, motion_a, b, motion_b, without, result).answer();
    ask::add_shape_certificate(a, motion_a, b, motion_b, options, result);
  });
  if (!begun) Question::give_up(result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                   const FirstContactOptions& options, FirstContactResult& result) {
  ask::first_contact_inside(a, motion_a, b, motion_b, options, result);
  if (core::Limits* const outer = core::current_limits(); outer && outer->cut()) throw core::Stopped();
}

FirstContactResult first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                 const FirstContactOptions& options) {
  FirstContactResult result;
  first_contact(a, motion_a, b, motion_b, options, result);
  return result;
}

}  // namespace graze
