// SPDX-License-Identifier: MIT
// Shapes in motion and in a world: a sphere's first contact with a mesh, motions asked yes or no, 100,000 shapes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <graze/ask/first_contact.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/mesh/make.hpp>
#include <graze/world/world.hpp>

#include "harness/clock.hpp"
#include "peers/shapes.hpp"
#include "rows/shapes/shapes.hpp"
#include "scene/flights.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

/// Two contestants of one task, the second of which is the measure of the first.
void add_pair(Context& context, const std::string& row, const std::string& task,
              const std::vector<Contestant>& contestants, std::size_t queries, double target, std::string note) {
  context.progress.begin(task);
  const auto timings = time_interleaved(contestants, {.queries = queries, .block = 1}, context.progress);
  context.progress.clear();
  context.table.add({row, task, contestants[0].name, timings[0], {}, {}, Verdict::none, {}});
  const double ratio = timings[0].mean / timings[1].mean;
  context.table.add(
      {row, task, contestants[1].name, timings[1], ratio, target, judge_ratio(ratio, target), std::move(note)});
}

/// A ball and a mesh of it with as many triangles as the other mesh.
void sphere_flights(Context& context, bool turning) {
  const std::size_t count = std::max<std::size_t>(20, context.poses / 10);
  const auto rabbit = std::make_shared<Body>(make::bunny({.triangles = 10000}));
  const auto ball = std::make_shared<Body>(shape::Sphere{0.5});
  const auto mesh = std::make_shared<Body>(make::sphere({.radius = 0.5, .meridians = 100, .bands = 51}));
  const std::string task = fmt::format("a ball and the bunny of 10,000, {}", turning ? "turning" : "translation");
  const auto flights = std::make_shared<std::vector<Flight>>(
      crossing_flights(*mesh, *rabbit, {count, 1e-4, turning, 51}, [](double) {}));
  const auto ask = [=](const std::shared_ptr<Body>& body, std::size_t i) {
    FirstContactOptions options;
    options.tolerance = 1e-4;
    const FirstContactResult r = first_contact(*body, (*flights)[i].a, *rabbit, (*flights)[i].b, options);
    return r.status == Status::contact ? r.time.touch : r.status == Status::free ? 2.0 : -1.0;
  };
  const std::vector<Contestant> contestants{{"graze, sphere", [=](std::size_t i) { return ask(ball, i); }},
                                            {"graze, mesh of the sphere", [=](std::size_t i) { return ask(mesh, i); }}};
  std::size_t differ = 0;
  for (std::size_t i = 0; i < count; ++i) differ += !(std::fabs(contestants[0].ask(i) - contestants[1].ask(i)) <= 2e-3);
  add_pair(context, "first-contact", task, contestants, count, 1,
           fmt::format("{} triangles; differs in {} of {}", mesh->mesh().triangle_count(), differ, count));
}

/// Only flights that touch: those that are free take as long either way.
void touching_flights(Context& context, const NamedMesh& body, bool turning) {
  const std::size_t count = std::max<std::size_t>(20, context.poses / 10);
  const auto solid = std::make_shared<Body>(body.mesh);
  const auto flights = std::make_shared<std::vector<Flight>>();
  FirstContactOptions options;
  options.tolerance = 1e-4;
  for (Flight& f : crossing_flights(*solid, *solid, {count, 1e-4, turning, 41}, [](double) {}))
    if (first_contact(*solid, f.a, *solid, f.b, options).status == Status::contact) flights->push_back(std::move(f));
  if (flights->empty()) return;
  const std::vector<Contestant> contestants{
      {"graze, motion_free",
       [=](std::size_t i) {
         return motion_free(*solid, (*flights)[i].a, *solid, (*flights)[i].b, options).status == Status::contact ? 1.0
                                                                                                                 : 0.0;
       }},
      {"graze, first_contact", [=](std::size_t i) {
         return first_contact(*solid, (*flights)[i].a, *solid, (*flights)[i].b, options).status == Status::contact
                    ? 1.0
                    : 0.0;
       }}};
  std::size_t differ = 0;
  for (std::size_t i = 0; i < flights->size(); ++i) differ += contestants[0].ask(i) != contestants[1].ask(i);
  add_pair(context, "motion-free",
           fmt::format("{} against itself, {}, {} flights that touch", body.name,
                       turning ? "pi/3 about X and Y" : "translation", flights->size()),
           contestants, flights->size(), 0.3, differ ? fmt::format("differs in {}", differ) : std::string());
}

