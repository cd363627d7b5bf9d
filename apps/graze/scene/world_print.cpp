// SPDX-License-Identifier: MIT
#include "scene/world_print.hpp"

#include "output/contact_json.hpp"

namespace graze::app {
namespace {

Json id_json(BodyId id) { return Json::array({id.slot, id.generation}); }

Json feature_json(const FeatureRef& f) {
  if (f.type == FeatureRef::Type::edge) return Json::array({f.id[0], f.id[1]});
  return Json::array({f.id[0]});
}

}  // namespace

Json to_json(const WorldCounters& c, const MethodCounters* of_method) {
  Json out = Json::object();
  for_each_counter(c, [&](const char* key, const char*, std::uint64_t value) {
    if (value != 0) out[key] = value;
  });
  out.update(to_json(c.methods, of_method));
  return out;
}

Json to_json(const BroadCounters& c) {
  Json out = Json::object();
  for_each_counter(c, [&](const char* key, const char*, std::uint64_t value) {
    if (value != 0) out[key] = value;
  });
  return out;
}

Json to_json(const WorldEvent& e) {
  Json out;
  out["event"] = name(e.kind);
  out["a"] = id_json(e.a);
  out["b"] = id_json(e.b);
  out["frame"] = e.frame;
  if (e.trigger) out["trigger"] = true;
  out["pose_a"] = to_json(e.pose_a);
  out["pose_b"] = to_json(e.pose_b);
  if (e.kind == EventKind::ended) return out;
  out["kind"] = e.contact ? Json(name(*e.contact)) : Json();
  if (e.gap > 0) out["gap"] = e.gap;
  out["contained"] = name(e.contained);
  if (e.pieces) out["pieces"] = Json::array({index((*e.pieces)[0]), index((*e.pieces)[1])});
  if (e.pair) out["triangles"] = Json::array({index(e.pair->a), index(e.pair->b)});
  Json features = Json::array();
  for (const Feature& f : e.features)
    features.push_back(Json{{"kind", name(f.kind)}, {"a", feature_json(f.a)}, {"b", feature_json(f.b)}});
  out["features"] = std::move(features);
  out["points"] = e.points ? Json::array({to_json((*e.points)[0]), to_json((*e.points)[1])}) : Json();
  out["normal"] = e.normal ? to_json(*e.normal) : Json();
  if (!e.certain) out["certain"] = false;
  if (!e.all_pairs.empty()) {
    out["all_pairs"] = Json::array();
    for (const TrianglePair& p : e.all_pairs) out["all_pairs"].push_back(Json::array({index(p.a), index(p.b)}));
  }
  if (e.manifold) out["manifold"] = to_json(*e.manifold, e.pieces.has_value());
  if (e.depth) out["depth"] = to_json(*e.depth);
  return out;
}

}  // namespace graze::app
