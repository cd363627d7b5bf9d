// SPDX-License-Identifier: MIT
#include "oracle/motion_gap.hpp"

#include <sstream>

namespace graze::oracle {
namespace {

RealPoint shorter(const RealPoint& a, const RealPoint& b) { return dot(b, b) < dot(a, a) ? b : a; }
Real clamped(Real x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// The normal, or nothing if it would be dominated by rounding: in that case the edges are as near as the face.
std::optional<RealPoint> normal_of(const RealTriangle& t) {
  const RealPoint e = t[1] - t[0], f = t[2] - t[0], n = cross(e, f);
  if (!(length(n) > 1e-12L * length(e) * length(f))) return std::nullopt;
  return n;
}
bool inside(const RealPoint& p, const RealTriangle& t, const RealPoint& n) {
  for (std::size_t k = 0; k < 3; ++k)
    if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n) < 0) return false;
  return true;
}

struct Sphere {
  RealPoint centre;
  Real radius = 0;
};
Sphere sphere_of(const std::vector<RealPoint>& points, const Triangle& c) {
  Sphere s{(points[c[0]] + points[c[1]] + points[c[2]]) * (Real(1) / 3), 0};
  for (const std::uint32_t k : c) s.radius = std::max(s.radius, length(points[k] - s.centre));
  return s;
}
RealTriangle corners(const std::vector<RealPoint>& points, const Triangle& c) {
  return {points[c[0]], points[c[1]], points[c[2]]};
}

Sphere whole(const Mesh& mesh) {
  const Box3& box = mesh.box();
  Sphere s{(real(box.lo) + real(box.hi)) * Real(0.5), 0};
  for (const Triangle& t : mesh.triangles())
    for (const std::uint32_t k : t) s.radius = std::max(s.radius, length(real(mesh.positions()[k]) - s.centre));
  return s;
}

}  // namespace

RealPoint point_segment(const RealPoint& p, const RealSegment& s) {
  const RealPoint d = s[1] - s[0];
  const Real l = dot(d, d);
  const Real u = l > 0 ? clamped(dot(p - s[0], d) / l) : 0;
  return shorter(s[0] + d * u - p, shorter(s[0] - p, s[1] - p));
}

RealPoint point_triangle(const RealPoint& p, const RealTriangle& t) {
  RealPoint best =
      shorter(point_segment(p, {t[0], t[1]}), shorter(point_segment(p, {t[1], t[2]}), point_segment(p, {t[2], t[0]})));
  if (const auto n = normal_of(t); n && inside(p, t, *n)) best = shorter(best, *n * (dot(t[0] - p, *n) / dot(*n, *n)));
  return best;
}

RealPoint segment_segment(const RealSegment& s, const RealSegment& u) {
  const Real minus = -1;
  RealPoint best = shorter(shorter(point_segment(s[0], u), point_segment(s[1], u)),
                           shorter(point_segment(u[0], s), point_segment(u[1], s)) * minus);
  const RealPoint d = s[1] - s[0], e = u[1] - u[0], r = s[0] - u[0], n = cross(d, e);
  const Real nn = dot(n, n);
  if (nn > 0) {
    const Real x = dot(cross(e, r), n) / nn, y = dot(cross(d, r), n) / nn;
    // Computed along the common normal, not as the difference of two distant points: the vector is short, but its
    // direction is accurate.
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) best = shorter(best, n * (-dot(r, n) / nn));
  }
  return best;
}

bool pierces(const RealSegment& s, const RealTriangle& t) {
  const auto n = normal_of(t);
  if (!n) return false;
  const Real p = dot(s[0] - t[0], *n), q = dot(s[1] - t[0], *n);
  if (!((p < 0 && q > 0) || (p > 0 && q < 0))) return false;
  return inside(s[0] + (s[1] - s[0]) * (p / (p - q)), t, *n);
}

std::optional<RealPoint> closest(const RealTriangle& a, const RealTriangle& b) {
  const Real minus = -1;
  RealPoint best = b[0] - a[0];
  for (std::size_t i = 0; i < 3; ++i) {
    const RealSegment s{a[i], a[(i + 1) % 3]}, u{b[i], b[(i + 1) % 3]};
    if (pierces(s, b) || pierces(u, a)) return std::nullopt;
    best = shorter(best, shorter(point_triangle(a[i], b), point_triangle(b[i], a) * minus));
    for (std::size_t j = 0; j < 3; ++j) best = shorter(best, segment_segment(s, {b[j], b[(j + 1) % 3]}));
  }
  return best;
}

Real triangle_triangle(const RealTriangle& a, const RealTriangle& b) {
  const auto c = closest(a, b);
  return c ? length(*c) : 0;
}

