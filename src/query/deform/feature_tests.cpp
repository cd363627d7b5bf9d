// SPDX-License-Identifier: MIT
#include "query/deform/feature_tests.hpp"

#include <algorithm>

namespace graze::query {

bool by_name(const DeformContact& x, const DeformContact& y) {
  return x.kind != y.kind ? x.kind < y.kind : x.vertices < y.vertices;
}
bool earlier(const DeformContact& x, const DeformContact& y) {
  return x.time.touch != y.time.touch ? x.time.touch < y.time.touch : by_name(x, y);
}

void FeatureTests::clear() {
  contacts.clear();
  counters = {};
}

void FeatureTests::keep(const FeatureQuestion& question, const DeformContact& c) {
  if (question.all || contacts.empty())
    contacts.push_back(c);
  else if (earlier(c, contacts[0]))
    contacts[0] = c;
}

void FeatureTests::ask(const FeatureQuestion& question, ElementaryKind kind, std::span<const FourVertices> list) {
  for (std::size_t first = 0; first < list.size(); first += batch_size) {
    const std::size_t n = std::min(batch_size, list.size() - first);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        queries_[i][k] = question.at.start[list[first + i][k]];
        queries_[i][4 + k] = question.at.end[list[first + i][k]];
      }
    // Candidates overlap along the axes at both ends, or nearly.
    answer_batch(kind, {queries_.data(), n}, question.options, BatchOrder::axes_last, answers_);
    for (std::size_t i = 0; i < answers_.asked; ++i) {
      const ElementaryResult& r = answers_.results[i];
      counters.motion_steps += r.steps;
      if (r.status != Status::free)
        keep(question, {kind, list[first + answers_.numbers[i]], r.time, r.gap, r.status == Status::touching_at_start});
    }
  }
  counters.elementary_tests += list.size();
}

void FeatureTests::ask(const FeatureQuestion& question, const FeatureCandidates& candidates) {
  ask(question, ElementaryKind::vertex_face, candidates.vertex_face);
  ask(question, ElementaryKind::edge_edge, candidates.edge_edge);
}

void sort_contacts(std::vector<DeformContact>& contacts, std::size_t vertices, std::vector<DeformContact>& scratch,
                   std::vector<std::uint32_t>& first) {
  // By kind and first vertex in one pass; few have the same.
  const auto key = [&](const DeformContact& c) {
    return (c.kind == ElementaryKind::vertex_face ? 0 : vertices) + c.vertices[0];
  };
  if (contacts.size() > vertices / 4) {
    first.assign(2 * vertices + 1, 0);
    for (const DeformContact& c : contacts) ++first[key(c) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    scratch.resize(contacts.size());
    for (const DeformContact& c : contacts) scratch[first[key(c)]++] = c;
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {  // `first` is now where each ends
      if (first[i] - begin > 1) std::sort(scratch.begin() + begin, scratch.begin() + first[i], by_name);
      begin = first[i];
    }
    contacts.swap(scratch);
  } else {
    std::sort(contacts.begin(), contacts.end(), by_name);
  }
  // Without representatives pairs are met many times; double faces ask the same of a vertex twice.
  const auto same = [](const DeformContact& x, const DeformContact& y) {
    return x.kind == y.kind && x.vertices == y.vertices;
  };
  contacts.erase(std::unique(contacts.begin(), contacts.end(), same), contacts.end());
}

}  // namespace graze::query
