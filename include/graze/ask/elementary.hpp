// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <graze/ask/first_contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// Two features whose points move on straight lines, and the order of their four points: vertex/face v f0 f1 f2;
/// edge/edge a0 a1 b0 b1; vertex/edge v e0 e1 e1; vertex/vertex v w w w (points not needed repeat the last).
enum class ElementaryKind : std::uint8_t { vertex_face, edge_edge, vertex_edge, vertex_vertex };

/// The positions at t = 0 and at t = 1; in between, the points move on straight lines at constant speed.
struct ElementaryQuery {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::array<Vec3, 4> start, end;
};

/// The same with polynomial paths (ICCD III.B) in Bernstein form: entry k holds control point k of all four points, for
/// k = 0 to the degree. The first entry is the start, the last the end. The degree is 1 to 16.
struct CurvedElementaryQuery {
  ElementaryKind kind = ElementaryKind::vertex_face;
  std::span<const std::array<Vec3, 4>> control;
};

struct ElementaryTraits {
  std::string_view name;     ///< the name used with `--method`
  std::string_view summary;  ///< a one-line description
  bool certified = true;     ///< `free` and t_safe are proofs
};
/// All methods, in the order of the type list; the first is the default.
GRAZE_API std::span<const ElementaryTraits> elementary_methods();

struct ElementaryOptions {
  std::string_view method = "advancement";
  /// A distance. Default: 1e-12 of the query's size, which is its longest edge or motion, whichever is larger. Never
  /// below the rounding error bound. If the features start closer than this, half the start distance is used.
  std::optional<double> tolerance = {};
  double min_separation = 0;  ///< contact means: at most this far apart (plus the tolerance)
  /// Exact arithmetic decides all cases within the tolerance. Cannot be combined with a minimum separation.
  bool exact = false;
  // Limits: see `CancelToken`. A step advances the time of one query: `work` applies to each of many queries, the
  // others to all together.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct ElementaryResult {
  Status status = Status::undecided;  ///< free, contact, touching_at_start, undecided, invalid_request
  TimeBracket time;                   ///< as for first_contact
  double gap = 0;                     ///< at time.touch; NaN if free
  double tolerance = 0;               ///< the value used
  /// Weights of the four points that give the closest points at time.touch; for each feature they add up to 1.
  std::array<double, 4> weights{};
  std::uint64_t steps = 0;
  std::optional<ErrorCode> error;  ///< with invalid_request
};

/// When do the two features first touch? `free` is certified (see the method's traits).
GRAZE_API ElementaryResult elementary_contact(const ElementaryQuery& query, const ElementaryOptions& options = {});

/// The same for curved paths, by the method `advancement`; other methods and `exact` are rejected (unsupported). `gap`
/// at a contact is within the tolerance, which is at least 512 (degree + 1) roundings of the largest distance.
GRAZE_API ElementaryResult elementary_contact(const CurvedElementaryQuery& query,
                                              const ElementaryOptions& options = {});

/// Answers many queries of one kind. Each has eight points, those at t = 0 first. `results` must be as long as
/// `queries`. The answers are the same as those of single queries, for any number of threads and any instruction set.
GRAZE_API void elementary_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                                   const ElementaryOptions& options, int threads, std::span<ElementaryResult> results);

}  // namespace graze
