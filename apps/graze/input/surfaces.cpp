// SPDX-License-Identifier: MIT
#include "input/surfaces.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "json_reader.hpp"
#include "output/print.hpp"
#include "pose_text.hpp"
#include "query_options.hpp"

namespace graze::app {
namespace {

constexpr std::string_view torus_prefix = "torus:", bezier_prefix = "bezier:";

SurfaceBody torus_of(const std::string& sizes) {
  const std::size_t comma = sizes.find(',');
  if (comma == sizes.npos) refuse_option("torus:R,r", "two radii are needed: of the centre line and of the tube");
  return SurfaceBody(torus_surface(parse_option_number(sizes.substr(0, comma), "torus:R,r"),
                                   parse_option_number(sizes.substr(comma + 1), "torus:R,r")));
}

SurfaceBody patches_of(const std::string& file) {
  JsonReader reader = JsonReader::open(file);
  if (reader.has("version")) reader.check_version();
  std::vector<std::shared_ptr<const ParametricPatch>> patches;
  for (JsonReader& entry : reader.objects("patches")) {
    const std::vector<double> degree = entry.numbers("degree", 2);
    for (const double d : degree)
      if (!(d >= 1 && d <= 16 && d == static_cast<int>(d)))
        entry.refuse("degree", "must be two whole numbers from 1 to 16, along u and along v");
    std::vector<Vec3> points;
    for (const std::vector<double>& p : entry.number_lists("points", 3)) points.push_back({p[0], p[1], p[2]});
    try {
      patches.push_back(bezier_patch(static_cast<int>(degree[0]), static_cast<int>(degree[1]), std::move(points)));
    } catch (const Error& error) {
      entry.refuse("points", error.detail().message);
    }
    entry.finish();
  }
  reader.finish();
  if (patches.empty()) reader.refuse("patches", "must hold at least one patch");
  return SurfaceBody(std::move(patches));
}

SurfaceContactOptions surface_options(const ContactOptions& given, MethodCounters& of_method) {
  const FirstContactOptions common = library_options(given);
  SurfaceContactOptions options;
  options.tolerance = common.tolerance;
  options.min_separation = common.min_separation;
  options.work = common.work;
  options.budget = common.budget;
  options.method_counters = &of_method;
  return options;
}

/// As if the bodies had been asked in the other order. The places stay those of the surface.
void swap_bodies(SurfaceContactResult& result) {
  if (result.points) std::swap((*result.points)[0], (*result.points)[1]);
  if (result.normal) result.normal = -*result.normal;
}

std::string surface_place_text(const std::optional<std::uint32_t>& patch, const IntervalBox3& where) {
  const auto middle = [&](std::size_t k) { return 0.5 * where[k].lo + 0.5 * where[k].hi; };
  if (patch) return fmt::format("patch {} at u = {:.9g}, v = {:.9g}", *patch, middle(0), middle(1));
  return fmt::format("at {} of its own frame", point_text({middle(0), middle(1), middle(2)}));
}

/// {"patch": 0, "u": [lo, hi], "v": [lo, hi]} or {"x": [lo, hi], ...}: intervals that contain the place.
Json surface_place_json(const std::optional<std::uint32_t>& patch, const IntervalBox3& where) {
  Json out = Json::object();
  if (patch) out["patch"] = *patch;
  const char* const names = patch ? "uv" : "xyz";
  for (std::size_t k = 0; names[k] != 0; ++k) out[std::string(1, names[k])] = Json::array({where[k].lo, where[k].hi});
  return out;
}

std::string surface_headline(const SurfaceContactResult& result) {
  if (result.status == Status::free) return "free: certified for the whole motion";
  if (result.status == Status::contact) return fmt::format("contact at t = {:.9g}", result.time.touch);
  return fmt::format("undecided: certified free before t = {:.9g}; a limit ended it, or the surface cannot be decided",
                     result.time.safe);
}

}  // namespace

bool is_surface_text(const std::string& text) {
  return (text.starts_with(torus_prefix) || text.starts_with(bezier_prefix)) && !std::filesystem::exists(text);
}

SurfaceBody load_surface(const std::string& text) {
  if (text.starts_with(torus_prefix)) return torus_of(text.substr(torus_prefix.size()));
  return patches_of(text.substr(bezier_prefix.size()));
}

void check_for_surfaces(const ContactOptions& options, bool certificate) {
  const auto refuse_if = [](bool given, const char* option) {
    if (given) refuse_option(option, "is not available for surfaces (torus:R,r and bezier:FILE)");
  };
  if (!options.method.empty() && options.method != "interval")
    refuse_option("--method", "surfaces (torus:R,r and bezier:FILE) are answered by method interval only");
  refuse_if(certificate, "--certificate");
  refuse_if(options.all_features, "--all-features");
  refuse_if(options.all_contacts, "--all-contacts");
  refuse_if(options.clearance, "--clearance");
  refuse_if(options.ignore_start_if_separating, "--ignore-start-if-separating");
  refuse_if(options.solid, "--solid");
}

SurfaceAnswer ask_surfaces(const std::string& a, const Motion& motion_a, const std::string& b, const Motion& motion_b,
                           const ContactOptions& given) {
  SurfaceAnswer answer;
  const SurfaceContactOptions options = surface_options(given, answer.of_method);
  answer.mesh_is_a = !is_surface_text(a);
  if (answer.mesh_is_a) {
    first_contact(load_surface(b), motion_b, load_body(a, given.input), motion_a, options, answer.result);
    swap_bodies(answer.result);
  } else if (is_surface_text(b)) {
    first_contact(load_surface(a), motion_a, load_surface(b), motion_b, options, answer.result);
  } else {
    first_contact(load_surface(a), motion_a, load_body(b, given.input), motion_b, options, answer.result);
  }
  return answer;
}

Json to_json(const SurfaceAnswer& answer) {
  const SurfaceContactResult& r = answer.result;
  const bool answered = r.status != Status::invalid_request;
  Json out = new_object();
  out["status"] = graze::name(r.status);
  out["method"] = "interval";
  out["time"] = answered ? Json::array({r.time.safe, r.time.touch}) : Json();
  out["gap"] = answered ? Json(r.gap) : Json();
  out["tolerance"] = answered ? Json(r.tolerance) : Json();
  Json on_surface, other;
  if (r.points) {
    on_surface = surface_place_json(r.patch, r.where);
    other = r.triangle ? Json{{"triangle", index(*r.triangle)}} : surface_place_json(r.patch_b, r.where_b);
  }
  out["place_a"] = answer.mesh_is_a ? other : on_surface;
  out["place_b"] = answer.mesh_is_a ? on_surface : other;
  out["points"] = r.points ? Json::array({to_json((*r.points)[0]), to_json((*r.points)[1])}) : Json();
  out["normal"] = r.normal ? to_json(*r.normal) : Json();
  out["direction"] = r.direction ? Json(graze::name(*r.direction)) : Json();
  out["counters"] = to_json(r.counters, &answer.of_method);
  out["seconds"] = r.seconds;
  if (r.error) out["error"] = to_json(*r.error);
  return out;
}

void print(const SurfaceAnswer& answer) {
  const SurfaceContactResult& r = answer.result;
  fmt::print("{}\n", coloured(surface_headline(r), r.status));
  print_field("tolerance", fmt::format("{}", r.tolerance));
  if (r.points) {
    const std::string on_surface = surface_place_text(r.patch, r.where);
    const std::string other =
        r.triangle ? fmt::format("triangle {}", index(*r.triangle)) : surface_place_text(r.patch_b, r.where_b);
    print_field("free before", fmt::format("t = {}, certified", r.time.safe));
    print_field("gap", fmt::format("{:.9g} at t = {}", r.gap, r.time.touch));
    print_field("on A", answer.mesh_is_a ? other : on_surface);
    print_field("on B", answer.mesh_is_a ? on_surface : other);
    print_field("point on A", point_text((*r.points)[0]));
    print_field("point on B", point_text((*r.points)[1]));
    if (r.normal) print_field("normal", point_text(*r.normal));
    if (r.direction) print_field("direction", graze::name(*r.direction));
  }
  print_field("method", "interval");
  print_field("time", time_text(r.seconds));
  const std::string counters = counters_text(r.counters, &answer.of_method);
  if (!counters.empty()) print_field("work", counters);
}

}  // namespace graze::app
