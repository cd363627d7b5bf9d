// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/collide.hpp>
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

#include "command.hpp"
#include "demo/demo_cloth.hpp"
#include "input/certificate_file.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

constexpr const char* demo_footer =
    "Needs no files and writes none; takes a few seconds.\n\n"
    "Examples:\n"
    "  graze demo";

void chapter(int number, std::string_view title) { fmt::print("\n{}\n", bold(fmt::format("{}. {}", number, title))); }

std::string body_text(const Body& body) { return count_text(body.mesh().triangle_count()) + " triangles"; }

std::string timed(std::string_view text, double seconds) { return fmt::format("{:<58} {}", text, time_text(seconds)); }

void show(std::string_view label, const CollideResult& result) {
  print_field(label, coloured(timed(headline(result), result.seconds), result.status));
}

void show(std::string_view label, const DistanceResult& result) {
  std::string text = fmt::format("{:.9g}", result.distance);
  if (result.feature)
    text += fmt::format(", {} of A to {} of B", feature_text(result.feature->a), feature_text(result.feature->b));
  print_field(label, timed(text, result.seconds));
}

void show_witness(const CollideResult& result) {
  if (!result.features.empty()) {
    const Feature& feature = result.features.front();
    print_field("", fmt::format("with {} of A, {} of B", feature_text(feature.a), feature_text(feature.b)));
  }
  if (result.points) print_field("", fmt::format("at {}", point_text((*result.points)[0])));
  if (result.normal) print_field("", fmt::format("normal {}", point_text(*result.normal)));
}

void linked_knots() {
  const Body knot(make::torus_knot({.triangles = 34560}));
  chapter(1, fmt::format("Two trefoil knots of {} each", body_text(knot)));
  print_field("tree",
              fmt::format("built in {}, {:.0f} bytes a triangle", time_text(knot.build_seconds()),
                          static_cast<double>(knot.tree_bytes()) / static_cast<double>(knot.mesh().triangle_count())));
  const Pose here, through({0.25, 0.5, 0.125}, {0.9, 0.1, 0.4, 0}), away({0, 0, 2.25}, {0.9, 0.1, 0.4, 0});
  const CollideResult hit = collide(knot, here, knot, through);
  show("collide", hit);
  show_witness(hit);
  CollideOptions every_pair;
  every_pair.all = true;
  const CollideResult all = collide(knot, here, knot, through, every_pair);
  print_field("all pairs", timed(count_text(all.pairs.size()) + " pairs of triangles meet", all.seconds));
  show("moved up", collide(knot, here, knot, away));
  show("distance", distance(knot, here, knot, away));
  const WithinResult near = within(0.5, knot, here, knot, away);
  print_field("within 0.5", timed(near.status == Status::contact ? "yes" : "no", near.seconds));
}

void stacked_boxes() {
  const Body box(make::box({}));
  chapter(2, "Touching is decided exactly: one box stands on another");
  const double smallest_step = std::ldexp(1.0, -52);
  const auto at_height = [&](double z) { return collide(box, Pose(), box, Pose({0.25, 0.125, z})); };
  const CollideResult touching = at_height(1);
  show("at z = 1", touching);
  show_witness(touching);
  show("2^-52 more", at_height(1 + smallest_step));
  show("2^-53 less", at_height(1 - smallest_step / 2));
}

std::string_view location_text(Location location) {
  switch (location) {
    case Location::inside: return "inside";
    case Location::outside: return "outside";
    case Location::on_surface: return "on the surface";
    case Location::invalid_request: break;
  }
  return "cannot be asked";
}

void inside_and_outside() {
  const Body torus(make::torus({})), pea(make::sphere({.radius = 0.125, .triangles = 528}));
  chapter(3, "Inside and outside: a pea in a hollow ring");
  print_field("contains",
              fmt::format("the middle of the hole is {}", location_text(contains(torus, Pose(), {0, 0, 0}).location)));
  print_field("",
              fmt::format("the middle of the tube is {}", location_text(contains(torus, Pose(), {1, 0, 0}).location)));
  print_field("", fmt::format("a vertex of the ring is {}",
                              location_text(contains(torus, Pose(), torus.mesh().positions()[0]).location)));
  show("surface", collide(pea, Pose({1, 0, 0}), torus, Pose()));
  CollideOptions solid;
  solid.solid = true;
  show("solid", collide(pea, Pose({1, 0, 0}), torus, Pose(), solid));
}

void self_contact() {
  const Body fine(make::torus_knot({.triangles = 11520}));
  const Body thick(make::torus_knot({.triangles = 11520, .minor = 0.4, .tube = 0.45}));
  chapter(4, "Does a mesh cross itself? A knot, and the same knot of a tube too thick");
  for (const auto& [label, body] : {std::pair("fine", &fine), std::pair("too thick", &thick)}) {
    const SelfCollideResult result = self_collide(*body, {.all = true});
    std::uint64_t pairs = 0;
    for (const std::uint64_t count : result.count) pairs += count;
    const std::string text = result.status == Status::free ? "free: it nowhere meets itself"
                                                           : fmt::format("contact: {} pairs meet", count_text(pairs));
    print_field(label, coloured(timed(text, result.seconds), result.status));
  }
}

