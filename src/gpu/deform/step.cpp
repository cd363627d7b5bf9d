// SPDX-License-Identifier: MIT
#include "gpu/deform/step.hpp"

#include <algorithm>
#include <array>

#include <graze/ask/elementary.hpp>

#include "gpu/deform/landing.hpp"
#include "gpu/deform/leaf.hpp"
#include "gpu/deform/order.hpp"
#include "gpu/deform/pairs.hpp"
#include "gpu/deform/refit.hpp"
#include "gpu/deform/windows.hpp"

namespace graze::gpu {

namespace {

std::uint32_t parts(std::uint32_t n, std::uint32_t of) { return (n + of - 1) / of; }

Stream make_stream(void* callers) { return callers ? Stream(callers) : Stream(); }

}  // namespace

StepOnDevice::StepOnDevice(void* stream) : stream_(make_stream(stream)) {
  counts_.grow(1);
  counts_here_.grow(1);
}

void StepOnDevice::set_features(const Features& f, std::size_t vertices) {
  stream_.wait();  // for what still uses the old ones
  step_.forget();
  order_.forget();
  vertex_names_ = static_cast<std::uint32_t>(vertices);
  count_[0] = static_cast<std::uint32_t>(f.vertices.size());
  count_[1] = static_cast<std::uint32_t>(f.faces.size());
  count_[2] = static_cast<std::uint32_t>(f.edges.size());
  std::vector<Edge> edges(f.edges.size()), edges_by_name(f.edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges_by_name[i] = {f.edges[i][0], f.edges[i][1]};
    edges[i] = {f.edges[f.edge_at[i]][0], f.edges[f.edge_at[i]][1]};
  }
  std::vector<Face> faces(f.faces.size()), faces_by_name(f.faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces_by_name[i] = {f.faces[i][0], f.faces[i][1], f.faces[i][2]};
    const auto& t = f.faces[f.face_at[i]];
    faces[i] = {t[0], t[1], t[2]};
  }
  vertices_.upload(stream_, f.vertices);
  edges_.upload(stream_, edges);
  edges_by_name_.upload(stream_, edges_by_name);
  edge_at_.upload(stream_, f.edge_at);
  faces_.upload(stream_, faces);
  faces_by_name_.upload(stream_, faces_by_name);
  face_at_.upload(stream_, f.face_at);
  piece_.upload(stream_, f.piece);
  start_.grow(vertices);
  end_.grow(vertices);
  std::size_t features = 0;
  for (int kind = 0; kind < 3; ++kind) {
    std::uint32_t n = count_[kind];
    features += n;
    for (auto& level : boxes_[kind]) {
      level.grow(n);
      n = parts(n, lanes);
    }
  }
  const std::size_t clusters = features / lanes + 3;
  pairs_.grow(32 * clusters);
  for (int kind = 0; kind < 2; ++kind) {
    candidates_[kind].grow(16 * features + 1024);
    near_[kind].grow(features + 1024);
    rest_[kind].grow(features / 4 + 1024);
    hard_[kind].grow(features / 16 + 1024);
  }
  contacts_.grow(features + 1024);
  in_buckets_.grow(features + 1024);
  sorted_.grow(features + 1024);
  left_.grow(features / 16 + 1024);
  const std::uint32_t buckets = vertex_names_ + count_[2];
  filled_.grow(buckets);
  first_.grow(buckets);
  chunk_.grow(parts(buckets, buckets_per_chunk));
  stream_.wait();  // the lists here end
}

void StepOnDevice::set_filter(const DeformFilter& filter, std::size_t vertices) {
  stream_.wait();
  step_.forget();
  order_.forget();
  filtered_ = true;
  std::vector<std::uint32_t> body = filter.bodies;
  body.resize(vertices, 0);
  std::vector<BodyRule> settings;
  for (const DeformBody& b : filter.settings) settings.push_back({b.self ? 1u : 0u, b.group, b.mask});
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const auto& [a, b] : filter.off) pairs.push_back({std::min(a, b), std::max(a, b)});
  std::sort(pairs.begin(), pairs.end());
  std::vector<Edge> off;
  for (const auto& [a, b] : pairs) off.push_back({a, b});
  std::vector<std::uint8_t> fixed(vertices, 0);
  for (const std::uint32_t v : filter.fixed) fixed[v] = 1;
  body_.upload(stream_, body);
  settings_.upload(stream_, settings);
  off_.upload(stream_, off);
  fixed_.upload(stream_, fixed);
  settings_count_ = static_cast<std::uint32_t>(settings.size());
  off_count_ = static_cast<std::uint32_t>(off.size());
  stream_.wait();
}

