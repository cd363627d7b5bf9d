#include <chrono>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <graze/graze.hpp>
using namespace graze;
static Link revolute(int i, const Vec3& axis, const Pose& origin = {}) {
  return {"l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "", {JointType::revolute, origin, axis, 0}};
}
static void ask(const char* what, const Body& a, const Motion& ma, const Body& b, const Motion& mb, FirstContactOptions o = {}) {
  o.budget = std::chrono::seconds(30);
  FirstContactResult r; first_contact(a, ma, b, mb, o, r);
  double best = 1e9;
  for (int i = 0; i < (getenv("ONCE") ? 1 : 3); ++i) {
    auto s = std::chrono::steady_clock::now();
    first_contact(a, ma, b, mb, o, r);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - s).count());
    if (best > 1) break;
  }
  const auto& c = r.counters;
  std::printf("%-40s %s %.3f ms steps %llu nodes %llu pops %llu box %llu tri %llu\n", what, std::string(name(r.status)).c_str(), best * 1e3,
    (unsigned long long)c.motion_steps, (unsigned long long)c.node_pairs, (unsigned long long)c.queue_pops, (unsigned long long)c.motion_box_tests, (unsigned long long)c.motion_triangle_tests);
}
int main(int argc, char** argv) {
  const char* only = argc > 1 ? argv[1] : "";
  const auto want = [&](const char* n) { return !*only || std::strstr(only, n); };
  const std::vector<double> from{0, 0, 0};
  if (want("socket")) for (std::size_t n : {2000, 20000}) {
    const Body ball(make::sphere({.radius = 1, .triangles = n})), socket(make::sphere({.radius = 1.03, .triangles = n}));
    const Chain wrist({revolute(0, {0, 0, 1}), revolute(1, {0, 1, 0}), revolute(2, {1, 0, 0})});
    const Motion joints = wrist.link_motion(LinkId{2}, from, std::vector{1.0, 0.8, 0.6});
    const Motion velocity = Velocity::from_speeds(Pose(), {}, {0.6, 0.8, 1.0});
    if (!want("velocity")) ask("socket chain", ball, joints, socket, Still{});
    if (!want("chain"))ask("socket velocity", ball, velocity, socket, Still{});
    if (want("small")) break;
  }
  if (want("slide")) {
    const Body sheet(make::cloth_sheet({.triangles = argc > 2 ? (std::size_t)atoi(argv[2]) : 20000}));
    const Chain scara({revolute(0, {0, 0, 1}), revolute(1, {0, 0, 1}, Pose({0.5, 0, 0}))});
    const Motion slide = scara.link_motion(LinkId{1}, std::span(from).first(2), std::vector{1.5, -1.2});
    const Motion turn = Velocity::from_speeds(Pose(), {}, {0, 0, 1.5});
    for (double gap : {1e-2, 1e-4, 1e-5, 3e-6}) {
      const Motion below = Still{Pose({0, 0, -gap})};
      std::string w = "slide chain " + std::to_string(gap * 1e6);
      ask(w.c_str(), sheet, slide, sheet, below);
      w = "slide velocity " + std::to_string(gap * 1e6);
      ask(w.c_str(), sheet, turn, sheet, below);
    }
  }
}
