// SPDX-License-Identifier: MIT
// Meshes that are cut and shattered step by step, against a fresh start each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <graze/ask/deform.hpp>

#include "contact_names.hpp"
#include "engine/deform/topology/orphans.hpp"

namespace graze {
namespace {

using testing::reported_contacts;

struct Body3 {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  Mesh mesh() const { return Mesh(positions, std::span<const Triangle>(triangles)); }
};

/// A wavy sheet of n x n squares.
Body3 sheet(int n) {
  Body3 b;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n;
      b.positions.push_back({u, v, 0.1 * u * v * (1 - u)});
      if (i == n || j == n) continue;
      const auto at = static_cast<std::uint32_t>(i * (n + 1) + j), right = at + static_cast<std::uint32_t>(n) + 1;
      b.triangles.push_back({at, right, right + 1});
      b.triangles.push_back({at, right + 1, at + 1});
    }
  return b;
}

/// Cuts along where `beyond` says no and yes about neighbouring triangles: those beyond get vertices of their own.
template <class Beyond>
void cut(Body3& b, Beyond beyond) {
  std::map<std::uint32_t, std::uint32_t> copy;
  std::vector<bool> here(b.positions.size(), false);
  for (const Triangle& t : b.triangles)
    if (!beyond(b, t))
      for (const std::uint32_t v : t) here[v] = true;
  for (Triangle& t : b.triangles) {
    if (!beyond(b, t)) continue;
    for (std::uint32_t& v : t) {
      if (v >= here.size() || !here[v]) continue;
      const auto [at, is_new] = copy.try_emplace(v, static_cast<std::uint32_t>(b.positions.size()));
      if (is_new) b.positions.push_back(Vec3(b.positions[v]));
      v = at->second;
    }
  }
}

Vec3 middle(const Body3& b, const Triangle& t) {
  return (b.positions[t[0]] + b.positions[t[1]] + b.positions[t[2]]) * (1.0 / 3);
}

TEST(DeformBreaking, ACutThatTouchesLittleIsMendedLocally) {
  Body3 b = sheet(64);
  Deformable d(b.mesh());
  const DeformOptions options{.crossing_at_start = false};
  const Counters fresh = d.step(b.positions, options).counters;
  const std::vector<Triangle> before = b.triangles;
  cut(b, [](const Body3& x, const Triangle& t) {
    const Vec3 m = middle(x, t);
    return m.x > 0.5 && m.x < 0.56 && m.y > 0.5 && m.y < 0.56;  // a patch cut out
  });
  std::vector<bool> changed(b.positions.size(), false);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != b.triangles[i])
      for (std::size_t k = 0; k < 3; ++k) changed[before[i][k]] = changed[b.triangles[i][k]] = true;
  const auto touched = std::count_if(b.triangles.begin(), b.triangles.end(), [&](const Triangle& t) {
    return changed[t[0]] || changed[t[1]] || changed[t[2]];
  });
  EXPECT_LT(static_cast<double>(touched), 0.013 * static_cast<double>(before.size()));
  d.replace(b.mesh());
  const Counters repaired = d.step(b.positions, options).counters;
  EXPECT_GT(repaired.nodes_rebuilt, 0u);
  EXPECT_LT(static_cast<double>(repaired.nodes_rebuilt), 0.05 * static_cast<double>(fresh.nodes_rebuilt));
  EXPECT_LT(static_cast<double>(repaired.orphans_updated), 0.05 * static_cast<double>(fresh.orphans_updated));
}

TEST(DeformBreaking, ShatteredStepByStepAsFromAFreshStart) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> real(-1, 1);
  Body3 b = sheet(12);
  Deformable d(b.mesh());
  for (int step = 0; step < 7; ++step) {
    std::vector<Vec3> next = b.positions;
    for (Vec3& x : next) x = x + Vec3{real(random), real(random), real(random)} * 0.03;
    Deformable anew(b.mesh());
    for (const bool exact : {false, true}) {
      DeformOptions options{.exact = exact, .crossing_at_start = exact, .patches = exact};
      if (exact && step != 5) continue;
      const DeformResult now = d.step(next, options), then = anew.step(next, options);
      ASSERT_EQ(reported_contacts(now), reported_contacts(then)) << step;
      ASSERT_EQ(now.crossing_at_start.size(), then.crossing_at_start.size());
      ASSERT_EQ(now.status, then.status);
      d.step(b.positions, options);  // and back
      anew.step(b.positions, options);
    }
    d.step(next, {.crossing_at_start = false});
    b.positions = next;
    // A random plane, twice; the last time every triangle on its own, then some of them gone.
    for (int k = 0; k < 2; ++k) {
      const Vec3 n{real(random), real(random), 0};
      const double level = dot(n, Vec3{0.5, 0.5, 0}) + 0.2 * real(random);
      cut(b, [&](const Body3& x, const Triangle& t) { return dot(n, middle(x, t)) > level; });
    }
    if (step == 4) {
      std::vector<Vec3> own;
      for (Triangle& t : b.triangles)
        for (std::uint32_t& v : t) {
          own.push_back(b.positions[v]);
          v = static_cast<std::uint32_t>(own.size() - 1);
        }
      b.positions = own;
    }
    if (step == 5) b.triangles.resize(b.triangles.size() - 40);
    d.replace(b.mesh());
  }
}

/// A mesh is replaced with as many threads as the question before it used.
TEST(DeformBreaking, MendedTheSameWithTwoThreadsParallel) {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> real(-1, 1);
  Body3 b = sheet(48);
  Deformable one(b.mesh()), two(b.mesh());
  std::size_t met = 0;
  for (int step = 0; step < 4; ++step) {
    std::vector<Vec3> next = b.positions;
    for (Vec3& x : next) x = x + Vec3{real(random), real(random), real(random)} * 0.02;
    const DeformResult r = one.step(next, {}), same = two.step(next, {.threads = 2});
    ASSERT_EQ(reported_contacts(same), reported_contacts(r));
    ASSERT_EQ(same.counters.nodes_rebuilt, r.counters.nodes_rebuilt);
    ASSERT_EQ(same.counters.orphans_updated, r.counters.orphans_updated);
    ASSERT_EQ(same.counters.node_pairs, r.counters.node_pairs);
    met += r.contacts.size();
    b.positions = next;
    const Vec3 n{real(random), real(random), 0};
    cut(b, [&](const Body3& x, const Triangle& t) { return dot(n, middle(x, t)) > dot(n, Vec3{0.5, 0.5, 0}); });
    one.replace(b.mesh());
    two.replace(b.mesh());
  }
  EXPECT_GT(met, 100u);
}

TEST(DeformBreaking, MendedOrphansAreThoseOfAFreshStart) {
  std::mt19937_64 random(3);
  Body3 b = sheet(8);
  engine::deform::Topology topology(b.mesh());
  engine::deform::Orphans orphans(topology);
  for (int round = 0; round < 5; ++round) {
    const double level = 0.15 + 0.15 * round;
    cut(b, [&](const Body3& x, const Triangle& t) { return middle(x, t).x > level; });
    orphans.repair(topology, topology.change_to(b.mesh()));
    const engine::deform::Topology after(b.mesh());
    const engine::deform::Orphans fresh(after);
    const auto sorted = [](const engine::deform::Orphans& o) {
      std::vector<engine::deform::FourVertices> v;
      for (const engine::deform::Orphan& x : o.all()) v.push_back(x.vertices);
      std::sort(v.begin(), v.end());
      return v;
    };
    EXPECT_EQ(sorted(orphans), sorted(fresh)) << round;
  }
}

}  // namespace
}  // namespace graze
