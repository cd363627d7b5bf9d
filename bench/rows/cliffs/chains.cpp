// SPDX-License-Identifier: MIT
// Chains whose joints leave much of the motion still: plates that slide, balls in sockets.
#include <fmt/core.h>

#include <memory>

#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>
#include <graze/motion/chain.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

Link revolute(int i, const Vec3& axis, const Pose& origin = {}) {
  return {fmt::format("l{}", i), i ? fmt::format("l{}", i - 1) : "", {JointType::revolute, origin, axis, 0}};
}

/// A question whose answer is `free`.
std::function<std::string()> asking(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double seconds) {
  FirstContactOptions options;
  options.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  const auto result = std::make_shared<FirstContactResult>();
  return [=] {
    first_contact(a, ma, b, mb, options, *result);
    return result->status == Status::free ? std::string() : fmt::format("{} instead of free", name(result->status));
  };
}

}  // namespace

void row_cliff_chains(Context& context) {
  const double seconds = context.quick ? 0.5 : 20;
  const Body sheet(make::cloth_sheet({.triangles = context.quick ? 2000u : 20000u}));
  const std::vector<double> from{0, 0, 0};
  // As far as the two joints together turn and reach.
  const Chain scara({revolute(0, {0, 0, 1}), revolute(1, {0, 0, 1}, Pose({0.5, 0, 0}))});
  const Motion slide = scara.link_motion(LinkId{1}, std::span(from).first(2), std::vector{1.5, -1.2});
  const Motion turn = Velocity::from_speeds(Pose(), {}, {0, 0, 1.5});
  std::vector<Cliff> cliffs;
  for (const double gap : {1e-2, 1e-4, 3e-6}) {
    const Motion below = Still{Pose({0, 0, -gap})};
    cliffs.push_back({fmt::format("two joints slide a sheet {:g} above another", gap), 10,
                      asking(sheet, slide, sheet, below, seconds), asking(sheet, turn, sheet, below, seconds),
                      "one joint does"});
  }
  for (const std::size_t triangles : {std::size_t{2000}, std::size_t{20000}}) {
    if (context.quick && triangles > 2000) continue;
    const Body ball(make::sphere({.radius = 1, .triangles = triangles})),
        socket(make::sphere({.radius = 1.03, .triangles = triangles}));
    const Chain wrist({revolute(0, {0, 0, 1}), revolute(1, {0, 1, 0}), revolute(2, {1, 0, 0})});
    const Motion joints = wrist.link_motion(LinkId{2}, from, std::vector{1.0, 0.8, 0.6});
    const Motion velocity = Velocity::from_speeds(Pose(), {}, {0.6, 0.8, 1.0});
    cliffs.push_back({fmt::format("a ball of {} triangles on three joints in its socket", triangles), 1,
                      asking(ball, joints, socket, Still{}, seconds), asking(ball, velocity, socket, Still{}, seconds),
                      "turns as one velocity"});
  }
  compare_cliffs(context, "chains", cliffs);
}

}  // namespace graze::bench
