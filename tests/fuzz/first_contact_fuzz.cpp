// SPDX-License-Identifier: MIT
// Two small meshes and two motions made from the input's bytes. No method may return `free` if the exact discrete test
// finds a crossing at a sampled pose or a contact at the end pose; none may be late; brackets must be valid; best_first
// and brute must agree in every bit; a budget may only lead to `undecided`.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>

#include "fuzz/fuzz_input.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small integers, which give exact contacts; fractions; sometimes any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  if (b < 200) return fuzz::small_whole(b, 4);
  return b < 250 ? (static_cast<int>(in.byte()) - 128) / 37.0 : in.any_double();
}
using Input = fuzz::Numbers<number>;

Pose pose(Input& in) {
  const Vec3 t = in.vector();
  if (in.byte() % 2) return Pose(t);
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  return Pose(t, {w, x, y, z});
}

/// A motion, and its pose by independent formulas: exact at both ends of `Velocity` and `Screw`, approximate at any
/// time of a motion with given velocities.
struct Moving {
  Motion motion;
  std::optional<Pose> start, end;
  Vec3 linear, angular;
  bool speeds = false;

  std::optional<Pose> at(double t) const {
    if (t == 0 && start) return start;
    if (t == 1 && end) return end;
    if (!speeds) return std::nullopt;
    const double w = length(angular), h = w * t / 2, s = w > 0 ? std::sin(h) / w : 0, c = std::cos(h);
    const Quat& q = start->rotation();
    const Vec3 u = angular * s;
    const Quat r{c * q.w - u.x * q.x - u.y * q.y - u.z * q.z, c * q.x + u.x * q.w + u.y * q.z - u.z * q.y,
                 c * q.y - u.x * q.z + u.y * q.w + u.z * q.x, c * q.z + u.x * q.y - u.y * q.x + u.z * q.w};
    return Pose(start->translation() + linear * t, r);
  }
};

Moving moving(Input& in) {
  const int kind = in.byte() % 6;
  const Pose from = pose(in);
  if (kind == 0) return {Still{from}, from, from, {}, {}, true};
  if (kind <= 2) {
    const Vec3 v = in.vector(), w = in.byte() % 2 ? in.vector() : Vec3{};
    return {Velocity::from_speeds(from, v, w), from, std::nullopt, v, w, true};
  }
  const Pose to = pose(in);
  if (kind == 3) return {Velocity(from, to, in.vector()), from, to, {}, {}, false};
  if (kind == 4) return {Screw(from, to), from, to, {}, {}, false};
  return {LinearParameters(from, to), std::nullopt, std::nullopt, {}, {}, false};
}

bool moderate(const Vec3& v) { return std::fabs(v.x) < 1e3 && std::fabs(v.y) < 1e3 && std::fabs(v.z) < 1e3; }
bool moderate(const Moving& m) {
  return m.speeds && moderate(m.start->translation()) && moderate(m.linear) && moderate(m.angular);
}
bool moderate(const Mesh& m) { return moderate(m.box().lo) && moderate(m.box().hi); }

struct Scene {
  Body a, b;
  Moving move_a, move_b;
};

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Checks brackets, and the results of the exact discrete test at both ends and at some times between.
void check(const Scene& s, const FirstContactResult& r) {
  if (r.status == Status::invalid_request) return require(r.error.has_value());
  if (r.status == Status::free) require(r.time.safe == 1 && std::isnan(r.time.touch));
  if (r.status == Status::contact)
    require(0 <= r.time.safe && r.time.safe <= r.time.touch && r.time.touch <= 1 && r.pair.has_value() &&
            !r.features.empty());
  if (r.status == Status::contact) require(r.gap <= r.tolerance);
  if (r.status == Status::undecided) require(0 <= r.time.safe && r.time.safe <= 1 && std::isnan(r.time.touch));
  const auto hit = [&](double t) -> std::optional<CollideResult> {
    const std::optional<Pose> pa = s.move_a.at(t), pb = s.move_b.at(t);
    if (!pa || !pb) return std::nullopt;
    return collide(s.a, *pa, s.b, *pb);
  };
  if (const auto start = hit(0); start && r.status != Status::undecided)
    require((r.status == Status::touching_at_start) == (start->status == Status::contact));
  if (s.move_a.end && s.move_b.end && r.status == Status::free) require(hit(1)->status == Status::free);
  if (!(r.time.safe > 0)) return;  // nothing is certified
  if (!moderate(s.move_a) || !moderate(s.move_b) || !moderate(s.a.mesh()) || !moderate(s.b.mesh())) return;
  const double until = r.status == Status::contact ? r.time.touch : r.time.safe;
  for (int i = 1; i <= 16; ++i) {
    const double t = until * i / 17;
    if (const auto h = hit(t)) require(!(h->status == Status::contact && h->kind == ContactKind::crossing));
  }
}

FirstContactResult ask(const Scene& s, std::string_view method, std::optional<double> tolerance, std::uint64_t work) {
  FirstContactOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.work = work;
  return first_contact(s.a, s.move_a.motion, s.b, s.move_b.motion, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    const Body a(fuzz::mesh(in, {1, 7, 4, 3})), b(fuzz::mesh(in, {1, 7, 4, 3}));
    const Moving move_a = moving(in), move_b = moving(in);
    const Scene scene{a, b, move_a, move_b};
    std::optional<double> tolerance;
    if (const int power = in.byte() % 13; power > 1) tolerance = std::pow(10.0, -power);
    std::optional<FirstContactResult> best;
    for (const FirstContactTraits& method : first_contact_methods()) {
      const FirstContactResult r = ask(scene, method.name, tolerance, 20000);
      check(scene, r);
      if (method.name == "best_first") best = r;
      if (method.name == "brute" && best && r.status != Status::undecided && best->status != Status::undecided)
        require(r.status == best->status && same(r.time.safe, best->time.safe) &&
                same(r.time.touch, best->time.touch) && r.pair == best->pair && r.tolerance == best->tolerance);
      const FirstContactResult little = ask(scene, method.name, tolerance, 1 + in.byte() % 64);
      check(scene, little);
      if (little.status != Status::undecided && r.status != Status::undecided)
        require(little.status == r.status && same(little.time.touch, r.time.touch));
    }
  } catch (const Error&) {  // the bytes do not give a valid mesh or motion
  }
  return 0;
}
