// SPDX-License-Identifier: MIT
// The tables of docs/shapes.md, "Which pairs support which question", are read, and every cell is tried.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <graze/graze.hpp>

namespace graze {
namespace {

using Row = std::vector<std::string>;

/// The rows of all tables of the section, without heads and lines of dashes.
std::vector<Row> rows_of_page() {
  std::ifstream page(GRAZE_SOURCE_DIR "/docs/shapes.md");
  std::vector<Row> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) inside = line == "## Which pairs support which question";
    if (!inside || line.rfind("| ", 0) != 0 || line.rfind("| question", 0) == 0) continue;
    Row& row = rows.emplace_back();
    for (std::size_t at = 1; at < line.size();) {
      const std::size_t end = line.find('|', at);
      if (end == line.npos) break;
      row.push_back(end < at + 2 ? "" : line.substr(at + 1, end - at - 2));
      at = end + 1;
    }
  }
  return rows;
}

struct Sample {
  Body body;
  char kind;            ///< a letter of the page
  bool curved = false;  ///< of a compound: it has a curved piece
};

const std::vector<Sample>& samples() {
  static const Body ball(shape::Sphere{0.5}), cube(make::box());
  static const std::vector<Sample> all = {
      {cube, 'M'},
      {Body(make::torus({.triangles = 128})), 'M'},
      {Body(shape::Box{{1, 0.5, 0.75}}), 'P'},
      {Body(shape::Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}), 'P'},
      {ball, 'C'},
      {Body(shape::Capsule{0.25, 1}), 'C'},
      {Body(shape::Cylinder{0.5, 1}), 'C'},
      {Body(shape::Cone{0.5, 1}), 'C'},
      {Body(shape::Ellipsoid{{0.5, 0.25, 1}}), 'C'},
      {Body(shape::rounded(shape::Box{}, 0.1)), 'C'},
      {Body(shape::rounded(shape::Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, 0.1)), 'C'},
      {Body(shape::HalfSpace{}), 'H'},
      {compound({{cube, Pose()}, {cube, Pose({1.5, 0, 0})}}), 'K'},
      {compound({{cube, Pose()}, {ball, Pose({1.5, 0, 0})}}), 'K', true},
  };
  return all;
}

/// Above a half-space, or above the other body.
const Pose high({0.1, 0.2, 6}), low({0.1, 0.2, 3});

struct Placed {
  Pose pose;
  Motion motion;
};
/// Of two bodies of which one may be a half-space, the other one is above it and falls.
Placed place_of(const Sample& x, bool is_first, const Sample& other) {
  const bool above = other.kind == 'H' ? x.kind != 'H' || is_first : x.kind != 'H' && is_first;
  return above ? Placed{high, Velocity(high, low)} : Placed{Pose(), Still{}};
}

template <class Result>
bool answered(const Result& r) {
  return r.status != Status::invalid_request;
}

using Question = std::function<bool(const Sample& a, const Sample& b)>;

bool flies(const Sample& a, const Sample& b, const FirstContactOptions& options) {
  const FirstContactResult r =
      first_contact(a.body, place_of(a, true, b).motion, b.body, place_of(b, false, a).motion, options);
  return answered(r) && (!options.certificate || r.certificate) && (!options.clearance || r.clearance);
}

bool in_a_world(const Sample& a, const Sample& b, bool sweeps) {
  World world;
  const BodyId id = world.add(a.body, place_of(a, true, b).pose);
  world.add(b.body, place_of(b, false, a).pose);
  if (!sweeps) return world.check().events.size() <= 1 && answered(world.near(0.5));
  world.sweep();
  world.move(id, place_of(a, true, b).motion.at(1).t.z < 5 ? low : Pose({0, 0, 0.5}));
  return answered(world.sweep());
}

