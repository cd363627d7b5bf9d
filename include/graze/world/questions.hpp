// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/world/event.hpp>
#include <graze/world/ids.hpp>

namespace graze {

struct SweepOptions {
  bool earliest = false;  ///< find only the earliest contact of all pairs; cheaper than every pair's first contact
  /// If there is a contact, or a limit left a pair undecided: move every moved body back to its pose at time
  /// `SweepResult::safe`, up to which no pair touches (or slightly earlier, where rounding the poses could make a pair
  /// touch). After a contact, the rest of the path is discarded. After `undecided`, the rest of the path is kept
  /// (`World::destination`): the next sweep moves the bodies on and tests that part. A body in a frame is put back by
  /// changing its pose in the frame, an articulated body by its base; frames stay where they were moved. A body that
  /// was deformed gets its vertices at that time, on their straight lines. Rejected if such a body comes near a
  /// half-space that turns: such pairs are not swept.
  bool advance = false;
  /// With `advance`: each body stops at its own first contact, and the others continue. All stops are certified
  /// together: at no time did two bodies of interest touch, where a body that has stopped stays where it is. Time runs
  /// from 0 to 1 on each body's own path. The result then lists the contacts that stopped bodies. Not with `earliest`.
  bool each = false;
  std::string_view method = "best_first";  ///< a method of `first_contact`
  std::optional<double> tolerance = {};    ///< as for `first_contact`; a pair's own tolerance takes precedence
  bool ignore_start_if_separating = false;
  /// As for `first_contact`: contact means at most this far apart, also with `advance`, `each`, triggers, and bodies
  /// that deform (those that start within it, or beyond it by less than rounding hides, count as within). Bodies that
  /// `advance` stops stand farther apart than this, exactly, and with some room (about 1e-8 of it, and 3e-11 of the
  /// sizes), so that the next sweep can part them. Bodies that start within it stay where they are, even if they would
  /// part: `teleport` them, or sweep with a smaller separation.
  double min_separation = 0;
  // Limits: see `CancelToken`. `work` applies to each pair, as for `first_contact`, the others to the whole sweep.
  // Without `advance`, bodies keep their current poses and undecided pairs are not tested again: after
  // `SweepResult::safe`, nothing is known about this path.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// What contacts carry in addition (`SweepContact::manifold` and so on). `work` does not count these questions.
  ContactDetails details = {};
  /// If set: filled with the sum of the method's own counters over the pairs.
  MethodCounters* method_counters = nullptr;
};

/// The first contact of two bodies between their poses at the last sweep and their current poses.
struct SweepContact {
  BodyId a, b;  ///< a < b
  FirstContactResult contact;
  /// True if one of the two bodies deformed: every vertex of both, or every point of a shape, then moved on a straight
  /// line from its old to its new position.
  bool straight_vertices = false;

