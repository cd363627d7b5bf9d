// SPDX-License-Identifier: MIT
#include "deform/deform_instants.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "output/print.hpp"

namespace graze::app {
namespace {

std::vector<std::pair<const char*, double>> stages(const InterferenceSeconds& s) {
  return {{"placing", s.placing},         {"structures", s.structures}, {"bodies", s.bodies},
          {"check_lists", s.check_lists}, {"cells", s.cells},           {"faces", s.faces}};
}

Json pairs_json(const std::vector<Instants::Pair>& pairs) {
  Json out = Json::array();
  for (const Instants::Pair& p : pairs) out.push_back({p.a, p.b});
  return out;
}

}  // namespace

bool is_discrete(const std::string& method) {
  const auto methods = interference_methods();
  // In `deform`, brute force means the continuous test.
  return method != "brute" &&
         std::any_of(methods.begin(), methods.end(), [&](const InterferenceTraits& m) { return m.name == method; });
}

Instants::Instants(const Frame& first, const BodySplit& split, const std::string& method, bool self, int threads)
    : method_(method) {
  options_.self = self;
  options_.threads = threads;
  std::vector<std::vector<std::uint32_t>> polygons_of(split.count);
  for (std::uint32_t p = 0; p < first.mesh.polygon_count(); ++p) polygons_of[split.of_polygon[p]].push_back(p);
  std::vector<std::uint32_t> local(first.mesh.vertex_count(), BodySplit::none);
  for (const std::vector<std::uint32_t>& polygons : polygons_of) {
    std::vector<std::uint32_t> vertices, triangles;
    std::vector<Vec3> positions;
    PolygonList list;
    for (const std::uint32_t p : polygons) {
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t v : first.mesh.polygon(PolygonId{p})) {
        if (local[v] == BodySplit::none) {
          local[v] = static_cast<std::uint32_t>(vertices.size());
          vertices.push_back(v);
          positions.push_back(first.mesh.positions()[v]);
        }
        corners.push_back(local[v]);
      }
      list.add(corners);
      // The same polygon at the same positions is triangulated in the same way.
      const auto [begin, end] = first.mesh.triangles_of(PolygonId{p});
      for (std::uint32_t t = begin; t < end; ++t) triangles.push_back(t);
    }
    parts_.push_back({Mesh(positions, std::move(list)), std::move(vertices), std::move(triangles), positions});
  }
}

Instants::Answer Instants::ask(const Mesh& frame) {
  std::vector<InterferenceBody> bodies;
  for (Part& part : parts_) {
    for (std::size_t i = 0; i < part.vertices.size(); ++i) part.positions[i] = frame.positions()[part.vertices[i]];
    bodies.push_back({.mesh = part.mesh, .positions = part.positions});
  }
  options_.method = method_;
  options_.coherence = &coherence_;
  MethodCounters of_method;
  options_.method_counters = &of_method;
  interference(bodies, options_, result_);
  if (result_.error) throw Error(*result_.error);
  Answer answer{{}, {result_.counters, of_method}, result_.seconds};
  for (const InterferingPair& p : result_.pairs) {
    const std::uint32_t a = parts_[p.a.body].triangles[index(p.a.triangle)];
    const std::uint32_t b = parts_[p.b.body].triangles[index(p.b.triangle)];
    // As every method of this command lists them: the lower triangle first, in ascending order.
    if (a < b)
      answer.pairs.push_back({a, b, p.a.body, p.b.body, p.kind});
    else
      answer.pairs.push_back({b, a, p.b.body, p.a.body, p.kind});
  }
  std::sort(answer.pairs.begin(), answer.pairs.end(),
            [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return answer;
}

Json step_json(const InstantsStep& step, const std::string& method, std::uint32_t bodies) {
  Json out;
  out["version"] = 1;
  out["method"] = method;
  out["status"] = graze::name(step.status());
  // Nothing is certified between the frames: the interval starts at 0. It ends at the first frame with interference, if
  // any.
  out["time"] = {0, !step.start.pairs.empty() ? Json(0) : !step.end.pairs.empty() ? Json(1) : Json()};
  out["vf"] = Json();
  out["ee"] = Json();
  out["crossing_at_start"] = pairs_json(step.start.pairs);
  out["interfering_at_end"] = pairs_json(step.end.pairs);
  out["bodies"] = bodies;
  AllCounters counters = step.end.counters;
  if (step.counts_start) counters += step.start.counters;
  out["counters"] = to_json(counters, &counters);
  Json& seconds = out["seconds"];
  seconds["total"] = step.end.seconds.total + (step.counts_start ? step.start.seconds.total : 0);
  const auto start = stages(step.start.seconds), end = stages(step.end.seconds);
  for (std::size_t i = 0; i < end.size(); ++i)
    seconds[end[i].first] = end[i].second + (step.counts_start ? start[i].second : 0);
  return out;
}

void print_step(const InstantsStep& step) {
  fmt::print("{}", coloured(graze::name(step.status()), step.status()));
  if (step.status() == Status::undecided)
    fmt::print(": no faces interfere at either frame; the time in between was not tested (--method iccd tests it)\n");
  else
    fmt::print("\n  {} triangle pairs interfere at the start, {} at the end; the time in between was not tested\n",
               step.start.pairs.size(), step.end.pairs.size());
  fmt::print("  {} in all\n", time_text(step.end.seconds.total + (step.counts_start ? step.start.seconds.total : 0)));
}

std::vector<std::string> csv_lines(const InstantsStep& step) {
  std::vector<std::string> lines;
  const auto add = [&](const Instants::Answer& answer, int touch) {
    for (const Instants::Pair& p : answer.pairs)
      lines.push_back(fmt::format("{},{},{},{},{},0,{}", graze::name(p.kind), p.a, p.b, p.body_a, p.body_b, touch));
  };
  add(step.start, 0);
  add(step.end, 1);
  return lines;
}

}  // namespace graze::app
