// SPDX-License-Identifier: MIT
// first_contact with the magnitude of every input chosen independently: sizes, positions, speeds, rotations, lever
// arms, tolerances. All methods are tested: they must find every contact that is known to exist, and every contact they
// report must be real.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include <graze/motion/chain.hpp>
#include <graze/motion/trajectory.hpp>

#include "conformance/exponent_sweep.hpp"
#include "oracle/checker.hpp"

namespace graze {
namespace {

using testing::Exponents;
using testing::power;
using testing::RandomBudget;

/// A query with a known contact at a known time, unless the bodies vanish in the rounding error of the largest length.
struct Scene {
  Mesh a, b;
  Motion motion_a, motion_b;
  double meets;  ///< the time
  std::optional<double> tolerance;
  double separation;  ///< 0, or one that is kept in a question of its own
  std::string text;
};

Pose pose_at(const Motion& m, double t) {
  const Placement p = m.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

/// A link behind two or three joints of any kind, each with its own length and coordinates.
Motion any_chain(oracle::Random& random, Exponents& e, const Pose& base, std::ostringstream& text) {
  std::vector<Link> links;
  std::vector<double> from, to;
  const int joints = 2 + static_cast<int>(random() % 2);
  text << "chain:";
  for (int i = 0; i < joints; ++i) {
    const int length = e.next(), slide = e.next(), turn = e.alone(12);
    constexpr JointType types[] = {JointType::revolute, JointType::revolute, JointType::prismatic, JointType::screw};
    Link link;
    link.name = "link " + std::to_string(i);
    if (i > 0) link.parent = links.back().name;
    link.joint.type = types[random() % 4];
    link.joint.origin = Pose(testing::direction(random) * power(length), testing::quaternion(random, 0));
    link.joint.axis = testing::direction(random);
    if (link.joint.type == JointType::screw) link.joint.pitch = power(slide);
    const bool slides = link.joint.type == JointType::prismatic;
    text << " " << name(link.joint.type) << " at 2^" << length << (slides ? " by 2^" : " turns 2^")
         << (slides ? slide : turn);
    from.push_back(0);
    to.push_back(slides ? power(slide) : power(turn));
    links.push_back(std::move(link));
  }
  const Chain chain(links, Still{base});
  const LinkId last{static_cast<std::uint32_t>(joints - 1)};
  if (random() % 2) return chain.link_motion(last, from, to);
  // A segment of a trajectory of any duration, which starts and ends at any speeds.
  const int duration = e.alone(1000);
  text << " along a trajectory of 2^" << duration;
  TrajectoryPoint start{0, from, {}, {}}, end{power(duration), to, {}, {}};
  const std::uint64_t degree = random() % 3;
  for (TrajectoryPoint* p : {&start, &end})
    for (int i = 0; i < joints && degree > 0; ++i) {
      const auto any = [&](int times) {
        const int exponent = e.alone(6) - times * duration;
        text << " 2^" << exponent;
        return std::fabs(to[static_cast<std::size_t>(i)]) * power(exponent);
      };
      p->velocities.push_back(any(1));
      if (degree == 2) p->accelerations.push_back(any(2));
    }
  return chain.link_motion(last, Trajectory::through(std::vector{start, end}), 0);
}

Motion any_motion(oracle::Random& random, Exponents& e, std::ostringstream& text) {
  const Pose from(testing::direction(random) * power(e.next()), testing::quaternion(random, 0));
  const int speed = e.next(), turn = e.alone(19), arm = e.next();
  const Vec3 linear = testing::direction(random) * power(speed), reference = testing::direction(random) * power(arm);
  switch (random() % 6) {
    case 0: text << "translation at 2^" << speed; return Velocity::from_speeds(from, linear, {});
    case 1: {
      text << "speeds 2^" << speed << " turn 2^" << turn << " arm 2^" << arm;
      return Velocity::from_speeds(from, linear, testing::direction(random) * power(turn - 1), reference);
    }
    case 2: {
      text << "velocity to 2^" << speed << " arm 2^" << arm;
      return Velocity(from, Pose(from.translation() + linear, testing::quaternion(random, 0)), reference);
    }
    case 3: {
      text << "screw to 2^" << speed;
      return Screw(from, Pose(from.translation() + linear, testing::quaternion(random, 0)));
    }
    case 4: return any_chain(random, e, from, text);
    default: {
      text << "parameters to 2^" << speed << " turn 2^" << turn;
      const double angle = power(turn - 2);
      return LinearParameters(RollPitchYaw{from.translation(), 0.5, 0, 0.25},
                              RollPitchYaw{from.translation() + linear, 0.5 + angle, angle, 0.25});
    }
  }
}

/// B is placed such that a point of A's surface is on B's surface at some time.
Scene any_scene(oracle::Random& random) {
  Exponents e(random);
  std::ostringstream text;
  const int size_a = e.next(), size_b = e.next();
  text << "sizes 2^" << size_a << " 2^" << size_b << ", ";
  Mesh a = testing::sized_body(random, size_a), b = testing::sized_body(random, size_b);
  Motion motion = any_motion(random, e, text);
  const double t =
      random() % 3 == 0 ? 1 : std::ldexp(1.0 + static_cast<double>(random() % 4) / 8, -oracle::whole(random, 1, 12));
  const Quat turned = testing::quaternion(random, random() % 4 ? 0 : oracle::whole(random, -300, 300));
  const Vec3 there = motion.at(t).apply(testing::point_on(random, a));
  const Pose pose(there - Pose({}, turned).apply(testing::point_on(random, b)), turned);
  text << ", meets at " << t;
  std::optional<double> tolerance;
  if (random() % 3 == 0) {
    const int exponent = e.next();
    tolerance = power(exponent);
    text << ", tolerance 2^" << exponent;
  }
  double separation = 0;
  if (random() % 3 == 0) {
    const int exponent = e.next();
    separation = power(exponent);
    text << ", separation 2^" << exponent;
  }
  return {std::move(a), std::move(b), std::move(motion), Still{pose}, t, tolerance, separation, text.str()};
}

/// The error of placements in world coordinates: bodies far from the origin cannot be placed more accurately.
double rounding(const Scene& s) {
  double far = 0;
  for (const Motion* m : {&s.motion_a, &s.motion_b})
    for (const double t : {0.0, s.meets, 1.0}) {
      const Vec3 at = m->at(t).t;
      far = std::max({far, std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
    }
  return 0x1p-48 * far;
}

/// The distance of the bodies at a time is at most the tolerance, up to the rounding of the placements.
void check_contact(const Scene& s, const Body& a, const Body& b, const FirstContactResult& r) {
  SCOPED_TRACE("touches at " + std::to_string(r.time.touch));
  EXPECT_GE(r.time.safe, 0);
  EXPECT_LE(r.time.safe, r.time.touch);
  EXPECT_LE(r.time.touch, 1);
  EXPECT_LE(r.gap, r.tolerance);
  if (!(rounding(s) < 0x1p-6 * r.tolerance)) return;
  const DistanceResult d = distance(a, pose_at(s.motion_a, r.time.touch), b, pose_at(s.motion_b, r.time.touch));
  EXPECT_LE(d.distance, 1.25 * r.tolerance);
}

/// The independent checker accepts the proof of the time before t_safe, if there is one.
void check_proof(const Body& a, const Body& b, double separation, const FirstContactResult& r, int& proofs) {
  if (!r.certificate) return;
  ++proofs;
  EXPECT_LE(r.certificate->until, r.time.safe);
  EXPECT_EQ(oracle::rejection(*r.certificate, a, b), "");
  if (separation > 0) {
    EXPECT_NE(r.certificate->text.find("\nseparation "), std::string::npos);
  }
}

/// What asks `first_contact`, or does without it: nothing may say that a motion with a certain contact is free.
void check_others(const Scene& s, const Body& a, const Body& b) {
  FirstContactOptions options;
  options.tolerance = s.tolerance;
  options.work = 2000;
  const MotionFreeResult any = motion_free(a, s.motion_a, b, s.motion_b, options);
  EXPECT_NE(any.status, Status::free);
  options.solid = options.clearance = options.all_contacts = true;
  const FirstContactResult all = first_contact(a, s.motion_a, b, s.motion_b, options);
  EXPECT_NE(all.status, Status::free);
  std::vector<MovingBody> bodies{{a, s.motion_a}, {b, s.motion_b}};
  FirstContactsOptions each;
  each.pair.work = 2000;
  each.pair.tolerance = s.tolerance;
  EXPECT_NE(first_contacts(bodies, each).status, Status::free);
  World world;
  world.add(b, s.motion_b.at(0).t == s.motion_b.at(1).t ? pose_at(s.motion_b, 0) : Pose());
  const CastResult cast = world.cast(a, s.motion_a, {.tolerance = s.tolerance, .work = 2000});
  EXPECT_NE(cast.status, Status::free);
  const std::vector<double> times = s.meets < 1 ? std::vector<double>{0, s.meets, 1} : std::vector<double>{0, 1};
  std::vector<ClearanceSample> samples(times.size());
  ClearanceProfileOptions profile;
  profile.work = 2000;
  if (clearance_profile(a, s.motion_a, b, s.motion_b, times, samples, profile).status == Status::invalid_request)
    return;
  const double error = rounding(s) + 0x1p-30 * std::min(testing::largest_side(s.a), testing::largest_side(s.b));
  EXPECT_LE(samples[1].lower, error);
  EXPECT_LE(samples[0].lower_until_next, error);
}

void check(const Scene& s, int& certain, int& proofs) {
  const Body a(s.a), b(s.b);
  const double least = std::min(testing::largest_side(s.a), testing::largest_side(s.b));
  int refused = 0, asked = 0;
  double largest_tolerance = 0;
  for (const FirstContactTraits& method : first_contact_methods()) {
    SCOPED_TRACE(method.name);
    FirstContactOptions options;
    options.method = method.name;
    options.tolerance = s.tolerance;
    options.work = method.name == "interval" ? 100 : 2000;
    options.certificate = method.certificate;
    const FirstContactResult r = first_contact(a, s.motion_a, b, s.motion_b, options);
    ++asked;
    largest_tolerance = std::max(largest_tolerance, r.tolerance);
    if (r.status == Status::invalid_request) ++refused;
    if (r.status == Status::contact) check_contact(s, a, b, r);
    check_proof(a, b, 0, r, proofs);
    // Faces that cross in the middle still cross after both are moved by far less than their size.
    if (r.status != Status::invalid_request && std::max(r.tolerance, rounding(s)) < 0x1p-4 * least) {
      ++certain;
      EXPECT_NE(r.status, Status::free);
      if (r.status == Status::contact) {
        EXPECT_LE(r.time.touch, s.meets + 1e-6);
      }
    }
  }
  if (s.separation > 0) {
    FirstContactOptions options;
    options.work = 2000;
    options.certificate = true;
    options.min_separation = s.separation;
    check_proof(a, b, s.separation, first_contact(a, s.motion_a, b, s.motion_b, options), proofs);
  }
  if (asked > refused && std::max(largest_tolerance, rounding(s)) < 0x1p-4 * least) check_others(s, a, b);
  EXPECT_TRUE(refused == 0 || refused == asked);  // whether a size is too large does not depend on the method
}

TEST(ExponentSweep, FirstContactMissesNothingAtAnyMagnitude) {
  const std::uint64_t seed = RandomBudget::seed(1301);
  SCOPED_TRACE("seed " + std::to_string(seed));
  oracle::Random random(seed);
  RandomBudget budget(150);
  int certain = 0, proofs = 0;
  for (int i = 0; budget.more(); ++i) {
    std::optional<Scene> scene;
    try {
      scene = any_scene(random);
    } catch (const Error&) {
      continue;  // a position that is not finite
    }
    SCOPED_TRACE(std::to_string(i) + ": " + scene->text);
    check(*scene, certain, proofs);
    if (HasFailure() && !std::getenv("GRAZE_SWEEP_ALL")) return;
  }
  EXPECT_GT(certain, RandomBudget::is_whole() ? 20 : 2);
  EXPECT_GT(proofs, RandomBudget::is_whole() ? 20 : 2);
}

}  // namespace
}  // namespace graze
