// SPDX-License-Identifier: MIT
#include "demo/demo_cloth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/mesh/make.hpp>

#include "output/print.hpp"

namespace graze::app {
namespace {

/// A cloth, x from -1 to 1, that falls while it folds like a page, with ripples: its vertex positions in a frame.
class FoldingCloth {
 public:
  explicit FoldingCloth(const Mesh& flat) : flat_(flat.positions().begin(), flat.positions().end()) {}

  std::vector<Vec3> frame(int number) const {
    const double angle = 0.3 * number, fall = 0.01 * number * number;
    std::vector<Vec3> out;
    for (const Vec3& p : flat_) {
      const Vec3 q = bent(p.x, angle);
      const double ripple = 0.03 * std::sin(7 * p.y + 5 * p.x + 0.5 * number);
      out.push_back({q.x, p.y, q.z + ripple - fall});
    }
    return out;
  }

 private:
  /// The slope along the sheet increases from 0 to `angle` in its middle part.
  static Vec3 bent(double s, double angle) {
    constexpr int pieces = 200;
    const double step = (s + 1) / pieces;
    Vec3 at{-1, 0, 0};
    for (int i = 0; i < pieces; ++i) {
      const double along = std::clamp((-1 + (i + 0.5) * step + 0.2) / 0.4, 0.0, 1.0);
      at.x += step * std::cos(angle * along);
      at.z += step * std::sin(angle * along);
    }
    return at;
  }

  std::vector<Vec3> flat_;
};

std::string contact_text(const DeformContact& c) {
  const auto& v = c.vertices;
  return c.kind == ElementaryKind::edge_edge ? fmt::format("edge {}-{} and edge {}-{}", v[0], v[1], v[2], v[3])
                                             : fmt::format("vertex {} and face {}-{}-{}", v[0], v[1], v[2], v[3]);
}

}  // namespace

void folding_cloth() {
  const Mesh flat = make::cloth_sheet({.width = 2, .height = 2, .triangles = 5000});
  const FoldingCloth cloth(flat);
  Deformable mesh(Mesh(cloth.frame(0), flat.triangles()));
  DeformResult step;
  double seconds = 0;
  for (int frame = 1; frame <= 20; ++frame) {
    mesh.step(cloth.frame(frame), {}, step);
    seconds += step.seconds.total;
    if (step.status == Status::free) continue;
    print_field("", coloured(fmt::format("{:<58} {}", fmt::format("free: certified for {} steps", frame - 1),
                                         time_text(seconds - step.seconds.total)),
                             Status::free));
    const auto earliest =
        std::min_element(step.contacts.begin(), step.contacts.end(),
                         [](const DeformContact& a, const DeformContact& b) { return a.time.touch < b.time.touch; });
    if (earliest == step.contacts.end()) return;
    print_field("", coloured(fmt::format("{:<58} {}", fmt::format("contact with itself in step {}", frame),
                                         time_text(step.seconds.total)),
                             Status::contact));
    print_field("", fmt::format("first at t = {:.9g}: {}", earliest->time.touch, contact_text(*earliest)));
    print_field("", fmt::format("certified free before t = {}", step.time.safe));
    print_field("", fmt::format("{} pairs of features meet in that step", count_text(step.contacts.size())));
    return;
  }
}

}  // namespace graze::app