StepView StepOnDevice::view(const Vec3* end) const {
  StepView s{};
  s.vertices = vertices_.data();
  s.edges = edges_.data();
  s.faces = faces_.data();
  s.edge_at = edge_at_.data();
  s.face_at = face_at_.data();
  s.edges_by_name = edges_by_name_.data();
  s.faces_by_name = faces_by_name_.data();
  s.vertex_names = vertex_names_;
  s.rules.piece = question_.self ? nullptr : piece_.data();
  if (filtered_)
    s.rules = {s.rules.piece, body_.data(), settings_.data(), settings_count_, off_.data(), off_count_, fixed_.data()};
  s.start = start_.data();
  s.end = end;
  s.unit = unit_;
  s.margin = question_.min_separation + question_.tolerance;
  s.min_separation = question_.min_separation;
  s.tolerance = question_.tolerance;
  s.exact = question_.exact;
  BoxTree* trees[] = {&s.vertex_boxes, &s.face_boxes, &s.edge_boxes};
  for (int kind = 0; kind < 3; ++kind)
    for (std::uint32_t level = 0, n = count_[kind]; level < 4; ++level, n = parts(n, lanes)) {
      trees[kind]->level[level] = boxes_[kind][level].data();
      trees[kind]->size[level] = n;
    }
  StepCounts* counts = counts_.data();
  s.counts = counts;
  s.pairs = {pairs_.data(), &counts->pairs, pairs_.room()};
  for (int kind = 0; kind < 2; ++kind) {
    s.candidates[kind] = {candidates_[kind].data(), &counts->candidates[kind], candidates_[kind].room()};
    s.hard[kind] = {hard_[kind].data(), &counts->hard[kind], hard_[kind].room()};
    s.rest[kind] = {rest_[kind].data(), &counts->rest[kind], rest_[kind].room()};
    s.near[kind] = {near_[kind].data(), &counts->near[kind], near_[kind].room()};
  }
  s.contacts = {contacts_.data(), &counts->contacts, contacts_.room()};
  s.left = {left_.data(), &counts->left, left_.room()};
  s.order = {filled_.data(),     first_.data(), chunk_.data(), vertex_names_ + count_[2],
             in_buckets_.data(), sorted_.data()};
  return s;
}

void StepOnDevice::clear_buckets(const Stream& stream, const StepView& s) {
  stream.fill(s.order.filled, 0, std::size_t{s.order.buckets} * sizeof(std::uint32_t));
}

/// After the contacts have been counted by buckets.
void StepOnDevice::run_order(const Stream& stream, const StepView& s, bool all) {
  const std::uint32_t many = warps_at_once();
  if (all) {
    const std::uint32_t chunks = parts(s.order.buckets, buckets_per_chunk);
    launch(stream, chunks, SumChunks{s});
    launch(stream, chunks, PlaceBuckets{s});
    launch(stream, many, FillBuckets{s});
    launch(stream, many, RankContacts{s});
  } else {
    stream.fill(&s.counts->earliest_touch, 0xFF, 3 * sizeof(std::uint64_t));
    launch(stream, many, EarliestTime{s});
    launch(stream, many, EarliestName{s});
    launch(stream, many, EarliestContact{s});
  }
}

void StepOnDevice::record(const StepView& s) {
  const bool all = question_.all;
  StepCounts* here = counts_here_.data();
  step_.record([s, all, here](const Stream& stream) {
    const std::uint32_t many = warps_at_once();
    stream.fill(s.counts, 0, offsetof(StepCounts, not_finite));
    clear_buckets(stream, s);
    stream.fill(&s.counts->not_finite, 0xFF, sizeof(StepCounts) - offsetof(StepCounts, not_finite));
    const auto nodes = [&](int level) {
      return s.vertex_boxes.size[level] + s.face_boxes.size[level] + s.edge_boxes.size[level];
    };
    launch(stream, nodes(1), RefitFeatures{s});
    launch(stream, nodes(2), RefitLevel{s, 2});
    launch(stream, nodes(3), RefitLevel{s, 3});
    launch(stream, 4 * many, FindClusterPairs{s});
    launch(stream, many, FindCandidates{s});
    launch(stream, many, SieveCandidates<true>{s});
    launch(stream, many, SieveCandidates<false>{s});
    launch(stream, many, LandCandidates{s});
    launch(stream, many, SettleRest<false>{s});
    launch(stream, many, SettleRest<true>{s});
    run_order(stream, s, all);
    stream.copy_to_host(here, s.counts, sizeof(StepCounts));
  });
  order_.record([s, all, here](const Stream& stream) {
    clear_buckets(stream, s);
    if (all) launch(stream, warps_at_once(), CountBuckets{s});
    run_order(stream, s, all);
    stream.copy_to_host(here, s.counts, sizeof(StepCounts));
  });
  recorded_end_ = s.end;
  recorded_ = question_;
}

void StepOnDevice::begin(const Vec3* end, const StepQuestion& question) {
  question_ = question;
  asked_end_ = end;
  work_ = {};
  if (!step_.is_recorded() || recorded_end_ != end || recorded_ != question) record(view(end));
  step_.replay(stream_);
}

