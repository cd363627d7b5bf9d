// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

/// A unique file name in the build folder; the file is removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* tag) : name(std::string(GRAZE_BINARY_DIR) + "/world_" + tag + ".txt") {}
  ~TemporaryFile() { std::remove(name.c_str()); }
  const std::string name;
};

std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The separation is part of the recording, and so are questions that change nothing.
TEST(WorldReplay, ASweepThatKeepsASeparation) {
  const TemporaryFile file("replay_apart");
  {
    World world;
    world.record(file.name);
    const BodyId a = world.add(cube(), at(5));
    world.add(cube());
    world.sweep();
    world.move(a, at(1.9));
    SweepOptions options;
    options.min_separation = 1;
    EXPECT_EQ(world.sweep(options).status, Status::contact);
    options.advance = true;
    for (const bool each : {false, true}) {
      options.each = each;
      world.teleport(a, at(5));
      world.move(a, at(1.9));
      EXPECT_EQ(world.sweep(options).status, Status::contact);
    }
    world.teleport(a, at(1.9));
    EXPECT_EQ(world.cast(cube(), Velocity(at(-9), at(9))).status, Status::contact);
    EXPECT_EQ(world.overlap(cube(), at(0.5)).bodies.size(), 1u);
    EXPECT_EQ(world.nearest({0, 0, 3}, 1).bodies.size(), 1u);
  }
  EXPECT_NE(contents(file.name).find("sweep_apart 1 "), std::string::npos);
  EXPECT_NE(contents(file.name).find("sweep_apart_each 1 "), std::string::npos);
  const ReplayResult r = replay_world(file.name);
  EXPECT_EQ(r.sweeps, 4u);
  EXPECT_EQ(r.questions, 3u);
  EXPECT_TRUE(r.different.empty());
}

/// A motion that only the caller knows.
class Falling : public OwnMotion {
 public:
  Placement at(double t) const override { return {.t = {0, 0, 9 - 18 * t}}; }
  IntervalPlacement over(double t0, double t1) const override {
    IntervalPlacement p;
    p.t[2] = Interval(9 - 18 * t1, 9 - 18 * t0);
    return p;
  }
  double travel(const Vec3& n, const Vec3&, double, double t0, double t1) const override {
    return std::max(0.0, -18 * n.z * (t1 - t0));
  }
};

