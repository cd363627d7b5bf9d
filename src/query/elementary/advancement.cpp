// SPDX-License-Identifier: MIT
#include "query/elementary/advancement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prim/closest.hpp"

namespace graze::query {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double norm(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// The weights of a point of a triangle that lies in `part` of it.
std::array<double, 3> weights_in(const std::array<Vec3, 3>& t, const prim::TrianglePoint& p) {
  std::array<double, 3> w{};
  if (prim::is_vertex(p.part)) {
    w[static_cast<std::size_t>(prim::corner_of(p.part))] = 1;
  } else if (prim::is_edge(p.part)) {
    const auto k = static_cast<std::size_t>(prim::edge_of(p.part)), l = (k + 1) % 3;
    const Vec3 edge = t[l] - t[k];
    const double s = std::clamp(dot(p.point - t[k], edge) / dot(edge, edge), 0.0, 1.0);
    w[k] = 1 - s;
    w[l] = s;
  } else {
    const Vec3 u = t[1] - t[0], v = t[2] - t[0], x = p.point - t[0];
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ux = dot(u, x), vx = dot(v, x);
    const double det = uu * vv - uv * uv;
    w[1] = det > 0 ? std::clamp((vv * ux - uv * vx) / det, 0.0, 1.0) : 0;
    w[2] = det > 0 ? std::clamp((uu * vx - uv * ux) / det, 0.0, 1.0 - w[1]) : 0;
    w[0] = 1 - w[1] - w[2];
  }
  return w;
}

/// In a needle the foot of the origin is mostly rounding, but then a point of an edge is as close.
prim::TrianglePoint nearer_edge(const std::array<Vec3, 3>& p, prim::TrianglePoint c) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0], n = cross(u, v);
  const double uu = dot(u, u), vv = dot(v, v), longest = std::max(uu, vv);
  if (!(dot(n, n) < 1e-6 * longest * longest)) return c;
  constexpr prim::Part edges[] = {prim::Part::edge0, prim::Part::edge1, prim::Part::edge2};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 w = p[(k + 1) % 3] - p[k];
    const double ww = dot(w, w), s = ww > 0 ? std::clamp(-dot(p[k], w) / ww, 0.0, 1.0) : 0;
    const Vec3 x = p[k] + w * s;
    if (dot(x, x) < dot(c.point, c.point)) c = {x, edges[k]};
  }
  return c;
}

/// The separating direction with the largest gap among the closest one and, should that be poor, the axes of the two
/// features.
Vec3 separating(const MovingDifference& d, double t, const Vec3& c) {
  std::array<Vec3, 4> p;
  for (int i = 0; i < d.n; ++i) p[static_cast<std::size_t>(i)] = d.place(i, t);
  Vec3 best{};
  double gap = -infinity;
  const auto offer = [&](Vec3 n) {
    const double size = norm(n);
    if (!(size > 0)) return;
    n = n * (1 / size);
    double low = infinity;
    for (int i = 0; i < d.n; ++i) low = std::min(low, dot(n, p[static_cast<std::size_t>(i)]));
    if (low > gap) {
      gap = low;
      best = n;
    }
  };
  offer(c);
  if (gap >= 0.75 * norm(c)) return best;
  for (int i = 0; i < d.n; ++i) {
    const auto q = [&](int x) { return p[static_cast<std::size_t>(x)]; };
    offer(q(i));
    for (int j = 0; j < i; ++j) {
      // Across an edge, towards it: by cross products, which lose nothing where the edge nearly meets the origin.
      const Vec3 edge = q(i) - q(j);
      offer(cross(edge, cross(q(i), edge)));
      for (int k = 0; k < j; ++k) {
        const Vec3 n = cross(edge, q(i) - q(k));
        offer(n);
        offer(-n);
      }
    }
  }
  return best;
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) { return dot(a, cross(b, c)); }

