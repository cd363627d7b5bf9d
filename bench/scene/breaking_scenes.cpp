// SPDX-License-Identifier: MIT
#include "scene/breaking_scenes.hpp"

#include <algorithm>
#include <cmath>

#include <graze/mesh/make.hpp>

namespace graze::bench {

BreakingScene::BreakingScene(const Mesh& mesh, std::vector<std::uint32_t> body_of, std::uint32_t first_brittle,
                             double fall)
    : rest_(mesh.positions().begin(), mesh.positions().end()),
      now_(rest_),
      triangles_(mesh.triangles().begin(), mesh.triangles().end()),
      velocity_(rest_.size()),
      body_of_(std::move(body_of)),
      piece_(body_of_),
      first_brittle_(first_brittle),
      fall_(fall) {
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    of_piece_[piece_[t]] = {0, 0, piece_[t] == 0 ? 0 : -fall};  // body 0 stays
    for (const std::uint32_t v : triangles_[t]) velocity_[v] = of_piece_[piece_[t]];
  }
}

Mesh BreakingScene::mesh() const { return Mesh(now_, std::span<const Triangle>(triangles_)); }

Vec3 BreakingScene::middle(const Triangle& t) const { return (rest_[t[0]] + rest_[t[1]] + rest_[t[2]]) * (1.0 / 3); }

/// Pieces fall, drift apart and bend a little.
std::vector<Vec3> BreakingScene::next() const {
  std::vector<Vec3> to = now_;
  for (std::size_t v = 0; v < to.size(); ++v) {
    const double bend = 0.5 * length(velocity_[v]) * std::sin(5 * rest_[v].x);
    to[v] = to[v] + velocity_[v] + Vec3{0, 0.1 * bend, bend * 0.1};
  }
  return to;
}

void BreakingScene::advance() { now_ = next(); }

std::size_t BreakingScene::break_further() {
  std::uniform_real_distribution<double> real(-1, 1);
  const std::uint32_t bodies = *std::max_element(body_of_.begin(), body_of_.end()) + 1;
  std::vector<Vec3> centre(bodies), normal(bodies);
  std::vector<double> count(bodies, 0);
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    centre[body_of_[t]] = centre[body_of_[t]] + middle(triangles_[t]);
    ++count[body_of_[t]];
  }
  for (std::uint32_t b = 0; b < bodies; ++b) {
    normal[b] = {real(random_), real(random_), real(random_)};
    centre[b] = centre[b] * (1 / count[b]);
  }
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const std::uint32_t b = body_of_[t];
    if (b < first_brittle_ || !(dot(normal[b], middle(triangles_[t]) - centre[b]) > 0)) continue;
    const std::uint32_t beyond = piece_[t] * 2654435761u + 12345u;
    of_piece_.try_emplace(beyond, of_piece_[piece_[t]] + normal[b] * (0.3 * fall_));
    piece_[t] = beyond;
  }
  // The first piece at a vertex keeps it.
  std::vector<std::uint32_t> owner(rest_.size(), 0);
  std::vector<bool> owned(rest_.size(), false);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> copies;
  std::size_t touched = 0;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    bool changed = false;
    for (std::uint32_t& v : triangles_[t]) {
      if (!owned[v]) owned[v] = true, owner[v] = piece_[t];
      if (owner[v] != piece_[t]) {
        const auto [at, is_new] = copies.try_emplace({v, piece_[t]}, static_cast<std::uint32_t>(rest_.size()));
        if (is_new) {
          rest_.push_back(Vec3(rest_[v]));
          now_.push_back(Vec3(now_[v]));
          velocity_.push_back({});
          owner.push_back(piece_[t]);
          owned.push_back(true);
        }
        v = at->second;
        changed = true;
      }
      velocity_[v] = of_piece_[piece_[t]];
    }
    touched += changed;
  }
  return touched;
}

namespace {

struct Bodies {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> body_of;

  template <class Place>
  void add(const Mesh& mesh, std::uint32_t body, Place place) {
    const auto base = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& x : mesh.positions()) positions.push_back(place(x));
    for (const Triangle& t : mesh.triangles()) triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    body_of.resize(triangles.size(), body);
  }
  Mesh mesh() const { return Mesh(positions, std::span<const Triangle>(triangles)); }
};

}  // namespace

BreakingScene breaking_letters(std::size_t triangles) {
  Bodies b;
  const auto bowl = static_cast<std::size_t>(0.3 * static_cast<double>(triangles));
  b.add(make::sphere({.radius = 1, .triangles = bowl}), 0, [](const Vec3& x) {
    return Vec3{2 * x.x, 2 * x.y, 1.2 * (x.x * x.x + x.y * x.y) - (x.z < 0 ? -0.4 * x.z : 0.0)};
  });
  // Side by side, just above the bowl.
  constexpr std::uint32_t letters = 24;
  const Mesh letter = make::torus_knot({.p = 2, .q = 3, .triangles = (triangles - bowl) / letters});
  const Vec3 extent = letter.box().hi - letter.box().lo;
  const double size = 0.5 / std::max({extent.x, extent.y, extent.z});
  for (std::uint32_t i = 1; i <= letters; ++i) {
    const double x = 0.55 * (i % 5) - 1.1, y = 0.55 * (i / 5) - 1.1;
    const Vec3 at{x, y, 1.2 * (x * x + y * y) / 4 + 0.5};
    b.add(letter, i, [&](const Vec3& p) { return at + p * size; });
  }
  return {b.mesh(), b.body_of, 1, 0.04};
}

BreakingScene breaking_statue(std::size_t triangles) {
  Bodies b;
  // A slender knot stands for the dragon, a lumpy ball that falls on it for the bunny, a plate for the ground.
  const auto falling = triangles / 5;
  b.add(make::box(), 0, [](const Vec3& x) { return Vec3{8 * x.x, 8 * x.y, 0.1 * x.z - 2.2}; });
  b.add(make::sphere({.radius = 0.7, .triangles = falling}), 1, [](const Vec3& x) {
    return x * (1 + 0.15 * std::sin(7 * x.x) * std::sin(9 * x.y + 5 * x.z)) + Vec3{0, 0, 1.6};
  });
  b.add(make::torus_knot({.p = 2, .q = 3, .triangles = triangles - falling}), 2, [](const Vec3& x) { return x; });
  return {b.mesh(), b.body_of, 2, 0.03};
}

}  // namespace graze::bench
