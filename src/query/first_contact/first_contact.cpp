// SPDX-License-Identifier: MIT
#include <graze/query/first_contact.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include <graze/query/collide.hpp>
#include <graze/query/distance.hpp>

#include "core/fp_guard.hpp"
#include "math/vectors.hpp"
#include "query/first_contact/all_contacts.hpp"
#include "query/first_contact/budget.hpp"
#include "query/first_contact/coherence.hpp"
#include "query/first_contact/kinematics.hpp"
#include "query/first_contact/methods.hpp"
#include "query/first_contact/options.hpp"
#include "query/first_contact/own_pair.hpp"
#include "query/first_contact/scaled_question.hpp"
#include "query/first_contact/witness.hpp"

namespace graze {

namespace {

using math::not_a_number;

using query::Flight;
using query::Found;

struct MethodEntry {
  FirstContactTraits traits;
  std::optional<ErrorDetail> (*refuses)(const Flight&);
  void (*run)(const Flight&, Found&);
};
template <class... T>
constexpr auto table_of(query::MotionTypeList<T...>) {
  return std::array{MethodEntry{T::traits, &T::refuses, &T::run}...};
}
template <class... T>
constexpr auto traits_of(query::MotionTypeList<T...>) {
  return std::array{T::traits...};
}
constexpr auto table = table_of(query::FirstContactMethods{});
constexpr auto all_traits = traits_of(query::FirstContactMethods{});

ErrorDetail bad_option(const char* option, std::string message) {
  return {.code = ErrorCode::bad_option,
          .message = std::move(message),
          .element = option,
          .id = ErrorDetail::none,
          .file = {},
          .line = ErrorDetail::none};
}

ErrorDetail unsupported(const char* option, std::string message) {
  ErrorDetail detail = bad_option(option, std::move(message));
  detail.code = ErrorCode::unsupported;
  return detail;
}

const MethodEntry* find(std::string_view name) {
  for (const MethodEntry& m : table)
    if (m.traits.name == name) return &m;
  return nullptr;
}

double diagonal(const Body& body) { return length(body.mesh().box().hi - body.mesh().box().lo); }

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

double rounding_of(const query::BodyData& a, const motion::Path& ma, const query::BodyData& b, const motion::Path& mb,
                   const FirstContactOptions& options) {
  if (ma.kinematic() && mb.kinematic()) return query::Kinematics(a, ma, b, mb).rounding();
  const Flight f{a, b, ma, mb, options, 0, 0};
  const query::OwnPairs pairs(f);
  return std::max({pairs.at(0).error, pairs.at(0.5).error, pairs.at(1).error});
}

/// One query: the question, and where its answer goes.
class Question {
 public:
  /// `scaled`: it was brought into the usual sizes already.
  Question(const Body& a, const Motion& ma, const Body& b, const Motion& mb, const FirstContactOptions& options,
           FirstContactResult& result, bool scaled = false)
      : a_(a),
        b_(b),
        motion_a_(ma),
        motion_b_(mb),
        ma_(ma.path()),
        mb_(mb.path()),
        options_(options),
        result_(result),
        scaled_(scaled) {}

  void answer() {
    if (auto error = query::mistake_in(options_)) return refuse(std::move(*error));
    const MethodEntry& method = *find(options_.method);
    result_.method = method.traits.name;
    if (options_.ignore_start_if_separating && !(ma_.kinematic() && mb_.kinematic()))
      return refuse(unsupported("option ignore_start_if_separating",
                                "a caller's own motion gives no speeds that could show that a start opens"));
    rounding_ = rounding_of(a_.data(), ma_, b_.data(), mb_, options_);
    const bool usual = rounding_ >= query::least_usual_rounding && rounding_ <= query::largest_usual_rounding;
    if (!usual && !scaled_ && answer_scaled()) return;
    if (!(rounding_ <= query::largest_usual_rounding))
      return refuse(bad_option("motion",
                               "the bodies' places overflow, or nothing is known of them: composed placements beyond "
                               "the largest double, or an own motion without bounds; scale the scene"));
    double wanted = options_.tolerance.value_or(1e-6 * std::min(diagonal(a_), diagonal(b_)));
    run(method, wanted);
    if (options_.all_contacts && (result_.status == Status::contact || result_.status == Status::touching_at_start))
      add_all_contacts(flight(result_.tolerance), result_);
  }

 private:
  /// False: no other size is better.
  bool answer_scaled() {
    const auto q = query::scaled_question(a_, motion_a_, b_, motion_b_, options_);
    if (!q) return false;
    Question(q->a, q->motion_a, q->b, q->motion_b, q->options, result_, true).answer();
    query::scale_back(q->exponent, result_);
    return true;
  }

