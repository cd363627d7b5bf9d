// SPDX-License-Identifier: MIT
// The applications of play/ for web/play, in a module of their own: play.wasm.
#include <graze/ask/collide.hpp>
#include <graze/io/mesh_file.hpp>

#include "engine.hpp"
#include "playground/application.hpp"

namespace graze::web {
namespace {

using play::Application;
using play::Shown;

/// An application, and what its last reply refers to.
struct Played {
  std::unique_ptr<Application> application;
  std::vector<double> poses, contacts;
};

Store<Played>& store() {
  static Store<Played> all;
  return all;
}

Json pose_json(const Pose& pose) {
  const Vec3& t = pose.translation();
  const Quat& q = pose.rotation();
  return Json::array({t.x, t.y, t.z, q.w, q.x, q.y, q.z});
}

Json points_json(std::span<const Vec3> points) {
  return memory_json(std::span<const double>(reinterpret_cast<const double*>(points.data()), 3 * points.size()));
}

Json bodies_json(const Application& application) {
  Json all = Json::array();
  for (const Shown& shown : application.bodies()) {
    const std::span<const Vec3> at =
        shown.positions.empty() ? shown.mesh.positions() : std::span<const Vec3>(shown.positions);
    const std::span<const Triangle> triangles = shown.mesh.triangles();
    all.push_back(Json{{"name", shown.name},
                       {"held", shown.held},
                       {"fixed", shown.fixed},
                       {"pose", pose_json(shown.pose)},
                       {"positions", points_json(at)},
                       {"triangles", memory_json(std::span<const std::uint32_t>(
                                         triangles.empty() ? nullptr : triangles[0].data(), 3 * triangles.size()))}});
  }
  return all;
}

Json list(Engine&, JsonReader&) {
  Json all = Json::array();
  for (const play::ApplicationInfo& info : play::applications())
    all.push_back(Json{{"name", info.name}, {"summary", info.summary}, {"settings", info.settings}});
  return Json{{"applications", std::move(all)}};
}

Json start(Engine&, JsonReader& request) {
  Played played{play::make_application(request.text("name"), request.number("detail", 1)), {}, {}};
  Json out{{"bodies", bodies_json(*played.application)}};
  out["id"] = store().add(std::move(played));
  return out;
}

Json set(Engine&, JsonReader& request) {
  Application& application = *store().at(request, "application").application;
  application.set(request.text("name"), request.text("value"));
  return Json{{"bodies", bodies_json(application)}};
}

/// "poses": seven numbers for each body; "contacts": eight for each: point, normal, the two bodies; "deformed" and
/// "touching" only of bodies that have them.
Json frame(Engine&, JsonReader& request) {
  Played& played = store().at(request, "application");
  play::Input input;
  input.time = request.number("time", input.time);
  input.holding = request.flag("holding", false);
  input.body = static_cast<std::size_t>(request.whole_number("body", 0));
  input.target = pose(request, "target");
  const play::Frame result = played.application->frame(input);

  Json deformed = Json::array(), touching = Json::array();
  played.poses.clear();
  const std::span<const Shown> bodies = played.application->bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const double x : pose_json(bodies[i].pose)) played.poses.push_back(x);
    if (!bodies[i].positions.empty())
      deformed.push_back(Json{{"body", i}, {"positions", points_json(bodies[i].positions)}});
    if (!bodies[i].touching.empty())
      touching.push_back(
          Json{{"body", i}, {"triangles", memory_json(std::span<const std::uint32_t>(bodies[i].touching))}});
  }
  played.contacts.clear();
  for (const play::FrameContact& c : result.contacts)
    for (const double x : {c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z,
                           static_cast<double>(c.a), static_cast<double>(c.b)})
      played.contacts.push_back(x);
  return Json{{"poses", memory_json(std::span<const double>(played.poses))},
              {"contacts", memory_json(std::span<const double>(played.contacts))},
              {"deformed", std::move(deformed)},
              {"touching", std::move(touching)},
              {"events", result.events},
              {"numbers", result.numbers}};
}

/// How many pairs of bodies share a point now, by the exact discrete test: for tests. Bodies that never move are not
/// compared with each other.
Json shared_points(Engine&, JsonReader& request) {
  const std::span<const Shown> bodies = store().at(request, "application").application->bodies();
  std::vector<Body> built;
  for (const Shown& shown : bodies) {
    const Body body(shown.mesh);
    built.push_back(shown.positions.empty() ? body : body.deformed(shown.positions));
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!bodies[i].fixed || !bodies[j].fixed)
        pairs += collide(built[j], bodies[j].pose, built[i], bodies[i].pose).status == Status::contact;
  return Json{{"pairs", pairs}};
}

/// A body as an OBJ file.
Json as_obj(Engine&, JsonReader& request) {
  const std::span<const Shown> bodies = store().at(request, "application").application->bodies();
  const std::size_t i = static_cast<std::size_t>(request.whole_number("body", 0));
  if (i >= bodies.size()) request.refuse("body", "is not there: the application has fewer bodies");
  const Shown& shown = bodies[i];
  const Mesh now = shown.positions.empty() ? shown.mesh : Mesh(shown.positions, shown.mesh.polygons());
  return Json{{"obj", mesh_bytes(now, {.format = MeshFormat::obj})}};
}

Json dispose(Engine&, JsonReader& request) {
  store().remove(request, "application");
  return Json::object();
}

}  // namespace

void add_play(Answers& answers) {
  answers.insert({{"play.list", list},
                  {"play.start", start},
                  {"play.set", set},
                  {"play.frame", frame},
                  {"play.shared", shared_points},
                  {"play.obj", as_obj},
                  {"play.dispose", dispose}});
}

}  // namespace graze::web
