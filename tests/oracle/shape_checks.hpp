// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>
#include <graze/shape/shape.hpp>

namespace graze::oracle {

/// Asks `collide`, `distance` and `within` about two placed shapes, none of them a half-space, in both orders, and
/// compares the answers with each other and with support functions in long double: a gap along the reported normal
/// proves a distance from below, the reported points bound it from above, and no direction of a slow search may show
/// shapes apart that are said to touch. Empty: nothing is wrong; otherwise what is.
std::string problem_of_shapes(const shape::Shape& a, const Pose& pose_a, const shape::Shape& b, const Pose& pose_b);

/// Asks `first_contact` with a certificate, which the independent checker must accept; a contact is near at its time.
/// `proofs` counts the certificates.
std::string problem_of_flight(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                              double separation, int& proofs);

}  // namespace graze::oracle
