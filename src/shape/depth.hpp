// SPDX-License-Identifier: MIT
#pragma once

#include "shape/gap.hpp"

namespace graze::shape {

/// How deep two convex sets overlap: the length of the shortest translation of B that makes them touch only. Rounded as
/// `Gap` is.
struct Depth {
  double lower = 0;  ///< certified: B - A contains the ball of this radius around the origin
  double upper = std::numeric_limits<double>::infinity();  ///< moving B by this along `direction` parts them
  Vec3 direction;
  Vec3 a, b;  ///< the points of A and B that are deepest in the other, along `direction`
  int iterations = 0;
};

/// Support points of two sets, behind one address.
class SupportPair {
 public:
  template <class A, class B>
  SupportPair(const A& a, const B& b)
      : a_(&a),
        b_(&b),
        of_a_([](const void* s, const Vec3& n) { return static_cast<const A*>(s)->furthest(n); }),
        of_b_([](const void* s, const Vec3& n) { return static_cast<const B*>(s)->furthest(n); }) {}

  Vec3 a(const Vec3& n) const { return of_a_(a_, n); }
  Vec3 b(const Vec3& n) const { return of_b_(b_, n); }

 private:
  using Furthest = Vec3 (*)(const void*, const Vec3&);
  const void* a_;
  const void* b_;
  Furthest of_a_, of_b_;
};

/// The expanding polytope algorithm (van den Bergen 2001) from the simplex that GJK ended with. It stops once `lower`
/// reaches `enough`, or `upper` falls to `little`, or the two agree to `relative` or to the rounding of doubles.
Depth find_depth(const SupportPair& pair, const Simplex& simplex, double enough, double little, double relative = 1e-9);

}  // namespace graze::shape
