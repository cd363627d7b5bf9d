// SPDX-License-Identifier: MIT
// A sheet over a turning ball: springs are satisfied one after another, what `near` finds is pushed apart, and the step
// ends where `step_size` certifies that nothing has touched.
#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include <graze/ask/deform.hpp>
#include <graze/ask/proximity.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

#include "playground/makers.hpp"

namespace graze::play {
namespace {

/// Both in one mesh: the vertices of the sheet, then those of the ball.
Mesh sheet_and_ball(double detail) {
  const auto share = [&](double triangles) { return static_cast<std::size_t>(triangles * detail); };
  const Mesh sheet = make::cloth_sheet({.width = 2, .height = 2, .triangles = share(5000)});
  const Mesh ball = make::sphere({.radius = 0.5, .triangles = share(2000)});
  std::vector<Vec3> positions;
  for (const Vec3& p : sheet.positions()) positions.push_back(p + Vec3{0, 0, 0.7});
  for (const Vec3& p : ball.positions()) positions.push_back(p);
  std::vector<Triangle> triangles(sheet.triangles().begin(), sheet.triangles().end());
  const auto first = static_cast<std::uint32_t>(sheet.vertex_count());
  for (const Triangle& t : ball.triangles()) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return Mesh(std::move(positions), triangles);
}

class Cloth : public Application {
 public:
  explicit Cloth(double detail)
      : mesh_(sheet_and_ball(detail)),
        deformable_(mesh_),
        x_(mesh_.positions().begin(), mesh_.positions().end()),
        rest_(x_),
        velocity_(x_.size()) {
    const std::vector<std::uint32_t> body = vertex_bodies(mesh_);
    for (const std::uint32_t b : body) sheet_ += b == body.front();
    DeformFilter filter;
    filter.bodies = body;
    filter.settings.resize(2);
    filter.settings[1].self = false;
    deformable_.set_filter(filter);
    double longest = 0;
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> across;
    for (const Triangle& t : mesh_.triangles())
      for (std::size_t k = 0; t[0] < sheet_ && k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        const auto [other, is_new] = across.insert({{std::min(a, b), std::max(a, b)}, c});
        springs_.push_back(is_new ? Spring{a, b, length(x_[b] - x_[a]), 1}
                                  : Spring{c, other->second, length(x_[other->second] - x_[c]), 0.05});
        if (is_new) longest = std::fmax(longest, springs_.back().rest);
      }
    thickness_ = 0.15 * longest;
    bodies_.push_back({"sheet and ball", mesh_, Pose(), false, false, x_, {}});
  }

  Frame frame(const Input& input) override {
    const auto start = std::chrono::steady_clock::now();
    const double dt = std::fmin(input.time, 1.0 / 30);
    std::vector<Vec3> wish(x_);
    for (std::size_t v = 0; v < sheet_; ++v) {
      velocity_[v] = (velocity_[v] + Vec3{0, 0, -9.81} * dt) * 0.995;
      wish[v] = x_[v] + velocity_[v] * dt;
    }
    const double c = std::cos(0.8 * dt), s = std::sin(0.8 * dt);  // the ball turns from where it is now
    for (std::size_t v = sheet_; v < wish.size(); ++v)
      wish[v] = {x_[v].x * c - x_[v].y * s, x_[v].x * s + x_[v].y * c, x_[v].z};

    deformable_.set_positions(x_);
    const ProximityResult near = deformable_.near(x_, 2 * thickness_);
    if (near.error) throw Error(*near.error);
    for (int round = 0; round < 12; ++round) {
      for (const Spring& spring : springs_) stretch(wish, spring);
      for (const ProximityPair& pair : near.pairs) part(wish, pair);
    }
    const StepSize step = deformable_.step_size(wish, {.slack = 0.1});
    if (step.error) throw Error(*step.error);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      const Vec3 next = step.step >= 1 ? wish[v] : x_[v] + (wish[v] - x_[v]) * step.step;
      if (v < sheet_) velocity_[v] = (next - x_[v]) * (1 / dt);
      x_[v] = next;
    }
    bodies_[0].positions = x_;
    Frame frame;
    frame.numbers = {{"seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()},
                     {"step", step.step},
                     {"near", static_cast<double>(near.pairs.size())}};
    return frame;
  }

 private:
  struct Spring {
    std::uint32_t a, b;
    double rest, stiffness;
  };

  static void stretch(std::vector<Vec3>& x, const Spring& spring) {
    const Vec3 way = x[spring.b] - x[spring.a];
    const double now = length(way);
    if (!(now > 0)) return;
    const Vec3 half = way * (0.5 * spring.stiffness * (now - spring.rest) / now);
    x[spring.a] = x[spring.a] + half;
    x[spring.b] = x[spring.b] - half;
  }

  /// Along the direction that they are apart now, at least the thickness.
  void part(std::vector<Vec3>& wish, const ProximityPair& pair) const {
    const std::array<double, 4> w = pair.signed_weights();
    Vec3 now, then;
    double share = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t v = pair.vertices[k];
      now = now + x_[v] * w[k];
      then = then + wish[v] * w[k];
      if (v < sheet_) share += w[k] * w[k];
    }
    const double apart = length(now);
    if (!(apart > 0) || !(share > 0)) return;
    const Vec3 n = now * (1 / apart);
    const double missing = thickness_ - dot(n, then);
    if (missing <= 0) return;
    for (std::size_t k = 0; k < 4; ++k)
      if (const std::uint32_t v = pair.vertices[k]; v < sheet_) wish[v] = wish[v] + n * (missing * w[k] / share);
  }

  Mesh mesh_;
  Deformable deformable_;
  std::vector<Vec3> x_, rest_, velocity_;
  std::vector<Spring> springs_;
  std::size_t sheet_ = 0;  // vertices of the sheet, which come first
  double thickness_ = 0;
};

}  // namespace

std::unique_ptr<Application> make_cloth(double detail) { return std::make_unique<Cloth>(detail); }

}  // namespace graze::play
