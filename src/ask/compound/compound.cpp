// SPDX-License-Identifier: MIT
#include "ask/compound/compound.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "ask/compound/pairs.hpp"
#include "core/limits.hpp"
#include "engine/collide/limits.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

std::array<PieceId, 2> ids_of(const PiecePair& pair) { return {PieceId{pair.a}, PieceId{pair.b}}; }

/// What one pair of pieces is asked. Time and cancellation are those of the whole question, which is the enclosing one.
template <class Options>
Options for_pieces(const Options& options) {
  Options o = options;
  o.budget.reset();
  o.cancel = {};
  return o;
}

/// True: the pair was refused, or a limit ended it, and so the whole question ends.
template <class Part, class Result>
bool ends(Part& part, Result& result) {
  if (part.status == Status::undecided) throw core::Stopped();  // out of work
  if (part.status != Status::invalid_request) return false;
  result.status = part.status;
  result.error = std::move(part.error);
  return true;
}

/// Of which contact the witness is reported: the highest first, then by ids.
int rank(const CollideResult& r) {
  if (r.kind == ContactKind::crossing) return 4;
  if (r.kind == ContactKind::overlap) return 3;
  if (r.contained != Containment::none) return 2;
  return r.certain ? 1 : 0;
}

/// Asks pairs of pieces in the order of their ids, and collects the answers.
class Collisions {
 public:
  Collisions(const PlacedPieces& pieces, const Pose& pose_a, const Pose& pose_b, const CollideOptions& options,
             CollideResult& result)
      : pieces_(pieces), pose_a_(pose_a), pose_b_(pose_b), options_(for_pieces(options)), result_(result) {
    options_.coherence = nullptr;
    options_.method_counters = nullptr;
    const core::Limits* const limits = core::current_limits();
    work_ = limits ? limits->work : 0;
  }

  void ask() {
    for (const PiecePair& pair : pieces_.within(0, result_.counters)) {
      core::poll_once();
      // What is left of the work; at least a step, as 0 would be no limit.
      if (work_ > 0) options_.work = work_ - std::min(work_ - 1, engine::collide::work_of(result_.counters));
      collide(pieces_.a(pair.a), pose_a_, pieces_.b(pair.b), pose_b_, options_, part_);
      result_.counters += part_.counters;
      if (ends(part_, result_)) return;
      if (part_.status != Status::contact) continue;
      if (take(pair) && !options_.all) break;
    }
    result_.status = best_ < 0 ? Status::free : Status::contact;
  }

 private:
  /// True: no other pair has a better witness.
  bool take(const PiecePair& pair) {
    if (const int r = rank(part_); r > best_) {
      best_ = r;
      result_.pieces = ids_of(pair);
      result_.kind = part_.kind;
      result_.certain = part_.certain;
      result_.contained = part_.contained;
      result_.points = part_.points;
      result_.normal = part_.normal;
      if (!options_.all) result_.pairs = part_.pairs;
      if (!options_.all_features || !options_.all) result_.features = part_.features;
    }
    if (options_.all) {
      const bool features = options_.all_features;
      result_.piece_contacts.push_back(
          {PieceId{pair.a}, PieceId{pair.b}, part_.pairs.size(), features ? part_.features.size() : 0});
      result_.pairs.insert(result_.pairs.end(), part_.pairs.begin(), part_.pairs.end());
      if (features) result_.features.insert(result_.features.end(), part_.features.begin(), part_.features.end());
    }
    return best_ == 4;
  }

  const PlacedPieces& pieces_;
  const Pose &pose_a_, &pose_b_;
  CollideOptions options_;
  CollideResult& result_;
  CollideResult part_;
  std::uint64_t work_ = 0;
  int best_ = -1;
};

/// The nearest pair of pieces so far.
struct Nearest {
  std::optional<DistanceResult> found;
  PiecePair pair;

  /// May a pair that is at least `lower` apart take its place? (If they touch, only for lower ids or certainty.)
  bool may_lose_to(double lower, const std::optional<PiecePair>& other) const {
    if (!found || lower < found->distance) return true;
    if (lower > found->distance) return false;
    return !found->certain || !other || *other < pair;
  }
  void take(const DistanceResult& d, const PiecePair& of) {
    if (found && !(std::tuple(d.distance, !d.certain, of) < std::tuple(found->distance, !found->certain, pair))) return;
    found = d;
    pair = of;
  }
};

}  // namespace

void collide_compounds(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const CollideOptions& options, CollideResult& result) {
  const PlacedPieces pieces(a, pose_a, b, pose_b);
  Collisions(pieces, pose_a, pose_b, options, result).ask();
}

void distance_compounds(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const DistanceOptions& options, DistanceResult& result) {
  const PlacedPieces pieces(a, pose_a, b, pose_b);
  const DistanceOptions asked = for_pieces(options);
  Nearest nearest;
  bool all_certain = true;
  Counters counters;
  std::priority_queue<PlacedPieces::NodePair> queue;
  queue.push(pieces.roots());
  DistanceResult part;
  while (!queue.empty()) {
    core::poll_once();
    const PlacedPieces::NodePair top = queue.top();
    queue.pop();
    const auto pair = pieces.leaves(top);
    if (!nearest.may_lose_to(top.lower, pair)) {
      if (nearest.found->distance < top.lower) break;  // and so is all that follows
      continue;
    }
    ++counters.node_pairs;
    if (!pair) {
      pieces.open(top, [&](const PlacedPieces::NodePair& next) { queue.push(next); });
      continue;
    }
    distance(pieces.a(pair->a), pose_a, pieces.b(pair->b), pose_b, asked, part);
    counters += part.counters;
    result.counters = counters;
    if (ends(part, result)) return;
    all_certain = all_certain && part.certain;
    nearest.take(part, *pair);
  }
  result = *nearest.found;
  result.counters = counters;
  result.pieces = ids_of(nearest.pair);
  // A distance that is not certain may be less than it says, and so may be less than this one. Contact is the least.
  if (result.status == Status::free) result.certain = all_certain;
}

void within_compounds(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const WithinOptions& options, WithinResult& result) {
  const PlacedPieces pieces(a, pose_a, b, pose_b);
  const WithinOptions asked = for_pieces(options);
  WithinResult part;
  Status status = Status::free;
  for (const PiecePair& pair : pieces.within(d, result.counters)) {
    core::poll_once();
    within(d, pieces.a(pair.a), pose_a, pieces.b(pair.b), pose_b, asked, part);
    result.counters += part.counters;
    if (ends(part, result)) return;
    if (part.status == Status::free) continue;
    status = Status::contact;
    result.certain = part.certain;
    if (part.certain) break;
  }
  result.status = status;
}

}  // namespace graze::ask
