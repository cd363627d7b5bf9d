// SPDX-License-Identifier: MIT
#include "engine/deform/paths/path_walk.hpp"

#include <algorithm>

#include "core/chunks.hpp"
#include "core/limits.hpp"
#include "engine/deform/walk/feature_tests.hpp"
#include "engine/deform/walk/parting.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/batch.hpp"
#include "engine/elementary/curved.hpp"

namespace graze::engine::deform {

namespace {

/// The body of a vertex. Bodies are in the order of their vertices.
std::uint32_t body_of(const VertexPaths& paths, std::uint32_t v) {
  const auto after = std::upper_bound(paths.bodies.begin(), paths.bodies.end(), v,
                                      [](std::uint32_t x, const PathBody& b) { return x < b.begin; });
  return static_cast<std::uint32_t>(after - paths.bodies.begin() - 1);
}

/// How far a body, which is not rounded, may be from its straight motion.
double margin_of(const PathBody& b) { return b.error + b.bend; }

/// For all pairs of bodies that are not rounded: the largest sum of their margins.
double margin_of_pairs(const VertexPaths& paths, bool self) {
  double first = 0, others = 0, all = 0;
  for (const PathBody& b : paths.bodies) {
    if (b.radius > 0 || b.asleep) continue;
    double& most = b.group == 0 ? first : others;
    most = std::max(most, margin_of(b));
    all = std::max(all, most);
  }
  return self ? 2 * all : first + others;
}

/// A point's distance from a mesh is that of the point from the faces. A segment's is that of its ends from the faces,
/// or of it from the edges, or it crosses a face; then, unless it does at the start, it came there past an edge or with
/// an end.
bool is_needed(const PathBody& b, ElementaryKind kind, const FourVertices& v) {
  if (b.core == PathBody::Core::mesh) return true;
  if (kind == ElementaryKind::vertex_face)
    return v[0] == b.begin || (b.core == PathBody::Core::segment && v[0] == b.begin + 1);
  const std::size_t of_b = v[0] >= b.begin && v[0] < b.end ? 0 : 2;
  return b.core == PathBody::Core::segment && v[of_b] == b.begin && v[of_b + 1] == b.begin + 1;
}

}  // namespace

PathWalk::PathWalk(const Mesh& mesh, std::vector<std::uint32_t> groups)
    : topology_(mesh),
      groups_(std::move(groups)),
      self_(std::all_of(groups_.begin(), groups_.end(), [&](std::uint32_t g) { return g == groups_[0]; })) {}

void PathWalk::replace(const Mesh& mesh, std::vector<std::uint32_t> groups, std::span<const Vec3> at, int threads) {
  std::optional<PatchTree> before = std::move(tree_);
  tree_.reset();  // an exception leaves none
  node_rules_.clear();
  groups_ = std::move(groups);
  self_ = std::all_of(groups_.begin(), groups_.end(), [&](std::uint32_t g) { return g == groups_[0]; });
  const Touched touched = topology_.change_to(mesh);
  if (!before) return;
  PatchTree next = repair_patch_tree(*before, topology_, touched, {topology_, {at, at}, dops_.frame()}, threads);
  for (PatchNode& n : next.nodes) n.kept = false;
  topology_.number_touched(touched, next.position);
  tree_.emplace(std::move(next));
}

void PathWalk::set_filter(DeformFilter filter) {
  rules_.emplace(std::move(filter), groups_.size());
  node_rules_.clear();
}

/// The straight motions of two features come within the margin if the features come within the tolerance: each path is
/// within the bend of its straight motion, and the real path within the error of it. Rounded bodies, whose margin can
/// be much larger than all others, are compared with the rest one by one.
void PathWalk::find_candidates(const PathQuestion& q, const std::vector<DeformContact>& found, AllCounters& counters) {
  const MovingVertices at{q.paths.start, q.paths.end};
  if (!tree_) {
    tree_.emplace(build_patch_tree(topology_, sweep_boxes(topology_, at, q.threads), q.threads));
    topology_.number_by(tree_->position);
    node_rules_.clear();
  }
  if (rules_ && node_rules_.empty()) node_rules_.refit(*rules_, topology_, *tree_, q.threads);
  const NodeRules* only = rules_ ? &node_rules_ : nullptr;
  const double margin = margin_of_pairs(q.paths, self_) + q.min_separation + q.tolerance;
  dops_.refit(topology_, *tree_, at, margin, !q.both_ends, q.threads);
  portions_.clear();
  candidates_.clear();
  const bool any_plain = std::any_of(q.paths.bodies.begin(), q.paths.bodies.end(), [&](const PathBody& b) {
    return b.radius == 0 && !b.asleep && (self_ || b.group > 0);
  });
  if (any_plain) {
    const std::vector<ContinuousCone> no_cones;
    patch_walk_.run({topology_, *tree_, dops_, no_cones, at, self_, false, q.threads, only}, left_);
    CandidateSearch search{topology_, *tree_, dops_, groups_, self_, q.directions, true, false, true};
    search.rules = only;
    deform::find_candidates(search, left_.pairs, q.threads, candidates_);
    counters += candidates_.counters;
    divide(q, found, false);
  }
  for (std::uint32_t b = 0; b < q.paths.bodies.size(); ++b) {
    if (!(q.paths.bodies[b].radius > 0) || q.paths.bodies[b].asleep) continue;
    find_near_rounded(q, b);
    counters += candidates_.counters;
    divide(q, found, true);
  }
}

void PathWalk::find_near_rounded(const PathQuestion& q, std::uint32_t body) {
  const PathBody& rounded = q.paths.bodies[body];
  double others = 0;
  for (const PathBody& b : q.paths.bodies)
    if (b.group != rounded.group) others = std::max(others, margin_of(b));
  // The parts of the mesh are its connected pieces, each of one body, and leaves with several small pieces.
  const auto any = [&](std::uint32_t part, const auto& is_wanted) {
    const PatchNode& n = tree_->nodes[part];
    for (std::uint32_t k = n.begin; k < (n.several ? n.end : n.begin + 1); ++k)
      if (is_wanted(topology_.triangle(tree_->items[k])[0])) return true;
    return false;
  };
  pairs_.clear();
  for (const std::uint32_t mine : tree_->parts) {
    if (!any(mine, [&](std::uint32_t v) { return v >= rounded.begin && v < rounded.end; })) continue;
    for (const std::uint32_t other : tree_->parts)
      if (any(other, [&](std::uint32_t v) { return groups_[v] != rounded.group; })) pairs_.push_back({other, mine});
  }
  CandidateSearch search{topology_, *tree_, dops_, groups_, false, q.directions, true, false, true};
  search.rules = rules_ ? &node_rules_ : nullptr;
  // As in `DopTree`: the diagonal directions have length sqrt 2, and a slack is half of a margin.
  const double half = 0.5 * 1.4143 * (rounded.radius + margin_of(rounded) + others);
  search.more_slack = static_cast<float>(std::min(1.001 * half / dops_.unit(), 1e30)) + 1e-37f;
  candidates_.clear();
  deform::find_candidates(search, pairs_, q.threads, candidates_);
}

/// Adds the candidates by body, in the order in which they were found, without those that are contacts already.
void PathWalk::divide(const PathQuestion& q, const std::vector<DeformContact>& found, bool rounded) {
  std::vector<std::uint32_t> open(2 * q.paths.bodies.size(), 0);  // 1 + the portion that is being filled
  const auto add = [&](ElementaryKind kind, const FourVertices& v) {
    const std::uint32_t body = std::max(body_of(q.paths, v[0]), body_of(q.paths, v[3]));
    if (q.paths.bodies[body].asleep || (q.paths.bodies[body].radius > 0) != rounded ||
        !is_needed(q.paths.bodies[body], kind, v))
      return;
    const DeformContact name{kind, v, {}, 0, false};
    if (!found.empty() && std::binary_search(found.begin(), found.end(), name, by_name)) return;
    std::uint32_t& portion = open[2 * body + (kind == ElementaryKind::edge_edge)];
    if (portion == 0 || portions_[portion - 1].candidates.size() == elementary::batch_size) {
      portions_.push_back({body, kind, {}});
      portions_.back().candidates.reserve(elementary::batch_size);
      portion = static_cast<std::uint32_t>(portions_.size());
    }
    portions_[portion - 1].candidates.push_back(v);
  };
  for (const FourVertices& v : candidates_.vertex_face) add(ElementaryKind::vertex_face, v);
  for (const FourVertices& v : candidates_.edge_edge) add(ElementaryKind::edge_edge, v);
}

/// 0: the features did not start near.
double PathWalk::kept_separation(ElementaryKind kind, const FourVertices& v) const {
  const Kept wanted{{kind, v, {}, 0, false}, 0};
  const auto at = std::lower_bound(kept_.begin(), kept_.end(), wanted,
                                   [](const Kept& x, const Kept& y) { return by_name(x.name, y.name); });
  return at != kept_.end() && !by_name(wanted.name, at->name) ? at->separation : 0;
}

/// First the straight motions, many at a time, at a distance by which the paths may bend; then the paths of the rest.
void PathWalk::ask(const PathQuestion& q, const Portion& portion, Lane& lane, Answers& out) const {
  const VertexPaths& paths = q.paths;
  const std::vector<FourVertices>& list = portion.candidates;
  auto& queries = lane.queries;
  double error = 0, bend = 0, radius = 0;  // of the two bodies together, the largest
  bool straight = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const PathBody &a = paths.bodies[body_of(paths, list[i][0])], &b = paths.bodies[body_of(paths, list[i][3])];
    error = std::max(error, a.error + b.error);
    radius = std::max(radius, a.radius + b.radius);
    bend = std::max(bend, a.bend + b.bend);
    straight = straight && a.straight && b.straight;
    for (std::size_t k = 0; k < 4; ++k) {
      queries[i][k] = paths.start[list[i][k]];
      queries[i][4 + k] = paths.end[list[i][k]];
    }
  }
  ElementaryOptions options;
  options.tolerance = q.tolerance / 2;
  // Rounded up: what is farther apart than this is farther apart than the radii, the separation and the errors.
  options.min_separation = (q.min_separation + radius + error) * (1 + 0x1p-50);
  const double h = q.t1 - q.t0;
  // `ask_again` asks the same with other options.
  const auto keep = [&](const FourVertices& v, ElementaryResult& r, const auto& ask_again) {
    out.counters.motion_steps += r.steps;
    if (r.status == Status::free) return;
    if (q.may_part) {
      double own = kept_separation(portion.kind, v);
      if (q.t0 == 0 && r.time.touch == 0 && r.gap > radius + error) {
        own = kept_share * (r.gap - radius - error);
        out.kept.push_back({{portion.kind, v, {}, 0, false}, own});
      }
      if (own > 0) {
        ElementaryOptions nearer = options;
        nearer.tolerance = std::min(*options.tolerance, own / 16);
        nearer.min_separation = (own + radius + error) * (1 + 0x1p-50);
        r = ElementaryResult{};
        ask_again(nearer, r);
        out.counters.motion_steps += r.steps;
        if (r.status == Status::free) return;
      }
    }
    // t_safe is rounded down by more than the sum can be rounded up.
    const double safe = q.t0 == 0 && r.time.safe == 0 ? 0.0 : (q.t0 + r.time.safe * h) * (1 - 0x1p-51);
    const double touch = std::min(q.t1, q.t0 + r.time.touch * h);
    out.contacts.push_back({portion.kind, v, {safe, touch}, std::max(0.0, r.gap - radius), touch == 0});
  };
  out.counters.elementary_tests += list.size();
  const std::span<const std::array<Vec3, 8>> all{queries.data(), list.size()};
  core::Poll poll;
  if (straight) {
    elementary::BatchAnswers& answers = lane.answers;
    answer_batch(advancement, portion.kind, all, options, elementary::BatchOrder::axes_last, answers);
    poll();  // before the answers are used: an elementary query that was ended is undecided
    for (std::size_t i = 0; i < answers.asked; ++i) {
      const auto ask_again = [&](const ElementaryOptions& nearer, ElementaryResult& r) {
        answer_batch(advancement, portion.kind, {&queries[answers.numbers[i]], 1}, nearer,
                     elementary::BatchOrder::axes_last, lane.again);
        poll();
        if (lane.again.asked > 0)
          r = lane.again.results[0];
        else
          elementary::set_free(r);
      };
      keep(list[answers.numbers[i]], answers.results[i], ask_again);
    }
    return;
  }
  elementary::FilterLeft left;
  const double around = (options.min_separation + bend) * (1 + 0x1p-50);
  filter_elementary(portion.kind, all, {around, q.tolerance / 2, 0}, elementary::BatchOrder::axes_last, left);
  const auto ask_path = [&](std::uint16_t i) {
    const FourVertices& v = list[i];
    std::array<std::array<Vec3, 4>, path_degree + 1> control;
    for (std::size_t j = 0; j < 4; ++j) {
      const PathPoints p = paths.at(v[j], paths.bodies[body_of(paths, v[j])]);
      for (std::size_t k = 0; k <= path_degree; ++k) control[k][j] = p[k];
    }
    const auto ask_curve = [&](const ElementaryOptions& asked, ElementaryResult& r) {
      elementary::curved_contact({portion.kind, control}, asked, r);
      poll();
    };
    ElementaryResult r;
    ask_curve(options, r);
    keep(v, r, ask_curve);
  };
  for (std::size_t i = 0; i < left.count; ++i) ask_path(left.numbers[i]);
  for (std::size_t i = 0; i < left.flat_count; ++i) ask_path(left.flat[i]);
}

