// SPDX-License-Identifier: MIT
// Requests besides the first contact: all features, all contacts, clearance, budgets, a caller's own motion.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;

/// Bodies of triangles only: every edge is a feature.
Mesh random_triangles(oracle::Random& random) {
  switch (random() % 4) {
    case 0: return triangle(oracle::real_point(random), oracle::real_point(random), oracle::real_point(random));
    case 1: return soup(random, oracle::whole(random, 1, 5), false);
    case 2: return make::tetrahedron();
    default: return make::sphere({.radius = 0.7, .meridians = 4, .bands = 2});
  }
}
Flown random_triangle_flight(oracle::Random& random) {
  const auto move = [&](double reach) {
    return random_motion(random, oracle::real_point(random, reach), oracle::real_point(random, reach), 1);
  };
  const Mesh a = random_triangles(random), b = random_triangles(random);
  const MotionRecipe m = move(3), n = move(1);
  return Flown(a, m, b, n);
}

template <class One>
void many(std::uint64_t fallback, int cases, const One& one) {
  many_flights(fallback, cases, random_triangle_flight, [&](oracle::Random& random, const Flown& flown) {
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options;
      options.method = method.name;
      options.tolerance = std::pow(10, oracle::real(random, -8, -1.5));
      one(flown, options);
    }
  });
}

std::string text(const Feature& f) {
  return std::string(name(f.kind)) + " " + std::to_string(f.a.id[0]) + "-" + std::to_string(f.a.id[1]) + "/" +
         std::to_string(f.b.id[0]) + "-" + std::to_string(f.b.id[1]);
}

TEST(FirstContactRequests, AllFeatures) {
  many(341, 150, [](const Flown& flown, FirstContactOptions options) {
    options.all_features = true;
    const FirstContactResult r = flown.ask(options);
    if (r.status != Status::contact || r.gap == 0) return;
    Complaints wrong;
    const Real slack = flown.truth.error() * 100 + 1e-9L * r.tolerance;
    wrong.unless(std::is_sorted(r.features.begin(), r.features.end()), "features are not sorted");
    for (const Feature& f : r.features)
      wrong.unless(flown.truth.gap(r.time.touch, f) <= Real(r.tolerance) + slack, text(f),
                   " is not within the tolerance");
    for (const Feature& f : flown.truth.features_within(r.time.touch, Real(r.tolerance) * (1 - 1e-6L)))
      wrong.unless(std::binary_search(r.features.begin(), r.features.end(), f), text(f), " is left out");
    EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text();
  });
}

TEST(FirstContactRequests, AllContacts) {
  many(342, 60, [](const Flown& flown, FirstContactOptions options) {
    options.all_contacts = true;
    options.tolerance = std::max(*options.tolerance, 1e-4);
    const FirstContactResult r = flown.ask(options);
    if (r.status == Status::invalid_request) return;
    Complaints wrong;
    const Real slack = flown.truth.error() * 100 + 1e-9L * r.tolerance;
    for (const ContactEvent& e : r.contacts) {
      wrong.unless(0 <= e.time.safe && e.time.safe <= e.time.touch && e.time.touch <= e.until && e.until <= 1,
                   text(e.feature), ": no bracket: ", e.time.safe, ' ', e.time.touch, ' ', e.until);
      const Real g = flown.truth.gap(e.time.touch, e.feature);
      wrong.unless(g <= Real(r.tolerance) + slack, text(e.feature), " is ", g, " apart at ", e.time.touch);
      wrong.unless(std::fabs(g - e.gap) <= 1e-12L + slack, text(e.feature), " gap ", e.gap, " but ", g);
    }
    for (std::size_t i = 1; i < r.contacts.size(); ++i) {
      const ContactEvent &x = r.contacts[i - 1], &y = r.contacts[i];
      wrong.unless(x.time.touch < y.time.touch || (x.time.touch == y.time.touch && x.feature <= y.feature),
                   "contacts are not sorted by time, then feature");
    }
    for (int i = 0; i <= 80 && r.status != Status::free; ++i) {
      const Real t = i / Real(80);
      // A pair that comes no nearer than half the tolerance may be omitted (docs/first-contact.md).
      for (const Feature& f : flown.truth.features_within(t, Real(r.tolerance) * 0.499L)) {
        // A bracket may begin anywhere between the time within the tolerance and the time of touching, so t may precede
        // time.safe as long as the gap stays within the tolerance in between.
        const bool there = std::any_of(r.contacts.begin(), r.contacts.end(), [&](const ContactEvent& e) {
          if (e.feature != f || t > e.until) return false;
          for (int k = 0; k <= 8 && t < e.time.safe; ++k)
            if (flown.truth.gap(t + (e.time.safe - t) * k / 8, f) > Real(r.tolerance) * 1.001L) return false;
          return true;
        });
        wrong.unless(there, "at ", t, " ", text(f), " is left out");
      }
    }
    if (r.status == Status::contact) wrong.unless(!r.contacts.empty(), "a contact but no contacts");
    if (r.status == Status::free) {
      wrong.unless(r.contacts.empty(), "free, but contacts");
      wrong.unless(r.method != "best_first" || flown.truth.look(r.tolerance).least > 0.499L * r.tolerance,
                   "within half");
    }
    EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text().substr(0, 600);
  });
}