TrueFlight::TrueFlight(Mesh a, const MotionRecipe& motion_a, Mesh b, const MotionRecipe& motion_b)
    : a_(std::move(a)),
      b_(std::move(b)),
      recipe_a_(motion_a),
      recipe_b_(motion_b),
      origin_([&] {
        const bool angles = motion_b.kind == MotionRecipe::Kind::angles;
        return angles ? motion_b.angles_from.translation : motion_b.from.translation();
      }()),
      motion_a_(motion_a, origin_),
      motion_b_(motion_b, origin_) {
  const Sphere sa = whole(a_), sb = whole(b_);
  speed_ = length(motion_a_.steady() - motion_b_.steady()) + motion_a_.turning_speed(sa.centre, sa.radius) +
           motion_b_.turning_speed(sb.centre, sb.radius);
  speed_ = speed_ * (1 + 1e-12L) + std::numeric_limits<Real>::min();
  const auto size = [](const TrueMotion& m, const Sphere& s) {
    return length(m.at(0).apply(s.centre)) + 2 * s.radius + length(s.centre) + length(m.steady()) +
           m.turning_speed(s.centre, s.radius);
  };
  error_ = 1e-17L * (size(motion_a_, sa) + size(motion_b_, sb)) + 1e-320L;
}

std::vector<RealPoint> TrueFlight::placed(int body, Real t) const {
  const TruePlace<Real> place = motion(body).at(t);
  std::vector<RealPoint> points;
  for (const Vec3& p : mesh(body).positions()) points.push_back(place.apply(real(p)));
  return points;
}

Real TrueFlight::gap(Real t) const {
  const std::vector<RealPoint> pa = placed(0, t), pb = placed(1, t);
  std::vector<Sphere> spheres;
  for (const Triangle& f : b_.triangles()) spheres.push_back(sphere_of(pb, f));
  Real best = HUGE_VALL;
  for (const Triangle& f : a_.triangles()) {
    const Sphere s = sphere_of(pa, f);
    for (std::size_t j = 0; j < spheres.size(); ++j) {
      if (length(s.centre - spheres[j].centre) - s.radius - spheres[j].radius > best + error_) continue;
      best = std::min(best, triangle_triangle(corners(pa, f), corners(pb, b_.triangles()[j])));
    }
  }
  return best;
}

Real TrueFlight::gap(Real t, const TrianglePair& pair) const {
  const std::vector<RealPoint> pa = placed(0, t), pb = placed(1, t);
  return triangle_triangle(corners(pa, a_.triangles()[index(pair.a)]), corners(pb, b_.triangles()[index(pair.b)]));
}

Real TrueFlight::gap(Real t, const Feature& f) const {
  const std::vector<RealPoint> pa = placed(0, t), pb = placed(1, t);
  const auto to_polygon = [](const RealSegment& s, const Mesh& mesh, const std::vector<RealPoint>& points,
                             std::uint32_t polygon) {
    Real best = HUGE_VALL;
    const auto [first, last] = mesh.triangles_of(PolygonId{polygon});
    for (std::uint32_t i = first; i < last; ++i)
      best = std::min(best, triangle_triangle({s[0], s[1], s[1]}, corners(points, mesh.triangles()[i])));
    return best;
  };
  const RealSegment sa{pa[f.a.id[0] % pa.size()], pa[f.a.id[1] % pa.size()]},
      sb{pb[f.b.id[0] % pb.size()], pb[f.b.id[1] % pb.size()]};
  switch (f.kind) {
    case FeatureKind::vertex_face:
    case FeatureKind::edge_face: return to_polygon(sa, b_, pb, f.b.id[0]);
    case FeatureKind::face_vertex:
    case FeatureKind::face_edge: return to_polygon(sb, a_, pa, f.a.id[0]);
    case FeatureKind::edge_edge: return length(segment_segment(sa, sb));
    default: break;  // curved surfaces: not of meshes
  }
  return HUGE_VALL;
}

namespace {

/// Strictly nearer to the inside of the face than to its edges.
bool faces(const RealPoint& p, const RealTriangle& t, Real within) {
  const auto n = normal_of(t);
  if (!n || !inside(p, t, *n) || std::fabs(dot(p - t[0], *n)) > within * length(*n)) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    const RealPoint e = t[(k + 1) % 3] - t[k];
    if (dot(cross(e, p - t[k]), *n) < 1e-6L * dot(*n, *n)) return false;
  }
  return true;
}
bool cross_inside(const RealSegment& s, const RealSegment& u, Real within) {
  const RealPoint d = s[1] - s[0], e = u[1] - u[0], r = s[0] - u[0], n = cross(d, e);
  const Real nn = dot(n, n);
  if (!(nn > 1e-12L * dot(d, d) * dot(e, e))) return false;
  const Real x = dot(cross(e, r), n) / nn, y = dot(cross(d, r), n) / nn, margin = 1e-6L;
  return x > margin && x < 1 - margin && y > margin && y < 1 - margin &&
         length(s[0] + d * x - (u[0] + e * y)) <= within;
}
FeatureRef edge_ref(std::uint32_t p, std::uint32_t q) {
  return {FeatureRef::Type::edge, false, {std::min(p, q), std::max(p, q)}};
}

}  // namespace