  // On request (`SweepOptions::details`), of contacts and of bodies that touch at the start: where the two are at time
  // `contact.time.touch`, at poses (and, of a body that deforms, vertices) rounded to doubles. They may be apart there
  // by the tolerance or the separation: the manifold then has the nearest points, and the others are missing.
  std::vector<TrianglePair> all_pairs;       ///< as from `collide` with `all`
  std::vector<PieceContact> piece_contacts;  ///< whose pairs they are, if one of the bodies is a compound
  std::optional<ManifoldResult> manifold;    ///< as from `manifold`
  std::optional<PenetrationResult> depth;    ///< as from `penetration`
};

struct SweepResult {
  /// `free`: certified for all pairs of interest. `undecided`: a limit left a pair open that may
  /// touch before the earliest known contact, or ended the whole sweep.
  Status status = Status::undecided;
  double safe = 1;                      ///< certified: no pair of interest touches before this time
  std::vector<SweepContact> contacts;   ///< those `contact`, `touching_at_start` or `undecided`, ordered by (a, b)
  std::optional<std::size_t> earliest;  ///< index into `contacts`: the least (t_touch, a, b)
  /// First contacts with triggers, ordered by (a, b); with `advance`, those before the bodies stopped. They do not
  /// affect anything else in this result.
  std::vector<SweepContact> triggers;
  bool advanced = false;  ///< with `advance`: the bodies were moved to their poses at `safe`
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Two bodies that are near each other.
struct NearPair {
  BodyId a, b;  ///< a < b
  DistanceResult distance;
};

struct NearOptions {
  // Limits: see `CancelToken`. `work` applies to each pair: to `within` and `distance` together, in steps of those. The
  // others apply to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct NearResult {
  /// `contact`: there are pairs. `free`: certified, there are none. `undecided`: a limit ended the question; the pairs
  /// listed are correct, but others may be missing.
  Status status = Status::undecided;
  std::vector<NearPair> pairs;  ///< ordered by (a, b)
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Where a ray meets a body.
struct BodyHit {
  BodyId body;
  RayHit hit;
  bool certain = true;  ///< as in `RayResult`
};

/// Which bodies a question is about.
struct BodyFilter {
  std::optional<std::uint32_t> mask = {};  ///< only bodies whose group has a bit of this mask; none: all bodies
  std::optional<BodyId> except = {};       ///< not this one: the body that the question is asked for
};

/// Which hits of a ray are wanted.
enum class WorldRayHits {
  each_body,  ///< the first on every body
  first,      ///< only the first of all; cheaper
  any,        ///< whichever is found first: only whether there is one matters
  all,        ///< all hits on all bodies
};

struct WorldRayOptions {
  WorldRayHits hits = WorldRayHits::each_body;
  BodyFilter bodies = {};
};

struct CastOptions {
  BodyFilter bodies = {};
  bool all = false;                        ///< the first contact with every body, not only the earliest of all
  std::string_view method = "best_first";  ///< a method of `first_contact`
  std::optional<double> tolerance = {};    ///< as for `first_contact`
  double min_separation = 0;               ///< as for `first_contact`
  bool ignore_start_if_separating = false;
  // Limits: see `CancelToken`. `work` applies to each body, the others to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// The first contact of a body that is cast with one of the world.
struct CastContact {
  BodyId body;
  FirstContactResult contact;  ///< A is the body that is cast, B that of the world
};

struct CastResult {
  /// `free`: certified for all bodies. `undecided`: a limit left a body open that may be met before the earliest known
  /// contact. Otherwise the status of the earliest contact.
  Status status = Status::undecided;
  double safe = 0;                      ///< certified: no body is met before this time
  std::optional<CastContact> earliest;  ///< the least (t_touch, id)
  /// With `all`: those `contact`, `touching_at_start` or `undecided`, ordered by id.
  std::vector<CastContact> contacts;
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

struct OverlapOptions {
  BodyFilter bodies = {};
  bool any = false;  ///< one body is enough: the first that is found
  // Limits: see `CancelToken`. `work` applies to each body, the others to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct OverlapResult {
  /// `contact`: there are bodies. `free`: certified, there are none. `undecided`: a limit ended the question; the
  /// bodies listed do touch, but others may be missing.
  Status status = Status::undecided;
  std::vector<BodyId> bodies;  ///< ordered by id
  bool certain = true;  ///< false only with curved shapes: one of them may be apart by less than a rounding bound
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

struct NearestOptions {
  BodyFilter bodies = {};
  // Limits: see `CancelToken`. `work` applies to each body, the others to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// A body near a point.
struct NearestBody {
  BodyId body;
  double distance = 0;  ///< to a relative error of 1e-9; 0 where the point is on or in the body
  Vec3 point;           ///< the body's nearest point, in world coordinates, rounded
};

struct NearestResult {
  /// `free`: the answer is complete and the point touches no body; `contact`: complete, and the first distance is 0.
  /// `undecided`: a limit ended the question, and nothing is listed.
  Status status = Status::undecided;
  /// At most k, ordered by (distance, id). No other body is nearer than the last one, to a relative error of 1e-9.
  std::vector<NearestBody> bodies;
  WorldCounters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

}  // namespace graze
