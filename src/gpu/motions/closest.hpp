// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/motions/vector.hpp"

namespace graze::gpu {

/// Points of two triangles near each other, as weights of the corners (none negative, their sum 1), and a direction
/// that is likely to separate the triangles there. Only an estimate: what follows from it is certified by its users.
template <class T>
struct Nearest {
  T weight_a[3], weight_b[3];
  Vector<T> across;  ///< normal of the face, or of both edges; of any length, either way; 0: none
};

/// By all pairs of edges, and all corners against faces. Of triangles that cross, some pair of edges.
template <class T>
GRAZE_DEVICE_CALL Nearest<T> nearest_points(const Vector<T>* corners_a, const Vector<T>* corners_b) {
  const auto quotient = [](T x, T y) {
    if constexpr (sizeof(T) == 4)
      return quotient_of(x, y);
    else
      return x / y;
  };
  const auto clamp = [](T x) { return x > 0 ? (x < 1 ? x : T(1)) : T(0); };
  Vector<T> a0 = corners_a[0], a1 = corners_a[1], a2 = corners_a[2], b0 = corners_b[0], b1 = corners_b[1],
            b2 = corners_b[2];
  T least = T(3e38);
  int edge_a = 0, edge_b = 0;
  T best_s = 0, best_t = 0;
  GRAZE_ROLLED
  for (int i = 0; i < 3; ++i) {
    const Vector<T> u = a1 - a0;
    const T uu = dot(u, u);
    GRAZE_ROLLED
    for (int j = 0; j < 3; ++j) {
      const Vector<T> v = b1 - b0, r = a0 - b0;
      const T vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
      const T d = mul_add(uu, vv, -(uv * uv));
      T s = d > 0 ? clamp(quotient(mul_add(uv, vr, -(ur * vv)), d)) : T(0);
      T t = vv > 0 ? quotient(mul_add(uv, s, vr), vv) : T(0);
      if (!(t >= 0 && t <= 1)) {
        t = clamp(t);
        s = uu > 0 ? clamp(quotient(mul_add(uv, t, -ur), uu)) : T(0);
      }
      const Vector<T> gap = along(along(r, s, u), -t, v);
      const T square = dot(gap, gap);
      if (square < least) {
        least = square;
        edge_a = i;
        edge_b = j;
        best_s = s;
        best_t = t;
      }
      const Vector<T> first = b0;
      b0 = b1, b1 = b2, b2 = first;
    }
    const Vector<T> first = a0;
    a0 = a1, a1 = a2, a2 = first;
  }
  int feature = 0;  // 0: edges; 1 + k: corner k of B against the face of A; 4 + k: the other way round
  T face_1 = 0, face_2 = 0;
  GRAZE_ROLLED
  for (int side = 0; side < 2; ++side) {
    const Vector<T> u = a1 - a0, v = a2 - a0;
    const T uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), d = mul_add(uu, vv, -(uv * uv)),
            inverse = quotient(T(1), d);
    GRAZE_ROLLED
    for (int k = 0; k < 3; ++k) {
      const Vector<T> w = b0 - a0;
      const T wu = dot(w, u), wv = dot(w, v);
      const T s = mul_add(wu, vv, -(wv * uv)) * inverse, t = mul_add(wv, uu, -(wu * uv)) * inverse;
      if (d > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        const Vector<T> gap = along(along(w, -s, u), -t, v);
        const T square = dot(gap, gap);
        if (square < least) {
          least = square;
          feature = 1 + 3 * side + k;
          face_1 = s;
          face_2 = t;
        }
      }
      const Vector<T> first = b0;
      b0 = b1, b1 = b2, b2 = first;
    }
    Vector<T> other = a0;
    a0 = b0, b0 = other;
    other = a1, a1 = b1, b1 = other;
    other = a2, a2 = b2, b2 = other;
  }
  Nearest<T> found;
  const auto corner = [](int k, int which) { return k == which ? T(1) : T(0); };
  for (int k = 0; k < 3; ++k) {
    if (feature == 0) {
      found.weight_a[k] = k == edge_a ? 1 - best_s : (k == (edge_a + 1) % 3 ? best_s : T(0));
      found.weight_b[k] = k == edge_b ? 1 - best_t : (k == (edge_b + 1) % 3 ? best_t : T(0));
    } else {
      const T in_face = k == 0 ? larger(T(0), 1 - face_1 - face_2) : (k == 1 ? face_1 : face_2);
      found.weight_a[k] = feature < 4 ? in_face : corner(k, feature - 4);
      found.weight_b[k] = feature < 4 ? corner(k, feature - 1) : in_face;
    }
  }
  const auto edge = [](const Vector<T>& x0, const Vector<T>& x1, const Vector<T>& x2, int k) {
    return k == 0 ? x1 - x0 : (k == 1 ? x2 - x1 : x0 - x2);
  };
  const Vector<T> first = feature >= 4 ? b1 - b0 : (feature > 0 ? a1 - a0 : edge(a0, a1, a2, edge_a));
  const Vector<T> second = feature >= 4 ? b2 - b0 : (feature > 0 ? a2 - a0 : edge(b0, b1, b2, edge_b));
  found.across = cross(first, second);
  return found;
}

}  // namespace graze::gpu
