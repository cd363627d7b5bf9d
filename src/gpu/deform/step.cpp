// SPDX-License-Identifier: MIT
#include "gpu/deform/step.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include <graze/ask/elementary.hpp>
#include <graze/gpu/step_variants.hpp>

#include "gpu/deform/landing.hpp"
#include "gpu/deform/leaf.hpp"
#include "gpu/deform/meet.hpp"
#include "gpu/deform/order.hpp"
#include "gpu/deform/pairs.hpp"
#include "gpu/deform/refit.hpp"
#include "gpu/deform/sieve.hpp"
#include "gpu/deform/windows.hpp"

namespace graze::gpu {

namespace {

std::uint32_t parts(std::uint32_t n, std::uint32_t of) { return (n + of - 1) / of; }

/// Of a step, where its earliest contact is looked for first.
constexpr double first_part = 1.0 / 16;

bool needs_top(const StepView& s) {
  return std::max(s.face_boxes.size[3], s.edge_boxes.size[3]) > FindClusterPairs::few_top_nodes;
}

Stream make_stream(void* callers) { return callers ? Stream(callers) : Stream(); }

}  // namespace

StepVariants& step_variants() {
  static StepVariants variants;
  return variants;
}

StepOnDevice::StepOnDevice(void* stream) : stream_(make_stream(stream)) {
  counts_.grow(1);
  counts_here_.grow(1);
}

void StepOnDevice::set_features(const Features& f, std::size_t vertices) {
  stream_.wait();  // for what still uses the old ones
  forget();
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
  // The same by places of vertices.
  std::vector<std::uint32_t> place(vertices, 0);
  for (std::size_t i = 0; i < f.vertices.size(); ++i) place[f.vertices[i]] = static_cast<std::uint32_t>(i);
  std::vector<Edge> placed_edges(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) placed_edges[i] = {place[edges[i].a], place[edges[i].b]};
  std::vector<Face> placed_faces(faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i)
    placed_faces[i] = {place[faces[i].a], place[faces[i].b], place[faces[i].c]};
  placed_edges_.upload(stream_, placed_edges);
  placed_faces_.upload(stream_, placed_faces);
  framed_.grow(f.vertices.size());
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
    packed_[kind].grow(n);
    packed_clusters_[kind].grow(parts(n, lanes));
    for (auto& level : boxes_[kind]) {
      level.grow(n);
      n = parts(n, lanes);
    }
  }
  const std::size_t clusters = features / lanes + 3;
  for (int kind = 0; kind < 2; ++kind) {
    pairs_[kind].grow(32 * clusters);
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
  forget();
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
  s.batches = static_cast<std::uint32_t>(step_variants().batches);
  s.until = way_.part ? first_part : 1;
  s.frame = frame_;
  s.framed_margin = static_cast<float>(s.margin * frame_.scale) * (1 + 0x1p-23f);
  s.placed_edges = placed_edges_.data();
  s.placed_faces = placed_faces_.data();
  s.framed = framed_.data();
  for (int kind = 0; kind < 3; ++kind) s.packed[kind] = {packed_[kind].data(), packed_clusters_[kind].data()};
  BoxTree* trees[] = {&s.vertex_boxes, &s.face_boxes, &s.edge_boxes};
  for (int kind = 0; kind < 3; ++kind)
    for (std::uint32_t level = 0, n = count_[kind]; level < 4; ++level, n = parts(n, lanes)) {
      trees[kind]->level[level] = boxes_[kind][level].data();
      trees[kind]->size[level] = n;
    }
  StepCounts* counts = counts_.data();
  s.counts = counts;
  for (int kind = 0; kind < 2; ++kind) {
    s.pairs[kind] = {pairs_[kind].data(), &counts->pairs[kind], pairs_[kind].room()};
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
    stream.fill(&s.counts->earliest_touch, 0, 3 * sizeof(std::uint64_t));
    launch(stream, many, EarliestTime{s});
    launch(stream, many, EarliestName{s});
    launch(stream, many, EarliestContact{s});
  }
}

void StepOnDevice::settle_hard(const Stream& stream, const StepView& s) {
  if (s.margin == 0 && step_variants().shared_rest)
    launch(stream, filling<SettleHard>(1), SettleHard{s});
  else
    launch(stream, warps_at_once(), SettleRest<true>{s});
}

/// In a frame in which all vertices are; where any feature may touch any other one.
void StepOnDevice::run_framed(const Stream& stream, const StepView& s) const {
  const StepVariants& v = step_variants();
  const auto nodes = [&](int level) {
    return s.vertex_boxes.size[level] + s.face_boxes.size[level] + s.edge_boxes.size[level];
  };
  int stages = v.stages;
  const auto stage = [&](const auto& run) {
    if (stages-- > 0) run();
  };
  stage([&] { launch(stream, filling<ProjectVertices>(1), ProjectVertices{s}); });
  stage([&] { launch(stream, nodes(1), RefitFramed{s}); });
  stage([&] {
    launch(stream, nodes(2), RefitLevel{s, 2});
    if (needs_top(s)) launch(stream, nodes(3), RefitLevel{s, 3});
  });
  stage([&] { launch(stream, filling<FindClusterPairs>(2), FindClusterPairs{s}); });
  const auto candidates = [&](auto edges, const Stream& on) {
    launch(on, filling<MeetClusters<edges()>>(v.waves), MeetClusters<edges()>{s});
  };
  const auto sieve = [&](auto edges, const Stream& on) {
    if (v.projected)
      launch(on, filling<SieveFramed<edges()>>(v.waves), SieveFramed<edges()>{s});
    else
      launch(on, filling<SieveCandidates<edges()>>(v.waves), SieveCandidates<edges()>{s});
  };
  const std::true_type of_edges;
  const std::false_type of_faces;
  if (v.branches && stages >= 4) {
    stages -= 4;
    stream.beside(
        [&](const Stream& on) {
          candidates(of_edges, on);
          sieve(of_edges, on);
        },
        [&](const Stream& on) {
          candidates(of_faces, on);
          sieve(of_faces, on);
        });
  } else {
    stage([&] { candidates(of_edges, stream); });
    stage([&] { candidates(of_faces, stream); });
    stage([&] { sieve(of_edges, stream); });
    stage([&] { sieve(of_faces, stream); });
  }
  stage([&] { launch(stream, filling<LandCandidates>(1), LandCandidates{s}); });
  stage([&] { launch(stream, filling<SettleRest<false>>(1), SettleRest<false>{s}); });
  stage([&] { settle_hard(stream, s); });
}

void StepOnDevice::run_at_any_scale(const Stream& stream, const StepView& s) {
  const std::uint32_t many = warps_at_once();
  const auto nodes = [&](int level) {
    return s.vertex_boxes.size[level] + s.face_boxes.size[level] + s.edge_boxes.size[level];
  };
  int stages = step_variants().stages;
  const auto stage = [&](const auto& run) {
    if (stages-- > 0) run();
  };
  stage([&] { launch(stream, nodes(1), RefitFeatures{s}); });
  stage([&] {
    launch(stream, nodes(2), RefitLevel{s, 2});
    if (needs_top(s)) launch(stream, nodes(3), RefitLevel{s, 3});
  });
  stage([&] { launch(stream, 4 * many, FindClusterPairs{s}); });
  stage([&] { launch(stream, many, FindCandidates{s}); });
  stage([&] { launch(stream, many, SieveCandidates<true>{s}); });
  stage([&] { launch(stream, many, SieveCandidates<false>{s}); });
  stage([&] { launch(stream, many, LandCandidates{s}); });
  stage([&] { launch(stream, many, SettleRest<false>{s}); });
  stage([&] { settle_hard(stream, s); });
}

/// Records the step in the present way, unless that is what is kept.
void StepOnDevice::record() {
  Kept& k = kept();
  if (k.step.is_recorded() && k.end == asked_end_ && k.question == question_ && k.way == way_) return;
  const StepView s = view(asked_end_);
  const bool all = question_.all, framed = way_.framed;
  StepCounts* here = counts_here_.data();
  k.step.record([this, s, all, framed, here](const Stream& stream) {
    stream.fill(s.counts, 0, sizeof(StepCounts));
    if (framed)
      run_framed(stream, s);
    else
      run_at_any_scale(stream, s);
    if (step_variants().stages > 100) run_order(stream, s, all);
    stream.copy_to_host(here, s.counts, sizeof(StepCounts));
  });
  k.order.record([s, all, here](const Stream& stream) {
    stream.fill(s.order.filled, 0, std::size_t{s.order.buckets} * sizeof(std::uint32_t));
    if (all) launch(stream, warps_at_once(), CountBuckets{s});
    run_order(stream, s, all);
    stream.copy_to_host(here, s.counts, sizeof(StepCounts));
  });
  k.end = asked_end_;
  k.question = question_;
  k.way = way_;
}

void StepOnDevice::run() {
  record();
  kept().step.replay(stream_);
}

void StepOnDevice::begin(const Vec3* end, const StepQuestion& question) {
  question_ = question;
  asked_end_ = end;
  work_ = {};
  comparing_ = false;
  const bool every_pair = question.self && !filtered_;
  way_.framed = step_variants().packed && every_pair && frame_fits_ && !at_any_scale_;
  way_.part = way_.framed && !question.all && step_variants().early_first && early_pays_;
  run();
}

void StepOnDevice::take(std::span<const Vec3> positions) {
  for (const Vec3& p : positions)
    for (int axis = 0; axis < 3; ++axis) {
      frame_low_[axis] = std::min(frame_low_[axis], p[axis]);
      frame_high_[axis] = std::max(frame_high_[axis], p[axis]);
    }
}

/// A frame has room around the positions that it is made for, a quarter of their size, so that a scene that moves on
/// seldom needs another one.
void StepOnDevice::make_frame() {
  double half = 0;
  Vec3 centre;
  for (int axis = 0; axis < 3; ++axis) {
    centre[axis] = 0.5 * frame_low_[axis] + 0.5 * frame_high_[axis];
    half = std::max(half, 0.5 * frame_high_[axis] - 0.5 * frame_low_[axis]);
  }
  half *= 1.25;
  if (half == 0) half = std::max({1e-100, std::fabs(centre.x), std::fabs(centre.y), std::fabs(centre.z)});
  frame_ = {centre, 1 / half};
  frame_fits_ = half > 1e-150 && half < 1e150;
  forget();
}

void StepOnDevice::set_frame(std::span<const Vec3> positions) {
  if (frame_fits_ || positions.empty()) return;
  frame_low_ = frame_high_ = positions[0];
  take(positions);
  make_frame();
}

/// For a step that leaves the frame.
void StepOnDevice::frame_anew() {
  std::vector<Vec3> positions(vertex_names_);
  for (const Vec3* from : {static_cast<const Vec3*>(start_.data()), asked_end_}) {
    stream_.copy_to_host(positions.data(), from, positions.size() * sizeof(Vec3));
    stream_.wait();
    if (from == start_.data()) frame_low_ = frame_high_ = positions[0];
    take(positions);
  }
  make_frame();
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
  for (int kind = 0; kind < 2; ++kind) {
    check(pairs_[kind], c.pairs[kind]);
    check(candidates_[kind], c.candidates[kind]);
    check(near_[kind], c.near[kind]);
    check(rest_[kind], c.rest[kind]);
    check(hard_[kind], c.hard[kind]);
  }
  check(contacts_, c.contacts);
  check(in_buckets_, c.contacts);
  check(sorted_, c.contacts);
  check(left_, c.left);
  if (grown) forget();
  return grown;
}

/// Changes what made the step incomplete, if anything did.
bool StepOnDevice::repeat_with_room() {
  const StepCounts& c = counts();
  if (way_.framed && c.unframed != 0) {
    frame_anew();
    if (!frame_fits_) way_ = {false, false};
    return true;
  }
  const auto too_long = [](const auto& buffers, const std::uint64_t(&needed)[2]) {
    return needed[0] > buffers[0].room() || needed[1] > buffers[1].room();
  };
  if (way_.framed && (too_long(candidates_, c.candidates) || too_long(near_, c.near))) {
    // Many, or is the frame too coarse for what is small in it? What the lists need at any scale tells.
    std::copy_n(c.candidates, 2, framed_candidates_);
    std::copy_n(c.near, 2, framed_near_);
    comparing_ = true;
    compared_way_ = way_;
    way_ = {false, false};
    return true;
  }
  return grow();
}

void StepOnDevice::decide_left() {
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
  if (all > contacts_.room()) {  // keeps what is there
    Buffer<FoundContact> more(all + all / 4);
    stream_.copy_on_device(more.data(), contacts_.data(), before * sizeof(FoundContact));
    stream_.wait();
    contacts_ = std::move(more);
    in_buckets_.grow(all + all / 4);
    sorted_.grow(all + all / 4);
    forget();
  }
  stream_.copy_to_device(contacts_.data() + before, decided_.data(), touching * sizeof(FoundContact));
  counts_here_.data()->contacts = all;
  stream_.copy_to_device(&counts_.data()->contacts, &counts_here_.data()->contacts, sizeof(std::uint64_t));
  record();  // if memory has changed
  kept().order.replay(stream_);
  stream_.wait();
}

/// Repeats the step until every list was long enough.
void StepOnDevice::settle() {
  stream_.wait();
  while (~counts().not_finite == ~std::uint64_t{0} && repeat_with_room()) {
    ++work_.repeats;
    run();
    stream_.wait();
  }
  if (!comparing_) return;
  comparing_ = false;
  const StepCounts& c = counts();
  const auto all = [](const std::uint64_t(&n)[2]) { return n[0] + n[1]; };
  at_any_scale_ = 2 * all(c.candidates) < all(framed_candidates_) || 2 * all(c.near) < all(framed_near_);
  if (at_any_scale_) return;
  // In the frame again, with room for it: the two ways differ in the last digits of times, and a step has the same bits
  // whenever it is asked about.
  const auto grow = [&](auto& buffer, std::uint64_t needed) {
    if (needed > buffer.room()) buffer.grow(needed + needed / 4);
  };
  for (int kind = 0; kind < 2; ++kind) {
    grow(candidates_[kind], framed_candidates_[kind]);
    grow(near_[kind], framed_near_[kind]);
  }
  forget();
  way_ = compared_way_;
  ++work_.repeats;
  run();
  settle();  // candidates and near pairs have room now, so this compares no more
}

void StepOnDevice::finish() {
  settle();
  if (~counts().not_finite != ~std::uint64_t{0}) return;
  decide_left();
  if (!question_.all && way_.framed) {
    // What touches in the first part is the earliest of all only if it does so in that part.
    const bool early = counts().contacts > 0 && std::bit_cast<double>(~counts().earliest_touch) <= first_part;
    early_pays_ = early;
    if (way_.part && !early) {
      way_.part = false;
      run();
      settle();
      decide_left();
    }
  }
  const StepCounts& c = counts();
  work_.cluster_pairs = c.pairs[0] + c.pairs[1];
  work_.candidates = c.candidates[0] + c.candidates[1];
  work_.near = c.near[0] + c.near[1];
  work_.left_to_host = c.left;
  work_.contacts = c.contacts;
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
  for (int kind = 0; kind < 3; ++kind) sum += packed_[kind].bytes() + packed_clusters_[kind].bytes();
  for (int kind = 0; kind < 2; ++kind)
    sum += pairs_[kind].bytes() + candidates_[kind].bytes() + near_[kind].bytes() + rest_[kind].bytes() +
           hard_[kind].bytes();
  return sum + vertices_.bytes() + edge_at_.bytes() + face_at_.bytes() + piece_.bytes() + body_.bytes() +
         edges_.bytes() + edges_by_name_.bytes() + off_.bytes() + faces_.bytes() + faces_by_name_.bytes() +
         settings_.bytes() + fixed_.bytes() + start_.bytes() + end_.bytes() + counts_.bytes() + placed_edges_.bytes() +
         placed_faces_.bytes() + framed_.bytes() + contacts_.bytes() + in_buckets_.bytes() + left_.bytes() +
         filled_.bytes() + first_.bytes() + chunk_.bytes() + sorted_.bytes();
}

}  // namespace graze::gpu
