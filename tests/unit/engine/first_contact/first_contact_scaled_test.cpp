// SPDX-License-Identifier: MIT
// A scene of atoms or of galaxies is answered like one of metres: scaling by a power of two changes no decision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <graze/graze.hpp>

namespace graze {
namespace {

Vec3 times(const Vec3& v, int power) {
  return {std::ldexp(v.x, power), std::ldexp(v.y, power), std::ldexp(v.z, power)};
}
Pose times(const Pose& p, int power) { return Pose(times(p.translation(), power), p.rotation()); }
Body box_of(int power, double size = 1) {
  const Mesh box = make::box();
  std::vector<Vec3> positions;
  for (const Vec3& x : box.positions()) positions.push_back(times(x * size, power));
  return Body(Mesh(std::move(positions), box.polygons()));
}

/// The motions from pose to pose, and one by speeds.
std::vector<Motion> motions(const Pose& from, const Pose& to, int power) {
  const Pose a = times(from, power), b = times(to, power);
  const Vec3 v = to.translation() - from.translation();
  return {Velocity(a, b), Velocity(a, b, times(Vec3{0.25, 0.125, 0}, power)), Screw(a, b), LinearParameters(a, b),
          Velocity::from_speeds(a, times(v, power), {0.5, 0, 7})};
}

constexpr int powers[] = {-1000, -800, -537, -400, -300, 300, 401, 700, 1000};

/// Once a contact at 2^-537 and below was missed ("free"), and 2^400 and above refused.
TEST(FirstContactScaled, ContactsOfAtomsAndOfGalaxiesAreFoundAlike) {
  const Pose from({-3, 0.25, 0.125}), hit({3, 0.25, -0.25}, {1, 0.5, 0.25, 0.125}), miss({3, 4, 0}, {1, 0, 0.1, 0});
  for (const Pose& to : {hit, miss}) {
    const Body unit = box_of(0);
    const std::vector<Motion> usual = motions(from, to, 0);
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options;
      options.method = method.name;
      for (std::size_t kind = 0; kind < usual.size(); ++kind) {
        const FirstContactResult wanted = first_contact(unit, usual[kind], unit, Still{}, options);
        for (const int power : powers) {
          SCOPED_TRACE(std::string(method.name) + " motion " + std::to_string(kind) + " 2^" + std::to_string(power));
          const Body body = box_of(power);
          const FirstContactResult r = first_contact(body, motions(from, to, power)[kind], body, Still{}, options);
          ASSERT_EQ(r.status, wanted.status);
          ASSERT_EQ(r.time.safe, wanted.time.safe);
          ASSERT_EQ(r.features, wanted.features);
          ASSERT_NEAR(std::ldexp(r.tolerance, -power), wanted.tolerance, 1e-14);
          if (r.status != Status::contact) continue;
          ASSERT_EQ(r.time.touch, wanted.time.touch);
          ASSERT_NEAR(std::ldexp((*r.points)[0].y, -power), (*wanted.points)[0].y, 1e-14);
        }
      }
    }
  }
}

TEST(FirstContactScaled, ClearancesToo) {
  FirstContactOptions options;
  options.clearance = true;
  const Pose from({-3, 4, 0}), to({3, 2, 0}, {1, 0, 0, 0.1});
  const FirstContactResult wanted = first_contact(box_of(0), Velocity(from, to), box_of(0), Still{}, options);
  ASSERT_EQ(wanted.status, Status::free);
  for (const int power : {-1000, -600, 600, 1000}) {
    const Motion motion = Velocity(times(from, power), times(to, power));
    const FirstContactResult r = first_contact(box_of(power), motion, box_of(power), Still{}, options);
    ASSERT_EQ(r.status, Status::free);
    EXPECT_NEAR(std::ldexp(r.clearance->upper, -power), wanted.clearance->upper, 1e-14);
    EXPECT_LE(std::ldexp(r.clearance->lower, -power), wanted.clearance->lower);
  }
}

TEST(FirstContactScaled, AllContactsAndFeaturesToo) {
  FirstContactOptions options;
  options.all_contacts = options.all_features = true;
  std::size_t wanted = 0;
  for (const int power : {0, -700, 700}) {
    const Body body = box_of(power);
    const Motion motion = Velocity(times(Pose({-3, 0.25, 0}), power), times(Pose({3, 0.25, 0}), power));
    const FirstContactResult r = first_contact(body, motion, body, Still{}, options);
    ASSERT_EQ(r.status, Status::contact);
    if (power == 0) wanted = r.contacts.size();
    EXPECT_GT(wanted, 10u);
    EXPECT_EQ(r.contacts.size(), wanted);
    for (const ContactEvent& c : r.contacts) EXPECT_LE(c.gap, r.tolerance);
  }
}

TEST(FirstContactScaled, FromOneEndOfTheDoublesToTheOther) {
  const double far = 0.9 * std::numeric_limits<double>::max();
  const Body huge = box_of(1020);
  for (const FirstContactTraits& method : first_contact_methods()) {
    FirstContactOptions options;
    options.method = method.name;
    const Motion through = Velocity(Pose({-far, 0, 0}), Pose({far, 0, 0}));
    const FirstContactResult r = first_contact(huge, through, huge, Still{}, options);
    ASSERT_EQ(r.status, Status::contact) << method.name;
    // They meet when the centres are one box apart.
    EXPECT_NEAR(r.time.touch, 0.5 - 0.5 * (0x1p1020 / far), 1e-6) << method.name;
    const Motion beside = Velocity(Pose({-far, 0x1p1022, 0}), Pose({far, 0x1p1022, 0}));
    EXPECT_EQ(first_contact(huge, beside, huge, Still{}, options).status, Status::free) << method.name;
  }
}

/// The small one is a point to the large one, nearer than which nothing is told apart; but it is not lost.
TEST(FirstContactScaled, AnAtomMeetsAPlanet) {
  const Body planet = box_of(0);
  for (const int power : {-30, -200, -500, -600, -1000})
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options;
      options.method = method.name;
      const Body atom = box_of(power);
      const Motion hit = Velocity(Pose({-2, 0.1, 0.2}), Pose({2, 0.1, 0.2}, {1, 1, 0, 0}));
      const FirstContactResult r = first_contact(atom, hit, planet, Still{}, options);
      ASSERT_EQ(r.status, Status::contact) << method.name << " 2^" << power;
      EXPECT_NEAR(r.time.touch, 0.375, 1e-8) << method.name << " 2^" << power;
      EXPECT_LE(r.time.touch, 0.375) << method.name << " 2^" << power;
      const Motion miss = Velocity(Pose({-2, 0.6, 0.2}), Pose({2, 0.6, 0.2}, {1, 1, 0, 0}));
      EXPECT_EQ(first_contact(atom, miss, planet, Still{}, options).status, Status::free) << method.name;
      const FirstContactResult two = first_contact(atom, hit, atom, Still{Pose({0, 0.1, 0.2})}, options);
      ASSERT_EQ(two.status, Status::contact) << method.name << " 2^" << power;
      EXPECT_LE(two.time.touch, 0.5) << method.name << " 2^" << power;
    }
}