/// `turned`: by how much the partner turns meanwhile.
bool deforms(const Sample& a, const Sample& b, double turned) {
  World world;
  const BodyId id = world.add(a.body, high);
  const Pose place = b.kind == 'H' ? Pose() : Pose({0, 0, 4.5});
  const BodyId partner = world.add(b.body, place);
  world.sweep();
  world.move(partner, Pose(place.translation(), {1, turned, 0, 0}));
  std::vector<Vec3> positions(a.body.mesh().positions().begin(), a.body.mesh().positions().end());
  for (Vec3& p : positions) p.z -= 3;
  world.deform(id, positions);
  return answered(world.sweep({.advance = true}));
}

/// Is the question to be answered about these two, as the page says it in this cell?
bool is_promised(const std::string& cell, const Sample& a, const Sample& b) {
  const auto any = [&](auto&& is) { return is(a) || is(b); };
  if (cell == "no") return false;
  if (cell == "without C") return !any([](const Sample& x) { return x.kind == 'C' || x.curved; });
  for (const char* yes : {"exact", "bound", "certified", "pieces", "yes"})
    if (cell == yes) return true;
  ADD_FAILURE() << "this test does not know the cell: " << cell;
  return false;
}

/// The samples of a column.
bool belongs(std::size_t column, const Sample& a, const Sample& b) {
  const auto both = [&](const char* kinds) {
    return std::string(kinds).find(a.kind) != std::string::npos && std::string(kinds).find(b.kind) != std::string::npos;
  };
  const bool half = a.kind == 'H' || b.kind == 'H', curved = a.kind == 'C' || b.kind == 'C';
  switch (column) {
    case 1: return both("MP");
    case 2: return both("MPC") && curved;
    case 3: return both("MPH") && half && a.kind != b.kind;
    case 4: return both("CH") && half && curved;
    case 5: return both("H");
    default: return a.kind == 'K' || b.kind == 'K';
  }
}

void expect_row(const Row& row, const std::string& begins, const Question& question) {
  ASSERT_EQ(row.size(), 7u) << begins;
  EXPECT_EQ(row[0].rfind(begins, 0), 0u) << row[0];
  for (std::size_t column = 1; column < 7; ++column)
    for (const Sample& a : samples())
      for (const Sample& b : samples()) {
        if (!belongs(column, a, b)) continue;
        EXPECT_EQ(question(a, b), is_promised(row[column], a, b))
            << row[0] << ", " << a.kind << (a.curved ? " (curved)" : "") << " and " << b.kind
            << (b.curved ? " (curved)" : "") << ": " << row[column];
      }
}

TEST(SupportTable, OfPairsIsTrue) {
  const std::vector<Row> rows = rows_of_page();
  ASSERT_EQ(rows.size(), 15u);
  expect_row(rows[0], "`collide`, `distance`, `within`", [](const Sample& a, const Sample& b) {
    const Pose &x = place_of(a, true, b).pose, &y = place_of(b, false, a).pose;
    return answered(collide(a.body, x, b.body, y)) && answered(distance(a.body, x, b.body, y)) &&
           answered(within(0.1, a.body, x, b.body, y));
  });
  expect_row(rows[1], "`first_contact` (`best_first`), `motion_free`, `first_contacts`",
             [](const Sample& a, const Sample& b) {
               const Placed x = place_of(a, true, b), y = place_of(b, false, a);
               const MovingBody bodies[] = {{a.body, x.motion}, {b.body, y.motion}};
               return flies(a, b, {}) && answered(motion_free(a.body, x.motion, b.body, y.motion)) &&
                      answered(first_contacts(bodies));
             });
  const auto with = [](auto&& set) {
    FirstContactOptions options;
    set(options);
    return [options](const Sample& a, const Sample& b) { return flies(a, b, options); };
  };
  expect_row(rows[2], "... with `ignore_start_if_separating`",
             with([](FirstContactOptions& o) { o.ignore_start_if_separating = true; }));
  expect_row(rows[3], "... with `all_contacts`", with([](FirstContactOptions& o) { o.all_contacts = true; }));
  expect_row(rows[4], "... with `clearance`, `clearance_profile`", [&](const Sample& a, const Sample& b) {
    const double times[] = {0, 1};
    ClearanceSample at[2];
    return with([](FirstContactOptions& o) { o.clearance = true; })(a, b) &&
           answered(
               clearance_profile(a.body, place_of(a, true, b).motion, b.body, place_of(b, false, a).motion, times, at));
  });
  expect_row(rows[5], "... with `min_separation`", with([](FirstContactOptions& o) { o.min_separation = 0.5; }));
  expect_row(rows[6], "... with `certificate`", with([](FirstContactOptions& o) { o.certificate = true; }));
  for (const bool sweeps : {false, true})
    expect_row(rows[7], "`World::check`, `near`, `sweep`",
               [&](const Sample& a, const Sample& b) { return in_a_world(a, b, sweeps); });
  expect_row(rows[9], "`penetration`", [](const Sample& a, const Sample& b) {
    return answered(penetration(a.body, place_of(a, true, b).pose, b.body, place_of(b, false, a).pose));
  });
  expect_row(rows[10], "`manifold`", [](const Sample& a, const Sample& b) {
    return answered(manifold(a.body, place_of(a, true, b).pose, b.body, place_of(b, false, a).pose));
  });
}

