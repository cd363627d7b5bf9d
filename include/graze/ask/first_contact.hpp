// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/method_options.hpp>
#include <graze/core/status.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

namespace classic::fast {
struct AdvancementOptions;
}
namespace classic::contact {
struct IntervalOptions;
}

struct FirstContactTraits {
  std::string_view name;     ///< the name used with `--method`
  std::string_view summary;  ///< a one-line description
  bool certificate = false;  ///< can output the cover that proves `free` and the time before t_safe
  bool own_motions = true;   ///< accepts motions defined by the caller (`OwnMotion`)
};

/// All methods of `first_contact`, in the order of the type list; the first is the default.
GRAZE_API std::span<const FirstContactTraits> first_contact_methods();

/// Coherence data that a caller keeps between queries of one pair of bodies. Passing none is always correct, only
/// slower.
class GRAZE_API FirstContactCoherence {
 public:
  FirstContactCoherence();
  ~FirstContactCoherence();
  FirstContactCoherence(FirstContactCoherence&&) noexcept;
  FirstContactCoherence& operator=(FirstContactCoherence&&) noexcept;
  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

struct FirstContactOptions {
  std::string_view method = "best_first";
  /// A distance. Default: 1e-6 of the smaller body's box diagonal. Never below the rounding error bound of the query.
  /// If the bodies start closer than this, half the start distance, to 1 %, is used. The result contains the value
  /// used.
  std::optional<double> tolerance = {};
  /// A safety distance, 0 or more. Contact then means: at most this far apart. `free`, and the time before t_safe, are
  /// certified farther apart than this; at t_touch they are at most this and the tolerance apart; `touching_at_start`:
  /// at most this far apart at the start, decided exactly, whatever they do next. `all_contacts` lists the feature
  /// pairs while they are within this and the tolerance; `clearance` is the least distance all the same. Only for
  /// `best_first`, and not with `ignore_start_if_separating`. A certificate states it.
  double min_separation = 0;
  /// List every feature pair within the tolerance at t_touch, not only those of the witness.
  bool all_features = false;
  /// List every contact in the whole motion, each with its own bracket. Not for curved shapes.
  bool all_contacts = false;
  bool clearance = false;  ///< compute the least distance over the whole motion, and when it occurs
  /// A contact at t = 0 that opens immediately does not count. Not for callers' own motions of meshes: their velocities
  /// are unknown. Of a curved shape: if it opens along its normal and no point approaches the other (docs/shapes.md).
  bool ignore_start_if_separating = false;
  /// Treat closed bodies as solids: if one body, or a part of it, starts inside the other, the status is
  /// `touching_at_start`, and `contained` tells which. `invalid_request` if one is not closed. Nothing else changes,
  /// because nothing can get inside while the surfaces are apart.
  bool solid = false;
  bool certificate = false;  ///< output the proof of `free`, or of the time before t_safe (none if time ended it)
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or a step of a triangle pair in time. `undecided`
  // comes with the t_safe reached.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  FirstContactCoherence* coherence = nullptr;
  /// If set: filled with the method's own counters.
  MethodCounters* method_counters = nullptr;
  /// For `advancement`: `graze/classic/fast.hpp`.
  MethodOptions<classic::fast::AdvancementOptions> advancement = {};
  /// For `interval`: `graze/classic/contact.hpp`.
  MethodOptions<classic::contact::IntervalOptions> interval = {};
};

/// Certified free of contact before `safe`; within the tolerance at `touch`.
struct TimeBracket {
  double safe = 0, touch = 0;
};

/// How the features move relative to each other at t_touch (Zachmann 3.1).
enum class ContactDirection { incoming, sliding, outgoing };
/// "incoming", "sliding", "outgoing".
GRAZE_API const char* name(ContactDirection direction);

/// One contact of the motion: a feature pair while it stays within the tolerance (and `min_separation`).
struct ContactEvent {
  Feature feature;
  TimeBracket time;  ///< of the start of the contact
  double until = 0;  ///< certified to exceed the tolerance right after this time; 1 if the contact lasts to the end
  double gap = 0;    ///< at time.touch
  ContactDirection direction = ContactDirection::incoming;
  std::optional<std::array<PieceId, 2>> pieces = {};  ///< as in the result
};

/// The least distance during the motion lies in [lower, upper]; at `time` it is at most `upper`. The two differ by a
/// relative 1e-5 where bounds allow it; with a curved shape, a compound or an own motion by 1e-3, and rounding. If a
/// limit ended the search for it, `lower` is 0.
struct Clearance {
  double lower = 0, upper = 0, time = 0;
};

/// A cover of all pairs of triangles and shapes and all time before `until` by separating directions: see
/// docs/certificates.md. It proves that surfaces of meshes and solid shapes are apart, farther than `min_separation`.
/// It does not prove that neither body starts inside a mesh (`solid`); the checker must test that separately.
struct Certificate {
  double until = 0;
  std::string text;
};

struct FirstContactResult {
  Status status = Status::undecided;
  std::string_view method;
  TimeBracket time;      ///< free: {1, NaN}; undecided: {t_safe, NaN}; touching_at_start: {0, 0}
  double gap = 0;        ///< distance of `points` at t_touch; NaN if there are none
  double tolerance = 0;  ///< the value used
  std::optional<TrianglePair> pair;
  std::vector<Feature> features;              ///< in contact at t_touch; sorted
  std::optional<std::array<Vec3, 2>> points;  ///< on A and on B at t_touch, in world coordinates, rounded
  std::optional<Vec3> normal;                 ///< unit, from A to B; none where undefined
  std::optional<ContactDirection> direction;
  bool certain = true;  ///< as for `collide`: false only for a `touching_at_start` of a curved shape
  /// With `solid`: one body starts inside the other, with their surfaces apart.
  Containment contained = Containment::none;
  std::vector<ContactEvent> contacts;  ///< with `all_contacts`: ordered by time, then feature
  std::optional<Clearance> clearance;  ///< none if a limit ended the query before any distance was known
  std::optional<Certificate> certificate;
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
  /// If one of the bodies is a compound: the pieces that touch first (the least ids of several), 0 of a body that is
  /// none. Features are those of these pieces. A `work` limit applies to each pair of pieces.
  std::optional<std::array<PieceId, 2>> pieces;
};

/// When do two moving bodies first touch? `contact`: certified free before t_safe, and within the tolerance at t_touch;
/// both lie between the first time that the gap is within the tolerance and the first time that it is zero. `free`:
/// certified for the whole motion. `touching_at_start`: in contact at t = 0. `undecided`: only if a limit ended
/// the query; certified free before t_safe.
///
/// The answer is bitwise identical for any number of threads, any instruction set and any coherence object.
GRAZE_API FirstContactResult first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                           const FirstContactOptions& options = {});
GRAZE_API void first_contact(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const FirstContactOptions& options, FirstContactResult& result);

}  // namespace graze
