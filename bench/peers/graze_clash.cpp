// SPDX-License-Identifier: MIT
#include <graze/clash/clash.hpp>

#include "harness/clock.hpp"
#include "peers/clash.hpp"

namespace graze::bench {

ClashRun graze_clash(const KnownAssembly& assembly) {
  ClashRun run;
  const double start = thread_seconds();
  clash::Assembly ours;
  for (const Mesh& mesh : assembly.meshes) ours.geometries.push_back(clash::geometry(mesh));
  for (const KnownAssembly::Part& part : assembly.parts)
    ours.parts.push_back({.geometry = part.mesh, .pose = part.pose});
  const clash::Result result = clash::check(std::move(ours));
  run.seconds = thread_seconds() - start;
  for (const clash::Clash& c : result.clashes) run.clashes.emplace_back(c.a, c.b);
  run.most_bytes = static_cast<double>(result.most_bytes);
  return run;
}

#ifndef GRAZE_BENCH_FCL
ClashRunner fcl_clash() { return nullptr; }
#endif

}  // namespace graze::bench
