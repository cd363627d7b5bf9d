// SPDX-License-Identifier: MIT
#include "stage.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <graze/ask/distance.hpp>
#include <graze/ask/many_bodies.hpp>
#include <graze/core/error.hpp>

#include "refuse.hpp"
#include "rotation.hpp"

namespace graze::play {
/// Bodies keep this times the separation where contacts push: what constraints, which are linear, miss of a motion that
/// turns is taken from it.
constexpr double skin = 2;

class Stage::Slice {
 public:
  Slice(Stage& stage, std::vector<Twist> wished, double time)
      : stage_(stage), wished_(std::move(wished)), time_(time), separation_(stage.options_.margin) {
    for (std::size_t i = 0; i < stage.size(); ++i)
      if (!stage.actors_[i].actor.fixed) {
        number_.push_back(inerts_.size());
        inerts_.push_back(stage.inert(i));
        free_.push_back(wished_[i]);
      } else {
        number_.push_back(SIZE_MAX);
      }
    for (const Twist& w : wished_) limit_turn(w);
    keep_near_contacts();
  }

  /// Moves the bodies; returns the time that has passed.
  double run(StageReport& report) {
    bool separated = false;
    for (int round = 1;; ++round) {
      solve(report);
      ask();
      ++report.rounds;
      if (found_.status == Status::invalid_request) throw Error(*found_.error);
      if (found_.status == Status::free) return move(1);
      if (found_.status == Status::touching_at_start) {
        if (separated || !lower_separation(report)) return 0;
        separated = true;
        continue;
      }
      const bool more = add_contacts();
      const bool impact = stage_.options_.order == Order::second && stage_.options_.bounce > 0 && found_.safe > 0.05;
      if (!more || impact || round >= stage_.options_.rounds) return move(found_.safe);
    }
  }

  /// The velocities that bodies keep: without what only moves them out of the skin.
  std::vector<Twist> kept() const {
    std::vector<Touch> touches;
    for (const Known& k : stage_.known_) touches.push_back(touch(k, time_, 0));
    const LeastDeviation solution = least_deviation(inerts_, free_, touches);
    std::vector<Twist> result(stage_.size());
    for (std::size_t i = 0; i < stage_.size(); ++i)
      if (number_[i] != SIZE_MAX) result[i] = (solution.solved ? solution : solution_).twists[number_[i]];
    return result;
  }

  void list_contacts(StageReport& report) const {
    report.contacts.clear();
    for (std::size_t i = 0; i < stage_.known_.size(); ++i) {
      const Known& k = stage_.known_[i];
      const Vec3 middle = (stage_.pose(k.a).apply(k.local_a) + stage_.pose(k.b).apply(k.local_b)) * 0.5;
      report.contacts.push_back(
          {k.a, k.b, middle, k.normal, k.feature, i < solution_.impulses.size() ? solution_.impulses[i] : 0});
    }
  }

 private:
  void limit_turn(const Twist& twist) {
    const double speed = length(twist.angular);
    if (speed * time_ > stage_.options_.turn) time_ = stage_.options_.turn / speed;
  }

  /// Of the contacts of the last slice those whose points are still near each other: they are places where the bodies
  /// are near now. A body that has slid on is found again.
  void keep_near_contacts() {
    std::erase_if(stage_.known_, [&](Known& k) {
      const Vec3 between = stage_.pose(k.b).apply(k.local_b) - stage_.pose(k.a).apply(k.local_a);
      const double gap = length(between);
      if (!(gap > 0.5 * separation_ && gap < 3 * skin * separation_)) return true;
      const Vec3 normal = between * (1 / gap);
      if (!(dot(normal, k.normal) > 0.9)) return true;
      k.normal = normal;
      return false;
    });
  }

  /// Closer than the skin, this part of what is missing is made good in a slice.
  static constexpr double recovery = 0.2;

  Touch touch(const Known& k, double time, double part = recovery) const {
    Touch t;
    t.point_a = stage_.pose(k.a).apply(k.local_a), t.point_b = stage_.pose(k.b).apply(k.local_b), t.normal = k.normal;
    if (number_[k.a] != SIZE_MAX) t.a = number_[k.a];
    if (number_[k.b] != SIZE_MAX) t.b = number_[k.b];
    const double gap = dot(t.normal, t.point_b - t.point_a), missing = skin * separation_ - gap;
    t.least = (missing > 0 ? part : -1) * std::fabs(missing) / time;
    if (missing > 0 && stage_.options_.order == Order::second) t.least = std::fmax(t.least, bounce(t));
    return t;
  }

