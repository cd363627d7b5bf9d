// SPDX-License-Identifier: MIT
#include "mass.hpp"

#include <cmath>

#include <graze/mesh/classify.hpp>

#include "refuse.hpp"

namespace graze::play {
namespace {

Mass of_box(const Box3& box, double density) {
  const Vec3 size = box.hi - box.lo;
  Mass result;
  result.mass = density * size.x * size.y * size.z;
  result.centre = box.lo + size * 0.5;
  const auto about = [&](double a, double b) { return result.mass * (a * a + b * b) / 12; };
  result.inertia = {about(size.y, size.z), about(size.x, size.z), about(size.x, size.y), 0, 0, 0};
  return result;
}

/// Sums over the tetrahedra between the triangles and one point, which is in the middle of the box.
Mass of_volume(const Mesh& mesh, double density) {
  const Vec3 middle = mesh.box().lo + (mesh.box().hi - mesh.box().lo) * 0.5;
  double volume = 0;
  Vec3 first;
  Symmetric second{0, 0, 0, 0, 0, 0};  // integrals of the products of coordinates
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = mesh.positions()[t[0]] - middle, b = mesh.positions()[t[1]] - middle,
               c = mesh.positions()[t[2]] - middle;
    const double v = dot(a, cross(b, c)) / 6;
    const Vec3 sum = a + b + c;
    volume += v;
    first = first + sum * (v / 4);
    const auto product = [&](int i, int j) {
      return v / 20 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    };
    second.xx += product(0, 0), second.yy += product(1, 1), second.zz += product(2, 2);
    second.xy += product(0, 1), second.xz += product(0, 2), second.yz += product(1, 2);
  }
  Mass result;
  result.mass = density * volume;
  const Vec3 c = first * (1 / volume);
  result.centre = middle + c;
  const double xx = second.xx - volume * c.x * c.x, yy = second.yy - volume * c.y * c.y,
               zz = second.zz - volume * c.z * c.z;
  result.inertia = {density * (yy + zz),
                    density * (xx + zz),
                    density * (xx + yy),
                    -density * (second.xy - volume * c.x * c.y),
                    -density * (second.xz - volume * c.x * c.z),
                    -density * (second.yz - volume * c.y * c.z)};
  return result;
}

bool usable(const Mass& m) {
  const Symmetric& i = m.inertia;
  const double minor = i.xx * i.yy - i.xy * i.xy;
  const double determinant = i.zz * minor - i.xx * i.yz * i.yz - i.yy * i.xz * i.xz + 2 * i.xy * i.xz * i.yz;
  return m.mass > 0 && i.xx > 0 && minor > 0 && determinant > 0 && std::isfinite(m.mass) &&
         std::isfinite(determinant) && is_finite(m.centre);
}

}  // namespace

Mass mass_of(const Body& body, double density) {
  if (body.has_mesh()) {
    const Classification found = classify(body.mesh());
    if (found.closed && found.volume_sign > 0) {
      const Mass result = of_volume(body.mesh(), density);
      if (usable(result)) return result;
    }
  }
  const Mass result = of_box(body.box(), density);
  if (!usable(result)) refuse("the body has no volume of which a mass can be computed: give its Mass yourself");
  return result;
}

}  // namespace graze::play