/// When the four points come to lie in a plane: the roots of a cubic f(t). Between them the vertex is on one side of
/// the face's plane, or the edges' lines do not meet: no contact, however the plane turns. A step to just before the
/// first root is as good as any along a fixed direction, and does not get shorter and shorter where the features turn.
class Forecast {
 public:
  explicit Forecast(const MovingDifference& d) : d_(d), u_(d.n == 4 ? 2 : 1), v_(d.n == 4 ? 1 : 2) {
    if (d.n < 3) return;
    // Edges of the difference: of a face its own, of two edges both of them.
    const Vec3 p = d.at[0], u = d.at[u_] - d.at[0], v = d.at[v_] - d.at[0];
    const Vec3 dp = d.way[0], du = d.way[u_] - d.way[0], dv = d.way[v_] - d.way[0];
    c_[0] = determinant(p, u, v);
    c_[1] = determinant(dp, u, v) + determinant(p, du, v) + determinant(p, u, dv);
    c_[2] = determinant(dp, du, v) + determinant(dp, u, dv) + determinant(p, du, dv);
    c_[3] = determinant(dp, du, dv);
    // Each coefficient is a sum of at most three determinants of differences that were rounded up to four times; a
    // determinant of three vectors is at most the product of their lengths and passes fewer than 10 roundings, and
    // evaluating the cubic in Bernstein form some 20 more: below 128 eps of the product of the largest lengths.
    error_ = 128 * 0x1p-53 * (norm(p) + norm(dp)) * (norm(u) + norm(du)) * (norm(v) + norm(dv)) +
             std::numeric_limits<double>::min();
  }

  /// A time after t until which the points are certified never to lie in a plane, close to the first time at which they
  /// do, or where the plane is `near` away from the other feature; t itself if none is found, infinity if it is
  /// beyond 1.
  double safe_until(double t, double near) const {
    if (d_.n < 3 || !(std::fabs(value(t)) > 4 * error_)) return t;
    const double root = first_root(t);
    if (!(root <= 1)) return never_zero(t, 1) ? infinity : t;
    const Vec3 p = d_.at[0] + d_.way[0] * root;
    const Vec3 n = cross(d_.at[u_] + d_.way[u_] * root - p, d_.at[v_] + d_.way[v_] * root - p);
    const double slope = std::fabs((3 * c_[3] * root + 2 * c_[2]) * root + c_[1]);
    double back = std::max(8 * error_, near * norm(n)) / slope;
    for (int i = 0; i < 4 && root - back > t; ++i, back *= 4)
      if (never_zero(t, root - back)) return root - back;
    return t;
  }

 private:
  /// The Bernstein coefficients of f on [lo, hi] all have f's sign and are beyond the error: f is between them.
  bool never_zero(double lo, double hi, int depth = 0) const {
    const double h = hi - lo, f0 = value(lo), f3 = value(hi);
    const double slope_lo = (3 * c_[3] * lo + 2 * c_[2]) * lo + c_[1],
                 slope_hi = (3 * c_[3] * hi + 2 * c_[2]) * hi + c_[1];
    const double f1 = f0 + slope_lo * h / 3, f2 = f3 - slope_hi * h / 3;
    const double least = std::min({f0, f1, f2, f3}), most = std::max({f0, f1, f2, f3});
    if (least > 2 * error_ || most < -2 * error_) return true;
    if (depth == 4 || !(f0 > 2 * error_ || f0 < -2 * error_)) return false;
    const double mid = lo + 0.5 * h;
    return never_zero(lo, mid, depth + 1) && never_zero(mid, hi, depth + 1);
  }
  double value(double t) const { return ((c_[3] * t + c_[2]) * t + c_[1]) * t + c_[0]; }