  double bounce(const Touch& t) const {
    const auto speed = [&](const std::optional<std::size_t>& body, const Vec3& point) {
      return body ? dot(t.normal, free_[*body].linear + cross(free_[*body].angular, point - inerts_[*body].centre)) : 0;
    };
    return -stage_.options_.bounce * (speed(t.b, t.point_b) - speed(t.a, t.point_a));
  }

  void solve(StageReport& report) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      std::vector<Touch> touches;
      for (const Known& k : stage_.known_) touches.push_back(touch(k, time_));
      solution_ = least_deviation(inerts_, free_, touches);
      if (!solution_.solved) {  // bodies are wedged in: nobody is pushed out, and standing still is possible
        for (Touch& t : touches) t.least = std::fmin(t.least, 0);
        solution_ = least_deviation(inerts_, free_, touches);
      }
      const double before = time_;
      for (const Twist& twist : solution_.twists)
        if (length(twist.angular) * time_ > 2 * stage_.options_.turn) limit_turn(twist);
      if (time_ == before) break;
    }
    report.violation = std::fmax(report.violation, solution_.violation);
    report.gap = std::fmax(report.gap, solution_.gap);
  }

  void ask() {
    moving_.assign(stage_.size(), Twist{});
    motions_.clear();
    ends_.clear();
    for (std::size_t i = 0; i < stage_.size(); ++i) {
      const Actor& actor = stage_.actors_[i].actor;
      if (number_[i] != SIZE_MAX) moving_[i] = solution_.twists[number_[i]];
      if (moving_[i] == Twist{}) {
        ends_.push_back(actor.pose);
        motions_.push_back({actor.body, Still{actor.pose}});
      } else {
        ends_.push_back(moved(actor.pose, actor.mass.centre, moving_[i].linear, moving_[i].angular, time_));
        motions_.push_back({actor.body, Velocity(actor.pose, ends_[i], actor.mass.centre)});
      }
    }
    FirstContactsOptions options;
    options.all_pairs = true;
    options.threads = stage_.options_.threads;
    options.slices = 1;
    options.pair.min_separation = separation_;
    options.pair.tolerance = 0.05 * separation_;
    options.interest = [&](std::size_t a, std::size_t b) { return moving_[a] != Twist{} || moving_[b] != Twist{}; };
    first_contacts(motions_, options, found_);
    if (found_.status == Status::undecided) found_.safe = 0;
  }

  /// Pairs that start within the separation: half their distance is used instead. False: they share a point.
  bool lower_separation(StageReport& report) {
    for (const PairContact& pair : found_.pairs) {
      if (pair.contact.status != Status::touching_at_start) continue;
      const DistanceResult d = distance(stage_.actors_[pair.a].actor.body, stage_.pose(pair.a),
                                        stage_.actors_[pair.b].actor.body, stage_.pose(pair.b));
      if (!(d.distance > 0)) {
        report.overlap = {pair.a, pair.b};
        return false;
      }
      separation_ = std::fmin(separation_, 0.5 * d.distance);
      if (d.normal) note(pair.a, pair.b, d.points, *d.normal, d.feature.value_or(Feature{}), 0);
    }
    return true;
  }

  /// True if there is one that was not known.
  bool add_contacts() {
    bool more = false;
    for (const PairContact& pair : found_.pairs) {
      const FirstContactResult& c = pair.contact;
      if (c.status != Status::contact || !c.points) continue;
      const Vec3 between = (*c.points)[1] - (*c.points)[0];
      const double gap = length(between);
      if (!c.normal && !(gap > 0)) continue;
      const Vec3 normal = gap > 0.5 * separation_ ? between * (1 / gap) : c.normal.value_or(between * (1 / gap));
      more |=
          note(pair.a, pair.b, *c.points, normal, c.features.empty() ? Feature{} : c.features.front(), c.time.touch);
    }
    return more;
  }

  bool note(std::size_t a, std::size_t b, const std::array<Vec3, 2>& points, const Vec3& normal, const Feature& feature,
            double time) {
    Known k{a, b, {}, {}, normal, feature};
    k.local_a = unplaced(motions_[a].motion.at(time), points[0]);
    k.local_b = unplaced(motions_[b].motion.at(time), points[1]);
    // The same place again: it holds as a constraint, and the motion comes near all the same, because it turns.
    for (const Known& other : stage_.known_)
      if (other.a == a && other.b == b && length(other.local_a - k.local_a) < separation_ &&
          length(other.local_b - k.local_b) < separation_ && dot(other.normal, normal) > 0.999)
        return false;
    stage_.known_.push_back(k);
    return true;
  }

  double move(double until) {
    for (std::size_t i = 0; i < stage_.size(); ++i) {
      if (moving_[i] == Twist{}) continue;
      stage_.actors_[i].actor.pose = until >= 1 ? ends_[i] : pose_of(motions_[i].motion.at(until));
    }
    return until * time_;
  }

  Stage& stage_;
  std::vector<Twist> wished_;  // by body
  double time_;
  double separation_;
  std::vector<std::size_t> number_;  // of a body among those that move
  std::vector<Inert> inerts_;        // of those
  std::vector<Twist> free_;          // their wishes
  LeastDeviation solution_;
  std::vector<Twist> moving_;  // by body
  std::vector<MovingBody> motions_;
  std::vector<Pose> ends_;
  FirstContactsResult found_;
};

