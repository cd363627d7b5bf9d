// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "bvh/tree.hpp"

namespace bvh_test {

using graze::bvh::BoxF;

inline BoxF box_at(float x, float y, float z, float rx, float ry, float rz) {
  return {{x - rx, y - ry, z - rz}, {x + rx, y + ry, z + rz}};
}

inline std::vector<BoxF> random_boxes(std::size_t n, unsigned seed, float spread = 1.0f, float size = 0.05f) {
  std::mt19937 bits(seed);
  const auto unit = [&] { return static_cast<float>(bits() >> 8) * 0x1p-24f; };
  std::vector<BoxF> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = spread * unit(), y = spread * unit(), z = spread * unit();
    const float rx = size * unit(), ry = size * unit(), rz = size * unit();
    boxes.push_back(box_at(x, y, z, rx, ry, rz));
  }
  return boxes;
}

/// Two triangles per cell of a closed bumpy surface, in mesh order; about n boxes.
inline std::vector<BoxF> surface_boxes(std::size_t n) {
  const int rows = static_cast<int>(std::sqrt(static_cast<double>(n) / 4)), columns = 2 * rows;
  const auto point = [&](int i, int j, float* out) {
    const double u = 3.14159265 * i / rows, v = 6.2831853 * j / columns;
    const double r = 1 + 0.2 * std::sin(5 * u) * std::cos(4 * v) + 0.02 * std::sin(40 * u + 31 * v);
    out[0] = static_cast<float>(r * std::sin(u) * std::cos(v));
    out[1] = static_cast<float>(r * std::sin(u) * std::sin(v));
    out[2] = static_cast<float>(r * std::cos(u));
  };
  std::vector<BoxF> boxes;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 2 * columns; ++j) {
      float p[3][3];
      point(i, j / 2, p[0]);
      point(i + 1, j / 2 + 1, p[1]);
      j % 2 == 0 ? point(i + 1, j / 2, p[2]) : point(i, j / 2 + 1, p[2]);
      BoxF b;
      for (int k = 0; k < 3; ++k) {
        b.lo[k] = std::min({p[0][k], p[1][k], p[2][k]});
        b.hi[k] = std::max({p[0][k], p[1][k], p[2][k]});
      }
      boxes.push_back(b);
    }
  }
  return boxes;
}

struct Case {
  std::string name;
  std::vector<BoxF> boxes;
};

/// Everything that once broke some builder.
inline std::vector<Case> cases() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float big = std::numeric_limits<float>::max();
  std::vector<Case> c;
  c.push_back({"single", random_boxes(1, 1)});
  c.push_back({"two", random_boxes(2, 1)});
  for (std::size_t n : {3u, 5u, 9u, 17u, 65u, 1000u, 20000u})
    c.push_back({"random " + std::to_string(n), random_boxes(n, 2)});
  c.push_back({"surface", surface_boxes(9000)});
  c.push_back({"all equal", std::vector<BoxF>(5000, box_at(1, 2, 3, 1, 1, 1))});
  c.push_back({"zero points", std::vector<BoxF>(100, box_at(0, 0, 0, 0, 0, 0))});
  c.push_back({"same centres", {}});
  for (int i = 0; i < 300; ++i) c.back().boxes.push_back(box_at(0, 0, 0, float(i), float(i % 7), 1));
  c.push_back({"points", random_boxes(3000, 3, 1.0f, 0.0f)});
  c.push_back({"flat", random_boxes(3000, 4)});
  for (BoxF& b : c.back().boxes) b.lo[1] = b.hi[1] = 2.0f;
  c.push_back({"line", random_boxes(3000, 5)});
  for (BoxF& b : c.back().boxes) b.lo[1] = b.hi[1] = b.lo[2] = b.hi[2] = 0.0f;
  c.push_back({"huge", random_boxes(3000, 6, 3e38f, 1e37f)});
  c.push_back({"huge both signs", random_boxes(3000, 7, 2.0f, 0.1f)});
  for (BoxF& b : c.back().boxes) {
    for (int k = 0; k < 3; ++k) b.lo[k] = (b.lo[k] - 1) * 3e38f, b.hi[k] = std::min((b.hi[k] - 1) * 3e38f, big);
  }
  c.push_back({"tiny", random_boxes(3000, 8, 1e-40f, 1e-41f)});
  c.push_back({"exponential", {}});
  for (int i = -140; i < 127; ++i) {
    const float x = std::ldexp(1.0f, i);
    for (int k = 0; k < 20; ++k) c.back().boxes.push_back(box_at(x, 0, 0, 0, float(k) * x / 64, x));
  }
  c.push_back({"exponential in range", {}});
  for (int i = -100; i < 30; ++i) {
    const float x = std::ldexp(1.0f, i);
    for (int k = 0; k < 50; ++k) c.back().boxes.push_back(box_at(x, 0, 0, 0, 0, 0));
  }
  c.push_back({"peeled one by one", {}});  // every split takes off the outermost box: the depth limit must act
  for (int i = 0; i < 64; ++i) {
    const float x = std::ldexp(1.0f, 40 - 3 * i);
    c.back().boxes.push_back(box_at(x, x, x, 0, 0, 0));
  }
  c.push_back({"some infinite", random_boxes(500, 9)});
  for (std::size_t i = 0; i < 500; i += 3) c.back().boxes[i].hi[i % 2] = inf;
  for (std::size_t i = 0; i < 500; i += 5) c.back().boxes[i].lo[0] = -inf;
  c.push_back({"all infinite", std::vector<BoxF>(50, {{-inf, -inf, -inf}, {inf, inf, inf}})});
  c.push_back({"at infinity", std::vector<BoxF>(50, {{big, big, big}, {inf, inf, inf}})});
  return c;
}

}  // namespace bvh_test
