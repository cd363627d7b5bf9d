// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/math/vec3.hpp>
#include <graze/query/first_contact.hpp>

namespace graze {

/// Two features whose points move straight, and how their four points are ordered: vertex/face v f0 f1 f2; edge/edge
/// a0 a1 b0 b1; vertex/edge v e0 e1 e1; vertex/vertex v w w w (points not needed repeat the last).
enum class ElementaryKind : std::uint8_t { vertex_face, edge_edge, vertex_edge, vertex_vertex };

/// Where the points are at t = 0 and at t = 1; in between they move straight at constant speed.
struct ElementaryQuery {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::array<Vec3, 4> start, end;
};

/// The same with paths that are polynomials (ICCD III.B): control point k of all four points, for k = 0 to the degree,
/// in Bernstein form; the first are where they start, the last where they end. The degree is 1 to 16.
struct CurvedElementaryQuery {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::span<const std::array<Vec3, 4>> control;
};

struct ElementaryTraits {
  std::string_view name;     ///< as in `--method`
  std::string_view summary;  ///< one line for people
  bool certified = true;     ///< `free` and t_safe are proofs
};
/// All methods, in the order of the type list; the first is the default.
GRAZE_API std::span<const ElementaryTraits> elementary_methods();

struct ElementaryOptions {
  std::string_view method = "advancement";
  /// A distance. Default: 1e-12 of the query's own size: the longest edge or motion of it, whichever is larger. Never
  /// below the rounding bound; a start that is closer than this uses half the start distance.
  std::optional<double> tolerance = {};
  double min_separation = 0;  ///< contact means: at most this far apart (plus the tolerance)
  bool exact = false;         ///< what is within the tolerance is settled by exact arithmetic; no minimum separation
  std::uint64_t work = 0;     ///< at most so many steps (0: no limit); then `undecided`
};

struct ElementaryResult {
  Status status = Status::undecided;  ///< free, contact, touching_at_start, undecided, invalid_request
  TimeBracket time;                   ///< as for first_contact
  double gap = 0;                     ///< at time.touch; NaN if free
  double tolerance = 0;               ///< the value used
  /// Of the closest points at time.touch: weights of the four points; of each feature they add up to 1.
  std::array<double, 4> weights{};
  std::uint64_t steps = 0;
  std::optional<ErrorCode> error;  ///< with invalid_request
};

/// When do the two features first touch? `free` is certified (see the method's traits).
GRAZE_API ElementaryResult elementary_contact(const ElementaryQuery& query, const ElementaryOptions& options = {});

/// The same for curved paths, by `advancement`: other methods, and exact answers, are refused (unsupported). `gap` at a
/// contact is within the tolerance, which is at least 512 (degree + 1) roundings of the largest distance.
GRAZE_API ElementaryResult elementary_contact(const CurvedElementaryQuery& query,
                                              const ElementaryOptions& options = {});

/// Many queries of one kind at once: eight points each, those at t = 0 first. `results` is as long as `queries`. The
/// same answers as one by one, for any number of threads and any instruction set.
GRAZE_API void elementary_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                                   const ElementaryOptions& options, int threads, std::span<ElementaryResult> results);

}  // namespace graze