ShapeWorld shape_world(std::size_t count, std::size_t frames) {
  using namespace shape;
  ShapeWorld w;
  w.kinds = {Sphere{0.5}, Capsule{0.3, 0.6}, Box{{0.8, 0.9, 0.7}}, Cylinder{0.4, 0.9}};
  Random random(61);
  // About one body in three touches another.
  const double side = std::cbrt(static_cast<double>(count) * 12);
  const auto place = [&] {
    const double x = random.uniform(0, side), y = random.uniform(0, side), z = random.uniform(0, side);
    return Vec3{x, y, z};
  };
  w.moving = count / 10;
  for (std::size_t i = 0; i < count; ++i) {
    w.kind_of.push_back(i % w.kinds.size());
    const Vec3 t = place();
    w.start.emplace_back(t, random.rotation());
  }
  std::vector<Vec3> speed;
  for (std::size_t i = 0; i < w.moving; ++i) speed.push_back(random.direction() * 0.05);
  std::vector<Pose> now(w.start.begin(), w.start.begin() + static_cast<std::ptrdiff_t>(w.moving));
  for (std::size_t k = 0; k < frames; ++k) {
    for (std::size_t i = 0; i < w.moving; ++i)
      now[i] = Pose(now[i].translation() + speed[i], product(turn({0, 0, 1}, 0.02), now[i].rotation()));
    w.frames.push_back(now);
  }
  return w;
}

class GrazeWorld : public WorldRunner {
 public:
  explicit GrazeWorld(const ShapeWorld& scene) : scene_(scene) {
    std::vector<Body> bodies(scene.kinds.begin(), scene.kinds.end());
    BodySettings moves, still;
    moves.group = 1;
    still.group = 2;
    still.mask = 1;  // as in Bullet, bodies that stay are not asked about each other
    for (std::size_t i = 0; i < scene.start.size(); ++i)
      ids_.push_back(world_.add(bodies[scene.kind_of[i]], scene.start[i], i < scene.moving ? moves : still));
    world_.check({}, result_);
  }
  std::string name() const override { return "graze World"; }
  void frame(std::size_t k) override {
    for (std::size_t i = 0; i < scene_.moving; ++i) world_.move(ids_[i], scene_.frames[k][i]);
    world_.check({}, result_);
  }
  std::size_t contacts() override {
    return static_cast<std::size_t>(std::count_if(result_.events.begin(), result_.events.end(),
                                                  [](const WorldEvent& e) { return e.kind != EventKind::ended; }));
  }

 private:
  const ShapeWorld& scene_;
  World world_;
  std::vector<BodyId> ids_;
  CheckResult result_;
};

}  // namespace

void row_shape_first_contact(Context& context) {
  for (const bool turning : {false, true}) sphere_flights(context, turning);
}

void row_motion_free(Context& context) {
  std::vector<NamedMesh> bodies = knots();
  bodies.insert(bodies.begin(), bunny(context.data));
  for (const NamedMesh& body : bodies)
    for (const bool turning : {false, true}) touching_flights(context, body, turning);
}

void row_shape_world(Context& context) {
  constexpr std::size_t count = 100000, frames = 12;
  const ShapeWorld scene = shape_world(count, frames);
  std::vector<std::unique_ptr<WorldRunner>> runners;
  runners.push_back(std::make_unique<GrazeWorld>(scene));
#ifdef GRAZE_BENCH_BULLET
  runners.push_back(bullet_world(scene));
#endif
  std::vector<std::vector<double>> seconds(runners.size());
  std::vector<std::size_t> contacts(runners.size());
  for (std::size_t k = 0; k < frames; ++k)
    for (std::size_t c = 0; c < runners.size(); ++c) {
      const double start = thread_seconds();
      runners[c]->frame(k);
      if (k >= 2) seconds[c].push_back(thread_seconds() - start);  // after two frames everything is warm
      contacts[c] += runners[c]->contacts();
    }
  const std::string task = fmt::format("{} mixed shapes, a tenth of them moving, a frame", count);
  std::vector<Timing> timings;
  for (std::size_t c = 0; c < runners.size(); ++c) {
    timings.push_back(summarise(seconds[c]));
    Line line{"world", task, runners[c]->name(), timings[c], {}, {}, Verdict::none, {}};
    line.note = fmt::format("{} contacts a frame", contacts[c] / frames);
    if (c > 0) {
      line.ratio = timings[0].mean / timings[c].mean;
      line.target = 0.5;
      line.verdict = judge_ratio(*line.ratio, 0.5);
    }
    context.table.add(std::move(line));
  }
}

}  // namespace graze::bench
