// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

struct MovingBody {
  Body body;
  Motion motion;
};

struct FirstContactsOptions {
  /// The options for each pair. Its limits apply to each pair separately; its `threads` and `coherence` are not used.
  /// Its `method_counters` gets the sum over all pairs.
  FirstContactOptions pair = {};
  bool all_pairs = false;  ///< compute every pair's first contact, not only the earliest of all
  /// Selects the pairs (i, j), i < j, to test; none: all pairs. Called once for each near pair, from the calling
  /// thread.
  std::function<bool(std::size_t, std::size_t)> interest = {};
  int threads = 1;
  int slices = 8;  ///< number of time spans, each with its own swept boxes; 1 to 1024
  // Limits of the whole query: see `CancelToken`. Its work is limited by `pair.work`.
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// The first contact of bodies a < b, given by their indices in the list.
struct PairContact {
  std::uint32_t a = 0, b = 0;
  FirstContactResult contact;
};

struct FirstContactsResult {
  /// `free`: certified for all pairs. `undecided`: a limit left a pair open that may touch before the earliest known
  /// contact. Otherwise the status of `earliest`. If a limit ended the whole query: `undecided`.
  Status status = Status::undecided;
  double safe = 0;                      ///< certified: no pair touches before this time
  std::optional<PairContact> earliest;  ///< the least (t_touch, a, b) of all pairs in contact
  /// With `all_pairs`: every pair of interest that the swept boxes do not prove apart, including `free` ones; ordered
  /// by (a, b).
  std::vector<PairContact> pairs;
  std::uint64_t near = 0;   ///< number of pairs of interest that the swept boxes do not prove apart
  std::uint64_t asked = 0;  ///< number of those pairs whose first contact was computed
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// The first contact of many moving bodies. The motion is divided into time spans. A pair is skipped only if, in every
/// span, the boxes that the two bodies sweep are further apart than the tolerance. Without `all_pairs`, pairs are
/// tested in the order in which their swept boxes first meet, until no other pair can be earlier. The answer is bitwise
/// identical for any number of threads.
GRAZE_API FirstContactsResult first_contacts(std::span<const MovingBody> bodies,
                                             const FirstContactsOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void first_contacts(std::span<const MovingBody> bodies, const FirstContactsOptions& options,
                              FirstContactsResult& result);

/// A body attached to a link of a chain; a link may have several bodies, or none.
struct LinkBody {
  LinkId link;
  Body body;
};

struct ChainContactsOptions : FirstContactsOptions {
  bool neighbours = false;  ///< also test parent and child links against each other
};

/// The same for the links of a chain whose joints move from one configuration to another. Tests all pairs of different
/// links (neighbours only with `neighbours`), each in the frame of their nearest common ancestor, and all links against
/// an environment. The environment may move; its bodies are not tested against each other. In `interest` and in the
/// result, bodies of links come first: index i is links[i], and after them environment[i - links.size()]. Points and
/// normals are in world coordinates. `invalid_request` where `Chain::link_motion` throws.
GRAZE_API FirstContactsResult first_contacts(const Chain& chain, std::span<const LinkBody> links,
                                             std::span<const double> from, std::span<const double> to,
                                             std::span<const MovingBody> environment = {},
                                             const ChainContactsOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void first_contacts(const Chain& chain, std::span<const LinkBody> links, std::span<const double> from,
                              std::span<const double> to, std::span<const MovingBody> environment,
                              const ChainContactsOptions& options, FirstContactsResult& result);

}  // namespace graze