TEST(SupportTable, OfDeformingBodiesIsTrue) {
  const std::vector<Row> rows = rows_of_page();
  ASSERT_EQ(rows.size(), 15u);
  const Row wanted = {"`World::sweep` of a deforming body", "M/M, P/M", "M/C", "M, unless H turns", "", "", "M/K"};
  EXPECT_EQ(rows[8], wanted);
  for (const Sample& a : samples()) {
    if (a.kind != 'M') continue;
    for (const Sample& b : samples()) {
      EXPECT_TRUE(deforms(a, b, 0)) << b.kind;
      EXPECT_EQ(deforms(a, b, 0.01), b.kind != 'H') << b.kind;
    }
  }
}

template <class Ask>
bool throws_nothing(Ask&& ask) try {
  return ask();
} catch (const Error&) {
  return false;
}

TEST(SupportTable, OfSingleBodiesIsTrue) {
  const std::vector<Row> rows = rows_of_page();
  ASSERT_EQ(rows.size(), 15u);
  const std::string kinds = "MPCHK";
  const auto expect = [&](const Row& row, const std::string& begins, const std::function<bool(const Body&)>& question) {
    ASSERT_EQ(row.size(), 6u);
    EXPECT_EQ(row[0].rfind(begins, 0), 0u) << row[0];
    for (const Sample& x : samples()) {
      const std::string& cell = row[1 + kinds.find(x.kind)];
      EXPECT_EQ(throws_nothing([&] { return question(x.body); }), cell != "no") << row[0] << ", " << x.kind;
    }
  };
  expect(rows[11], "`cast_ray`, `World::ray`", [](const Body& body) {
    World world;
    world.add(body);
    world.ray({0, 0, 9}, {0.1, 0.2, -9});
    return answered(cast_ray(body, Pose(), {0, 0, 9}, {0.1, 0.2, -9}));
  });
  expect(rows[12], "`contains`", [](const Body& body) {
    contains(body, Pose(), {0.1, 0.2, 0.3});  // throws what it does not answer
    return true;
  });
  expect(rows[13], "`World::in_box`", [](const Body& body) {
    World world;
    world.add(body);
    world.in_box({{0, 0, 0}, {1, 1, 1}});
    return true;
  });
}

TEST(SupportTable, WhatTakesMeshesOnly) {
  for (const Sample& x : samples()) {
    const bool is_mesh = x.body.has_mesh();
    EXPECT_EQ(throws_nothing([&] { return answered(self_collide(x.body)); }), is_mesh) << x.kind;
    EXPECT_EQ(throws_nothing(
                  [&] { return answered(collide(x.body, Pose(), samples()[0].body, Pose(), {.method = "brute"})); }),
              is_mesh)
        << x.kind;
  }
}

}  // namespace
}  // namespace graze
