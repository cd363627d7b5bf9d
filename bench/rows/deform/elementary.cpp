// SPDX-License-Identifier: MIT
// Elementary queries in batches: candidates of a step from a broad phase, degenerate queries, true contacts.
#include <fmt/core.h>

#include <algorithm>
#include <random>

#include <graze/ask/elementary.hpp>
#include <graze/io/query_file.hpp>

#include "rows/deform/deform.hpp"
#include "scene/step_queries.hpp"

namespace graze::bench {
namespace {

constexpr std::size_t kBatch = 1024;

struct Batch {
  std::string task;
  ElementaryKind kind;
  std::vector<QueryPoints> queries;
  double allowed;  ///< nanoseconds per query
};

struct Check {
  std::size_t contacts = 0, missed = 0, extra = 0, late = 0, most_steps = 0;
};

/// Compares the answers with exact ones: no contact is missed or reported late.
Check check(const Batch& batch) {
  std::vector<ElementaryResult> ours(batch.queries.size()), exact(batch.queries.size());
  elementary_contacts(batch.kind, batch.queries, {}, 1, ours);
  ElementaryOptions exactly;
  exactly.method = "exact";
  elementary_contacts(batch.kind, batch.queries, exactly, 2, exact);
  Check c;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool free = ours[i].status == Status::free, apart = exact[i].status == Status::free;
    c.contacts += !apart;
    c.missed += free && !apart;
    c.extra += !free && apart;
    c.late += !free && !apart && ours[i].time.safe > exact[i].time.touch;
    c.most_steps = std::max(c.most_steps, static_cast<std::size_t>(ours[i].steps));
  }
  return c;
}

void measure(Context& context, const Batch& batch) {
  if (batch.queries.empty()) return;
  context.progress.begin(batch.task);
  const Check answers = check(batch);
  std::vector<ElementaryResult> results(kBatch);
  const std::size_t batches = (batch.queries.size() + kBatch - 1) / kBatch;
  const Contestant ours{"graze", [&](std::size_t i) {
                          const std::size_t first = i * kBatch, count = std::min(kBatch, batch.queries.size() - first);
                          elementary_contacts(batch.kind, std::span(batch.queries).subspan(first, count), {}, 1,
                                              std::span(results).first(count));
                          return results[0].time.safe;
                        }};
  auto seconds = best_seconds({ours}, {.queries = batches, .passes = 5}, context.progress)[0];
  context.progress.clear();
  double total = 0;
  for (double& s : seconds) {
    total += s;
    s /= kBatch;
  }
  if (batch.queries.size() % kBatch != 0)
    seconds.back() *= static_cast<double>(kBatch) / static_cast<double>(batch.queries.size() % kBatch);
  Timing timing = summarise(seconds);
  timing.mean = total / static_cast<double>(batch.queries.size());
  const double ratio = timing.mean * 1e9 / batch.allowed;
  const bool wrong = answers.missed > 0 || answers.late > 0;
  context.table.add(
      {"elementary", batch.task, "advancement, in batches", timing, ratio, 1.0,
       wrong ? Verdict::wrong : judge_ratio(ratio, 1),
       fmt::format("of {:.0f} ns; {} queries, {} contacts, {} missed, {} late, {} extra, at most {} steps",
                   batch.allowed, batch.queries.size(), answers.contacts, answers.missed, answers.late, answers.extra,
                   answers.most_steps)});
}

/// Queries of the batch that are contacts.
std::vector<QueryPoints> contacts_of(ElementaryKind kind, const std::vector<QueryPoints>& queries, std::size_t most) {
  std::vector<ElementaryResult> results(queries.size());
  ElementaryOptions exact;
  exact.exact = true;
  elementary_contacts(kind, queries, exact, 2, results);
  std::vector<QueryPoints> hits;
  for (std::size_t i = 0; i < queries.size() && hits.size() < most; ++i)
    if (results[i].status != Status::free) hits.push_back(queries[i]);
  return hits;
}

/// On a small grid, in a plane, at rest or sliding: all kinds of degeneracy.
std::vector<QueryPoints> grid_queries(std::size_t count) {
  std::mt19937_64 random(5);
  const auto grid = [&] { return static_cast<double>(random() % 5) - 2; };
  std::vector<QueryPoints> list;
  for (std::size_t i = 0; i < count; ++i) {
    QueryPoints p;
    for (std::size_t k = 0; k < 8; ++k) {
      p[k] = {grid(), grid(), i % 4 == 1 ? 0 : grid()};
      if (i % 4 == 2 && k >= 4) p[k] = p[k - 4];
      if (i % 4 == 3 && k >= 4) p[k] = p[k - 4] + Vec3{1, 0, 0} * grid();
    }
    list.push_back(p);
  }
  return list;
}

std::vector<QueryPoints> recorded_queries(const char* folder) {
  std::vector<QueryPoints> list;
  const auto data = shared_data();
  if (!data || !std::filesystem::is_directory(*data / "queries")) return list;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*data / "queries"))
    if (entry.path().parent_path().filename() == folder) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const QueryFile read = load_queries(file);
    list.insert(list.end(), read.queries.begin(), read.queries.end());
  }
  return list;
}

}  // namespace

void row_deform_elementary(Context& context) {
  const std::size_t count = context.quick ? 5000 : 50000;
  const auto recorded = recorded_step("cloth-ball");
  const DeformScene scene = recorded ? *recorded : folding_cloth(context.quick ? 20000 : 92000);
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge}) {
    const bool faces = kind == ElementaryKind::vertex_face;
    const std::string name = faces ? "vertex/face" : "edge/edge";
    const auto mix = draw_candidates(scene, kind, 20 * count, 11);
    measure(context, {fmt::format("{}: candidates of {}", name, scene.name),
                      kind,
                      {mix.begin(), mix.begin() + static_cast<std::ptrdiff_t>(std::min(count, mix.size()))},
                      50});
    measure(context,
            {fmt::format("{}: contacts of {}", name, scene.name), kind, contacts_of(kind, mix, count / 5), 500});
    measure(context, {fmt::format("{}: recorded, many degenerate", name), kind,
                      recorded_queries(faces ? "vertex-face" : "edge-edge"), 300});
    measure(context,
            {fmt::format("{}: on a grid, in a plane, still, sliding", name), kind, grid_queries(count / 5), 300});
  }
}

}  // namespace graze::bench
