// SPDX-License-Identifier: MIT
// Times a fixed list of questions with the public API that has stayed the same: compiled against two versions of the
// library by scripts/bench_against, which compares the times. Prints one line a row: name, nanoseconds, hash of
// answers. An argument names the one row to run (for counting instructions).
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <graze/graze.hpp>

namespace {

using namespace graze;

class Draw {
 public:
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Pose pose(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    const double a = (*this)(-1, 1), b = (*this)(-1, 1), c = (*this)(-1, 1), d = (*this)(-1, 1);
    return Pose({x, y, z}, {a, b, c, d});
  }

 private:
  std::mt19937_64 engine_{7};
};

class Hash {
 public:
  void add(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    value_ = (value_ ^ bits) * 0x100000001b3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

const char* only = nullptr;  ///< the one row to run; null: all

template <class Question>
void row(const char* name, int repeats, Question&& question) {
  if (only && std::strcmp(only, name) != 0) return;
  Hash hash;
  double best = 1e300;
  for (int pass = 0; pass < 3; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) hash.add(question(i));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / repeats);
  }
  std::printf("%s %.1f %016llx\n", name, best, static_cast<unsigned long long>(hash.value()));
}

double sum(const std::optional<std::array<Vec3, 2>>& points) { return points ? (*points)[0].x + (*points)[1].y : 0; }

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) only = argv[1];
  Draw draw;
  const Body bunny(make::bunny({.triangles = 20000})), knot(make::torus_knot({.triangles = 5000}));
  const Body crate(make::box({.size = {1, 1, 1}})), floor(make::box({.size = {50, 50, 1}}));
  std::vector<Pose> near, far;
  for (int i = 0; i < 64; ++i) near.push_back(draw.pose(0.6)), far.push_back(draw.pose(2.5));
  const auto at = [](const std::vector<Pose>& poses, int i) -> const Pose& {
    return poses[static_cast<std::size_t>(i) % poses.size()];
  };
  CollideResult hit;
  row("collide_bunnies", 512, [&](int i) {
    collide(bunny, Pose(), bunny, at(far, i), {}, hit);
    return sum(hit.points);
  });
  CollideOptions all;
  all.all = true;
  row("all_pairs_bunnies", 64, [&](int i) {
    collide(bunny, Pose(), bunny, at(near, i), all, hit);
    return static_cast<double>(hit.pairs.size());
  });
  row("collide_knots", 512, [&](int i) {
    collide(knot, Pose(), knot, at(far, i), {}, hit);
    return sum(hit.points);
  });
  row("distance_bunnies", 128, [&](int i) { return distance(bunny, Pose(), bunny, at(far, i)).distance; });
  row("distance_knots", 128, [&](int i) { return distance(knot, Pose(), knot, at(far, i)).distance; });
  row("distance_crate_on_floor", 256, [&](int i) {
    return distance(crate, Pose({0.01 * i, 0, 1.0 + 1e-6}), floor, Pose()).distance;
  });
  row("contains_bunny", 512,
      [&](int i) { return static_cast<double>(contains(bunny, Pose(), at(near, i).translation()).location); });
  row("ray_bunny", 512, [&](int i) {
    const auto r = cast_ray(bunny, Pose(), at(far, i).translation(), at(far, i + 1).translation());
    return r.hit ? 1.0 : 0.0;
  });
  FirstContactCoherence memory;
  FirstContactOptions flight;
  flight.coherence = &memory;
  FirstContactResult first;
  row("first_contact_bunnies", 64, [&](int i) {
    first_contact(bunny, Still{}, bunny, Velocity(at(far, i), at(near, i)), flight, first);
    return static_cast<double>(first.status);
  });
  row("first_contact_knots", 64, [&](int i) {
    first_contact(knot, Still{}, knot, Velocity(at(far, i), at(far, i + 7)), flight, first);
    return static_cast<double>(first.status);
  });
  row("first_contact_screw_knots", 64, [&](int i) {
    first_contact(knot, Still{}, knot, Screw(at(far, i), at(far, i + 7)), flight, first);
    return static_cast<double>(first.status);
  });
  row("build_bunny", 8, [&](int) { return static_cast<double>(Body(bunny.mesh()).tree_bytes()); });
  row("self_bunny", 8, [&](int) { return static_cast<double>(self_collide(bunny).pairs.size()); });
  {
    const Mesh cloth = make::bunny({.triangles = 20000});
    Deformable soft(cloth);
    std::vector<Vec3> positions(cloth.positions().begin(), cloth.positions().end());
    DeformResult step;
    row("step_bunny", 16, [&](int i) {
      for (Vec3& p : positions) p = p + Vec3{0.001 * std::sin(i + 9 * p.y), 0, 0.001 * std::cos(i + 9 * p.x)};
      soft.step(positions, {}, step);
      return static_cast<double>(step.contacts.size());
    });
  }
  // The recorded step of a cloth on a ball, where the shared data are.
  const char* const named = std::getenv("GRAZE_SHARED_DATA");
  const std::filesystem::path frames =
      std::filesystem::path(named ? named : "../shared/data") / "deform" / "cloth-ball";
  if (std::filesystem::exists(frames / "frame1.ply")) {
    const Mesh from = load_mesh(frames / "frame0.ply"), to = load_mesh(frames / "frame1.ply");
    const std::vector<Vec3> start(from.positions().begin(), from.positions().end()),
        end(to.positions().begin(), to.positions().end());
    DeformResult step;
    row("step_cloth_ball_with_build_and_start", 1, [&](int) {
      Deformable(from).step(end, {}, step);
      return static_cast<double>(step.contacts.size());
    });
    DeformOptions options;
    options.crossing_at_start = false;
    row("step_cloth_ball_with_build", 1, [&](int) {
      Deformable(from).step(end, options, step);
      return static_cast<double>(step.contacts.size());
    });
    Deformable warm(from);
    row("step_cloth_ball_and_back", 1, [&](int) {
      warm.step(end, options, step);
      const auto contacts = static_cast<double>(step.contacts.size());
      warm.step(start, options, step);
      return contacts;
    });
  }
  {
    World world;
    std::vector<BodyId> ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(world.add(crate, draw.pose(12)));
    world.check();
    row("world_1000_crates", 32, [&](int i) {
      for (std::size_t k = static_cast<std::size_t>(i) % 10; k < ids.size(); k += 10) {
        const Pose p = world.pose(ids[k]);
        world.move(ids[k], Pose(p.translation() + Vec3{0.01, 0, 0}, p.rotation()));
      }
      return static_cast<double>(world.check().events.size());
    });
  }
}
