// SPDX-License-Identifier: MIT
#include "output/print.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "input/pieces.hpp"
#include "output/json.hpp"
#include "system.hpp"

namespace graze::app {
namespace {

/// Longer lists are complete only in --json.
constexpr std::size_t listed_at_most = 12;

bool use_colour() {
  static const bool colour = output_is_terminal() && std::getenv("NO_COLOR") == nullptr;
  return colour;
}

std::string escape(std::string_view text, std::string_view code) {
  return use_colour() ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string pair_text(TriangleId a, const Mesh& mesh_a, TriangleId b, const Mesh& mesh_b) {
  return fmt::format("{} of A (polygon {}), {} of B (polygon {})", index(a), index(mesh_a.polygon_of(a)), index(b),
                     index(mesh_b.polygon_of(b)));
}

std::string pair_text(const TrianglePair& pair, const AnsweredPieces& pieces, const Body& a, const Body& b) {
  return pair_text(pair.a, mesh_of(a, pieces, 0), pair.b, mesh_of(b, pieces, 1));
}

std::string pair_text(const Feature& feature) {
  return fmt::format("{} of A, {} of B", feature_text(feature.a), feature_text(feature.b));
}

/// Prints the first few entries of a list, with the label before the first only.
template <class List, class Text>
void print_list(std::string_view label, const List& list, Text&& text) {
  const std::size_t shown = std::min(list.size(), listed_at_most);
  for (std::size_t i = 0; i < shown; ++i) print_field(i == 0 ? label : "", text(list[i]));
  if (shown < list.size())
    print_field("", fmt::format("... and {} more; --json lists them all", count_text(list.size() - shown)));
}

template <class Result>
void print_cost(const Result& result, const MethodCounters* of_method = nullptr) {
  print_field("time", time_text(result.seconds));
  const std::string counters = counters_text(result.counters, of_method);
  if (!counters.empty()) print_field("work", counters);
}

}  // namespace

std::string bold(std::string_view text) { return escape(text, "1"); }

std::string coloured(std::string_view text, Status status) {
  if (status == Status::contact || status == Status::touching_at_start) return escape(text, "1;33");
  if (status == Status::free) return escape(text, "1;32");
  return escape(text, "1;31");
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string point_text(const Vec3& p) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", p.x, p.y, p.z); }

std::string feature_text(const FeatureRef& feature) {
  switch (feature.type) {
    case FeatureRef::Type::vertex: return fmt::format("vertex {}", feature.id[0]);
    case FeatureRef::Type::face: return fmt::format("face {}", feature.id[0]);
    case FeatureRef::Type::surface: return "the curved surface";
    case FeatureRef::Type::edge: break;
  }
  return fmt::format("{} {}-{}", feature.diagonal ? "diagonal" : "edge", feature.id[0], feature.id[1]);
}

std::string counters_text(const Counters& counters, const MethodCounters* of_method) {
  std::string out;
  const auto add = [&](const char* name, const char*, std::uint64_t value) {
    if (value != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, count_text(value));
  };
  for_each_counter(counters, add);
  if (of_method) for_each_counter(*of_method, add);
  return out;
}

void print_field(std::string_view label, std::string_view text, int label_width) {
  fmt::print("  {:<{}} {}\n", label, label_width, text);
}

std::string headline(const CollideResult& result) {
  switch (result.status) {
    case Status::free: return "free: no common point";
    case Status::contact: break;
    case Status::undecided: return "undecided: this method cannot tell; another one can";
    default: return graze::name(result.status);
  }
  if (result.contained == Containment::a_in_b) return "contact: A is inside B, the surfaces are apart";
  if (result.contained == Containment::b_in_a) return "contact: B is inside A, the surfaces are apart";
  if (!result.kind) return "contact";
  if (!result.certain) return "contact: touching, as far as rounding can tell (certain = false)";
  switch (*result.kind) {
    case ContactKind::touching: return "contact: the surfaces touch";
    case ContactKind::crossing: return "contact: the surfaces cross";
    case ContactKind::overlap: break;
  }
  return "contact: the bodies overlap";
}

std::string headline(const FirstContactResult& result) {
  switch (result.status) {
    case Status::free: return "free: certified for the whole motion";
    case Status::contact: return fmt::format("contact at t = {:.9g}", result.time.touch);
    case Status::touching_at_start: break;
    case Status::undecided:
      return fmt::format("undecided: certified free before t = {:.9g}, then the budget ran out", result.time.safe);
    case Status::invalid_request: return graze::name(result.status);
  }
  if (result.contained == Containment::a_in_b) return "in contact at the start: A is inside B, the surfaces are apart";
  if (result.contained == Containment::b_in_a) return "in contact at the start: B is inside A, the surfaces are apart";
  return "in contact at the start";
}

void print(const CollideResult& result, const MethodCounters& of_method, const Body& a, const Body& b, bool all) {
  fmt::print("{}\n", coloured(headline(result), result.status));
  if (result.pieces) print_field("pieces", pieces_text(*result.pieces, a, b));
  if (all) print_field("pairs", count_text(result.pairs.size()));
  std::vector<AnsweredPieces> pieces;
  for_each_pair(result, [&](const TrianglePair&, const AnsweredPieces& p) { pieces.push_back(p); });
  print_list("triangles", result.pairs, [&](const TrianglePair& pair) {
    return pair_text(pair, pieces[static_cast<std::size_t>(&pair - result.pairs.data())], a, b);
  });
  print_list("features", result.features, [](const Feature& feature) { return pair_text(feature); });
  if (result.points) {
    print_field("point on A", point_text((*result.points)[0]));
    print_field("point on B", point_text((*result.points)[1]));
  }
  if (result.normal) print_field("normal", point_text(*result.normal));
  print_field("method", result.method);
  print_cost(result, &of_method);
}

void print(const SelfCollideResult& result, const Mesh& mesh) {
  std::string text = graze::name(result.status);
  if (result.status == Status::free) text = "free: the mesh does not meet itself";
  if (result.status == Status::contact)
    text =
        result.kind == ContactKind::crossing ? "contact: the mesh crosses itself" : "contact: the mesh touches itself";
  fmt::print("{}\n", coloured(text, result.status));
  if (result.status == Status::contact)
    print_field("pairs", fmt::format("{} apart, {} sharing a vertex, {} sharing an edge, {} the same face",
                                     count_text(result.count[0]), count_text(result.count[1]),
                                     count_text(result.count[2]), count_text(result.count[3])));
  print_list("triangles", result.pairs, [&](const SelfPair& pair) {
    return fmt::format("{} (polygon {}), {} (polygon {}): {}", index(pair.a), index(mesh.polygon_of(pair.a)),
                       index(pair.b), index(mesh.polygon_of(pair.b)), name(pair.neighbourhood));
  });
  print_list("features", result.features, [](const Feature& feature) { return pair_text(feature); });
  if (result.point) print_field("point", point_text(*result.point));
  print_cost(result);
}

void print(const DistanceResult& result, const Body& a, const Body& b) {
  std::string text = graze::name(result.status);
  if (result.status == Status::free) text = fmt::format("distance {}", result.distance);
  if (result.status == Status::contact) text = "distance 0: the surfaces share a point";
  fmt::print("{}\n", coloured(text, result.status));
  if (result.pieces) print_field("pieces", pieces_text(*result.pieces, a, b));
  if (result.status == Status::free || result.status == Status::contact) {
    print_field("point on A", point_text(result.points[0]));
    print_field("point on B", point_text(result.points[1]));
    print_field("triangles", pair_text(result.pair, result.pieces, a, b));
  }
  if (result.feature) print_field("features", pair_text(*result.feature));
  if (result.normal) print_field("normal", point_text(*result.normal));
  print_cost(result);
}

void print(const WithinResult& result, double d) {
  std::string text = graze::name(result.status);
  if (result.status == Status::free) text = fmt::format("free: farther apart than {}", d);
  if (result.status == Status::contact) text = fmt::format("contact: at most {} apart", d);
  fmt::print("{}\n", coloured(text, result.status));
  print_cost(result);
}

void print(const FirstContactResult& result, const FirstContactOptions& options, const Body& a, const Body& b) {
  fmt::print("{}\n", coloured(headline(result), result.status));
  if (result.status == Status::contact) {
    print_field("free before", fmt::format("t = {}, certified", result.time.safe));
    print_field("gap", fmt::format("{:.9g} at t = {}", result.gap, result.time.touch));
  }
  print_field("tolerance", fmt::format("{}", result.tolerance));
  if (result.pieces) print_field("pieces", pieces_text(*result.pieces, a, b));
  if (result.pair) print_field("triangles", pair_text(*result.pair, result.pieces, a, b));
  print_list("features", result.features, [](const Feature& feature) { return pair_text(feature); });
  if (result.points) {
    print_field("point on A", point_text((*result.points)[0]));
    print_field("point on B", point_text((*result.points)[1]));
  }
  if (result.normal) print_field("normal", point_text(*result.normal));
  if (result.direction) print_field("direction", graze::name(*result.direction));
  if (result.clearance)
    print_field("clearance", fmt::format("at least {:.9g}, at most {:.9g} (at t = {:.9g})", result.clearance->lower,
                                         result.clearance->upper, result.clearance->time));
  if (options.all_contacts) print_field("contacts", count_text(result.contacts.size()));
  print_list("", result.contacts, [&](const ContactEvent& contact) {
    return fmt::format("t = {:.9g} to {:.9g}: {}, {}{}", contact.time.touch, contact.until, pair_text(contact.feature),
                       graze::name(contact.direction),
                       contact.pieces ? ", pieces " + pieces_text(*contact.pieces, a, b) : "");
  });
  print_field("method", result.method);
  print_cost(result, options.method_counters);
}

}  // namespace graze::app
