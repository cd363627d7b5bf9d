// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using Pair = std::pair<BodyId, BodyId>;
using Pairs = std::set<Pair>;

Pair ordered(BodyId a, BodyId b) { return a < b ? Pair(a, b) : Pair(b, a); }

/// Calls of every kind at random, and beside them what they should mean: who is wanted, and by asking all pairs who
/// touches.
class Everything {
 public:
  Everything(std::uint64_t seed, const WorldOptions& options, const std::string& file)
      : random_(seed), solid_(options.solid), world_(options) {
    world_.record(file);
    frames_.push_back(world_.add_frame());
    frames_.push_back(world_.add_frame(random_pose(random_, 1), frames_[0]));
    Joint joint;
    joint.type = JointType::revolute;
    Joint elbow = joint;
    elbow.origin = at(0.8);
    const Body bar(make::box({.size = {1, 0.2, 0.2}}));
    const std::vector<LinkBody> links{{LinkId{0}, bar}, {LinkId{1}, bar}, {LinkId{2}, bar}};
    robot_ = world_.add(Chain({{"a", "", joint}, {"b", "a", elbow}, {"c", "b", elbow}}), links,
                        std::vector<double>{0.1, 0.2, 0.3}, at(2, 2, 2));
    links_ = world_.bodies(robot_);
    own_[ordered(links_[0], links_[1])] = own_[ordered(links_[1], links_[2])] = false;
    for (const BodyId id : links_) entered(id);
    // Callbacks change the world, too; what they do counts for the next check.
    world_.on_contact([this](const WorldEvent& e) {
      if (!may_change_ || random_() % 8 != 0 || e.kind != EventKind::began) return;
      if (world_.has(e.a) && !is_link(e.a)) world_.move(e.a, random_pose(random_, 4));
      if (world_.has(e.b) && !is_link(e.b) && random_() % 4 == 0) remove(e.b);
    });
  }

  void frame() {
    for (int i = 0; i < 10; ++i) change();
    CheckOptions options;
    const bool limited = random_() % 4 == 0;
    if (limited && random_() % 2) options.work = 1 + random_() % 500;
    if (limited && !options.work) options.pairs = random_() % 6;
    const CheckResult r = world_.check(options);
    compare(r);
    switch (random_() % 5) {
      case 0: world_.sweep({.earliest = random_() % 2 == 0}); break;
      case 1: world_.near(0.1); break;
      case 2: world_.ray({0, 0, 0}, random_pose(random_, 4).translation()); break;
      case 3: world_.in_box({{0, 0, 0}, random_pose(random_, 4).translation()}); break;
      default: break;
    }
  }

