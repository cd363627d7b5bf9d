// SPDX-License-Identifier: MIT
// A cloth falls on a ball without ever passing through it or through itself. Every time step minimises an energy with a
// barrier against contact, and every line search starts from the step size that graze certifies.
#include <cmath>
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

using graze::Vec3;
constexpr double mass = 1e-3, stiffness = 2e-3, barrier = 1e-3, nearby = 0.02;

int main() {
  const graze::Mesh cloth = graze::make::cloth_sheet({.triangles = 400}),
                    ball = graze::make::sphere({.triangles = 300});
  std::vector<Vec3> x(cloth.positions().begin(), cloth.positions().end());
  std::vector<graze::Triangle> list(cloth.triangles().begin(), cloth.triangles().end());
  const std::size_t moving = x.size();  // the ball's vertices follow and stay
  for (const Vec3& p : ball.positions()) x.push_back(p * 0.3 + Vec3{0.05, 0.03, -0.33});
  for (const graze::Triangle& t : ball.triangles())
    list.push_back({t[0] + std::uint32_t(moving), t[1] + std::uint32_t(moving), t[2] + std::uint32_t(moving)});
  graze::Deformable mesh(graze::Mesh(x, std::span<const graze::Triangle>(list)));

  std::vector<Vec3> start = x, target = x, slope(x.size()), tried = x, velocity(x.size());
  std::vector<double> curvature(x.size());
  graze::DeformResult near;
  // The energy at p; the mesh is there afterwards. Its gradient and the diagonal of its Hessian.
  const auto energy = [&](std::span<const Vec3> p) {
    double sum = 0;
    const auto add = [&](std::size_t v, double first, const Vec3& direction, double second) {
      slope[v] = slope[v] + direction * first;
      curvature[v] += second;
    };
    std::fill(slope.begin(), slope.end(), Vec3{});
    std::fill(curvature.begin(), curvature.end(), 0.0);
    for (std::size_t v = 0; v < moving; ++v) {
      sum += 0.5 * mass * dot(p[v] - target[v], p[v] - target[v]);
      add(v, mass, p[v] - target[v], mass);
    }
    for (const graze::Triangle& t : cloth.triangles())
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        const double rest = length(cloth.positions()[a] - cloth.positions()[b]), l = length(p[a] - p[b]);
        sum += 0.5 * stiffness * (l - rest) * (l - rest);
        add(a, stiffness * (l - rest) / l, p[a] - p[b], 2 * stiffness);
        add(b, stiffness * (l - rest) / l, p[b] - p[a], 2 * stiffness);
      }
    mesh.set_positions(p);
    mesh.contacts(p, {.min_separation = nearby, .crossing_at_start = false},
                  near);  // a way of no length: all that is near
    for (const graze::DeformContact& c : near.contacts) {
      graze::ElementaryQuery q{c.kind, {}, {}};
      for (std::size_t i = 0; i < 4; ++i) q.start[i] = q.end[i] = p[c.vertices[i]];
      const graze::ElementaryResult r = graze::elementary_contact(q, {.min_separation = nearby});
      if (!(r.gap < nearby)) continue;
      const double d = r.gap, e = d - nearby, log = std::log(d / nearby);
      const double first = -2 * e * log - e * e / d, second = -2 * log - 4 * e / d + e * e / (d * d);
      sum -= barrier * e * e * log;
      Vec3 normal{};
      std::array<double, 4> w = r.weights;
      for (std::size_t i = c.kind == graze::ElementaryKind::vertex_face ? 1 : 2; i < 4; ++i) w[i] = -w[i];
      for (std::size_t i = 0; i < 4; ++i) normal = normal + q.start[i] * (w[i] / d);
      for (std::size_t i = 0; i < 4; ++i)
        add(c.vertices[i], barrier * first * w[i], normal, barrier * second * w[i] * w[i]);
    }
    return sum;
  };

  for (int frame = 0; frame < 40; ++frame) {
    start = x;
    for (std::size_t v = 0; v < moving; ++v) target[v] = x[v] + velocity[v] * 0.02 + Vec3{0, 0, -9.81} * (0.02 * 0.02);
    for (int i = 0; i < 8; ++i) {
      const double before = energy(x);
      std::vector<Vec3> to = x;
      for (std::size_t v = 0; v < moving; ++v) to[v] = i == 0 ? target[v] : x[v] - slope[v] * (1 / curvature[v]);
      double step = mesh.step_size(to).step;  // from x: nothing touches until there
      if (!(step > 0)) return 1;
      do {
        for (std::size_t v = 0; v < moving; ++v) tried[v] = x[v] + (to[v] - x[v]) * step;
        step *= 0.5;
      } while (energy(tried) > before && step > 1e-9);
      x = tried;
    }
    std::printf("%d z %g %zu\n", frame, x[moving / 2].z, near.contacts.size());
    for (std::size_t v = 0; v < moving; ++v) velocity[v] = (x[v] - start[v]) * (1 / 0.02);
  }
  const bool free = graze::self_collide(graze::Body(graze::Mesh(x, std::span<const graze::Triangle>(list)))).status ==
                    graze::Status::free;
  std::printf("%zu pairs of features are near; the cloth %s\n", near.contacts.size(),
              free ? "touches nothing" : "has gone through something");
  return free && !near.contacts.empty() ? 0 : 1;
}
