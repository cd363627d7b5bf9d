// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "bvh/tree.hpp"

namespace graze::bvh {

inline BoxF merged(const BoxF& a, const BoxF& b) {
  BoxF r;
  for (int k = 0; k < 3; ++k) {
    r.lo[k] = std::min(a.lo[k], b.lo[k]);
    r.hi[k] = std::max(a.hi[k], b.hi[k]);
  }
  return r;
}

/// Touching counts.
inline bool overlap(const BoxF& a, const BoxF& b) {
  bool apart = false;
  for (int k = 0; k < 3; ++k) apart |= a.hi[k] < b.lo[k] || b.hi[k] < a.lo[k];
  return !apart;
}

inline bool contains(const BoxF& outer, const BoxF& inner) {
  bool in = true;
  for (int k = 0; k < 3; ++k) in = in && outer.lo[k] <= inner.lo[k] && inner.hi[k] <= outer.hi[k];
  return in;
}

/// Half the surface area, in double so that no finite box overflows.
inline double half_area(const BoxF& b) {
  const double x = double(b.hi[0]) - b.lo[0], y = double(b.hi[1]) - b.lo[1], z = double(b.hi[2]) - b.lo[2];
  return x * y + y * z + z * x;
}

inline double volume(const BoxF& b) {
  return (double(b.hi[0]) - b.lo[0]) * (double(b.hi[1]) - b.lo[1]) * (double(b.hi[2]) - b.lo[2]);
}

}  // namespace graze::bvh
