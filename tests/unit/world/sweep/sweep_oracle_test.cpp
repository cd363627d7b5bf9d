// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

/// The path of one body between two sweeps, to be sampled.
struct Moved {
  BodyId id;
  Body from, to;  ///< its shapes
  Pose start, end;
  std::optional<Motion> motion;  ///< of a link; others: from start to end
  bool deforms = false;
};

/// Straight between the places of its vertices.
Body straight(const Moved& w, double t) {
  std::vector<Vec3> positions;
  for (std::size_t i = 0; i < w.from.mesh().vertex_count(); ++i)
    positions.push_back(w.start.apply(w.from.mesh().positions()[i]) * (1 - t) +
                        w.end.apply(w.to.mesh().positions()[i]) * t);
  return Body(Mesh(std::move(positions), w.to.mesh().polygons()));
}

/// Its vertices where its motion has them.
Body carried(const Moved& w, double t) {
  const Placement p = (w.motion ? *w.motion : Motion(Velocity(w.start, w.end))).at(t);
  std::vector<Vec3> positions;
  for (const Vec3& x : w.to.mesh().positions()) positions.push_back(p.apply(x));
  return Body(Mesh(std::move(positions), w.to.mesh().polygons()));
}

bool rests(const Moved& w) { return w.start == w.end && !w.deforms && !w.motion; }

class SweptScene {
 public:
  explicit SweptScene(std::uint64_t seed, int threads) : random_(seed), world_({.threads = threads}) {
    const std::vector<Body> kinds{Body(make::box()), Body(make::tetrahedron()),
                                  Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 60}))};
    const FrameId frame = world_.add_frame();
    for (int i = 0; i < 7; ++i) {
      BodySettings settings;
      if (i == 6) settings.frame = frame;
      ids_.push_back(world_.add(kinds[random_() % kinds.size()], random_pose(random_, 5), settings));
    }
    frame_ = frame;
    Joint joint;
    joint.type = JointType::revolute;
    Joint elbow = joint;
    elbow.origin = at(1.2);
    chain_.emplace(std::vector<Link>{{"a", "", joint}, {"b", "a", elbow}, {"c", "b", elbow}});
    const Body bar(make::box({.size = {1, 0.2, 0.2}}));
    links_ = {{LinkId{0}, bar}, {LinkId{1}, bar}, {LinkId{2}, bar}};
    robot_ = world_.add(*chain_, links_, coordinates_, at(2, 2, 2));
    world_.sweep();
  }

  void step() {
    std::vector<Moved> moved;
    for (const BodyId id : world_.bodies())
      moved.push_back({id, world_.body(id), world_.body(id), world_.pose(id), {}, {}, false});
    move_all();
    for (Moved& w : moved) {
      w.to = world_.body(w.id);
      w.end = world_.pose(w.id);
      w.deforms = &w.to.data() != &w.from.data();
    }
    // Links move by their joints; their bodies are the last ones.
    const std::vector<BodyId> link_ids = world_.bodies(robot_);
    for (Moved& w : moved)
      for (std::size_t k = 0; k < link_ids.size(); ++k)
        if (w.id == link_ids[k]) w.motion = moved_chain_->link_motion(links_[k].link, before_, coordinates_);
    compare(moved, world_.sweep());
  }

 private:
  void move_all() {
    for (std::size_t i = 0; i + 1 < ids_.size(); ++i) {
      if (random_() % 3 == 0) continue;
      world_.move(ids_[i], random_pose(random_, 5));
      if (random_() % 4 != 0) continue;
      const Body body = world_.body(ids_[i]);
      std::vector<Vec3> positions(body.mesh().positions().begin(), body.mesh().positions().end());
      for (Vec3& p : positions) p.x *= 1.1;
      world_.deform(ids_[i], positions);
    }
    world_.move(frame_, random_pose(random_, 1));
    before_ = coordinates_;
    for (double& q : coordinates_) q += 0.01 * static_cast<double>(random_() % 100);
    const Pose base = random_pose(random_, 3);
    std::vector<Link> all;
    for (std::uint32_t i = 0; i < chain_->size(); ++i) all.push_back(chain_->link(LinkId{i}));
    moved_chain_.emplace(std::move(all), Velocity(base_, base));
    base_ = base;
    world_.move(robot_, coordinates_, base);
  }

  static void compare(const std::vector<Moved>& moved, const SweepResult& result) {
    std::map<std::pair<BodyId, BodyId>, const FirstContactResult*> told;
    for (const SweepContact& c : result.contacts) told[{c.a, c.b}] = &c.contact;
    for (std::size_t i = 0; i < moved.size(); ++i)
      for (std::size_t j = i + 1; j < moved.size(); ++j) {
        if (moved[i].motion && moved[j].motion && j == i + 1) continue;  // neighbours are of no interest
        if (rests(moved[i]) && rests(moved[j])) continue;                // and resting pairs are not asked again
        const auto at_pair = told.find({moved[i].id, moved[j].id});
        const bool bent = moved[i].deforms || moved[j].deforms;
        for (int k = 0; k <= 12; ++k) {
          const double t = k / 12.0;
          const Body a = bent ? straight(moved[i], t) : carried(moved[i], t);
          const Body b = bent ? straight(moved[j], t) : carried(moved[j], t);
          if (collide(a, Pose(), b, Pose()).status != Status::contact) continue;
          ASSERT_NE(at_pair, told.end()) << "a contact at t = " << t << " was missed";
          ASSERT_LE(at_pair->second->time.safe, t + 1e-9);
          ASSERT_LE(result.safe, t + 1e-9);
          break;
        }
      }
  }

  std::mt19937_64 random_;
  World world_;
  std::vector<BodyId> ids_;
  FrameId frame_;
  std::optional<Chain> chain_, moved_chain_;
  std::vector<LinkBody> links_;
  ArticulatedId robot_;
  std::vector<double> coordinates_{0.1, 0.2, 0.3}, before_;
  Pose base_ = at(2, 2, 2);
};

