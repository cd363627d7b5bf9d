// SPDX-License-Identifier: MIT
// Rigid bodies in OMPL: our motion is the one that OMPL interpolates, `free` holds at dense samples of it, and the last
// valid state is before the first contact.
#include <gtest/gtest.h>
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <graze/mesh/make.hpp>
#include <graze/ompl.hpp>

namespace graze {
namespace {

namespace ob = ::ompl::base;
using RigidState = ob::ScopedState<ob::SE3StateSpace>;

struct Dice {
  std::mt19937_64 engine{7};
  double real(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  }
};

std::shared_ptr<ob::SE3StateSpace> cube_of_space(double half) {
  auto space = std::make_shared<ob::SE3StateSpace>();
  ob::RealVectorBounds bounds(3);
  bounds.setLow(-half);
  bounds.setHigh(half);
  space->setBounds(bounds);
  return space;
}

void set(RigidState& s, const Vec3& at, Quat q) {
  const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  s->setXYZ(at.x, at.y, at.z);
  s->rotation().w = q.w / size;
  s->rotation().x = q.x / size;
  s->rotation().y = q.y / size;
  s->rotation().z = q.z / size;
}
void set_random(Dice& dice, RigidState& s, double half) {
  set(s, {dice.real(-half, half), dice.real(-half, half), dice.real(-half, half)},
      {dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)});
}

/// The largest distance of three points at what OMPL interpolates from where our motion has them.
double difference(const ob::SE3StateSpace& space, const RigidState& a, const RigidState& b) {
  const RigidEdge edge(space, a.get(), b.get());
  RigidState there(std::make_shared<ob::SE3StateSpace>());
  double most = 0;
  for (int i = 0; i < 64; ++i) {  // not to 1, where the turn in place is
    const double t = i / 64.0;
    space.interpolate(a.get(), b.get(), t, there.get());
    const Pose pose = rigid_pose(there.get());
    const bool second = edge.count == 2 && !edge.turns_at_end && t >= 0.5;
    const double in_leg = edge.count == 1 || edge.turns_at_end ? t : 2 * t - (second ? 1 : 0);
    EXPECT_EQ(edge.time(second ? 1 : 0, in_leg), t);
    const Placement ours = edge.legs[second ? 1 : 0].at(in_leg);
    for (const Vec3& x : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const Vec3 d = ours.apply(x) - pose.apply(x);
      most = std::max({most, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
  }
  // Both ends are exact.
  const Placement end = edge.legs[static_cast<std::size_t>(edge.count - 1)].at(1);
  const Vec3 gap = end.apply({1, 1, 1}) - rigid_pose(b.get()).apply({1, 1, 1});
  return std::max({most, std::fabs(gap.x), std::fabs(gap.y), std::fabs(gap.z)});
}

TEST(OmplRigid, TheMotionIsTheOneThatOmplInterpolates) {
  const auto space = cube_of_space(10);
  RigidState a(space), b(space);
  Dice dice;
  for (int i = 0; i < 300; ++i) {
    set_random(dice, a, 1);
    set_random(dice, b, 1);
    EXPECT_LT(difference(*space, a, b), 1e-13) << i;
  }
  set(a, {1, 2, 3}, {1, 0, 0, 0});
  for (const double angle : {0.0, 1e-9, 1e-5, 4.4e-5, 8.8e-5, 8.94e-5, 8.95e-5, 1e-4, 1e-3, 3.1, 3.1415926,
                             3.14159265358979, 3.1415926536, 3.1416, 6.0}) {
    for (const double sign : {1.0, -1.0}) {
      set(b, {-1, 0, 2},
          {sign * std::cos(angle / 2), 0.6 * sign * std::sin(angle / 2), 0, -0.8 * sign * std::sin(angle / 2)});
      EXPECT_LT(difference(*space, a, b), 1e-11) << angle;
      EXPECT_LT(difference(*space, b, a), 1e-11) << angle;
    }
  }
  // Half turns to the digit: the sign of the rounded product decides in OMPL.
  for (const double w : {0.0, -0.0, 1e-17, -1e-17, 1e-300, -1e-300}) {
    set(b, {0, 0, 0}, {w, 1, 0, 0});
    EXPECT_LT(difference(*space, a, b), 1e-11) << w;
    set(b, {0, 0, 0}, {w, -0.6, 0, 0.8});
    EXPECT_LT(difference(*space, b, a), 1e-11) << w;
  }
}

struct Scene {
  std::shared_ptr<ob::SE3StateSpace> space = cube_of_space(2);
  ob::SpaceInformationPtr si = std::make_shared<ob::SpaceInformation>(space);
  std::shared_ptr<RigidScene> scene;
  explicit Scene(RigidScene bodies) : scene(std::make_shared<RigidScene>(std::move(bodies))) {
    si->setStateValidityChecker(std::make_shared<RigidStateValidityChecker>(si, scene));
    si->setMotionValidator(std::make_shared<RigidMotionValidator>(si, scene));
    si->setup();
  }
};

Scene hooks_and_ring() {
  RigidScene scene{Body(make::box({.size = {0.8, 0.1, 0.15}})), {}};
  scene.obstacles.push_back({Body(make::torus({.major = 1, .minor = 0.25, .triangles = 400})), Pose({0.2, 0, 0})});
  scene.obstacles.push_back({Body(shape::Capsule{0.1, 1}), Pose({-0.5, 0.3, -0.4}, {1, 0.3, 0, 0})});
  return Scene(std::move(scene));
}

TEST(OmplRigid, AgainstDenseSamplesAndFirstContacts) {
  const Scene s = hooks_and_ring();
  const ob::MotionValidator& edges = *s.si->getMotionValidator();
  RigidState a(s.space), b(s.space), last(s.space), there(s.space);
  Dice dice;
  int free = 0, blocked = 0;
  for (int i = 0; i < 400; ++i) {
    set_random(dice, a, 1.5);
    set_random(dice, b, 1.5);
    if (!s.si->isValid(a.get())) continue;
    std::pair<ob::State*, double> valid{last.get(), -1};
    const bool is_free = edges.checkMotion(a.get(), b.get(), valid);
    EXPECT_EQ(is_free, edges.checkMotion(a.get(), b.get()));
    const auto at = [&](double t) {
      s.space->interpolate(a.get(), b.get(), t, there.get());
      return there.get();
    };
    if (is_free) {
      ++free;
      EXPECT_EQ(valid.second, -1);  // is left alone
      for (int k = 0; k <= 200; ++k) EXPECT_TRUE(s.si->isValid(at(k / 200.0))) << i;
      continue;
    }
    ++blocked;
    double first = 2;
    for (const Obstacle& o : s.scene->obstacles) {
      const auto contact =
          first_contact(s.scene->body, Velocity(rigid_pose(a.get()), rigid_pose(b.get())), o.body, Still{o.pose});
      if (contact.status != Status::free) first = std::min(first, contact.time.touch);
    }
    ASSERT_LE(first, 1) << i;
    EXPECT_LT(valid.second, first) << i;
    EXPECT_GT(valid.second, first - 0.01) << i;
    EXPECT_TRUE(s.si->isValid(last.get()));
    EXPECT_TRUE(edges.checkMotion(a.get(), last.get())) << i;
    for (int k = 0; k <= 50; ++k) EXPECT_TRUE(s.si->isValid(at(valid.second * k / 50.0))) << i;
  }
  EXPECT_GT(free, 20);
  EXPECT_GT(blocked, 50);
  EXPECT_GT(edges.getValidMotionCount(), 40u);
  EXPECT_GT(edges.getInvalidMotionCount(), 100u);
}

TEST(OmplRigid, AThinWallThatSamplesPassThrough) {
  RigidScene bodies{Body(shape::Box{{0.1, 0.1, 0.1}}), {{Body(make::box({.size = {1e-4, 4, 4}})), Pose(), "wall"}}};
  const Scene s(std::move(bodies));
  RigidState a(s.space), b(s.space);
  set(a, {-1, 0, 0}, {1, 0, 0, 0});
  set(b, {1, 0, 0}, {1, 0, 0, 0});
  s.si->setStateValidityCheckingResolution(0.1);
  s.si->setup();
  EXPECT_TRUE(ob::DiscreteMotionValidator(s.si).checkMotion(a.get(), b.get()));
  std::pair<ob::State*, double> last{b.get(), 0};  // written over the state that was asked
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get(), last));
  EXPECT_LT(last.second, 0.474975);  // (1 - 0.05 - 5e-5) / 2
  EXPECT_GT(last.second, 0.4749);
  EXPECT_NEAR(b->getX(), -1 + 2 * last.second, 1e-12);
  EXPECT_NEAR(s.si->getStateValidityChecker()->clearance(a.get()), 0.95 - 5e-5, 1e-8);
  EXPECT_LE(s.si->getStateValidityChecker()->clearance(a.get()), 0.95 - 5e-5);
  last = {nullptr, 0};
  set(b, {1, 0, 0}, {1, 0, 0, 0});
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get(), last));
  EXPECT_GT(last.second, 0.4749);
}

