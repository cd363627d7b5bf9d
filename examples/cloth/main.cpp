// SPDX-License-Identifier: MIT
// Two scenes of a cloth simulator: a sheet falls on a turning ball, and a tube is twisted. Every frame is tested for
// intersections by the exact discrete test.
//
//   example_cloth                                       both scenes, small: the test
//   example_cloth ball|rod FRAMES TRIANGLES [FOLDER]    FOLDER/frame_0000.ply ... are frames that `graze deform` reads
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>

#include "simulator.hpp"

namespace {

using cloth::Positions;
using cloth::Scene;
using graze::Vec3;

Vec3 turned(const Vec3& x, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * x.x - s * x.y, s * x.x + c * x.y, x.z};
}

/// A sheet above a ball, which turns about the z axis.
Scene sheet_on_ball(std::size_t count) {
  const graze::Mesh sheet = graze::make::cloth_sheet({.triangles = count}),
                    ball = graze::make::sphere({.triangles = count});
  Positions x(sheet.positions().begin(), sheet.positions().end());
  std::vector<graze::Triangle> triangles(sheet.triangles().begin(), sheet.triangles().end());
  const auto first = static_cast<std::uint32_t>(x.size());
  for (const Vec3& p : ball.positions()) x.push_back(p * 0.3 + Vec3{0, 0, -0.32});
  for (const graze::Triangle& t : ball.triangles()) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  std::vector<bool> driven(x.size());
  std::fill(driven.begin() + first, driven.end(), true);
  return {graze::Mesh(x, triangles),
          std::sqrt(2.0 / static_cast<double>(count)),
          driven,
          [](Vec3 rest, double time) { return turned(rest, 3 * time); },
          1,
          {0, 0, -9.81}};
}

/// A tube along z, whose ends turn against each other and come nearer.
Scene twisted_tube(std::size_t count) {
  const auto around = static_cast<std::uint32_t>(std::max(6.0, std::sqrt(static_cast<double>(count) / 4)));
  const std::uint32_t rings = 2 * around + 1;
  const double radius = 0.15, pi = std::numbers::pi, edge = 2 * pi * radius / around;
  Positions x;
  std::vector<graze::Triangle> triangles;
  std::vector<bool> driven;
  for (std::uint32_t j = 0; j < rings; ++j)
    for (std::uint32_t i = 0; i < around; ++i) {
      x.push_back(turned({radius, 0, edge * (j - 0.5 * (rings - 1))}, 2 * pi * (i + 0.5 * (j % 2)) / around));
      driven.push_back(j == 0 || j + 1 == rings);
      if (j + 1 == rings) continue;
      const std::uint32_t a = j * around + i, b = j * around + (i + 1) % around, c = a + around, d = b + around;
      const bool odd = j % 2 == 1;
      triangles.push_back({a, b, odd ? d : c});
      triangles.push_back(odd ? graze::Triangle{a, d, c} : graze::Triangle{b, d, c});
    }
  return {graze::Mesh(x, triangles),
          edge,
          driven,
          [](Vec3 rest, double time) {
            Vec3 p = turned(rest, (rest.z < 0 ? 10 : -10) * time);
            p.z *= 1 - 0.4 * time;
            return p;
          },
          ~0u,
          {}};
}

/// Runs a scene; writes its frames if `folder` is not empty. Returns 0 if nothing ever met.
int run(const std::string& name, int frames, std::size_t triangles, const std::filesystem::path& folder) {
  const Scene scene = name == "ball" ? sheet_on_ball(triangles) : twisted_tube(triangles);
  cloth::Simulator simulator(scene);
  for (int frame = 0; frame <= frames; ++frame) {
    if (frame > 0 && !simulator.advance())
      return std::printf("%s: frame %d: the step size is 0\n", name.c_str(), frame), 1;
    if (!simulator.is_free())
      return std::printf("%s: frame %d: something has gone through something\n", name.c_str(), frame), 1;
    if (folder.empty()) continue;
    std::string number = std::to_string(frame);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
    graze::save_mesh(graze::Mesh(simulator.positions(), scene.mesh.triangles()), folder / ("frame_" + number + ".ply"),
                     {.encoding = graze::SaveOptions::Encoding::binary_little_endian});
  }
  std::printf("%s: %d frames, %zu steps of Newton's method, at most %zu pairs near each other, and nothing ever met\n",
              name.c_str(), frames, simulator.newton_steps, simulator.most_contacts);
  return simulator.most_contacts > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return run("ball", 14, 300, {}) + run("rod", 26, 300, {});
  if (count > 4) std::filesystem::create_directories(arguments[4]);
  return run(arguments[1], std::atoi(arguments[2]), static_cast<std::size_t>(std::atoi(arguments[3])),
             count > 4 ? arguments[4] : "");
}
