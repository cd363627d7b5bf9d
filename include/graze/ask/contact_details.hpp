// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <graze/ask/deform.hpp>
#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// What a solver needs to know of a `DeformContact`. The features are taken where they are at `time.touch`, each
/// coordinate from + t (to - from), rounded; for those positions the closest parts are exact.
struct DeformContactDetail {
  ElementaryKind kind = ElementaryKind::vertex_vertex;  ///< of the closest parts
  std::uint8_t closest = 0;  ///< bit k: the contact's vertices[k] belongs to them (see `ProximityPair`)
  std::array<double, 4>
      weights{};  ///< of the contact's vertices, for the closest points; of each feature they add to 1
  Vec3 a, b;      ///< the closest points: of the vertex or the first edge, of the face or the other
  /// Unit, from a to b; where the features meet, from the side on which the first one was at the start. Zero if no
  /// direction is defined: vertices that meet, or edges and faces that lie in each other all the time.
  Vec3 normal;
  double gap = 0;                         ///< of these points
  std::array<PolygonId, 2> polygons{};    ///< of all polygons with the feature the first one
  std::array<std::uint32_t, 2> bodies{};  ///< connected components, in order of their lowest vertices, or the caller's
  /// With `ends`: the last time at which the features are within the tolerance, and a time not before it after which
  /// they are certainly apart until the end of the step. 1 and 1: they still are. In between the contact may pause.
  double present_until = 1, apart_after = 1;
};

struct DeformContactDetailOptions {
  /// A number for each vertex, reported as `bodies`; empty: connected components.
  std::span<const std::uint32_t> bodies = {};
  bool ends = false;  ///< also find when contacts end: an elementary query for each
  /// As in the step; used for the ends.
  std::optional<double> tolerance = {};
  double min_separation = 0;
  bool exact = false;
  int threads = 1;
};

/// Tells details of the contacts of steps of one mesh. Knows its connectivity; calls allocate nothing. Shared between
/// threads.
class GRAZE_API DeformContactDetails {
 public:
  explicit DeformContactDetails(const Mesh& mesh);
  ~DeformContactDetails();
  DeformContactDetails(DeformContactDetails&&) noexcept;
  DeformContactDetails& operator=(DeformContactDetails&&) noexcept;

  /// For the contacts of a step from some positions to others; `details` has as many entries. Throws `Error` if a
  /// length does not fit, a position is not finite or a vertex does not exist.
  void find(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const DeformContact> contacts,
            std::span<DeformContactDetail> details, const DeformContactDetailOptions& options = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
