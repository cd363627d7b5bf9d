// SPDX-License-Identifier: MIT
#include "engine/first_contact/clocks/turn_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using math::norm;

/// Distances of corners from the reference point and from an axis through it.
struct Distances {
  float ball = 0, far = 0;
  float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
};

/// Written lane by lane, so that compilers vectorise it; in single precision, whose dozen roundings are below 2^-20 of
/// the largest distance plus the size of the node.
///
/// Range: a table is used only while MotionFrame is `usable`, so the reference point is at most 2^60 of A's units away
/// and, as the units differ by at most 2^40, 2^100 of the body's own. Coordinates, products with the axis (length one,
/// or zero) and sums along it are below 2^103: finite, so that u, v, w and `along` are never NaN. Squares may overflow;
/// sums of squares are then infinite, not NaN, and so are ball, far and the slack, which proves nothing. Comparisons
/// therefore meet no NaN, except of a table that is never used. Squares that underflow: see the slack below.
Distances of_corners(const body::WideTree& tree, const bvh::WideNode& bottom, const float* from, const float* axis) {
  constexpr int width = bvh::WideNode::width;
  float ball[width] = {}, far[width] = {}, low[width], high[width];
  std::fill_n(low, width, std::numeric_limits<float>::infinity());
  std::fill_n(high, width, -std::numeric_limits<float>::infinity());
  for (int corner = 0; corner < 3; ++corner) {
    const float *px = tree.row(bottom, corner, 0), *py = tree.row(bottom, corner, 1), *pz = tree.row(bottom, corner, 2);
    for (int i = 0; i < width; ++i) {  // lanes beyond the count can be read, and are ignored below
      const float x = from[0] + px[i], y = from[1] + py[i], z = from[2] + pz[i];
      const float u = axis[1] * z - axis[2] * y, v = axis[2] * x - axis[0] * z, w = axis[0] * y - axis[1] * x;
      const float square = x * x + y * y + z * z, across = u * u + v * v + w * w,
                  along = axis[0] * x + axis[1] * y + axis[2] * z;
      ball[i] = square > ball[i] ? square : ball[i];
      far[i] = across > far[i] ? across : far[i];
      low[i] = along < low[i] ? along : low[i];
      high[i] = along > high[i] ? along : high[i];
    }
  }
  const auto most = [&](const float* x) { return *std::max_element(x, x + bottom.count); };
  return {std::sqrt(most(ball)), std::sqrt(most(far)), *std::min_element(low, low + bottom.count), most(high)};
}

}  // namespace

TurnTable::TurnTable(const body::WideTree& tree, const motion::Path& path) {
  const auto nodes = tree.tree.nodes;
  const double unit = std::ldexp(1.0, -tree.frame.exponent);
  const Vec3 reference = (path.reference() - tree.frame.centre) * unit;
  // The axis is also constant in the frame of the body.
  const motion::Instant start = path.at(0);
  const double turn = norm(start.w);
  const bool twist = path.bounds().twist && turn > 0x1p-200;
  Vec3 axis;
  if (twist) {
    const Vec3 w = start.w * (1 / turn);
    const auto& r = start.r;
    axis = {r[0] * w.x + r[3] * w.y + r[6] * w.z, r[1] * w.x + r[4] * w.y + r[7] * w.z,
            r[2] * w.x + r[5] * w.y + r[8] * w.z};
  }
  ball.resize(nodes.size() + 8);
  if (twist)
    for (std::vector<float>* v : {&far, &low, &high}) v->resize(nodes.size() + 8);
  const float axis_single[3] = {static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z)};
  const float relative = static_cast<float>(0x1p-19 + 4 * path.bounds().turn_error);
  // Children come after their parents.
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const bvh::WideNode& n = nodes[k];
    if (n.bottom) {
      const Vec3 from = Vec3{n.origin[0], n.origin[1], n.origin[2]} - reference;
      const float from_reference[3] = {static_cast<float>(from.x), static_cast<float>(from.y),
                                       static_cast<float>(from.z)};
      const Distances d = of_corners(tree, n, from_reference, axis_single);
      // Squares below 2^-126 underflow, of lengths below 2^-60, which are negligible compared with the rounding of
      // corners.
      const float slack = relative * (d.ball + 4) + 0x1p-20f;
      ball[k] = d.ball + slack;
      if (!twist) continue;
      far[k] = d.far + slack;
      low[k] = d.low - slack;
      high[k] = d.high + slack;
      continue;
    }
    const auto children = [&](const std::vector<float>& v) { return v.begin() + n.first; };
    ball[k] = *std::max_element(children(ball), children(ball) + n.count);
    if (!twist) continue;
    far[k] = *std::max_element(children(far), children(far) + n.count);
    low[k] = *std::min_element(children(low), children(low) + n.count);
    high[k] = *std::max_element(children(high), children(high) + n.count);
  }
}

}  // namespace graze::engine::first_contact
