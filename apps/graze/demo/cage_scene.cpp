// SPDX-License-Identifier: MIT
#include "demo/cage_scene.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <graze/mesh/make.hpp>

#include "input/query_options.hpp"

namespace graze::app {
namespace {

/// The shape scaled to a box diagonal of 1, with its box centred at the origin.
Body unit_body(const std::string& name, std::uint64_t triangles) {
  for (const make::Shape& shape : make::shapes()) {
    if (shape.name != name) continue;
    const Mesh mesh = shape.make(static_cast<std::size_t>(triangles));
    const Vec3 middle = (mesh.box().lo + mesh.box().hi) * 0.5, size = mesh.box().hi - mesh.box().lo;
    const double scale = 1 / std::sqrt(dot(size, size));
    std::vector<Vec3> positions;
    for (const Vec3& p : mesh.positions()) positions.push_back((p - middle) * scale);
    return Body(Mesh(std::move(positions), mesh.polygons()));
  }
  refuse_option("--kind", fmt::format("unknown shape '{}'; `graze make --list` shows them", name));
}

/// The cube root by Newton's method: the result of libm differs between platforms.
double cube_root(double n) {
  double x = n > 1 ? n : 1;
  for (int i = 0; i < 200; ++i) x = (2 * x + n / (x * x)) / 3;
  return x;
}

Quat product(const Quat& a, const Quat& b) {
  const Quat q{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

}  // namespace

std::uint64_t Dice::next() {
  // SplitMix64.
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

CageScene::CageScene(const CageOptions& options)
    : movers_(static_cast<std::size_t>(std::min(options.movers.value_or(options.bodies), options.bodies))),
      side_(options.room * cube_root(static_cast<double>(options.bodies))) {
  for (const std::string& kind : options.kinds) kinds_.push_back(unit_body(kind, options.triangles));
  Dice dice(options.seed);
  for (std::uint64_t i = 0; i < options.bodies; ++i) {
    Flight f;
    f.pose = anywhere(dice);
    const double v = options.speed;
    f.velocity = {dice.between(-v, v), dice.between(-v, v), dice.between(-v, v)};
    f.turn = {1, dice.between(-v, v), dice.between(-v, v), dice.between(-v, v)};
    flights_.push_back(options.together && i > 0 ? flights_[0] : f);
  }
}

Pose CageScene::anywhere(Dice& dice) const {
  const double x = dice.between(0, side_), y = dice.between(0, side_), z = dice.between(0, side_);
  const double qx = dice.between(-1, 1), qy = dice.between(-1, 1), qz = dice.between(-1, 1);
  return Pose({x, y, z}, {dice.between(0.1, 1), qx, qy, qz});
}

void CageScene::step() {
  for (std::size_t i = 0; i < movers_; ++i) {
    Flight& f = flights_[i];
    Vec3 t = f.pose.translation() + f.velocity;
    for (int k = 0; k < 3; ++k)
      if (t[k] < 0 || t[k] > side_) {
        f.velocity[k] = -f.velocity[k];
        t[k] = t[k] < 0 ? -t[k] : 2 * side_ - t[k];
      }
    f.pose = Pose(t, product(f.turn, f.pose.rotation()));
  }
}

}  // namespace graze::app