/// Gives every list that was too long its length and a quarter more. False: all were long enough.
bool StepOnDevice::grow() {
  const StepCounts& c = counts();
  bool grown = false;
  const auto check = [&](auto& buffer, std::uint64_t needed) {
    if (needed <= buffer.room()) return;
    if (!grown) stream_.wait();
    grown = true;
    buffer.grow(needed + needed / 4);
  };
  check(pairs_, c.pairs);
  for (int kind = 0; kind < 2; ++kind) {
    check(candidates_[kind], c.candidates[kind]);
    check(near_[kind], c.near[kind]);
    check(rest_[kind], c.rest[kind]);
    check(hard_[kind], c.hard[kind]);
  }
  check(contacts_, c.contacts);
  check(in_buckets_, c.contacts);
  check(sorted_, c.contacts);
  check(left_, c.left);
  return grown;
}

void StepOnDevice::decide_left(const StepView& s) {
  const std::uint64_t count = counts().left;
  if (count == 0) return;
  left_here_.grow(count);
  stream_.copy_to_host(left_here_.data(), left_.data(), count * sizeof(LeftPair));
  stream_.wait();
  ElementaryOptions asked;
  if (question_.tolerance > 0) asked.tolerance = question_.tolerance;
  asked.min_separation = question_.min_separation;
  asked.exact = question_.exact;
  decided_.grow(count);
  std::uint64_t touching = 0;
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge}) {
    std::vector<std::array<Vec3, 8>> queries;
    std::vector<std::uint64_t> which;
    for (std::uint64_t i = 0; i < count; ++i) {
      const LeftPair& p = left_here_.data()[i];
      if (((p.a & edges_bit) != 0) != (kind == ElementaryKind::edge_edge)) continue;
      which.push_back(i);
      std::copy_n(p.points, 8, queries.emplace_back().begin());
    }
    std::vector<ElementaryResult> answers(queries.size());
    elementary_contacts(kind, queries, asked, question_.threads, answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const ElementaryResult& r = answers[i];
      if (r.status == Status::free) continue;
      const LeftPair& p = left_here_.data()[which[i]];
      decided_.data()[touching++] = {p.a,          p.b,   r.time.safe,
                                     r.time.touch, r.gap, r.status == Status::touching_at_start ? 1u : 0u};
    }
  }
  if (touching == 0) return;
  const std::uint64_t before = counts().contacts, all = before + touching;
  StepView now = s;
  if (all > contacts_.room()) {  // keeps what is there
    Buffer<FoundContact> more(all + all / 4);
    stream_.copy_on_device(more.data(), contacts_.data(), before * sizeof(FoundContact));
    stream_.wait();
    contacts_ = std::move(more);
    in_buckets_.grow(all + all / 4);
    sorted_.grow(all + all / 4);
    now = view(asked_end_);
    record(now);
  }
  stream_.copy_to_device(contacts_.data() + before, decided_.data(), touching * sizeof(FoundContact));
  counts_here_.data()->contacts = all;
  stream_.copy_to_device(&counts_.data()->contacts, &counts_here_.data()->contacts, sizeof(std::uint64_t));
  order_.replay(stream_);
  stream_.wait();
}

void StepOnDevice::finish() {
  stream_.wait();
  while (counts().not_finite == ~std::uint64_t{0} && grow()) {
    ++work_.repeats;
    record(view(asked_end_));
    step_.replay(stream_);
    stream_.wait();
  }
  if (counts().not_finite != ~std::uint64_t{0}) return;
  const StepCounts& c = counts();
  work_.cluster_pairs = c.pairs;
  work_.candidates = c.candidates[0] + c.candidates[1];
  work_.near = c.near[0] + c.near[1];
  work_.left_to_host = c.left;
  decide_left(view(asked_end_));
  work_.contacts = counts().contacts;
  work_.bytes = bytes();
}

std::span<const StepContact> StepOnDevice::fetch(std::size_t count) {
  sorted_here_.grow(count);
  stream_.copy_to_host(sorted_here_.data(), sorted_.data(), count * sizeof(StepContact));
  stream_.wait();
  return {sorted_here_.data(), count};
}

std::uint64_t StepOnDevice::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& kind : boxes_)
    for (const auto& level : kind) sum += level.bytes();
  for (int kind = 0; kind < 2; ++kind)
    sum += candidates_[kind].bytes() + near_[kind].bytes() + rest_[kind].bytes() + hard_[kind].bytes();
  return sum + vertices_.bytes() + edge_at_.bytes() + face_at_.bytes() + piece_.bytes() + body_.bytes() +
         edges_.bytes() + edges_by_name_.bytes() + off_.bytes() + faces_.bytes() + faces_by_name_.bytes() +
         settings_.bytes() + fixed_.bytes() + start_.bytes() + end_.bytes() + counts_.bytes() + pairs_.bytes() +
         contacts_.bytes() + in_buckets_.bytes() + left_.bytes() + filled_.bytes() + first_.bytes() + chunk_.bytes() +
         sorted_.bytes();
}

}  // namespace graze::gpu
