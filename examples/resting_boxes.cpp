// SPDX-License-Identifier: MIT
// A small simulator: a stack of boxes on a floor, held up by sequential impulses at the points of contact manifolds.
// Ids tell which point is which, so that each frame starts with the impulses of the last one and few iterations are
// enough.
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

#include <graze/graze.hpp>

using namespace graze;

constexpr double step = 1.0 / 60, inverse_inertia = 6;  // of a unit cube of mass 1
struct Box {
  Vec3 at, velocity = {}, spin = {};
  Quat turn = {};
  Vec3 arm(const Vec3& p, const Vec3& n) const { return cross(p - at, n); }
  double speed(const Vec3& p, const Vec3& n) const { return dot(velocity, n) + dot(spin, arm(p, n)); }
  double yields(const Vec3& p, const Vec3& n) const { return 1 + inverse_inertia * dot(arm(p, n), arm(p, n)); }
  void push(const Vec3& p, const Vec3& impulse) {
    velocity = velocity + impulse;
    spin = spin + arm(p, impulse) * inverse_inertia;
  }
  void move() {
    at = at + velocity * step;
    const Quat q = turn, w{0, spin.x * step / 2, spin.y * step / 2, spin.z * step / 2};
    turn = {q.w - w.x * q.x - w.y * q.y - w.z * q.z, q.x + w.x * q.w + w.y * q.z - w.z * q.y,
            q.y + w.y * q.w + w.z * q.x - w.x * q.z, q.z + w.z * q.w + w.x * q.y - w.y * q.x};
  }
};
struct Contact {
  Box *a, *b;  // a is null for the floor
  Vec3 point, normal;
  double depth, *impulse;
  void push(double more) const {
    b->push(point, normal * more);
    if (a) a->push(point, normal * -more);
  }
};

int main() {
  const Body floor(shape::HalfSpace{}), cube(shape::Box{{1, 1, 1}});
  std::vector<Box> boxes;
  for (int i = 0; i < 5; ++i) boxes.push_back({.at = {0.1 * (i % 2), 0.05 * i, 0.5 + i}});
  std::map<std::tuple<const Box*, const Box*, std::uint64_t>, double> impulses;  // by bodies and id
  std::size_t known = 0, all = 0;
  for (int frame = 0; frame < 300; ++frame) {
    const auto last = std::exchange(impulses, {});
    std::vector<Contact> contacts;
    const auto meet = [&](Box* a, const Body& body_a, const Pose& pose_a, Box* b) {
      const ManifoldResult m = manifold(body_a, pose_a, cube, Pose(b->at, b->turn), {.margin = 0.02});
      for (const ManifoldPatch& patch : m.patches)
        for (const ManifoldPoint& p : patch.points) {
          const auto before = last.find({a, b, p.id});
          known += before != last.end(), ++all;
          double& impulse = impulses[{a, b, p.id}] = before != last.end() ? before->second : 0;
          contacts.push_back({a, b, (p.points[0] + p.points[1]) * 0.5, patch.normal, p.depth, &impulse});
        }
    };
    for (Box& b : boxes) {
      meet(nullptr, floor, Pose(), &b);
      for (Box* a = &boxes[0]; a < &b; ++a) meet(a, cube, Pose(a->at, a->turn), &b);
      b.velocity.z -= 9.81 * step;
    }
    for (const Contact& c : contacts) c.push(*c.impulse);  // the warm start
    for (int iteration = 0; iteration < 10; ++iteration)
      for (const auto& [a, b, p, n, depth, impulse] : contacts) {
        // Apart: they may close the gap. Deeper than 5 mm: a fifth of it is pushed out in a step.
        const double aim = depth < 0 ? depth / step : 0.2 / step * std::fmax(0, depth - 0.005);
        const double speed = b->speed(p, n) - (a ? a->speed(p, n) : 0);
        const double total = std::fmax(0, *impulse + (aim - speed) / (b->yields(p, n) + (a ? a->yields(p, n) : 0)));
        Contact{a, b, p, n, depth, impulse}.push(total - std::exchange(*impulse, total));
      }
    for (Box& box : boxes) box.move();
  }
  std::printf("top box at height %.3f; %zu of %zu points were known before\n", boxes.back().at.z, known, all);
  return std::fabs(boxes.back().at.z - 4.5) < 0.06 && known > all * 9 / 10 ? 0 : 1;
}
