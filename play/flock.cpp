// SPDX-License-Identifier: MIT
#include "flock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "hand_mesh.hpp"
#include "rotation.hpp"

namespace graze::play {

std::size_t Flock::add(Flyer flyer) {
  const auto rest = flyer.mesh.positions();
  positions_.emplace_back(rest.begin(), rest.end());
  flyers_.push_back(std::move(flyer));
  return flyers_.size() - 1;
}

/// Of a placed triangle, of no particular length.
Vec3 Flock::normal(std::size_t body, TriangleId triangle) const {
  const Triangle& t = flyers_[body].mesh.triangles()[index(triangle)];
  const std::vector<Vec3>& p = positions_[body];
  return Pose({}, flyers_[body].pose.rotation()).apply(cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]));
}

FlockReport Flock::step(double time) {
  const auto start = std::chrono::steady_clock::now();
  now_ += time;
  std::vector<InterferenceBody> bodies;
  for (std::size_t i = 0; i < size(); ++i) {
    Flyer& f = flyers_[i];
    f.pose = moved(f.pose, {}, f.velocity, f.spin, time);
    for (int k = 0; k < 3; ++k) {  // the walls
      const double at = f.pose.translation()[k];
      if ((at < box_.lo[k] && f.velocity[k] < 0) || (at > box_.hi[k] && f.velocity[k] > 0))
        f.velocity[k] = -f.velocity[k];
    }
    if (f.deform) f.deform(now_, positions_[i]);
    bodies.push_back({f.mesh, positions_[i], f.pose});
  }
  const InterferenceResult found = interference(bodies, {.coherence = &coherence_});
  if (found.error) throw Error(*found.error);

  FlockReport report;
  report.pairs = found.pairs.size();
  report.touching.resize(size());
  std::vector<Vec3> against(size());  // the sum of unit normals of the faces that each body met
  const auto meet = [&](const InterferingFace& mine, const InterferingFace& other) {
    report.touching[mine.body].push_back(index(mine.triangle));
    const Vec3 n = normal(other.body, other.triangle);
    const double size = length(n);
    if (size > 0) against[mine.body] = against[mine.body] + n * (1 / size);
  };
  for (const InterferingPair& pair : found.pairs) {
    meet(pair.a, pair.b);
    meet(pair.b, pair.a);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    std::vector<std::uint32_t>& list = report.touching[i];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const double size = length(against[i]);
    if (!(size > 0)) continue;
    const Vec3 n = against[i] * (1 / size);
    const double speed = dot(flyers_[i].velocity, n);
    if (speed < 0) flyers_[i].velocity = flyers_[i].velocity - n * (2 * speed);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

namespace {

/// A hand that closes and opens: fingers bend with the distance from the palm, which is where x is negative.
Flyer grasping_hand(const Mesh& mesh, const Pose& pose, const Vec3& velocity) {
  Flyer hand{mesh, pose, velocity, {0, 0.4, 0.2}, {}};
  hand.deform = [rest = std::vector<Vec3>(mesh.positions().begin(), mesh.positions().end())](
                    double time, std::vector<Vec3>& positions) {
    const double bend = 1.1 * (1 + std::sin(2 * time));
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Vec3& p = rest[i];
      const double angle = bend * std::fmax(0, p.x);
      positions[i] = {p.x * std::cos(angle) - p.z * std::sin(angle), p.y,
                      p.x * std::sin(angle) + p.z * std::cos(angle)};
    }
  };
  return hand;
}

}  // namespace

Flock kitamura_flock(double detail) {
  const auto share = [&](double triangles) { return static_cast<std::size_t>(triangles * detail); };
  Flock flock({{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}});
  const Mesh hand = hand_mesh();
  flock.add(grasping_hand(hand, Pose({-1, 0, 0}), {0.8, 0.1, 0}));
  flock.add(grasping_hand(hand, Pose({1, 0.2, 0}, {0, 0, 0, 1}), {-0.7, 0, 0.1}));
  const Mesh ball = make::sphere({.radius = 0.4, .triangles = share(960)});
  Flyer swelling{ball, Pose({0, 1, 0}), {0.2, -0.6, 0.1}, {}, {}};
  swelling.deform = [rest = std::vector<Vec3>(ball.positions().begin(), ball.positions().end())](
                        double time, std::vector<Vec3>& positions) {
    const double s = 0.25 * std::sin(3 * time);
    for (std::size_t i = 0; i < rest.size(); ++i)
      positions[i] = {rest[i].x * (1 + s), rest[i].y * (1 + s), rest[i].z * (1 - s)};
  };
  flock.add(swelling);
  flock.add({make::head({.size = 0.9, .triangles = share(1816)}), Pose({0, 0, 1}), {0.1, 0.2, -0.6}, {0.3, 0, 0}, {}});
  flock.add({make::shuttle({.size = 1, .triangles = share(528)}), Pose({0, -1, 0}), {0, 0.7, 0.3}, {0, 0, 0.8}, {}});
  return flock;
}

}  // namespace graze::play