TEST(WorldReplay, CastsOverlapsNearestBodiesAndRays) {
  const TemporaryFile file("replay_questions");
  {
    World world;
    world.record(file.name);
    std::mt19937_64 random(17);
    std::vector<BodyId> ids;
    for (int i = 0; i < 20; ++i) {
      const Body body =
          i % 3 ? Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128})) : Body(shape::Sphere{0.4});
      ids.push_back(world.add(body, random_pose(random, 5), {.group = 1u << (i % 2)}));
    }
    Joint turn;
    turn.type = JointType::screw;
    turn.origin = at(1);
    turn.axis = {0.1, 0.2, 1};
    turn.pitch = 0.3;
    const Pose from = random_pose(random, 5), to = random_pose(random, 5);
    const Chain chain({{"a", "", turn}, {"b", "a", turn}}, Velocity(from, to));
    const std::vector<double> start{0.1, -0.2}, end{1.5, 0.7};
    const Motion ways[] = {Still{from},
                           Velocity(from, to, {0.1, 0.2, 0.3}),
                           Velocity::from_speeds(from, {1, 2, 3}, {0.1, 0.2, 9}),
                           Screw(from, to),
                           LinearParameters(RollPitchYaw{{0, 0, 0}, 0.1, 0.2, 0.3}, RollPitchYaw{{5, 5, 5}, 1, 2, 3}),
                           LinearParameters(from, to),
                           chain.link_motion(LinkId{1}, start, end),
                           Chain({{"c", "", turn}}, chain.link_motion(LinkId{0}, start, end))
                               .link_motion(LinkId{0}, std::vector<double>{0}, std::vector<double>{1})};
    int met = 0;
    for (const Motion& way : ways)
      for (const bool all : {false, true}) {
        CastOptions options;
        options.all = all;
        options.bodies.except = ids[3];
        if (all) options.bodies.mask = 2;
        options.min_separation = all ? 0.1 : 0;
        met += world.cast(cube(), way, options).status != Status::free;
      }
    EXPECT_GT(met, 8);
    const Motion own(std::make_shared<const Falling>());
    EXPECT_NE(world.cast(cube(), own).status, Status::invalid_request);  // not written
    OverlapOptions any;
    any.any = true;
    EXPECT_FALSE(world.overlap(Body(shape::Box{{4, 4, 4}}), from, any).bodies.empty());
    NearestOptions some;
    some.bodies.mask = 1;
    EXPECT_EQ(world.nearest({1, 2, 3}, 4, some).bodies.size(), 4u);
    WorldRayOptions first;
    first.hits = WorldRayHits::first;
    world.ray({0, 0, 0}, {5, 5, 5}, first);
    const std::vector<Ray> rays{{{0, 0, 0}, {5, 5, 5}}, {{5, 0, 0}, {0, 5, 5}}};
    std::vector<std::vector<BodyHit>> hits(2);
    world.rays(rays, {}, hits);
    CastOptions ended;
    ended.budget = std::chrono::nanoseconds(0);
    EXPECT_EQ(world.cast(cube(), ways[1], ended).status, Status::undecided);  // not written
  }
  const ReplayResult r = replay_world(file.name);
  EXPECT_TRUE(r.different.empty());
  EXPECT_EQ(r.questions, 2 * 8 + 4u);
  // Answers of another world are told apart, each by its line.
  std::string text = contents(file.name);
  for (std::size_t at = text.find("sphere:"); at != std::string::npos; at = text.find("sphere:", at + 1))
    text.replace(at, 10, "sphere:0.9");
  std::istringstream in(text);
  EXPECT_GT(replay_world(in, "changed").different.size(), 8u);
}

TEST(WorldReplay, EveryCallGivesTheSameEventsAgain) {
  const TemporaryFile file("replay");
  std::uint64_t hash = 0;
  {
    World world({.broad = "tree", .threads = 2, .boxes = BroadBoxes::cubes});
    world.record(file.name);
    std::mt19937_64 random(7);
    const FrameId frame = world.add_frame(at(1), world.add_frame());
    std::vector<BodyId> ids;
    for (int i = 0; i < 12; ++i)
      ids.push_back(world.add(i % 2 ? cube() : Body(make::tetrahedron()), random_pose(random, 3),
                              {.name = "a \"name\"\nwith everything \\", .mask = 7}));
    ids.push_back(world.add(cube(), Pose(), {.frame = frame}));
    Joint joint;
    joint.type = JointType::revolute;
    const Chain chain({{"arm", "", joint}, {"hand", "arm", joint}});
    const std::vector<LinkBody> links{{LinkId{0}, cube()}, {LinkId{1}, cube()}};
    const ArticulatedId robot = world.add(chain, links, std::vector<double>{0.1, 0.2}, at(2, 2));
    world.interest(ids[0], ids[1], false);
    world.set_pair(ids[2], ids[3], {.method = "dual", .tolerance = 1e-3});
    world.groups(ids[4], 2, 2);
    // What a callback does is recorded as well, the callback itself is not.
    world.on_contact([&](const WorldEvent& e) {
      if (e.kind == EventKind::began && e.a == ids[0]) world.move(e.a, at(50));
    });
    for (int i = 0; i < 6; ++i) {
      world.move(ids[static_cast<std::size_t>(i % 5)], random_pose(random, 3));
      world.move(frame, random_pose(random, 2));
      world.move(robot, std::vector<double>{0.3 * i, 0.1}, at(2, i));
      if (i == 2) world.remove(ids[5]);
      if (i == 3) world.break_up(ids[6], std::vector<Body>{cube(), Body(make::tetrahedron())});
      if (i == 3) world.replace(ids[7], Body(make::box({.size = {2, 1, 1}})));
      if (i == 4) {
        std::vector<Vec3> p(world.body(ids[7]).mesh().positions().begin(), world.body(ids[7]).mesh().positions().end());
        for (Vec3& x : p) x.y *= 2;
        world.deform(ids[7], p);
      }
      const CheckOptions options = i == 1   ? CheckOptions{.budget = std::chrono::microseconds(20)}
                                   : i == 2 ? CheckOptions{.work = 50}
                                            : CheckOptions{};
      hash = event_hash(world.check(options).events, hash);
      world.sweep({.earliest = i == 5});
      if (i % 2) {
        EXPECT_GT(world.near(0.5).pairs.size(), 0u);
        EXPECT_GT(world.ray({0, 0, 0}, {3, 3, 3}).size() + world.in_box({{0, 0, 0}, {2, 2, 2}}).size(), 0u);
      }
    }
    world.remove(robot);
    world.attach(ids[8], std::nullopt, at(1));
    hash = event_hash(world.check().events, hash);
  }
  std::uint64_t events = 0;
  const ReplayResult r = replay_world(file.name, [&](const CheckResult& c) { events += c.events.size(); });
  std::size_t seen = 0, bodies = 0;
  replay_world(file.name, [&](const World& world, const CheckResult& c) {
    seen += c.events.size();
    bodies = std::max(bodies, world.size());
  });
  EXPECT_EQ(seen, events);
  EXPECT_GT(bodies, 0u);
  EXPECT_EQ(r.event_hash, hash);
  EXPECT_TRUE(r.different.empty());
  EXPECT_EQ(r.checks, 7u);
  EXPECT_EQ(r.sweeps, 6u);
  EXPECT_EQ(r.questions, 9u);
  EXPECT_GT(r.events, 10u);
  EXPECT_EQ(r.events, events);
  EXPECT_TRUE(is_recording(file.name));
}