TEST(FirstContactRequests, Clearance) {
  many(343, 25, [](const Flown& flown, FirstContactOptions options) {
    options.clearance = true;
    const FirstContactResult r = flown.ask(options);
    if (r.status == Status::invalid_request) return;
    Complaints wrong;
    wrong.unless(r.clearance.has_value(), "no clearance");
    if (r.clearance) {
      const Real slack = flown.truth.error() * 100 + 1e-12L;
      const Clearance& c = *r.clearance;
      wrong.unless(0 <= c.lower && c.lower <= c.upper && 0 <= c.time && c.time <= 1, "no bracket");
      const Real there = flown.truth.gap(c.time);
      wrong.unless(std::fabs(there - c.upper) <= slack + 1e-8L * c.upper, "the gap at its time is ", there);
      for (int i = 0; i <= 100; ++i) {
        const Real t = i / Real(100), g = flown.truth.gap(t);
        wrong.unless(g >= c.lower - slack, "at ", t, " the gap is only ", g);
        if (g < c.lower - slack) break;
      }
      if (r.status == Status::touching_at_start) wrong.unless(c.upper == 0, "touching, but clearance");
      wrong.unless(c.upper - c.lower <= 2 * r.tolerance + 1e-3 * c.upper, "not tight");
      EXPECT_TRUE(wrong.text().empty()) << describe(r) << "\n  clearance " << c.lower << ' ' << c.upper << " at "
                                        << c.time << wrong.text();
      return;
    }
    EXPECT_TRUE(wrong.text().empty()) << describe(r) << wrong.text();
  });
}

/// A work budget ends in `undecided` with a t_safe that is certified, reproducible and, for most methods, grows with
/// the budget.
TEST(FirstContactRequests, WorkBudget) {
  many(344, 60, [](const Flown& flown, FirstContactOptions options) {
    const FirstContactResult whole = flown.ask(options);
    double reached = 0;
    for (const std::uint64_t work : {1, 2, 5, 20, 100, 1000, 100000}) {
      options.work = work;
      const FirstContactResult r = flown.ask(options), again = flown.ask(options);
      Complaints wrong;
      wrong.unless(r.status == again.status && same_number(r.time.safe, again.time.safe), "not reproducible");
      if (r.status == Status::undecided) {
        wrong.unless(std::isnan(r.time.touch) && r.time.safe >= 0 && r.time.safe <= 1,
                     "undecided is not {t_safe, NaN}");
        if (whole.status == Status::contact) wrong.unless(r.time.safe <= whole.time.touch, "t_safe after the contact");
        // Not for `interval`: it finishes node pairs one by one, and stops wherever the budget ends.
        wrong.unless(r.time.safe >= reached || r.method == "interval", "more work reached less: ", reached);
        reached = r.time.safe;
      } else {
        wrong.unless(r.status == whole.status && same_number(r.time.touch, whole.time.touch),
                     "a budget changed the answer");
      }
      EXPECT_TRUE(wrong.text().empty()) << "work " << work << "\n  " << describe(r) << "\n  " << describe(whole)
                                        << wrong.text();
    }
  });
}

/// The oracle's motion as an `OwnMotion`.
class OwnTruth : public OwnMotion {
 public:
  explicit OwnTruth(const MotionRecipe& recipe) : motion_(recipe) {}
  Placement at(double t) const override {
    const auto p = motion_.at(t);
    Placement q;
    for (std::size_t i = 0; i < 9; ++i) q.r[i] = double(p.r.m[i]);
    q.t = {double(p.t.x), double(p.t.y), double(p.t.z)};
    return q;
  }
  IntervalPlacement over(double t0, double t1) const override {
    const auto p = motion_.over(oracle::Range(t0, t1));
    IntervalPlacement q;
    for (std::size_t i = 0; i < 9; ++i) q.r[i] = outward(p.r.m[i]);
    for (int i = 0; i < 3; ++i) q.t[static_cast<std::size_t>(i)] = outward(p.t[i]);
    return q;
  }
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override {
    const RealPoint m = oracle::real(n);
    const Real speed = oracle::dot(m, motion_.steady()) +
                       oracle::length(m) * motion_.turning_speed(oracle::real(centre), radius) * (1 + 1e-12L);
    return speed > 0 ? double(speed * (Real(t1) - t0)) * (1 + 1e-12) : 0;
  }

 private:
  static Interval outward(const oracle::Range& r) {
    return {std::nextafter(double(r.lo), -HUGE_VAL), std::nextafter(double(r.hi), HUGE_VAL)};
  }
  oracle::TrueMotion motion_;
};

TEST(FirstContactRequests, OwnMotions) {
  const std::uint64_t seed = RandomBudget::seed(345);
  oracle::Random random(seed);
  int number = 0;
  for (RandomBudget budget(40); budget.more() && !said_enough(); ++number) {
    Flown flown = random_triangle_flight(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(number) + flown.truth.text());
    flown.motion_a = Motion(std::make_shared<OwnTruth>(flown.truth.recipe(0)));
    if (random() % 2) flown.motion_b = Motion(std::make_shared<OwnTruth>(flown.truth.recipe(1)));
    std::optional<FlightTruth> truth;
    for (const FirstContactTraits& method : first_contact_methods()) {
      if (!method.own_motions) continue;
      const FirstContactResult r = flown.ask(method.name, 1e-5);
      if (r.status == Status::invalid_request) continue;
      if (!truth) truth = flown.truth.look(r.tolerance);
      // The start of such a motion is known only to within its bounds, so touching and near cannot be distinguished.
      if (flown.truth.gap(0) == 0) {
        EXPECT_NE(r.status, Status::free) << describe(r);
        continue;
      }
      check_answer(flown.truth, *truth, r);
    }
  }
}

}  // namespace
}  // namespace graze