  void refuse(ErrorDetail detail) {
    result_.status = Status::invalid_request;
    result_.error = std::move(detail);
  }

  /// With what earlier stages left of the caller's budget.
  Flight flight(double tolerance) {
    if (options_.work > 0 || options_.seconds > 0) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      left_ = query::what_is_left(options_, result_.counters, spent.count());
    }
    return {a_.data(), b_.data(), ma_, mb_, left_ ? *left_ : options_, tolerance, rounding_};
  }

  void run(const MethodEntry& method, double wanted) {
    const double least = 16 * rounding_;
    Flight f = flight(std::max(wanted, least));
    result_.tolerance = f.tolerance;
    if (auto error = method.refuses(f)) return refuse(std::move(*error));
    Found found;
    method.run(f, found);
    result_.counters += found.counters;
    if (found.status == Status::contact && found.touch == 0) {
      if (touches_at_start()) return;
      const DistanceResult start = distance(a_, start_pose(ma_), b_, start_pose(mb_));
      result_.counters += start.counters;
      if (0.5 * start.distance >= least && 0.5 * start.distance < f.tolerance) return run(method, 0.5 * start.distance);
      found.triangle_a = index(start.pair.a);  // whichever pair the method met first
      found.triangle_b = index(start.pair.b);
    }
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
  void add_clearance() {
    if (result_.status == Status::contact) result_.clearance = Clearance{0, result_.gap, result_.time.touch};
    if (result_.status != Status::free) return;
    std::vector<Clearance> seen;
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) seen.push_back({0, distance_above(t), t});
    result_.clearance = query::least_clearance(flight(result_.tolerance), seen, result_.counters);
    // The pair that gave it need not be the nearest at that time.
    Clearance& c = *result_.clearance;
    c.upper = std::min(c.upper, distance_above(c.time));
  }

  /// The bodies' distance at t, rounded up.
  double distance_above(double t) {
    const DistanceResult d = distance(a_, pose_at(ma_, t), b_, pose_at(mb_, t));
    result_.counters += d.counters;
    return d.distance * (1 + 1e-9) + 4 * rounding_;
  }

  bool touches_at_start() {
    CollideOptions options;
    options.threads = options_.threads;
    options.all = options.all_features = options_.all_features;
    CollideResult hit = collide(a_, start_pose(ma_), b_, start_pose(mb_), options);
    result_.counters += hit.counters;
    if (hit.status != Status::contact) return false;
    result_.status = Status::touching_at_start;
    result_.time = {0, 0};
    result_.gap = 0;
    if (options_.clearance) result_.clearance = Clearance{0, 0, 0};
    result_.pair = hit.pairs.front();
    result_.features = std::move(hit.features);
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
  double rounding_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<FirstContactOptions> left_;
};

}  // namespace

std::optional<ErrorDetail> query::mistake_in(const FirstContactOptions& o) {
  if (!find(o.method)) {
    std::string names;
    for (const MethodEntry& m : table) names += (names.empty() ? "" : ", ") + std::string(m.traits.name);
    return bad_option("option method", "there is no method \"" + std::string(o.method) + "\"; choose one of " + names);
  }
  if (o.tolerance && !(*o.tolerance > 0 && std::isfinite(*o.tolerance)))
    return bad_option("option tolerance", "the tolerance must be a positive, finite distance");
  if (o.threads < 1 || o.threads > 1024)
    return bad_option("option threads", "the number of threads must be between 1 and 1024");
  if (!(o.seconds >= 0)) return bad_option("option seconds", "the time budget must not be negative");
  if (o.certificate && !find(o.method)->traits.certificate)
    return bad_option("option certificate", "method " + std::string(o.method) + " hands out no certificate; use " +
                                                std::string(table[0].traits.name));
  return std::nullopt;
}

std::span<const FirstContactTraits> first_contact_methods() { return all_traits; }

const char* name(ContactDirection direction) {
  switch (direction) {
    case ContactDirection::incoming: return "incoming";
    case ContactDirection::sliding: return "sliding";
    default: return "outgoing";
  }
}

FirstContactCoherence::FirstContactCoherence() : state_(std::make_unique<State>()) {}
FirstContactCoherence::~FirstContactCoherence() = default;
FirstContactCoherence::FirstContactCoherence(FirstContactCoherence&&) noexcept = default;
FirstContactCoherence& FirstContactCoherence::operator=(FirstContactCoherence&&) noexcept = default;

void first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                   const FirstContactOptions& options, FirstContactResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  result = FirstContactResult{};
  Question(a, motion_a, b, motion_b, options, result).answer();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

FirstContactResult first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                 const FirstContactOptions& options) {
  FirstContactResult result;
  first_contact(a, motion_a, b, motion_b, options, result);
  return result;
}

}  // namespace graze