TEST(WorldReplay, ConcurrentRunsToo) {
  const TemporaryFile file("concurrent");
  std::uint64_t hash = 0;
  {
    ConcurrentWorld world;
    world.record(file.name);
    std::mt19937_64 random(8);
    std::vector<BodyId> ids;
    for (int i = 0; i < 20; ++i) ids.push_back(world.add(cube(), random_pose(random, 3)));
    for (int f = 0; f < 50; ++f) {
      for (const BodyId id : ids) world.move(id, random_pose(random, 3));
      world.post();
    }
    world.wait();
    std::vector<CheckResult> results;
    world.take(results);
    for (const CheckResult& r : results) hash = event_hash(r.events, hash);
  }
  const ReplayResult r = replay_world(file.name);
  EXPECT_EQ(r.event_hash, hash);
  EXPECT_TRUE(r.different.empty());
}

TEST(WorldReplay, ADifferenceIsNamedByItsLine) {
  const TemporaryFile file("different");
  {
    World world;
    world.record(file.name);
    world.add(cube());
    world.add(cube(), at(0.5));
    world.check();
    EXPECT_THROW(world.record(file.name), Error);
  }
  std::string text = contents(file.name);
  text.replace(text.find(" 0.5 "), 5, " 7.5 ");
  std::istringstream in(text);
  const ReplayResult r = replay_world(in, "changed");
  EXPECT_EQ(r.different, std::vector<std::uint64_t>{6});
}

TEST(WorldReplay, EveryOtherAnswerIsComparedToo) {
  const TemporaryFile file("answers");
  {
    World world;
    world.record(file.name);
    world.add(cube());
    world.add(cube(), at(1.5));
    world.near(1);
    world.ray({-5, 0, 0}, {5, 0, 0});
    world.in_box({{1.25, 0, 0}, {2, 2, 2}});
    world.sweep();
  }
  std::string text = contents(file.name);
  EXPECT_TRUE(replay_world(file.name).different.empty());
  text.replace(text.find(" 1.5 "), 5, " 4.5 ");
  std::istringstream in(text);
  EXPECT_EQ(replay_world(in, "changed").different, (std::vector<std::uint64_t>{6, 7, 8}));
}