std::vector<Feature> TrueFlight::features_within(Real t, Real within) const {
  const std::vector<RealPoint> pa = placed(0, t), pb = placed(1, t);
  std::vector<Feature> found;
  const auto vertex = [](std::uint32_t v) { return FeatureRef{FeatureRef::Type::vertex, false, {v, v}}; };
  const auto face = [](const Mesh& mesh, std::uint32_t i) {
    const std::uint32_t p = index(mesh.polygon_of(TriangleId{i}));
    return FeatureRef{FeatureRef::Type::face, false, {p, p}};
  };
  for (std::uint32_t i = 0; i < a_.triangle_count(); ++i)
    for (std::uint32_t j = 0; j < b_.triangle_count(); ++j) {
      const Triangle &f = a_.triangles()[i], &g = b_.triangles()[j];
      for (std::size_t k = 0; k < 3; ++k) {
        if (faces(pa[f[k]], corners(pb, g), within))
          found.push_back({FeatureKind::vertex_face, vertex(f[k]), face(b_, j)});
        if (faces(pb[g[k]], corners(pa, f), within))
          found.push_back({FeatureKind::face_vertex, face(a_, i), vertex(g[k])});
        for (std::size_t m = 0; m < 3; ++m) {
          const std::uint32_t p = f[k], q = f[(k + 1) % 3], r = g[m], s = g[(m + 1) % 3];
          if (cross_inside({pa[p], pa[q]}, {pb[r], pb[s]}, within))
            found.push_back({FeatureKind::edge_edge, edge_ref(p, q), edge_ref(r, s)});
        }
      }
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

RealPoint TrueFlight::closing(Real t, const Vec3& on_a, const Vec3& on_b) const {
  const auto velocity = [&](const TrueMotion& m, const Vec3& at) {
    const TruePlace<Real> p = m.at(t), v = m.rate(t);
    const RealPoint d = real(at) - real(origin_) - p.t;
    const auto& r = p.r.m;  // the local point is the transposed rotation of d
    const RealPoint local{r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
                          r[2] * d.x + r[5] * d.y + r[8] * d.z};
    return v.apply(local);
  };
  return velocity(motion_b_, on_b) - velocity(motion_a_, on_a);
}

FlightTruth TrueFlight::look(Real tolerance, int steps, Real least_step) const {
  FlightTruth truth;
  const Real enough = tolerance * (1 + 1e-3L) + error_;
  Real t = 0, before = 0, g = gap(0);
  truth.least = g;
  const auto note = [&] {
    if (g < truth.least) truth.least = g, truth.least_at = t;
  };
  // No point of B comes nearer to a point of A faster than `speed_`.
  for (; g > enough; note()) {
    if (t >= 1) {
      truth.apart_until = 1;
      truth.free_beyond_doubt = true;
      return truth;
    }
    if (--steps < 0) {
      truth.looked_everywhere = false;
      truth.apart_until = t;
      break;
    }
    before = t;
    t = std::min(Real(1), t + (g - tolerance - error_) / speed_);
    g = gap(t);
  }
  if (truth.looked_everywhere) truth.apart_until = t > 0 ? t : 0;
  // From here on take small steps, and stop at the first common point.
  const Real pace = truth.looked_everywhere ? least_step : std::max(least_step, (1 - t) / 1000);
  for (; g > 0; note()) {
    if (t >= 1) return truth;
    if (--steps < -2000) {
      truth.looked_everywhere = false;
      return truth;
    }
    before = t;
    t = std::min(Real(1), t + std::max(g / speed_, pace));
    g = gap(t);
  }
  for (int i = 0; i < 60 && t - before > 1e-17L; ++i) {
    const Real middle = (before + t) / 2;
    (gap(middle) > 0 ? before : t) = middle;
  }
  truth.zero_at = t;
  return truth;
}

std::string TrueFlight::text() const {
  std::ostringstream s;
  s << std::hexfloat;
  for (int body = 0; body < 2; ++body) {
    s << "\nbody "
      << "ab"[body] << ": {";
    if (mesh(body).vertex_count() <= 40) {
      for (const Vec3& p : mesh(body).positions()) s << '{' << p.x << ", " << p.y << ", " << p.z << "}, ";
      s << "}, {";
      for (const Triangle& t : mesh(body).triangles()) s << '{' << t[0] << ", " << t[1] << ", " << t[2] << "}, ";
    } else {
      s << mesh(body).triangle_count() << " triangles";
    }
    s << "} moves as " << recipe(body).text();
  }
  return s.str();
}

}  // namespace graze::oracle
