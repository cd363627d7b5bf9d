// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include <graze/body/body.hpp>

#include "harness/clock.hpp"
#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

struct Limit {
  double seconds, bytes_a_triangle;
};

/// Compares graze's own figures with fixed limits: a line for the time and one for the memory.
void against_limits(Context& context, const std::string& task, const Mesh& mesh, const Limit& limit) {
  double seconds = 1e9, bytes = 0;
  for (int pass = 0; pass < 3; ++pass) {
    const double start = thread_seconds();
    const Body body(mesh);
    seconds = std::min(seconds, thread_seconds() - start);
    bytes = static_cast<double>(body.tree_bytes()) / static_cast<double>(mesh.triangle_count());
  }
  const double time_ratio = seconds / limit.seconds, memory_ratio = bytes / limit.bytes_a_triangle;
  context.table.add({"build", task, "graze, time", Timing{seconds, seconds, seconds}, time_ratio, 1.0,
                     judge_ratio(time_ratio, 1), fmt::format("limit {:g} ms", limit.seconds * 1e3)});
  context.table.add({"build",
                     task,
                     "graze, memory",
                     {},
                     memory_ratio,
                     1.0,
                     judge_ratio(memory_ratio, 1),
                     fmt::format("{:.1f} bytes a triangle, limit {:g}", bytes, limit.bytes_a_triangle)});
}

}  // namespace

void row_build(Context& context) {
  std::vector<std::pair<NamedMesh, Limit>> bodies{{bunny(context.data), {0.020, 64}}};
  if (!context.quick) bodies.push_back({huge(), {0.5, 64}});
  for (const auto& [body, limit] : bodies) {
    const std::string task = fmt::format("tree of {}, one thread", body.name);
    compare(context, {.row = "build", .task = task, .question = Question::build}, {body.mesh, body.mesh, {}});
    against_limits(context, task, body.mesh, limit);
  }
}

}  // namespace graze::bench