TEST(WorldReplay, BrokenRecordingsAreRefusedWithTheirLine) {
  const auto refusal = [](const std::string& text) {
    std::istringstream in(text);
    try {
      replay_world(in, "file");
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().code, ErrorCode::bad_file);
      EXPECT_EQ(error.detail().file, "file");
      return std::pair(error.detail().line, error.detail().message);
    }
    return std::pair(std::uint64_t{0}, std::string());
  };
  const std::string head = "graze-world 1\noptions \"tree\" 1 0 16\n";
  const std::string mesh = "mesh 3 0 0 0 1 0 0 0 1 0 1 3 0 1 2\n";
  EXPECT_EQ(refusal(head + mesh + "add 0 0 0 0 1 0 0 0 \"\" 0 1 1 1\ncheck 1 0 0 0\n").first, 0u);
  EXPECT_EQ(refusal("").first, 1u);
  EXPECT_EQ(refusal("graze-world 6\n").first, 1u);
  EXPECT_EQ(refusal("graze-world 2\noptions \"tree\" 1 0 16\n").first, 2u);
  EXPECT_EQ(refusal("graze-world 2\noptions \"tree\" 1 0 16 \"round\"\n").first, 2u);
  EXPECT_EQ(refusal("graze-world 2\noptions \"tree\" 1 0 16 \"tilted\"\nnear -1 0\n").first, 3u);
  EXPECT_EQ(refusal("graze-world 1\noptions \"none such\" 1 0 16\n").first, 2u);
  EXPECT_EQ(refusal(head + "mesh 3 0 0 0\n").first, 3u);
  EXPECT_EQ(refusal(head + "mesh 99999999999 0 0 0\n").first, 3u);
  EXPECT_EQ(refusal(head + "mesh 3 0 0 0 1 0 0 0 1 0 1 3 0 1 9\n").first, 3u);
  EXPECT_EQ(refusal(head + "add 0 0 0 0 1 0 0 0 \"\" 0 1 1 1\n").first, 3u);
  EXPECT_EQ(refusal(head + mesh + "move 0 0 0 0 0 1 0 0 0\n").first, 4u);
  EXPECT_EQ(refusal(head + mesh + "add 0 0 0 0 0 0 0 0 \"\" 0 1 1 1\n").first, 4u);
  EXPECT_EQ(refusal(head + mesh + "add 0 0 0 nan 1 0 0 0 \"\" 0 1 1 1\n").first, 4u);
  EXPECT_EQ(refusal(head + "dance\n").first, 3u);
  EXPECT_NE(refusal(head + "dance\n").second.find("dance"), std::string::npos);
  EXPECT_EQ(refusal(head + "check 1 0 0 0 0\n").first, 3u);
  const std::string options = " 0 0 0 \"best_first\" 0 0 0 0 0\n";
  EXPECT_EQ(refusal(head + mesh + "cast 0 still 0 0 0 1 0 0 0" + options).first, 0u);
  EXPECT_EQ(refusal(head + mesh + "cast 1 still 0 0 0 1 0 0 0" + options).first, 4u);
  EXPECT_EQ(refusal(head + mesh + "cast 0 fly 0 0 0 1 0 0 0" + options).first, 4u);
  EXPECT_EQ(refusal(head + mesh + "cast 0 chain still 0 0 0 1 0 0 0 0" + options).first, 4u);
  EXPECT_EQ(refusal(head + mesh + "cast 0 chain still 0 0 0 1 0 0 0 1 bend 0 1 0 0 1" + options).first, 4u);
  EXPECT_EQ(refusal(head + mesh + "cast 0 chain still 0 0 0 1 0 0 0 1 revolute 0 1 0 0 0" + options).first, 4u);
  std::string chains;
  for (int i = 0; i < 100000; ++i) chains += " chain";
  EXPECT_EQ(refusal(head + mesh + "cast 0" + chains + options).first, 4u);
  EXPECT_EQ(refusal(head + mesh + "cast 0 still 0 0 0 1 0 0 0 0 1 7 0 0 \"best_first\" 0 0 0 0 0\n").first, 4u);
  EXPECT_EQ(refusal(head + "ray_with 9 0 0 0 0 0 1 1 1 0\n").first, 3u);
  EXPECT_EQ(refusal(head + "nearest 0 0 0 0 0 0 0 0\n").first, 3u);
}

}  // namespace
}  // namespace graze::testing