/// OMPL calls rotations equal that differ by less than 9e-5: it moves along the line first, and jumps at the end.
TEST(OmplRigid, ATurnThatOmplLeavesOutIsAskedAtTheEnd) {
  RigidScene bodies{Body(shape::Box{{2, 0.1, 0.1}}),
                    {{Body(shape::Box{{1, 1, 1}}), Pose({1.4, 0.55 + 4e-5, 0}), "side"}}};
  const Scene s(std::move(bodies));
  RigidState a(s.space), b(s.space);
  set(a, {-1, 0, 0}, {1, 0, 0, 0});
  set(b, {0, 0, 0}, {std::cos(4e-5), 0, 0, std::sin(4e-5)});  // its tip moves up by 8e-5
  std::pair<ob::State*, double> last{nullptr, 0};
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get(), last));
  EXPECT_GT(last.second, 0.99);
  EXPECT_LT(last.second, 1);
  set(b, {0, 0, 0}, {1, 0, 0, 0});
  EXPECT_TRUE(s.si->checkMotion(a.get(), b.get()));
}

TEST(OmplRigid, SeparationSolidsBoundsAndStartsInContact) {
  RigidScene bodies{Body(make::box({.size = {0.1, 0.1, 0.1}})), {{Body(make::box()), Pose(), "block"}}};
  bodies.solid = true;
  bodies.min_separation = 0.1;
  const Scene s(std::move(bodies));
  RigidState a(s.space), b(s.space), last(s.space);
  set(a, {0, 0, 0}, {1, 0, 0, 0});
  EXPECT_FALSE(s.si->isValid(a.get()));  // inside
  set(a, {-1.5, 0.64, 0}, {1, 0, 0, 0});
  set(b, {1.5, 0.64, 0}, {1, 0, 0, 0});
  EXPECT_TRUE(s.si->isValid(a.get()));
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get()));
  set(a, {-1.5, 0.66, 0}, {1, 0, 0, 0});
  set(b, {1.5, 0.66, 0}, {1, 0, 0, 0});
  EXPECT_TRUE(s.si->checkMotion(a.get(), b.get()));
  set(b, {2.5, 0.66, 0}, {1, 0, 0, 0});
  EXPECT_FALSE(s.si->isValid(b.get()));
  std::pair<ob::State*, double> valid{last.get(), 0};
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get(), valid));
  EXPECT_TRUE(s.si->isValid(last.get()));
  set(a, {0.5, 0, 0}, {1, 0, 0, 0});
  set(b, {1.5, 0, 0}, {1, 0, 0, 0});
  EXPECT_FALSE(s.si->checkMotion(a.get(), b.get(), valid));
  EXPECT_EQ(valid.second, 0);
  EXPECT_EQ(last->getX(), 0.5);
}

}  // namespace
}  // namespace graze