  /// Between its extrema a cubic is monotonic: bisection, sped up by secants, in the first stretch that changes sign.
  double first_root(double t) const {
    double ends[3];
    int n = 0;
    const double a = 3 * c_[3], b = 2 * c_[2], c = c_[1], disc = b * b - 4 * a * c;
    if (disc > 0) {
      const double q = -0.5 * (b + std::copysign(std::sqrt(disc), b));
      for (const double e : {q / a, c / q})
        if (e > t && e < 1) ends[n++] = e;
      if (n == 2 && ends[0] > ends[1]) std::swap(ends[0], ends[1]);
    }
    ends[n++] = 1;
    double lo = t, f_lo = value(lo);
    for (int i = 0; i < n; ++i) {
      const double hi = ends[i], f_hi = value(hi);
      if ((f_lo > 0) != (f_hi > 0) || f_hi == 0) return root_in(lo, f_lo, hi, f_hi);
      lo = hi;
      f_lo = f_hi;
    }
    return infinity;
  }
  double root_in(double lo, double f_lo, double hi, double f_hi) const {
    int side = 0;  // which end stayed last: -1 the upper, 1 the lower
    for (int i = 0; i < 60 && hi - lo > 1e-15; ++i) {
      // Illinois: regula falsi that halves the value of an end that stays.
      const double guess = f_hi != f_lo ? lo - f_lo * (hi - lo) / (f_hi - f_lo) : 0.5 * (lo + hi);
      const double mid = guess > lo && guess < hi ? guess : 0.5 * (lo + hi), f = value(mid);
      if (f == 0) return mid;
      if ((f > 0) == (f_lo > 0)) {
        if (side == -1) f_hi *= 0.5;
        lo = mid;
        f_lo = f;
        side = -1;
      } else {
        if (side == 1) f_lo *= 0.5;
        hi = mid;
        f_hi = f;
        side = 1;
      }
    }
    return 0.5 * (lo + hi);
  }

  const MovingDifference& d_;
  std::size_t u_, v_;
  std::array<double, 4> c_{};
  double error_ = 0;
};

/// How long all points of the difference stay beyond the target along n: their distances are linear in time, so the
/// least of them stays above it until the first comes down to it.
double step_along(const MovingDifference& d, const Vec3& n, double t, double target) {
  double step = infinity;
  for (int i = 0; i < d.n; ++i) {
    const double gap = dot(n, d.place(i, t)) - target, slope = dot(n, d.way[static_cast<std::size_t>(i)]);
    if (!(gap > 0)) return 0;
    if (slope < 0) step = std::min(step, gap / -slope);
  }
  return step;
}

}  // namespace

MovingDifference::MovingDifference(const ElementaryQuery& q) : n(0), size(0), rounding(0) {
  const auto add = [&](std::size_t i, std::size_t j) {
    const auto k = static_cast<std::size_t>(n++);
    at[k] = q.start[i] - q.start[j];
    way[k] = (q.end[i] - q.end[j]) - at[k];
  };
  switch (q.kind) {
    case ElementaryKind::vertex_face:
      add(0, 1);
      add(0, 2);
      add(0, 3);
      break;
    case ElementaryKind::edge_edge:
      add(0, 2);
      add(0, 3);
      add(1, 2);
      add(1, 3);
      break;
    case ElementaryKind::vertex_edge:
      add(0, 1);
      add(0, 2);
      break;
    case ElementaryKind::vertex_vertex: add(0, 1); break;
  }
  double largest = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const double far = norm(at[i]), gone = norm(way[i]);
    largest = std::max(largest, far + gone);
    size = std::max(size, gone);
    for (std::size_t j = 0; j < i; ++j) size = std::max(size, norm(at[i] - at[j]));
  }
  // at: one rounding; way: three, of numbers at most `largest`; interpolated, projected on a unit vector, compared:
  // fewer than 20 more. Underflow loses less than the smallest normal number.
  rounding = 32 * 0x1p-53 * largest + std::numeric_limits<double>::min();
}