/// Rigid, articulated and deforming bodies, in frames and out of them: where they touch at a sampled time, the sweep
/// told of it, and not too late.
TEST(WorldSweepOracle, NoSampledContactIsMissed) {
  const std::uint64_t seed = RandomBudget::seed(11);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(6);
  while (budget.more()) {
    SweptScene scene(random(), 1 + static_cast<int>(random() % 3));
    for (int i = 0; i < 4; ++i) {
      scene.step();
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// A simulation that stops at the earliest contact of every step: bodies that are apart never come to touch.
TEST(WorldSweepOracle, AdvancedBodiesStayApart) {
  const std::uint64_t seed = RandomBudget::seed(21);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(4);
  while (budget.more()) {
    World world;
    std::vector<BodyId> ids;
    for (int i = 0; i < 6; ++i)
      ids.push_back(world.add(i % 2 ? cube() : Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 60})),
                              Pose({2.5 * (i % 3), 2.5 * (i / 3), 0})));
    Joint joint;
    joint.type = JointType::revolute;
    Joint elbow = joint;
    elbow.origin = at(1.2);
    const Chain chain({{"a", "", joint}, {"b", "a", elbow}, {"c", "b", elbow}});
    const Body bar(make::box({.size = {1, 0.2, 0.2}}));
    const std::vector<LinkBody> links{{LinkId{0}, bar}, {LinkId{1}, bar}, {LinkId{2}, bar}};
    std::vector<double> coordinates{0, 0.5, 0.5};
    const ArticulatedId robot = world.add(chain, links, coordinates, at(0, 0, 3));
    world.sweep();
    ASSERT_TRUE(brute_contacts(world).empty());
    int stopped = 0;
    for (int step = 0; step < 12; ++step) {
      for (const BodyId id : ids) world.move(id, random_pose(random, 5));
      for (double& q : coordinates) q += 0.01 * static_cast<double>(random() % 100);
      world.move(robot, coordinates, random_pose(random, 4));
      const SweepResult r = world.sweep({.earliest = true, .advance = true});
      ASSERT_EQ(r.advanced, r.earliest.has_value());
      stopped += r.advanced;
      for (const auto& [a, b] : brute_contacts(world))
        ASSERT_FALSE(world.pair(a, b).interest.value_or(true)) << a.slot << " and " << b.slot << " in step " << step;
      ASSERT_EQ(world.sweep().contacts.size(), 0u);  // nothing moves any more
    }
    EXPECT_GT(stopped, 3);
  }
}

}  // namespace
}  // namespace graze::testing
