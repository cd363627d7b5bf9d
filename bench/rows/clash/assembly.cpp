// SPDX-License-Identifier: MIT
// A generated assembly with known clashes: are all found, and none more; how long does it take, and how much memory?
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <graze/body/body.hpp>

#include "peers/clash.hpp"
#include "rows/clash/clash.hpp"

namespace graze::bench {
namespace {

constexpr double wanted_ratio = 0.2, wanted_bytes = 130, wanted_tree_bytes = 64;

/// Instances: one mesh for every `share` parts.
KnownAssembly assembly_of(const Context& context, std::size_t share) {
  return known_assembly(context.poses, std::max<std::size_t>(4, context.poses / share), 17);
}

std::string difference(const KnownAssembly& assembly, const ClashRun& run) {
  if (run.clashes == assembly.clashes) return "";
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  std::set_intersection(run.clashes.begin(), run.clashes.end(), assembly.clashes.begin(), assembly.clashes.end(),
                        std::back_inserter(both));
  return fmt::format("{} missing, {} wrong; ", assembly.clashes.size() - both.size(), run.clashes.size() - both.size());
}

struct Contender {
  std::string name;
  std::function<ClashRun(const KnownAssembly&)> run;
  double seconds = 1e9;
  std::string problem = {};
  double most_bytes = 0;
};

/// Runs all in turns, and keeps the best time of each.
void race(const KnownAssembly& assembly, std::vector<Contender>& contenders, int passes) {
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      Contender& one = contenders[(k + static_cast<std::size_t>(pass)) % contenders.size()];
      const ClashRun run = one.run(assembly);
      one.seconds = std::min(one.seconds, run.seconds);
      one.most_bytes = std::max(one.most_bytes, run.most_bytes);
      const std::string problem = difference(assembly, run);
      if (!problem.empty()) one.problem = problem;
    }
}

void compare_runs(Context& context, const std::string& task, const KnownAssembly& assembly) {
  std::vector<Contender> contenders{{"graze", graze_clash}};
  const bool wanted =
      context.peers.empty() || std::find(context.peers.begin(), context.peers.end(), "FCL") != context.peers.end();
  if (const ClashRunner fcl = fcl_clash(); fcl && wanted) contenders.push_back({"FCL OBBRSS", fcl});
  context.progress.begin(task);
  race(assembly, contenders, context.quick ? 1 : 2);
  context.progress.clear();
  for (const Contender& one : contenders) {
    const bool ours = &one == &contenders[0];
    const Timing timing{one.seconds, one.seconds, one.seconds};
    const double ratio = contenders[0].seconds / one.seconds;
    Line line{"assembly", task, one.name, timing, {}, {}, Verdict::none, one.problem};
    if (ours) {
      line.verdict = one.problem.empty() ? Verdict::pass : Verdict::wrong;  // all found, none more
      line.note += fmt::format("{} clashes known, {} triangles in {} meshes", assembly.clashes.size(),
                               assembly.triangles(), assembly.meshes.size());
    } else {
      line.ratio = ratio;
      line.target = wanted_ratio;
      line.verdict = judge_ratio(ratio, wanted_ratio);
    }
    context.table.add(line);
  }
}

void memory_line(Context& context, const std::string& task, const char* what, double bytes, double limit) {
  context.table.add({"memory",
                     task,
                     what,
                     {},
                     bytes / limit,
                     1.0,
                     judge_ratio(bytes / limit, 1),
                     fmt::format("{:.1f} bytes a triangle, limit {:g}", bytes, limit)});
}

void row_assembly(Context& context) {
  for (const std::size_t share : {50, 10}) {
    const KnownAssembly assembly = assembly_of(context, share);
    compare_runs(context, fmt::format("{} parts, {} meshes", assembly.parts.size(), assembly.meshes.size()), assembly);
  }
}

void row_memory(Context& context) {
  const KnownAssembly assembly = assembly_of(context, 50);
  const std::string task = fmt::format("{} parts, {} meshes", assembly.parts.size(), assembly.meshes.size());
  const ClashRun run = graze_clash(assembly);
  const auto triangles = static_cast<double>(assembly.triangles());
  memory_line(context, task, "graze, meshes and trees", run.most_bytes / triangles, wanted_bytes);
  double trees = 0;
  for (const Mesh& mesh : assembly.meshes) trees += static_cast<double>(Body(mesh).tree_bytes());
  memory_line(context, task, "graze, trees", trees / triangles, wanted_tree_bytes);
}

constexpr Row kClashRows[] = {
    {"assembly", "rings, rods and balls with known clashes, built and asked, beside FCL", row_assembly},
    {"memory", "bytes of meshes and trees", row_memory},
};

}  // namespace

std::span<const Row> clash_rows() { return kClashRows; }

}  // namespace graze::bench
