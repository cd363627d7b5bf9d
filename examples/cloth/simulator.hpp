// SPDX-License-Identifier: MIT
// Implicit time steps: Newton's method minimises an incremental potential (inertia, springs, a barrier against contact,
// friction). Contacts are what `near` lists; a line search never goes beyond the step size that graze certifies.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include <graze/graze.hpp>

#include "hessian.hpp"

namespace cloth {

struct Scene {
  graze::Mesh mesh;
  double edge;               ///< the length of an edge
  std::vector<bool> driven;  ///< by vertex: it goes where the scene says
  Vec3 (*driven_to)(Vec3 rest, double time);
  std::uint32_t obstacle = ~0u;  ///< a body that is not tested against itself
  Vec3 gravity;
};

class Simulator {
 public:
  explicit Simulator(const Scene& scene)
      : scene_(scene),
        mesh_(scene.mesh),
        body_(scene.mesh),
        nearby_(0.25 * scene.edge),
        rest_(scene.mesh.positions().begin(), scene.mesh.positions().end()),
        x_(rest_),
        velocity_(rest_.size()),
        mass_(0.2 / static_cast<double>(rest_.size())) {
    graze::DeformFilter filter;
    filter.bodies = graze::vertex_bodies(scene.mesh);
    filter.settings.resize(2);
    if (scene.obstacle < 2) filter.settings[scene.obstacle].self = false;
    mesh_.set_filter(filter);
    near_options_.rest = rest_;
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> beyond;  // by edge: the corner across
    for (const graze::Triangle& t : scene.mesh.triangles())
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        const auto [other, is_new] = beyond.insert({{std::min(a, b), std::max(a, b)}, c});
        if (is_new)
          add_spring(a, b, 40);
        else
          add_spring(c, other->second, 0.4);  // against bending
      }
  }

  const Positions& positions() const { return x_; }
  std::size_t newton_steps = 0, most_contacts = 0;

  /// One time step. False: it could not go on.
  bool advance() {
    time_ += dt;
    before_ = x_;
    find_friction();
    Positions target = x_;
    inertia_ = x_;
    for (std::size_t v = 0; v < x_.size(); ++v)
      scene_.driven[v] ? target[v] = scene_.driven_to(rest_[v], time_)
                       : inertia_[v] = x_[v] + velocity_[v] * dt + scene_.gravity * (dt * dt);
    bool arrived = false;  // are the driven vertices at their targets?
    for (int i = 0; i < 60; ++i, ++newton_steps) {
      const double now = energy(x_, true);
      const Positions to = newton(target);
      double longest = 0;
      for (std::size_t v = 0; v < to.size(); ++v) longest = std::max(longest, length(to[v] - x_[v]));
      if (arrived && longest < 1e-3 * scene_.edge) break;
      mesh_.set_positions(x_);
      double step = mesh_.step_size(to).step;
      if (!(step > 0)) return false;
      // Until the driven vertices have arrived the energy may rise: they do work.
      for (tried_ = between(to, step); arrived && energy(tried_, false) > now && step > 1e-9;
           tried_ = between(to, step))
        step /= 2;
      arrived = arrived || step == 1;
      x_.swap(tried_);
    }
    for (std::size_t v = 0; v < x_.size(); ++v) velocity_[v] = (x_[v] - before_[v]) * (1 / dt);
    return true;
  }

  /// Exactly: does no triangle meet another one?
  bool is_free() {
    body_ = body_.deformed(x_);
    return graze::self_collide(body_).status == graze::Status::free;
  }

 private:
  static constexpr double dt = 0.02, stiffness = 2e-4, friction = 0.4, sticking = 1e-3 * dt;

  struct Spring {
    std::uint32_t a, b;
    double stiffness, rest;
  };
  struct Sliding {
    Four vertices;
    std::array<double, 4> weights;  ///< of the difference of the closest points
    Vec3 normal;
    double force;
  };

  void add_spring(std::uint32_t a, std::uint32_t b, double k) {
    if (!(scene_.driven[a] && scene_.driven[b])) springs_.push_back({a, b, k, length(rest_[a] - rest_[b])});
  }

  /// x_ for 0, exactly `to` for 1.
  Positions between(const Positions& to, double step) const {
    Positions p(to.size());
    for (std::size_t v = 0; v < p.size(); ++v)
      for (int k = 0; k < 3; ++k) p[v][k] = std::lerp(x_[v][k], to[v][k], step);
    return p;
  }

