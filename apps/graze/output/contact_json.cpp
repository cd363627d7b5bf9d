// SPDX-License-Identifier: MIT
#include "output/contact_json.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

Json triangles_json(const std::vector<TriangleId>& triangles) {
  Json out = Json::array();
  for (const TriangleId t : triangles) out.push_back(index(t));
  return out;
}

Json pair_json(const std::array<Vec3, 2>& points) { return Json::array({to_json(points[0]), to_json(points[1])}); }

/// {"vertex": 3}, {"edge": [3, 7]}, {"face": 0}, {"surface": 16}
Json place_json(const FeatureRef& f) {
  constexpr const char* types[] = {"vertex", "edge", "face", "surface"};
  Json out = Json::object();
  out[types[static_cast<std::size_t>(f.type)]] = f.id[0] == f.id[1] ? Json(f.id[0]) : Json::array({f.id[0], f.id[1]});
  return out;
}

Json point_json(const ManifoldPoint& p) {
  Json out = Json::object();
  // As text: numbers of 64 bits do not survive every reader of JSON.
  out["id"] = fmt::format("{:016x}", p.id);
  out["points"] = pair_json(p.points);
  out["depth"] = p.depth;
  out["feature_a"] = place_json(p.feature_a);
  out["feature_b"] = place_json(p.feature_b);
  return out;
}

}  // namespace

Json to_json(const PenetrationResult& result) {
  const bool touch = result.status == Status::contact;
  Json out = new_object();
  out["status"] = graze::name(result.status);
  if (!result.certain) out["certain"] = false;
  out["lower"] = touch ? Json(result.lower) : Json();
  out["upper"] = touch ? Json(result.upper) : Json();
  out["translation"] = touch ? to_json(result.translation) : Json();
  out["points"] = touch ? pair_json(result.points) : Json();
  if (!result.patches.empty()) {
    out["patches"] = Json::array();
    for (const PenetrationPatch& p : result.patches)
      out["patches"].push_back(Json{{"length", p.length},
                                    {"translation", to_json(p.translation)},
                                    {"points", pair_json(p.points)},
                                    {"triangles_a", triangles_json(p.triangles_a)},
                                    {"triangles_b", triangles_json(p.triangles_b)}});
  }
  if (result.error) out["error"] = to_json(*result.error);
  return out;
}

Json to_json(const ManifoldResult& result, bool with_pieces) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  if (!result.certain) out["certain"] = false;
  out["patches"] = Json::array();
  for (const ManifoldPatch& patch : result.patches) {
    Json entry = Json::object();
    if (with_pieces) entry["pieces"] = Json::array({index(patch.pieces[0]), index(patch.pieces[1])});
    entry["normal"] = to_json(patch.normal);
    entry["depth"] = patch.depth;
    entry["points"] = Json::array();
    for (const ManifoldPoint& p : patch.points) entry["points"].push_back(point_json(p));
    out["patches"].push_back(std::move(entry));
  }
  if (result.error) out["error"] = to_json(*result.error);
  return out;
}

}  // namespace graze::app
