// SPDX-License-Identifier: MIT
// Elementary queries of extreme size were scaled near 1 together with their tolerance and minimum separation, which
// then became infinite or 0; and by the size of a common motion, which left the features themselves as small as before.
// Pinned: lengths as given in the result, refusals at any scale, touching decided by the points as given, and answers
// that do not depend on a common motion.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <graze/ask/elementary.hpp>

namespace graze::testing {
namespace {

/// A vertex that falls through a face, at some size.
ElementaryQuery falling(double size) {
  ElementaryQuery q;
  q.kind = ElementaryKind::vertex_face;
  q.start = {Vec3{size, size, size}, Vec3{0, 0, 0}, Vec3{4 * size, 0, 0}, Vec3{0, 4 * size, 0}};
  q.end = q.start;
  q.end[0].z = -size;
  return q;
}

TEST(ElementaryExtremeLengths, AToleranceThatOverflowsWhenScaled) {
  const ElementaryQuery q = falling(0x1p-900);
  const std::array<std::array<Vec3, 4>, 2> control{q.start, q.end};
  ElementaryOptions options;
  for (const double tolerance : {0x1p200, 0x1p1000}) {
    options.tolerance = tolerance;
    for (const ElementaryTraits& method : elementary_methods()) {
      options.method = method.name;
      const ElementaryResult r = elementary_contact(q, options);
      EXPECT_EQ(r.status, Status::contact) << method.name;
      // Half of the start distance, or what was asked for.
      EXPECT_TRUE(r.tolerance == tolerance || r.tolerance == 0x1p-901) << method.name << " " << r.tolerance;
      EXPECT_LE(r.gap, r.tolerance);
    }
    options.method = "advancement";
    const ElementaryResult curved = elementary_contact(CurvedElementaryQuery{q.kind, control}, options);
    EXPECT_EQ(curved.status, Status::contact);
    EXPECT_TRUE(curved.tolerance == tolerance || curved.tolerance == 0x1p-901) << curved.tolerance;
  }
}

TEST(ElementaryExtremeLengths, AMinimumSeparationThatOverflowsOrVanishesWhenScaled) {
  for (const double size : {0x1p-900, 0x1p900})
    for (const double separation : {0x1p-1000, 0x1p1000}) {
      ElementaryOptions options;
      options.min_separation = separation;
      for (const ElementaryTraits& method : elementary_methods()) {
        options.method = method.name;
        const ElementaryResult r = elementary_contact(falling(size), options);
        if (method.name == "exact" || method.name == "cubic")
          EXPECT_EQ(r.error, ErrorCode::unsupported) << method.name;
        else
          EXPECT_EQ(r.status, separation > size ? Status::touching_at_start : Status::contact) << method.name;
      }
    }
}

TEST(ElementaryExtremeLengths, ACurveThatStartsApartByLessThanTheScaleKeeps) {
  // 2^-800 above a face of size 2^500: apart, though 2^-1300 is 0.
  ElementaryQuery q = falling(0x1p500);
  q.start[0].z = 0x1p-800;
  const std::array<std::array<Vec3, 4>, 3> control{q.start, q.start, q.end};
  const CurvedElementaryQuery curved{q.kind, control};
  EXPECT_EQ(elementary_contact(curved).status, Status::contact);
  EXPECT_EQ(elementary_contact(q).status, Status::contact);
}

TEST(ElementaryExtremeLengths, ACommonMotionChangesNothing) {
  for (const double size : {0x1p-300, 0x1p-500})
    for (const double far : {1.0, 0x1p900}) {
      // Both stay in the plane x = 0 of their common frame, which goes far along x. The vertex passes the edge or not.
      for (const bool hits : {false, true}) {
        ElementaryQuery q;
        q.kind = ElementaryKind::vertex_edge;
        const double y = hits ? 0.5 * size : 2 * size;
        q.start = {Vec3{0, y, size}, Vec3{0, 0, 0}, Vec3{0, size, 0}, Vec3{0, size, 0}};
        q.end = q.start;
        q.end[0].z = -size;
        for (Vec3& x : q.end) x.x = far;
        const Status expected = hits ? Status::contact : Status::free;
        for (const ElementaryTraits& method : elementary_methods()) {
          if (!method.certified) continue;
          ElementaryOptions options;
          options.method = method.name;
          const ElementaryResult r = elementary_contact(q, options);
          EXPECT_EQ(r.status, expected) << method.name << " " << size << " " << far;
          if (hits && r.status == Status::contact) {
            EXPECT_LE(r.gap, 1e-9 * size);
          }
        }
        const std::array<std::array<Vec3, 4>, 2> control{q.start, q.end};
        const ElementaryResult r = elementary_contact(CurvedElementaryQuery{q.kind, control});
        EXPECT_EQ(r.status, expected) << size << " " << far;
        if (hits) {
          EXPECT_NEAR(r.time.touch, 0.5, 1e-9);
        }
      }
    }
}

}  // namespace
}  // namespace graze::testing
