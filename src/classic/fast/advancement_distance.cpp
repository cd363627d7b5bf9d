// SPDX-License-Identifier: MIT
#include "classic/fast/advancement_distance.hpp"

#include <cmath>

#include "math/vectors.hpp"

namespace graze::classic::fast {

namespace {

using math::infinity;
using math::norm;

constexpr int most_iterations = 64;
constexpr double good_enough = 0.98;
constexpr double smallest_size = 0x1p-400, largest_size = 0x1p400;

}  // namespace

/// The simplex of the previous call with its corners at their present positions, and its point nearest to the origin.
/// Returns false if it is not usable.
bool HullDistance::start(const HullTree::Node& na, const HullTree::Node& nb, const ClosestFeatures& f,
                         prim::ConvexSimplex& simplex, Vec3& v) const {
  if (!options_.warm_start) return false;
  const auto corners_a = a_.tree().corners(na), corners_b = b_.tree().corners(nb);
  for (std::size_t i = 0; i < f.size; ++i)
    if (f.a[i] < na.count && f.b[i] < nb.count)  // otherwise it was stored for other bodies
      simplex.add(b_.place(corners_b[f.b[i]]) - a_.place(corners_a[f.a[i]]), f.a[i], f.b[i]);
  if (simplex.size == 0) return false;
  const prim::NearestPoint p = prim::nearest_to_origin(simplex);
  if (!p.inside && p.squared > 0) {
    v = p.v;
    return true;
  }
  simplex.size = 0;
  return false;
}

/// Proof of `lower`. For any corners a, b at their exact positions and n = v / |v|,
///   n . (b - a) >= n . (pb - pa) - rounding        p: the positions in double precision
/// and with the corner s that `support` found for d = r^T v, as computed,
///   n . (pa - ps) <= n . r (a - s) + 2 place_rounding <= slack + 16 u radius + 2 place_rounding:
/// r^T v has an error of less than 8 u |v| (r is a rotation to within 2^-40), over a distance of at most 2 radius. The
/// last product n . (pb - pa) has an error of less than 16 u |pb - pa|, including the division and the length of n.
HullGap HullDistance::operator()(const HullTree::Node& na, const HullTree::Node& nb, ClosestFeatures& features,
                                 double enough) const {
  ++counters_.hull_distances;
  const auto corners_a = a_.tree().corners(na), corners_b = b_.tree().corners(nb);
  const double slack =
      rounding_ + 2 * (a_.place_rounding() + b_.place_rounding()) + 32 * 0x1p-53 * (na.radius + nb.radius);
  HullGap gap;
  prim::ConvexSimplex simplex;
  Vec3 v = b_.place(nb.centre) - a_.place(na.centre);
  gap.upper = start(na, nb, features, simplex, v) ? norm(v) : infinity;
  std::uint32_t hint_a = simplex.a[0], hint_b = simplex.b[0];
  for (int i = 0; i < most_iterations && gap.upper >= enough; ++i) {
    ++counters_.iterations;
    const double size = norm(v);
    if (!(size > smallest_size && size < largest_size)) break;  // squares overflow or underflow: nothing is proved
    const HullTree::Support sa = a_.tree().support(na, a_.local(v), hint_a, options_.lookup_table, counters_);
    const HullTree::Support sb = b_.tree().support(nb, -b_.local(v), hint_b, options_.lookup_table, counters_);
    hint_a = sa.corner;
    hint_b = sb.corner;
    const Vec3 w = b_.place(corners_b[hint_b]) - a_.place(corners_a[hint_a]);
    const double lower = dot(v, w) / size - (slack + sa.slack + sb.slack + 16 * 0x1p-53 * norm(w));
    if (lower > gap.lower) {
      gap.lower = lower;
      gap.n = v * (1 / size);
      gap.top_a = hint_a;
      gap.top_b = hint_b;
    }
    if (gap.lower >= good_enough * gap.upper || simplex.holds(hint_a, hint_b)) break;
    const prim::ConvexSimplex before = simplex;
    simplex.add(w, hint_a, hint_b);
    const prim::NearestPoint p = prim::nearest_to_origin(simplex);
    if (!p.inside && !(std::sqrt(p.squared) < gap.upper)) {  // no progress in double precision
      simplex = before;
      break;
    }
    gap.upper = p.inside ? 0 : std::sqrt(p.squared);
    v = p.v;  // zero if the origin is inside
  }
  features = {static_cast<std::uint8_t>(simplex.size), simplex.a, simplex.b};
  return gap;
}

}  // namespace graze::classic::fast