 private:
  bool is_link(BodyId id) const { return std::find(links_.begin(), links_.end(), id) != links_.end(); }
  Body some_body() {
    static const std::vector<Body> bodies{Body(make::box()), Body(make::tetrahedron()),
                                          Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128})),
                                          Body(make::cube_array({.triangles = 96}))};
    return bodies[random_() % bodies.size()];
  }
  BodyId some() { return ids_[random_() % ids_.size()]; }
  void entered(BodyId id) { wanted_[id] = {true, 1, ~0u}; }
  BodyId add() {
    BodySettings settings;
    if (random_() % 3 == 0) settings.frame = frames_[random_() % frames_.size()];
    const BodyId id = world_.add(some_body(), random_pose(random_, settings.frame ? 2 : 4), settings);
    ids_.push_back(id);
    entered(id);
    return id;
  }
  void forget(BodyId id) {
    std::erase(ids_, id);
    wanted_.erase(id);
    std::erase_if(own_, [&](const auto& entry) { return entry.first.first == id || entry.first.second == id; });
  }
  void remove(BodyId id) {
    world_.remove(id);
    forget(id);
  }
  void deform(BodyId id) {
    const Body body = world_.body(id);
    std::vector<Vec3> positions(body.mesh().positions().begin(), body.mesh().positions().end());
    for (Vec3& p : positions)
      p[static_cast<int>(random_() % 3)] *= 0.9 + 0.2 * static_cast<double>(random_() % 100) / 99;
    world_.deform(id, positions);
  }

  void change() {
    if (ids_.size() < 14) {
      add();
      return;
    }
    const BodyId id = some(), other = some();
    switch (random_() % 16) {
      case 0: add(); break;
      case 1: remove(id); break;
      case 2: deform(id); break;
      case 3: world_.replace(id, some_body()); break;
      case 4: {
        const auto settings = wanted_[id];
        forget(id);
        for (const BodyId piece : world_.break_up(id, std::vector<Body>{some_body(), some_body()})) {
          ids_.push_back(piece);
          wanted_[piece] = settings;
        }
        break;
      }
      case 5: world_.move(frames_[random_() % frames_.size()], random_pose(random_, 1)); break;
      case 6:
        world_.move(robot_, std::vector<double>{0.1 * static_cast<double>(random_() % 60), 0.3, 0.2}, at(2, 2, 2));
        break;
      case 7: world_.interest(id, wanted_[id].interest = random_() % 2 == 0); break;
      case 8:
        if (id != other) world_.interest(id, other, own_[ordered(id, other)] = random_() % 2 == 0);
        break;
      case 9:
        wanted_[id].group = 1u << (random_() % 2);
        wanted_[id].mask = static_cast<std::uint32_t>(random_() % 4);
        world_.groups(id, wanted_[id].group, wanted_[id].mask);
        break;
      case 10: {
        if (id == other) break;
        PairSettings settings = world_.pair(id, other);
        settings.method = random_() % 2 ? "brute" : "tree";
        settings.tolerance = 1e-3;
        world_.set_pair(id, other, settings);
        break;
      }
      case 11:
        world_.attach(id, random_() % 2 ? std::optional(frames_[0]) : std::nullopt, random_pose(random_, 3));
        break;
      default: world_.move(id, random_pose(random_, 4)); break;
    }
  }

  bool wanted(BodyId a, BodyId b) const {
    if (const auto own = own_.find(ordered(a, b)); own != own_.end()) return own->second;
    const Wanted &x = wanted_.at(a), &y = wanted_.at(b);
    return x.interest && y.interest && (x.group & y.mask) && (y.group & x.mask);
  }

  void hear(const CheckResult& r) {
    Pairs seen;
    for (const WorldEvent& e : r.events) {
      const Pair pair(e.a, e.b);
      ASSERT_TRUE(seen.insert(pair).second);
      ASSERT_EQ(told_.contains(pair), e.kind != EventKind::began);
      e.kind == EventKind::ended ? void(told_.erase(pair)) : void(told_.insert(pair));
    }
  }

  void compare(const CheckResult& r) {
    ASSERT_NO_FATAL_FAILURE(hear(r));
    // A second check asks what the budget left, and what callbacks changed; its own callbacks change nothing.
    may_change_ = false;
    const CheckResult rest = world_.check();
    may_change_ = true;
    ASSERT_TRUE(rest.undecided.empty());
    ASSERT_NO_FATAL_FAILURE(hear(rest));
    Pairs expected;
    for (const auto& [a, b] : brute_contacts(world_, solid_))
      if (wanted(a, b)) expected.emplace(a, b);
    ASSERT_EQ(told_, expected);
    const auto touching = world_.touching();
    ASSERT_EQ(Pairs(touching.begin(), touching.end()), expected);
  }

  struct Wanted {
    bool interest = true;
    std::uint32_t group = 1, mask = ~0u;
  };
  std::mt19937_64 random_;
  bool solid_;
  World world_;
  std::vector<FrameId> frames_;
  ArticulatedId robot_;
  std::vector<BodyId> links_, ids_;
  std::map<BodyId, Wanted> wanted_;
  std::map<Pair, bool> own_;
  Pairs told_;
  bool may_change_ = true;
};

/// The recording of it all, on other threads and with another broad phase.
ReplayResult replayed_with(const std::string& file, const std::string& options) {
  std::ifstream in(file);
  std::string first, second;
  std::getline(in, first);
  std::getline(in, second);
  std::stringstream changed;
  changed << first << "\noptions " << options << "\n" << in.rdbuf();
  return replay_world(changed, file);
}

TEST(WorldEverything, IsWhatAllPairsSayAndReplaysOnAnyThreads) {
  const std::uint64_t seed = RandomBudget::seed(5);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::string file = std::string(GRAZE_BINARY_DIR) + "/world_everything.txt";
  RandomBudget budget(8);
  while (budget.more()) {
    WorldOptions options{.broad = std::string(broad_phases()[random() % broad_phases().size()].name)};
    options.threads = 1 + static_cast<int>(random() % 3);
    options.boxes = static_cast<BroadBoxes>(random() % 3);
    options.solid = random() % 3 == 0;
    SCOPED_TRACE("broad " + options.broad);
    {
      Everything everything(random(), options, file);
      for (int frame = 0; frame < 10; ++frame) {
        everything.frame();
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    // With the same boxes: the depth of their overlap decides on which pairs a budget is spent.
    const std::string solid = options.solid ? " 1" : " 0", boxes = '"' + std::string(name(options.boxes)) + '"';
    for (const auto& [broad, pairs] : {std::pair("\"automatic\" 1", " 4096 "),
                                       {"\"sweep\" 4", " 0 "},
                                       {"\"grid\" 2", " 1 "},
                                       {"\"tree\" 3", " 4096 "}})
      ASSERT_EQ(replayed_with(file, broad + solid + pairs + boxes).different, std::vector<std::uint64_t>{}) << broad;
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace graze::testing
