// SPDX-License-Identifier: MIT
#include "output/ray_json.hpp"

namespace graze::app {
namespace {

Json ray_feature_json(const FeatureRef& f) {
  switch (f.type) {
    case FeatureRef::Type::vertex: return Json{{"vertex", f.id[0]}};
    case FeatureRef::Type::edge: return Json{{"edge", Json::array({f.id[0], f.id[1]})}};
    case FeatureRef::Type::face: return Json{{"face", f.id[0]}};
    default: return "surface";
  }
}

Json ray_hit_json(const RayHit& hit) {
  const bool of_mesh = hit.feature.type != FeatureRef::Type::surface;
  Json out = Json::object();
  out["fraction"] = hit.fraction;
  out["point"] = to_json(hit.point);
  out["normal"] = hit.normal ? to_json(*hit.normal) : Json();
  out["triangle"] = of_mesh ? Json(index(hit.triangle)) : Json();
  out["polygon"] = of_mesh ? Json(index(hit.polygon)) : Json();
  out["weights"] = of_mesh ? Json::array({hit.weights[0], hit.weights[1], hit.weights[2]}) : Json();
  out["feature"] = ray_feature_json(hit.feature);
  return out;
}

}  // namespace

Json to_json(const RayResult& result, bool all) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  if (!result.certain) out["certain"] = false;
  out["hit"] = result.hit ? ray_hit_json(*result.hit) : Json();
  if (all) {
    Json& list = out["all"] = Json::array();
    for (const RayHit& hit : result.all) list.push_back(ray_hit_json(hit));
  }
  out["counters"] = to_json(result.counters);
  if (result.error) out["error"] = to_json(*result.error);
  return out;
}

}  // namespace graze::app
