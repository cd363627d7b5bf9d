// SPDX-License-Identifier: MIT
#include "output/json.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "output/answered_pieces.hpp"

namespace graze::app {
namespace {

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? to_json(*value) : Json();
}

Json points_json(const std::array<Vec3, 2>& points) { return Json::array({to_json(points[0]), to_json(points[1])}); }

Json feature_json(const Feature& feature) {
  const auto ref = [](const FeatureRef& f) {
    return f.type == FeatureRef::Type::edge ? Json::array({f.id[0], f.id[1]}) : Json(f.id[0]);
  };
  Json out{{"kind", graze::name(feature.kind)}, {"a", ref(feature.a)}, {"b", ref(feature.b)}};
  if (feature.a.diagonal) out["diagonal_a"] = true;
  if (feature.b.diagonal) out["diagonal_b"] = true;
  return out;
}

/// The part that the triangle's polygon belongs to, if the mesh has named parts.
void add_group(Json& out, const char* key, TriangleId triangle, const Mesh& mesh) {
  if (const auto group = mesh.group_of(mesh.polygon_of(triangle))) out[key] = to_json(mesh.group(*group));
}

Json pair_json(TriangleId a, const Mesh& mesh_a, TriangleId b, const Mesh& mesh_b) {
  Json out{{"a", index(a)},
           {"b", index(b)},
           {"polygon_a", index(mesh_a.polygon_of(a))},
           {"polygon_b", index(mesh_b.polygon_of(b))}};
  add_group(out, "group_a", a, mesh_a);
  add_group(out, "group_b", b, mesh_b);
  return out;
}

/// The same, with the pieces of compounds.
Json pair_json(const TrianglePair& pair, const AnsweredPieces& pieces, const Body& a, const Body& b) {
  Json out = pair_json(pair.a, mesh_of(a, pieces, 0), pair.b, mesh_of(b, pieces, 1));
  if (pieces && !a.pieces().empty()) out["piece_a"] = index((*pieces)[0]);
  if (pieces && !b.pieces().empty()) out["piece_b"] = index((*pieces)[1]);
  return out;
}

void add_pieces(Json& out, const AnsweredPieces& pieces, const Body& a, const Body& b) {
  if (pieces) out["pieces"] = pieces_json(*pieces, a, b);
}

Json kind_json(const std::optional<ContactKind>& kind) { return kind ? Json(graze::name(*kind)) : Json(); }

Json time_json(const TimeBracket& time) { return Json::array({time.safe, time.touch}); }

Json contact_json(const ContactEvent& contact) {
  Json out = feature_json(contact.feature);
  out["time"] = time_json(contact.time);
  out["until"] = contact.until;
  out["gap"] = contact.gap;
  out["direction"] = graze::name(contact.direction);
  return out;
}

Json contacts_json(const std::vector<ContactEvent>& contacts, const Body& a, const Body& b) {
  Json out = Json::array();
  for (const ContactEvent& contact : contacts) {
    out.push_back(contact_json(contact));
    if (contact.pieces) out.back()["pieces"] = pieces_json(*contact.pieces, a, b);
  }
  return out;
}

Json clearance_json(const Clearance& c) { return Json{{"lower", c.lower}, {"upper", c.upper}, {"time", c.time}}; }

/// The last keys of every answer.
template <class Result>
void add_cost(Json& out, const Result& result, const MethodCounters* of_method = nullptr) {
  out["counters"] = to_json(result.counters, of_method);
  out["seconds"] = result.seconds;
  if (result.error) out["error"] = to_json(*result.error);
}

}  // namespace

Json new_object() {
  Json out = Json::object();
  out["version"] = json_version;
  return out;
}

Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

Json to_json(const Pose& pose) {
  const Vec3& t = pose.translation();
  const Quat& q = pose.rotation();
  return Json::array({t.x, t.y, t.z, q.w, q.x, q.y, q.z});
}

Json to_json(const PolygonGroup& group) { return {{"object", group.object}, {"group", group.group}}; }

Json to_json(const Counters& counters, const MethodCounters* of_method) {
  Json out = Json::object();
  const auto add = [&](const char* key, const char*, std::uint64_t value) {
    if (value != 0) out[key] = value;
  };
  for_each_counter(counters, add);
  if (of_method) for_each_counter(*of_method, add);
  return out;
}

Json to_json(const ErrorDetail& detail) {
  Json out{{"code", graze::name(detail.code)}, {"message", detail.message}};
  if (!detail.element.empty()) out["element"] = detail.element;
  if (detail.id != ErrorDetail::none) out["id"] = detail.id;
  if (!detail.file.empty()) out["file"] = detail.file;
  if (detail.line != ErrorDetail::none) out["line"] = detail.line;
  return out;
}

