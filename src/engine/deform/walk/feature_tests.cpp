// SPDX-License-Identifier: MIT
#include "engine/deform/walk/feature_tests.hpp"

#include <algorithm>

#include "core/chunks.hpp"
#include "core/limits.hpp"
#include "engine/deform/walk/parting.hpp"

namespace graze::engine::deform {

bool by_name(const DeformContact& x, const DeformContact& y) {
  return x.kind != y.kind ? x.kind < y.kind : x.vertices < y.vertices;
}
bool earlier(const DeformContact& x, const DeformContact& y) {
  return x.time.touch != y.time.touch ? x.time.touch < y.time.touch : by_name(x, y);
}

void FeatureTests::clear() {
  contacts.clear();
  safe = math::infinity;
  touched = false;
  counters = {};
}

void FeatureTests::keep(const FeatureQuestion& question, const DeformContact& c) {
  safe = std::min(safe, c.time.safe);
  if (question.all || contacts.empty())
    contacts.push_back(c);
  else if (earlier(c, contacts[0]))
    contacts[0] = c;
}

namespace {

/// Do triangles with these features share a vertex? The list of triangles that touch at the start has no pair that
/// meets at the shared vertex only, where a collapsed triangle may touch the other one: such features are not let go,
/// because nobody tests whether the triangles part.
bool of_adjacent_triangles(const Topology& topology, ElementaryKind kind, const FourVertices& v) {
  if (kind == ElementaryKind::vertex_face) {
    const auto around = topology.around(v[0]);
    return std::any_of(around.begin(), around.end(), [&](std::uint32_t t) {
      const Triangle& x = topology.triangle(t);
      return has_vertex(x, v[1]) || has_vertex(x, v[2]) || has_vertex(x, v[3]);
    });
  }
  bool adjacent = false;
  topology.at_edge({v[0], v[1]}, [&](std::uint32_t a) {
    topology.at_edge({v[2], v[3]}, [&](std::uint32_t b) {
      for (const std::uint32_t x : topology.triangle(b)) adjacent = adjacent || has_vertex(topology.triangle(a), x);
    });
  });
  return adjacent;
}

}  // namespace

void FeatureTests::ask(const FeatureQuestion& question, ElementaryKind kind, std::span<const FourVertices> list) {
  core::Poll poll;
  for (std::size_t first = 0; first < list.size(); first += elementary::batch_size) {
    poll.only_time();
    const std::size_t n = std::min(elementary::batch_size, list.size() - first);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        queries_[i][k] = question.at.start[list[first + i][k]];
        queries_[i][4 + k] = question.at.end[list[first + i][k]];
      }
    // Candidates overlap, or nearly overlap, along the axes at both ends.
    answer_batch(advancement, kind, {queries_.data(), n}, question.options, elementary::BatchOrder::axes_last,
                 answers_);
    poll();  // before the answers are used: an elementary query that was ended is undecided
    for (std::size_t i = 0; i < answers_.asked; ++i) {
      ElementaryResult& r = answers_.results[i];
      const FourVertices& v = list[first + answers_.numbers[i]];
      if (question.may_part && r.status != Status::free && r.time.touch == 0) {
        const ElementaryResult as_given = r;
        const bool part =
            follow_parting(kind, queries_[answers_.numbers[i]], question.options, parting_, r) == Parting::touched;
        if (part && of_adjacent_triangles(*question.may_part, kind, v)) {
          const std::uint64_t steps = r.steps;
          r = as_given;
          r.steps = steps;
        } else {
          touched |= part;
        }
      }
      counters.motion_steps += r.steps;
      if (r.status != Status::free) keep(question, {kind, v, r.time, r.gap, r.status == Status::touching_at_start});
    }
  }
  counters.elementary_tests += list.size();
}

void FeatureTests::ask(const FeatureQuestion& question, const FeatureCandidates& candidates) {
  ask(question, ElementaryKind::vertex_face, candidates.vertex_face);
  ask(question, ElementaryKind::edge_edge, candidates.edge_edge);
}

/// Bucket sort by kind and first vertex in one pass. Buckets are small.
void ContactSorter::sort_many(std::vector<DeformContact>& contacts, std::size_t vertices, int threads) {
  const auto bucket = [&](const DeformContact& c) {
    return (c.kind == ElementaryKind::vertex_face ? 0 : vertices) + c.vertices[0];
  };
  first_.assign(2 * vertices + 2, 0);
  for (const DeformContact& c : contacts) ++first_[bucket(c) + 2];
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  keys_.resize(contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const auto& v = contacts[i].vertices;
    keys_[first_[bucket(contacts[i]) + 1]++] = {v[1], v[2], v[3], i};
  }
  sorted_.resize(contacts.size());
  core::in_chunks(2 * vertices, threads, [&](std::size_t i) {  // entry i of `first_` is now the start of bucket i
    const std::uint32_t begin = first_[i], end = first_[i + 1];
    if (end - begin > 1) std::sort(keys_.begin() + begin, keys_.begin() + end);
    for (std::uint32_t k = begin; k < end; ++k) sorted_[k] = contacts[keys_[k][3]];
  });
  contacts.swap(sorted_);
}

void ContactSorter::sort(std::vector<DeformContact>& contacts, std::size_t vertices, int threads) {
  if (contacts.size() > vertices / 4)
    sort_many(contacts, vertices, threads);
  else
    std::sort(contacts.begin(), contacts.end(), by_name);
  // Without representatives, pairs are found several times. Duplicate faces give the same vertex/face pair twice.
  const auto same = [](const DeformContact& x, const DeformContact& y) {
    return x.kind == y.kind && x.vertices == y.vertices;
  };
  contacts.erase(std::unique(contacts.begin(), contacts.end(), same), contacts.end());
}

}  // namespace graze::engine::deform
