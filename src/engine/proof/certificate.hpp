// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <graze/ask/first_contact.hpp>

#include "body/body_data.hpp"
#include "motion/path.hpp"

namespace graze::engine::proof {

/// The question that a certificate states.
struct Stated {
  const Body& a;
  const Body& b;
  const motion::Path& motion_a;
  const motion::Path& motion_b;
  double separation = 0;  ///< they are farther apart than this, in the caller's lengths
};

/// True if the format can express both motions.
bool can_be_stated(const motion::Path& motion_a, const motion::Path& motion_b);

/// Triangles in the order of the tree, as polygon and vertices. The ranges of a proof count them.
void append_triangles(std::string& text, const char* name, const body::BodyData& body);

/// The text before the body `a`: version, motions, end, and in version 3 the separation.
std::string certificate_head(int version, const motion::Path& motion_a, const motion::Path& motion_b, double until,
                             double separation);

/// A certificate of version 3 (docs/certificates.md): each body is a mesh, a shape or a compound, and `steps` count a
/// shape as one item. The motions can be stated.
Certificate certificate_of_shapes(const Stated& stated, const std::string& steps, double until);

/// The steps of a certificate's text, up to `until`, which is not later than its own end.
std::string steps_until(const Certificate& certificate, double until);

}  // namespace graze::engine::proof
