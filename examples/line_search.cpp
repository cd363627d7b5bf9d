// SPDX-License-Identifier: MIT
// A cloth falls on a ball without ever passing through it or through itself. Every time step minimises an energy with a
// barrier against contact, and every line search starts from the step size that graze certifies.
#include <cmath>
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

using graze::Vec3;

constexpr double mass = 1e-3, stiffness = 2e-3, barrier = 1e-3, nearby = 0.02, time_step = 0.02;

/// Adds the barrier's energy at x, its slope and the diagonal of its curvature, for all features that are near.
double add_barrier(graze::Deformable& mesh, std::span<const Vec3> x, std::vector<Vec3>& slope,
                   std::vector<double>& curvature) {
  static graze::DeformResult near;
  mesh.set_positions(x);
  mesh.contacts(x, {.min_separation = nearby, .crossing_at_start = false},
                near);  // a way of no length: what is near now
  double energy = 0;
  for (const graze::DeformContact& c : near.contacts) {
    graze::ElementaryQuery q{c.kind, {}, {}};
    for (std::size_t i = 0; i < 4; ++i) q.start[i] = q.end[i] = x[c.vertices[i]];
    graze::ElementaryResult r = graze::elementary_contact(q, {.min_separation = nearby});
    for (std::size_t i = c.kind == graze::ElementaryKind::vertex_face ? 1 : 2; i < 4; ++i) r.weights[i] = -r.weights[i];
    const double d = r.gap, e = std::min(0.0, d - nearby), log = std::log(std::min(1.0, d / nearby));
    energy -= barrier * e * e * log;
    Vec3 between{};
    for (std::size_t i = 0; i < 4; ++i) between = between + q.start[i] * r.weights[i];
    for (std::size_t i = 0; i < 4; ++i) {
      const double w = r.weights[i];
      slope[c.vertices[i]] = slope[c.vertices[i]] + between * (barrier * w * (-2 * e * log - e * e / d) / d);
      curvature[c.vertices[i]] += barrier * w * w * (-2 * log - 4 * e / d + e * e / (d * d));
    }
  }
  return energy;
}

int main() {
  const graze::Mesh cloth = graze::make::cloth_sheet({.triangles = 400}),
                    ball = graze::make::sphere({.triangles = 300});
  std::vector<Vec3> x(cloth.positions().begin(), cloth.positions().end());
  std::vector<graze::Triangle> triangles(cloth.triangles().begin(), cloth.triangles().end());
  const auto moving = static_cast<std::uint32_t>(x.size());  // the ball's vertices come after these, and stay
  for (const Vec3& p : ball.positions()) x.push_back(p * 0.3 + Vec3{0.05, 0.03, -0.33});
  for (const graze::Triangle& t : ball.triangles()) triangles.push_back({t[0] + moving, t[1] + moving, t[2] + moving});
  graze::Deformable mesh(graze::Mesh(x, triangles));

  std::vector<Vec3> inertia = x, to = x, tried = x, slope(x.size()), velocity(x.size());
  std::vector<double> curvature(x.size());
  const auto energy = [&](std::span<const Vec3> p) {
    std::fill(slope.begin(), slope.end(), Vec3{});
    std::fill(curvature.begin(), curvature.end(), mass);
    double sum = add_barrier(mesh, p, slope, curvature);
    for (std::size_t v = 0; v < moving; ++v) {
      sum += 0.5 * mass * dot(p[v] - inertia[v], p[v] - inertia[v]);
      slope[v] = slope[v] + (p[v] - inertia[v]) * mass;
    }
    for (const graze::Triangle& t : cloth.triangles())
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        const double rest = length(cloth.positions()[a] - cloth.positions()[b]), now = length(p[a] - p[b]);
        sum += 0.5 * stiffness * (now - rest) * (now - rest);
        const Vec3 pull = (p[a] - p[b]) * (stiffness * (now - rest) / now);
        slope[a] = slope[a] + pull, slope[b] = slope[b] - pull;
        curvature[a] += 2 * stiffness, curvature[b] += 2 * stiffness;
      }
    return sum;
  };

  for (int frame = 0; frame < 40; ++frame) {
    const std::vector<Vec3> before = x;
    for (std::size_t v = 0; v < moving; ++v)
      inertia[v] = x[v] + velocity[v] * time_step + Vec3{0, 0, -9.81} * (time_step * time_step);
    for (int i = 0; i < 8; ++i) {
      const double now = energy(x);
      for (std::size_t v = 0; v < moving; ++v) to[v] = i == 0 ? inertia[v] : x[v] - slope[v] * (1 / curvature[v]);
      double step = mesh.step_size(to).step;  // from x: certified, nothing touches on the way there
      if (!(step > 0)) return 1;
      do {
        for (std::size_t v = 0; v < moving; ++v) tried[v] = x[v] + (to[v] - x[v]) * step;
        step *= 0.5;
      } while (energy(tried) > now && step > 1e-9);
      x = tried;
    }
    for (std::size_t v = 0; v < moving; ++v) velocity[v] = (x[v] - before[v]) * (1 / time_step);
  }
  mesh.set_positions(x);
  const graze::DeformResult at_rest = mesh.contacts(x);
  std::printf("the cloth is %.3f above the ball's middle and %s\n", x[moving / 2].z + 0.33,
              at_rest.status == graze::Status::free ? "touches nothing" : "has gone through something");
  return at_rest.status == graze::Status::free && x[moving / 2].z > -0.1 ? 0 : 1;
}