/// Small and far from the origin: what cannot be scaled without overflow is told apart less finely, but not missed.
TEST(FirstContactScaled, AtomsFarFromTheOrigin) {
  const Body atom = box_of(-700);
  const Vec3 far{0x1p400, 0, 0};
  const Motion turning = Velocity(Pose(far), Pose(far, {1, 0, 0, 1}));
  for (const FirstContactTraits& method : first_contact_methods()) {
    FirstContactOptions options;
    options.method = method.name;
    EXPECT_EQ(first_contact(atom, turning, atom, Still{Pose(far)}, options).status, Status::touching_at_start);
    const FirstContactResult other = first_contact(atom, turning, atom, Still{Pose({0x1p401, 0, 0})}, options);
    EXPECT_EQ(other.status, Status::free) << method.name;
  }
}

/// Moves along x by 6 from -3, in its own units.
class Slide : public OwnMotion {
 public:
  explicit Slide(double unit) : unit_(unit) {}
  Placement at(double t) const override { return {Placement{}.r, {unit_ * (-3 + 6 * t), 0, 0}}; }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p;
    p.t[0] = (Interval(t0, t1) * Interval(6) - Interval(3)) * Interval(unit_);
    return p;
  }
  double travel(const Vec3& n, const Vec3&, double, double t0, double t1) const override {
    return std::max(0.0, n.x * 6 * unit_ * (t1 - t0)) * (1 + 0x1p-40);
  }

 private:
  double unit_;
};

TEST(FirstContactScaled, OwnMotionsAndChains) {
  const Chain slide({{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}}},
                     {"hand", "arm", {JointType::prismatic, Pose(), {1, 0, 0}}}});
  for (const int power : {-1000, -600, 0, 600, 900}) {
    SCOPED_TRACE(power);
    const Body body = box_of(power);
    const Motion own(std::shared_ptr<const OwnMotion>(std::make_shared<const Slide>(std::ldexp(1.0, power))));
    const double from[]{0, std::ldexp(-3.0, power)}, to[]{0.125, std::ldexp(3.0, power)};
    const Motion hand = slide.link_motion(LinkId{1}, from, to);
    for (const Motion& motion : {own, hand}) {
      const FirstContactResult r = first_contact(body, motion, body, Still{}, {});
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_NEAR(r.time.touch, 1.0 / 3, 0.02);
      EXPECT_LE(r.gap, r.tolerance);
    }
  }
}

}  // namespace
}  // namespace graze
