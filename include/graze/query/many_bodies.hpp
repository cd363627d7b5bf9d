// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/motion.hpp>
#include <graze/query/body.hpp>
#include <graze/query/first_contact.hpp>

namespace graze {

struct MovingBody {
  Body body;
  Motion motion;
};

struct FirstContactsOptions {
  /// How each pair is asked. Its budgets are for each pair by itself; its `threads` and `coherence` are not used.
  FirstContactOptions pair = {};
  bool all_pairs = false;  ///< every pair's first contact, not only the earliest of all
  /// Which pairs (i, j), i < j, are to be asked; none: all. Called once for each pair that comes near, from the calling
  /// thread.
  std::function<bool(std::size_t, std::size_t)> interest = {};
  int threads = 1;
  int slices = 8;  ///< spans of time, each with its own swept boxes; 1 to 1024
};

/// The first contact of bodies a < b, by their places in the list.
struct PairContact {
  std::uint32_t a = 0, b = 0;
  FirstContactResult contact;
};

struct FirstContactsResult {
  /// `free`: certified for all pairs. `undecided`: a pair's budget ran out before the earliest contact known. Else that
  /// of `earliest`.
  Status status = Status::undecided;
  double safe = 0;                      ///< certified: no pair touches before
  std::optional<PairContact> earliest;  ///< the least (t_touch, a, b) of all pairs in contact
  /// With `all_pairs`: every pair of interest that its swept boxes do not prove apart, by (a, b), `free` ones too.
  std::vector<PairContact> pairs;
  std::uint64_t near = 0;   ///< how many pairs (of interest) those are
  std::uint64_t asked = 0;  ///< of how many of them the first contact was computed
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// The first contact of many moving bodies. A pair is left out only if, in each of some spans of time, the boxes that
/// the two bodies sweep are further apart than the tolerance. Without `all_pairs`, pairs are asked in the order in
/// which their swept boxes first meet, until no other can be earlier. The same bits for any number of threads.
GRAZE_API FirstContactsResult first_contacts(std::span<const MovingBody> bodies,
                                             const FirstContactsOptions& options = {});

/// A body that a link of a chain carries; a link may carry several, or none.
struct LinkBody {
  LinkId link;
  Body body;
};

struct ChainContactsOptions : FirstContactsOptions {
  bool neighbours = false;  ///< ask for contact of parent and child, too
};

/// The same for the links of a chain, whose joints go from one configuration to another: all pairs of different links
/// (neighbours only if asked for), each taken in their nearest common frame, and all links against an environment,
/// which may move, but whose bodies are not asked against each other. In `interest` and in the result, bodies of links
/// come first: number i is links[i], and after them environment[i - links.size()]. Points and normals are in the world.
/// Throws `Error` as `Chain::link_motion` does.
GRAZE_API FirstContactsResult first_contacts(const Chain& chain, std::span<const LinkBody> links,
                                             std::span<const double> from, std::span<const double> to,
                                             std::span<const MovingBody> environment = {},
                                             const ChainContactsOptions& options = {});

}  // namespace graze