ClosestDifference closest_difference(const ElementaryQuery& q, const MovingDifference& d, double t) {
  switch (q.kind) {
    case ElementaryKind::vertex_face: {
      const std::array<Vec3, 3> p{d.place(0, t), d.place(1, t), d.place(2, t)};
      prim::TrianglePoint c = prim::closest_point_triangle({}, p);
      if (c.part == prim::Part::face) c = nearer_edge(p, c);
      const std::array<double, 3> w = weights_in(p, c);
      return {c.point, {1, w[0], w[1], w[2]}};
    }
    case ElementaryKind::edge_edge: {
      // Both edges seen from a1's partner b0 would do; as differences: a0 - b0, a1 - b0 and 0, b1 - b0.
      const Vec3 a0 = d.place(0, t), a1 = d.place(2, t), b1 = a0 - d.place(1, t);
      prim::SegmentPair c = prim::closest_segment_segment(a0, a1, {}, b1);
      const Vec3 u = a1 - a0;
      const double uu = dot(u, u), vv = dot(b1, b1), uv = dot(u, b1);
      if (uu * vv - uv * uv < 1e-4 * uu * vv) {
        // Nearly parallel: where along them they are closest is mostly rounding, but then an end is as close.
        double least = dot(c.a - c.b, c.a - c.b);
        const auto offer = [&](const prim::SegmentPair& p) {
          const double square = dot(p.a - p.b, p.a - p.b);
          if (square < least) {
            least = square;
            c = p;
          }
        };
        const auto on = [](const Vec3& x, const Vec3& p, const Vec3& w, double ww) {
          return ww > 0 ? std::clamp(dot(x - p, w) / ww, 0.0, 1.0) : 0.0;
        };
        for (const double s : {0.0, 1.0}) {
          const Vec3 x = s == 0 ? a0 : a1, y = s == 0 ? Vec3{} : b1;
          const double share = on(x, {}, b1, vv), r = on(y, a0, u, uu);
          offer({s, share, x, b1 * share});
          offer({r, s, a0 + u * r, y});
        }
      }
      return {c.a - c.b, {1 - c.s, c.s, 1 - c.t, c.t}};
    }
    case ElementaryKind::vertex_edge: {
      const Vec3 p = d.place(0, t), edge = d.place(1, t) - p;
      const double square = dot(edge, edge), s = square > 0 ? std::clamp(-dot(p, edge) / square, 0.0, 1.0) : 0;
      return {p + edge * s, {1, 1 - s, s, 0}};
    }
    default: return {d.place(0, t), {1, 1, 0, 0}};
  }
}

void ElementaryAdvancement::run(const Elementary& e, ElementaryResult& r) {
  const MovingDifference d(e.query);
  const double keep = e.options.min_separation, near = keep + e.tolerance;
  const double target = keep + 0.5 * e.tolerance + e.rounding;
  r.tolerance = e.tolerance;
  std::optional<Forecast> forecast;
  for (double t = 0;;) {
    ++r.steps;
    const ClosestDifference c = closest_difference(e.query, d, t);
    const double distance = norm(c.point);
    if (distance + e.rounding <= near) {
      r.status = Status::contact;
      r.time = {t, t};
      r.gap = distance;
      r.weights = c.weights;
      return;
    }
    if (e.options.work != 0 && r.steps > e.options.work) {
      r.status = Status::undecided;
      r.time = {t, std::numeric_limits<double>::quiet_NaN()};
      return;
    }
    const Vec3 n = separating(d, t, c.point);
    double step = step_along(d, n, t, target);
    if (t + step <= 1) {
      if (!forecast) forecast.emplace(d);
      // Not with a minimum separation: it says that they do not touch, not how far apart they stay.
      if (keep == 0) step = std::max(step, forecast->safe_until(t, 0.25 * e.tolerance) - t);
    }
    if (t + step > 1 + 0x1p-50) {
      r.status = Status::free;
      r.time = {1, std::numeric_limits<double>::quiet_NaN()};
      r.gap = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    const double next = std::min(1.0, next_down(t + step * (1 - 0x1p-50)));
    if (!(next > t)) {  // nothing after t is certified: as near as doubles can tell
      r.status = Status::contact;
      r.time = {t, t};
      r.gap = distance;
      r.weights = c.weights;
      return;
    }
    t = next;
  }
}

}  // namespace graze::query
