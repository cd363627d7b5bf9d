// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/first_contact.hpp>

#include "motion/path.hpp"

namespace graze::engine::first_contact {

/// Squares and products of four lengths of a query in this range neither overflow nor lose more than
/// `Kinematics::rounding` covers. Rounding error bounds are about 2^-46 of the lengths.
constexpr double least_usual_rounding = 0x1p-260, largest_usual_rounding = 0x1p160;

/// The same query in another size: a scene of atoms or of galaxies becomes one of metres. Decisions do not depend on it
/// (docs/design.md 2), as scaling by a power of two is exact; where a length is so much smaller than the largest that
/// it loses digits, it loses 2^-1074 of the new unit, which `Kinematics::rounding` covers.
struct ScaledQuestion {
  int exponent;  ///< lengths were multiplied by 2^exponent
  Body a, b;
  Motion motion_a, motion_b;
  FirstContactOptions options;
};

/// None if no power of two helps: the query must be answered as it is, or not at all.
std::optional<ScaledQuestion> scaled_question(const Body& a, const Motion& motion_a, const Body& b,
                                              const Motion& motion_b, const FirstContactOptions& options);

/// The power of two by which to multiply lengths; none if no other size is better. A body is given by its box.
std::optional<int> better_exponent(const Box3& a, const motion::Path& motion_a, const Box3& b,
                                   const motion::Path& motion_b);

/// The same polygons. They are triangulated again, by exact tests that do not depend on the size.
Body scaled(const Body& body, int exponent, int threads);
bool same_triangles(const Mesh& a, const Mesh& b);

/// In this order: a bound, not below the real value; a tolerance, which stays positive and finite; a position, clamped
/// to the range of doubles.
double scaled_up(double x, int exponent);
double scaled_tolerance(double tolerance, int exponent);
Vec3 scaled_place(const Vec3& v, int exponent);

/// Scales the answer back to the size of the query: bounds are rounded outward, everything else to the nearest double.
void scale_back(int exponent, FirstContactResult& result);

}  // namespace graze::engine::first_contact