void show_counters(const AllCounters& counters) {
  for_each_counter(counters, [](const char* name, const char* meaning, std::uint64_t value) {
    if (value != 0) fmt::print("    {:>10}  {:<24} {}\n", count_text(value), name, meaning);
  });
}

void methods_and_counters() {
  const Body head(make::head({})), chair(make::chair({}));
  chapter(5, fmt::format("Every answer says what it cost: a head ({}) and a chair ({})", body_text(head),
                         body_text(chair)));
  const Pose here, there({0.25, 0.125, 0.25}, {0.9, 0, 0.2, 0.1});
  for (const std::string_view method : {"brute", "tree"}) {
    CollideOptions options;
    options.method = method;
    MethodCounters of_method;
    options.method_counters = &of_method;
    const CollideResult result = collide(head, here, chair, there, options);
    show(method, result);
    show_counters({result.counters, of_method});
  }
}

/// One motion of the knot, with the certificate of the time before the contact, or of the whole motion if there is
/// none.
void show_flight(std::string_view label, const Body& knot, const Pose& from, const Vec3& linear, const Vec3& angular) {
  FirstContactOptions options;
  options.certificate = true;
  const FirstContactResult result =
      first_contact(knot, Velocity::from_speeds(from, linear, angular), knot, Still{}, options);
  print_field(label, coloured(timed(headline(result), result.seconds), result.status));
  if (result.status == Status::contact) {
    print_field("", fmt::format("certified free before t = {}", result.time.safe));
    print_field("", fmt::format("gap {:.3g}, the tolerance is {:.3g}", result.gap, result.tolerance));
  }
  for (const Feature& feature : result.features)
    print_field("", fmt::format("with {} of A, {} of B", feature_text(feature.a), feature_text(feature.b)));
  if (result.points) print_field("", fmt::format("at {}", point_text((*result.points)[0])));
  if (result.normal) print_field("", fmt::format("normal {}", point_text(*result.normal)));
  if (result.direction) print_field("", fmt::format("the contact is {}", graze::name(*result.direction)));
  if (result.certificate)
    print_field("", fmt::format("proof: {} separations, until t = {:.9g}", count_text(separations(*result.certificate)),
                                result.certificate->until));
}

void tumbling_knot() {
  const Body knot(make::torus_knot({.triangles = 2880}));
  chapter(6, fmt::format("When do they first touch? A knot of {} tumbles towards another", body_text(knot)));
  const Vec3 across{6, 0, 0}, tumbling{5, 7, 3};
  show_flight("hit", knot, Pose({-5, 0.5, 0.25}), across, tumbling);
  show_flight("miss", knot, Pose({-5, 3, 0.25}), across, tumbling);
  fmt::print(
      "  A proof covers all pairs of triangles and all time. A program that shares no code with graze checks it:\n"
      "    graze make torus_knot --triangles 2880 -o knot.obj\n"
      "    graze first-contact knot.obj knot.obj --a-from \"-5 3 0.25 1 0 0 0\" --a-velocity \"6 0 0 5 7 3\" "
      "--certificate proof.txt\n"
      "    graze verify proof.txt knot.obj knot.obj\n");
}

int run() {
  fmt::print("{}\n", bold("graze: who touches, where, and with which features"));
  linked_knots();
  stacked_boxes();
  inside_and_outside();
  self_contact();
  methods_and_counters();
  tumbling_knot();
  chapter(7, "A falling cloth folds until it touches itself");
  folding_cloth();
  chapter(8, "What to try next");
  fmt::print(
      "  graze make --list                        the shapes that need no files\n"
      "  graze make bunny -o bunny.obj            about as fine as the scanned one\n"
      "  graze info bunny.obj                     what is in a file\n"
      "  graze collide bunny.obj bunny.obj --pose-b \"0.5 0 0 1 0 0 0\" --all\n"
      "  graze distance bunny.obj bunny.obj --pose-b \"2 0 0 1 0 0 0\" --json\n"
      "  graze first-contact bunny.obj bunny.obj --a-from \"-3 0 0 1 0 0 0\" --a-to \"3 0 0 1 2 3 4\" --json\n"
      "  graze cage --bodies 100 --frames 200     bodies that fly in a cage, and what they touch\n"
      "  graze collide --list-methods             all the ways to answer, and what they are worth\n"
      "  graze COMMAND --help                     every option, with examples\n"
      "  graze view bunny.obj --png bunny.png     a picture; the pages of `graze view` and `graze report`, in which "
      "one\n"
      "                                           drags and asks, need one more command first: scripts/web\n");
  return exit_answered;
}

}  // namespace

void add_demo(CLI::App& graze, int& exit_status) {
  CLI::App* app = graze.add_subcommand("demo", "Show what graze can do; needs no files");
  app->footer(demo_footer);
  app->callback([&exit_status] { exit_status = run(); });
}

}  // namespace graze::app