void PathWalk::find(const PathQuestion& q, std::vector<DeformContact>& found, AllCounters& counters) {
  if (q.t0 == 0) kept_.clear();
  try {
    find_candidates(q, found, counters);
  } catch (const core::Stopped&) {
    tree_.reset();  // it may be half built
    throw;
  }
  answers_.assign(portions_.size(), {});
  while (lanes_.size() < static_cast<std::size_t>(q.threads)) lanes_.push_back(std::make_unique<Lane>());
  core::in_lanes(portions_.size(), static_cast<std::size_t>(q.threads),
                 [&](std::size_t lane, std::size_t i) { ask(q, portions_[i], *lanes_[lane], answers_[i]); });
  for (const Answers& a : answers_) {
    counters += a.counters;
    found.insert(found.end(), a.contacts.begin(), a.contacts.end());
    kept_.insert(kept_.end(), a.kept.begin(), a.kept.end());
  }
  if (q.t0 == 0)
    std::sort(kept_.begin(), kept_.end(), [](const Kept& x, const Kept& y) { return by_name(x.name, y.name); });
  std::sort(found.begin(), found.end(), [](const DeformContact& x, const DeformContact& y) {
    return by_name(x, y) || (!by_name(y, x) && x.time.touch < y.time.touch);
  });
  // Duplicate faces give the same pair twice.
  const auto same = [](const DeformContact& x, const DeformContact& y) { return !by_name(x, y) && !by_name(y, x); };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

}  // namespace graze::engine::deform