  /// The energy divided by the square of the time step; on request also its gradient and a semidefinite Hessian.
  double energy(const Positions& x, bool derivatives) {
    if (derivatives) slope_.assign(x.size(), {}), hessian_.clear(mass_ / (dt * dt));
    double sum = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
      if (scene_.driven[v]) continue;
      const Vec3 off = x[v] - inertia_[v];
      sum += 0.5 * mass_ / (dt * dt) * dot(off, off);
      if (derivatives) slope_[v] = off * (mass_ / (dt * dt));
    }
    for (const Spring& s : springs_) {
      const Vec3 r = x[s.a] - x[s.b];
      const double now = length(r), off = now - s.rest;
      sum += 0.5 * s.stiffness * off * off;
      if (!derivatives) continue;
      push(s.a, r * (s.stiffness * off / now)), push(s.b, r * (-s.stiffness * off / now));
      hessian_.add({{s.a, s.b, s.b, s.b},
                    {1, -1, 0, 0},
                    across_and_along(r * (1 / now), s.stiffness * std::max(0.0, off / now), s.stiffness)});
    }
    return sum + barrier(x, derivatives) + sliding(x, derivatives);
  }

  void push(std::uint32_t v, const Vec3& f) { slope_[v] = slope_[v] + f; }

  /// The barrier -(s - 1)^2 log s of the squared distance s, in units of the squared distance where it begins.
  struct Barrier {
    double value, first, second;
    explicit Barrier(double s) {
      const double u = s - 1, log = std::log(s);
      value = -u * u * log;
      first = -2 * u * log - u * u / s;
      second = -2 * log - 4 * u / s + u * u / (s * s);
    }
  };

  void find_near(const Positions& x) { mesh_.near(x, nearby_, near_options_, near_); }

  double barrier(const Positions& x, bool derivatives) {
    find_near(x);
    most_contacts = std::max(most_contacts, near_.pairs.size());
    const std::size_t n = near_.pairs.size(), first = derivatives ? n : 0;
    squares_.resize(n), mollifiers_.resize(n);
    gradients_.resize(12 * first), hessians_.resize(144 * first);
    soft_gradients_.resize(12 * first), soft_hessians_.resize(144 * first);
    graze::squared_distances(near_.pairs, x, squares_, gradients_, hessians_);
    graze::edge_mollifiers(near_.pairs, x, rest_, near_options_.mollifier, mollifiers_, soft_gradients_,
                           soft_hessians_);
    double sum = 0;
    const double unit = nearby_ * nearby_;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(squares_[i] < unit)) continue;
      const graze::ProximityPair& pair = near_.pairs[i];
      const Barrier b(squares_[i] / unit);
      const double scale = stiffness * pair.multiplicity();
      sum += scale * mollifiers_[i] * b.value;
      if (!derivatives) continue;
      const double *g = &gradients_[12 * i], *m = &soft_gradients_[12 * i];
      for (std::size_t k = 0; k < 12; ++k)
        coordinate(slope_, pair.vertices, k) += scale * (mollifiers_[i] * b.first / unit * g[k] + b.value * m[k]);
      Dense part{pair.vertices, {}};
      for (std::size_t j = 0; j < 12; ++j)
        for (std::size_t k = 0; k < 12; ++k)
          part.h[12 * j + k] =
              scale * (mollifiers_[i] *
                           (b.second / (unit * unit) * g[j] * g[k] + b.first / unit * hessians_[144 * i + 12 * j + k]) +
                       b.first / unit * (g[j] * m[k] + m[j] * g[k]) + b.value * soft_hessians_[144 * i + 12 * j + k]);
      hessian_.add(part);
    }
    return sum;
  }

  /// Friction during the step: normals and forces of its start.
  void find_friction() {
    find_near(x_);
    sliding_.clear();
    for (const graze::ProximityPair& pair : near_.pairs) {
      if (!(pair.distance < nearby_)) continue;
      const std::array<double, 4> weights = pair.signed_weights();
      Vec3 between{};
      for (std::size_t i = 0; i < 4; ++i) between = between + x_[pair.vertices[i]] * weights[i];
      const double s = pair.distance / nearby_;
      sliding_.push_back({pair.vertices, weights, between * (1 / length(between)),
                          -friction * stiffness * pair.multiplicity() * Barrier(s * s).first * 2 * s / nearby_});
    }
  }

  double sliding(const Positions& x, bool derivatives) {
    double sum = 0;
    for (const Sliding& s : sliding_) {
      Vec3 u{};
      for (std::size_t i = 0; i < 4; ++i) u = u + (x[s.vertices[i]] - before_[s.vertices[i]]) * s.weights[i];
      u = u - s.normal * dot(u, s.normal);
      const double y = length(u), r = y / sticking;
      sum += s.force * (r < 1 ? sticking * (r * r - r * r * r / 3 + 1.0 / 3) : y);
      if (!derivatives) continue;
      const double pull = s.force * (r < 1 ? (2 - r) / sticking : 1 / y);
      for (std::size_t i = 0; i < 4; ++i) push(s.vertices[i], u * (pull * s.weights[i]));
      hessian_.add({s.vertices, s.weights, across_and_along(s.normal, pull, 0)});
    }
    return sum;
  }

  /// x_ plus Newton's step; driven vertices go to their targets, and the others with them.
  Positions newton(const Positions& target) const {
    Positions p(x_.size()), right(x_.size());
    for (std::size_t v = 0; v < p.size(); ++v) {
      if (scene_.driven[v]) p[v] = target[v] - x_[v];
      right[v] = -slope_[v];
    }
    hessian_.solve(right, scene_.driven, p);
    for (std::size_t v = 0; v < p.size(); ++v) p[v] = scene_.driven[v] ? target[v] : x_[v] + p[v];
    return p;
  }

  Scene scene_;
  graze::Deformable mesh_;
  graze::Body body_;
  double nearby_;
  Positions rest_, x_, velocity_;
  double mass_, time_ = 0;
  Positions inertia_, before_, tried_, slope_;
  std::vector<Spring> springs_;
  std::vector<Sliding> sliding_;
  graze::ProximityOptions near_options_;
  graze::ProximityResult near_;
  std::vector<double> squares_, mollifiers_, gradients_, hessians_, soft_gradients_, soft_hessians_;
  Hessian hessian_;
};

}  // namespace cloth