Json to_json(const CollideResult& result, const MethodCounters& of_method, const Body& a, const Body& b) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["method"] = result.method;
  out["kind"] = kind_json(result.kind);
  if (!result.certain) out["certain"] = false;
  out["contained"] = name(result.contained);
  add_pieces(out, result.pieces, a, b);
  if (!result.piece_contacts.empty()) {
    Json& contacts = out["piece_contacts"] = Json::array();
    for (const PieceContact& c : result.piece_contacts) contacts.push_back(pieces_json({c.a, c.b}, a, b));
  }
  out["pair_count"] = result.pairs.size();
  Json& pairs = out["pairs"] = Json::array();
  for_each_pair(result, [&](const TrianglePair& pair, const AnsweredPieces& pieces) {
    pairs.push_back(pair_json(pair, pieces, a, b));
  });
  Json& features = out["features"] = Json::array();
  for (const Feature& feature : result.features) features.push_back(feature_json(feature));
  out["points"] = result.points ? points_json(*result.points) : Json();
  out["normal"] = optional_json(result.normal);
  add_cost(out, result, &of_method);
  return out;
}

Json to_json(const SelfCollideResult& result, const Mesh& mesh) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["kind"] = kind_json(result.kind);
  Json& counts = out["pair_count"] = Json::object();
  for (const Neighbourhood n :
       {Neighbourhood::apart, Neighbourhood::shared_vertex, Neighbourhood::shared_edge, Neighbourhood::same_face})
    counts[std::string(name(n))] = result.count[static_cast<std::size_t>(n)];
  Json& pairs = out["pairs"] = Json::array();
  for (const SelfPair& pair : result.pairs) {
    Json entry = pair_json(pair.a, mesh, pair.b, mesh);
    entry["neighbourhood"] = name(pair.neighbourhood);
    pairs.push_back(std::move(entry));
  }
  Json& features = out["features"] = Json::array();
  for (const Feature& feature : result.features) features.push_back(feature_json(feature));
  out["points"] = result.point ? points_json({*result.point, *result.point}) : Json();
  add_cost(out, result);
  return out;
}

Json to_json(const DistanceResult& result, const Body& a, const Body& b) {
  const bool answered = result.status == Status::free || result.status == Status::contact;
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["distance"] = answered ? Json(result.distance) : Json();
  if (!result.certain) out["certain"] = false;
  add_pieces(out, result.pieces, a, b);
  Json& pairs = out["pairs"] = Json::array();
  if (answered) pairs.push_back(pair_json(result.pair, result.pieces, a, b));
  Json& features = out["features"] = Json::array();
  if (result.feature) features.push_back(feature_json(*result.feature));
  out["points"] = answered ? points_json(result.points) : Json();
  out["normal"] = optional_json(result.normal);
  add_cost(out, result);
  return out;
}

Json to_json(const WithinResult& result, double d) {
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["within"] = d;
  if (!result.certain) out["certain"] = false;
  add_cost(out, result);
  return out;
}

Json to_json(const FirstContactResult& result, const FirstContactOptions& options, const Body& a, const Body& b) {
  const bool answered = result.status != Status::invalid_request;
  Json out = new_object();
  out["status"] = graze::name(result.status);
  out["method"] = result.method;
  out["time"] = answered ? time_json(result.time) : Json();
  out["gap"] = answered ? Json(result.gap) : Json();
  out["tolerance"] = answered ? Json(result.tolerance) : Json();
  add_pieces(out, result.pieces, a, b);
  Json& pairs = out["pairs"] = Json::array();
  if (result.pair) pairs.push_back(pair_json(*result.pair, result.pieces, a, b));
  Json& features = out["features"] = Json::array();
  for (const Feature& feature : result.features) features.push_back(feature_json(feature));
  out["points"] = result.points ? points_json(*result.points) : Json();
  out["normal"] = optional_json(result.normal);
  out["direction"] = result.direction ? Json(graze::name(*result.direction)) : Json();
  if (!result.certain) out["certain"] = false;
  out["contained"] = name(result.contained);
  out["clearance"] = result.clearance ? clearance_json(*result.clearance) : Json();
  out["contacts"] = options.all_contacts && answered ? contacts_json(result.contacts, a, b) : Json();
  add_cost(out, result, options.method_counters);
  return out;
}

std::string_view name(Containment contained) {
  switch (contained) {
    case Containment::none: return "none";
    case Containment::a_in_b: return "a_in_b";
    case Containment::b_in_a: return "b_in_a";
  }
  return "unknown";
}

std::string_view name(Neighbourhood neighbourhood) {
  switch (neighbourhood) {
    case Neighbourhood::apart: return "apart";
    case Neighbourhood::shared_vertex: return "shared_vertex";
    case Neighbourhood::shared_edge: return "shared_edge";
    case Neighbourhood::same_face: return "same_face";
  }
  return "unknown";
}

namespace {
KeptLines* keeper = nullptr;
}

KeptLines::KeptLines() { keeper = this; }
KeptLines::~KeptLines() { keeper = nullptr; }
bool KeptLines::keeps() { return keeper != nullptr; }

void print_line(const Json& object) {
  if (keeper) return keeper->lines.push_back(object);
  // A file name need not be UTF-8; JSON must be.
  fmt::print("{}\n", object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace graze::app