std::size_t Stage::add(Actor actor) {
  const Mass& m = actor.mass;
  if (!(m.mass > 0) || !std::isfinite(m.mass) || !is_finite(m.centre) || !(m.inertia.xx > 0) || !(m.inertia.yy > 0) ||
      !(m.inertia.zz > 0))
    refuse("a mass must be finite and greater than 0, and so must its inertia; mass_of(body) computes both");
  actors_.push_back({std::move(actor), {}, {}, {}});
  return actors_.size() - 1;
}

void Stage::push(std::size_t i, const Vec3& force, const Vec3& torque) {
  actors_[i].force = actors_[i].force + force;
  actors_[i].torque = actors_[i].torque + torque;
}

Twist Stage::towards(std::size_t i, const Pose& pose, double time) const {
  const Actor& actor = actors_[i].actor;
  const Vec3 way = pose.apply(actor.mass.centre) - actor.pose.apply(actor.mass.centre);
  return {way * (1 / time), turn_between(actor.pose.rotation(), pose.rotation()) * (1 / time)};
}

Inert Stage::inert(std::size_t i) const {
  const Actor& actor = actors_[i].actor;
  return {actor.pose.apply(actor.mass.centre), actor.mass.mass, turned(actor.mass.inertia, actor.pose)};
}

StageReport Stage::step(double time) {
  if (!(time > 0) || !std::isfinite(time)) refuse("the time of a step must be finite and greater than 0");
  const auto start = std::chrono::steady_clock::now();
  StageReport report;
  std::vector<Twist> wished(size());
  for (std::size_t i = 0; i < size(); ++i) {
    Entry& e = actors_[i];
    if (e.actor.fixed) continue;
    wished[i] = e.velocity;
    if (options_.order == Order::second) {
      const Inert m = inert(i);
      const Vec3 torque = e.torque - cross(wished[i].angular, m.inertia.times(wished[i].angular));
      wished[i].linear = wished[i].linear + (options_.gravity + e.force * (1 / m.mass)) * time;
      wished[i].angular = wished[i].angular + solve(m.inertia, torque) * time;
    }
    e.force = e.torque = {};
    if (!is_finite(wished[i].linear) || !is_finite(wished[i].angular)) refuse("a velocity or force is not finite");
  }
  double left = time;
  for (int stuck = 0; left > 1e-9 * time && stuck < 2 && report.slices < static_cast<std::size_t>(options_.slices);) {
    ++report.slices;
    Slice slice(*this, wished, left);
    const double passed = slice.run(report);
    left -= passed;
    stuck = passed > 1e-6 * time ? 0 : stuck + 1;
    slice.list_contacts(report);
    if (options_.order == Order::second) wished = slice.kept();
    if (report.overlap) break;
  }
  for (std::size_t i = 0; i < size(); ++i) actors_[i].velocity = options_.order == Order::second ? wished[i] : Twist{};
  report.moved = 1 - std::fmax(0, left) / time;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace graze::play
