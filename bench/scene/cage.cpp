// SPDX-License-Identifier: MIT
#include "scene/cage.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/mesh/make.hpp>

#include "scene/poses.hpp"

namespace graze::bench {
namespace {

struct Flyer {
  Pose pose;
  Vec3 velocity;
  Quat turning;
};

class Cage {
 public:
  explicit Cage(const CagePlan& plan) : plan_(plan), random_(plan.seed) {
    for (const Mesh& mesh : plan.meshes) flight_.bodies.emplace_back(mesh);
    flight_.flying = plan.meshes.size();
    if (plan.walls) add_walls();
    for (const Body& body : flight_.bodies) flight_.triangles += body.mesh().triangle_count();
    for (std::uint32_t a = 0; a < (plan.only_first ? 1 : flight_.flying); ++a)
      for (std::uint32_t b = a + 1; b < flight_.bodies.size(); ++b) flight_.pairs.push_back({a, b});
    place();
  }

  CageFlight fly() {
    for (std::size_t f = 0; f < plan_.frames; ++f) step();
    return std::move(flight_);
  }

 private:
  /// Outside the reach of any body whose origin is inside the cage: half a side of 1, on a diagonal.
  static constexpr double kReach = 0.87;

  void add_walls() {
    const double half = plan_.side / 2 + kReach, thick = 0.1;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {-1.0, 1.0}) {
        Vec3 size{2 * half, 2 * half, 2 * half}, middle{plan_.side / 2, plan_.side / 2, plan_.side / 2};
        size[axis] = thick;
        // Close enough that bodies sometimes touch it.
        middle[axis] += sign * (plan_.side / 2 + kReach / 3);
        flight_.bodies.emplace_back(make::box({.size = size}));
        walls_.push_back(Pose(middle));
      }
    }
  }

  void aim(Flyer& flyer) {
    flyer.velocity = random_.direction() * plan_.speed;
    flyer.turning = turn(random_.direction(), plan_.angle);
  }

  bool touches(const Body& a, const Pose& at, const Body& b, const Pose& bt) {
    collide(a, at, b, bt, {}, result_);
    return result_.status == Status::contact;
  }

  bool place(std::size_t i) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      const auto anywhere = [&] { return random_.uniform(0, plan_.side); };
      const double x = anywhere(), y = anywhere(), z = anywhere();
      Flyer flyer{.pose = Pose({x, y, z}, random_.rotation()), .velocity = {}, .turning = {}};
      bool free = true;
      for (std::size_t j = 0; j < flyers_.size() && free && plan_.bounce; ++j)
        free = !touches(flight_.bodies[i], flyer.pose, flight_.bodies[j], flyers_[j].pose);
      for (std::size_t w = 0; w < walls_.size() && free; ++w)
        free = !touches(flight_.bodies[i], flyer.pose, flight_.bodies[flight_.flying + w], walls_[w]);
      if (!free) continue;
      aim(flyer);
      flyers_.push_back(flyer);
      return true;
    }
    return false;
  }

  void place() {
    for (int attempt = 0; attempt < 100; ++attempt) {
      flyers_.clear();
      while (flyers_.size() < flight_.flying && place(flyers_.size())) {
      }
      if (flyers_.size() == flight_.flying) return;
    }
    throw std::runtime_error("the cage is too small for its bodies");
  }

  void move(Flyer& flyer) {
    Vec3 at = flyer.pose.translation() + flyer.velocity;
    for (int k = 0; k < 3; ++k) {
      if ((at[k] < 0 && flyer.velocity[k] < 0) || (at[k] > plan_.side && flyer.velocity[k] > 0))
        flyer.velocity[k] = -flyer.velocity[k];
      at[k] = std::clamp(at[k], 0.0, plan_.side);
    }
    flyer.pose = Pose(at, product(flyer.turning, flyer.pose.rotation()));
  }

  void step() {
    const std::vector<Flyer> before = flyers_;
    const std::size_t movers = plan_.only_first ? 1 : flyers_.size();
    for (std::size_t i = 0; i < movers; ++i) move(flyers_[i]);
    std::vector<Pose> poses;
    for (const Flyer& flyer : flyers_) poses.push_back(flyer.pose);
    poses.insert(poses.end(), walls_.begin(), walls_.end());
    if (plan_.bounce) {
      std::vector<char> touched(flight_.bodies.size(), 0);
      for (const auto& [a, b] : flight_.pairs) {
        if (!touches(flight_.bodies[a], poses[a], flight_.bodies[b], poses[b])) continue;
        touched[a] = touched[b] = 1;
      }
      for (std::size_t i = 0; i < movers; ++i) {
        if (!touched[i]) continue;
        flyers_[i].pose = before[i].pose;
        aim(flyers_[i]);
      }
    }
    flight_.frames.push_back(std::move(poses));
  }

  const CagePlan& plan_;
  Random random_;
  CageFlight flight_;
  std::vector<Pose> walls_;
  std::vector<Flyer> flyers_;
  CollideResult result_;
};

}  // namespace

CageFlight fly_in_cage(const CagePlan& plan) { return Cage(plan).fly(); }

Mesh thesis_body(std::string_view kind, std::size_t triangles) {
  if (kind == "sphere") return make::sphere({.radius = 0.5, .triangles = triangles});
  if (kind == "cone") return make::cone({.radius = 0.5, .height = 1, .triangles = triangles});
  if (kind == "torus") return make::torus({.major = 0.35, .minor = 0.15, .triangles = triangles});
  if (kind == "hyperboloid") return make::hyperboloid({.triangles = triangles});
  if (kind == "tetra-flake") return make::tetra_flake({.size = 0.75, .triangles = triangles});
  if (kind == "cube-array") return make::cube_array({.size = 1, .triangles = triangles});
  if (kind == "tetrahedron") return make::tetrahedron({.size = 1, .triangles = triangles});
  throw std::invalid_argument("the thesis has no body '" + std::string(kind) + "'");
}

}  // namespace graze::bench
