// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/first_contact.hpp>

namespace graze::ask {

/// `first_contact` with a curved shape or a half-space (`beyond_meshes`); fills in a result that has been cleared. The
/// options have been checked.
void first_contact_shapes(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                          const FirstContactOptions& options, FirstContactResult& result);

/// `first_contact` of two half-spaces.
void first_contact_half_spaces(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                               const FirstContactOptions& options, FirstContactResult& result);

/// A pose at the start, exact where the motion has one.
Pose start_pose(const Motion& motion);

/// Adds the certificate to an answer about meshes, boxes, hulls and half-spaces, at least one of them a shape: that of
/// a flight of its own, in which a shape is a solid. None for a half-space that turns. None if the format cannot state
/// the motions, or if they are free by less than the rounding bound of shapes.
void add_shape_certificate(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                           const FirstContactOptions& options, FirstContactResult& result);

}  // namespace graze::ask
