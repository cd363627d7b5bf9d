// SPDX-License-Identifier: MIT
#include "scene/step_queries.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include <graze/io/mesh_file.hpp>
#include <graze/math/box3.hpp>

namespace graze::bench {
namespace {

namespace fs = std::filesystem;

/// One frame: a meander along x, whose direction varies by `swing` to either side, with some unevenness along y.
std::vector<Vec3> meander(std::uint32_t along, std::uint32_t across, double swing, std::uint64_t seed) {
  constexpr double folds = 12, depth = 1.5, roughness = 2e-4;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-roughness, roughness);
  std::vector<Vec3> p;
  const double step = 20.0 / along;
  for (std::uint32_t j = 0; j <= across; ++j) {
    const double y = depth * j / across, own = swing + 0.05 * std::sin(5 * y);
    double x = 0, z = 0;
    for (std::uint32_t i = 0; i <= along; ++i) {
      const double angle = own * std::cos(2 * std::numbers::pi * folds * (i + 0.5) / along);
      p.push_back({x + noise(random), y + noise(random), z + noise(random)});
      x += step * std::cos(angle);
      z += step * std::sin(angle);
    }
  }
  return p;
}

/// A vertex, an edge or a face, and its box swept over the step.
struct Feature {
  std::vector<std::uint32_t> vertices;
  Box3 box;
};

Feature feature(const DeformScene& scene, std::vector<std::uint32_t> vertices) {
  Feature f{std::move(vertices), {}};
  for (const std::uint32_t v : f.vertices) {
    f.box.add(scene.mesh.positions()[v]);
    f.box.add(scene.end[v]);
  }
  return f;
}

std::vector<Feature> vertices_of(const DeformScene& scene) {
  std::vector<Feature> list;
  for (std::uint32_t v = 0; v < scene.end.size(); ++v) list.push_back(feature(scene, {v}));
  return list;
}
std::vector<Feature> faces_of(const DeformScene& scene) {
  std::vector<Feature> list;
  for (const Triangle& t : scene.mesh.triangles()) list.push_back(feature(scene, {t[0], t[1], t[2]}));
  return list;
}
std::vector<Feature> edges_of(const DeformScene& scene) {
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const Triangle& t : scene.mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k)
      pairs.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<Feature> list;
  for (const auto& e : pairs) list.push_back(feature(scene, {e[0], e[1]}));
  return list;
}

bool share_vertex(const Feature& a, const Feature& b) {
  return std::any_of(a.vertices.begin(), a.vertices.end(), [&](std::uint32_t v) {
    return std::find(b.vertices.begin(), b.vertices.end(), v) != b.vertices.end();
  });
}

QueryPoints points_of(const DeformScene& scene, const Feature& a, const Feature& b) {
  std::array<std::uint32_t, 4> v{};
  std::copy(b.vertices.begin(), b.vertices.end(), std::copy(a.vertices.begin(), a.vertices.end(), v.begin()));
  QueryPoints p;
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = scene.mesh.positions()[v[i]];
    p[4 + i] = scene.end[v[i]];
  }
  return p;
}

}  // namespace

DeformScene folding_cloth(std::size_t triangles) {
  const auto across = static_cast<std::uint32_t>(std::max(2.0, std::sqrt(static_cast<double>(triangles) / 26)));
  const std::uint32_t along = 13 * across;
  std::vector<Triangle> list;
  for (std::uint32_t j = 0; j < across; ++j)
    for (std::uint32_t i = 0; i < along; ++i) {
      const std::uint32_t a = j * (along + 1) + i, b = a + 1, c = a + along + 1, d = c + 1;
      list.push_back({a, b, c});
      list.push_back({b, d, c});
    }
  return {"folding cloth", Mesh(meander(along, across, 2.08, 1), list), meander(along, across, 2.1, 2)};
}

std::optional<fs::path> shared_data() {
  const char* named = std::getenv("GRAZE_SHARED_DATA");
  const fs::path path = named ? fs::path(named) : fs::path(GRAZE_BENCH_DATA) / "../../../shared/data";
  if (!fs::is_directory(path)) return std::nullopt;
  return path;
}

std::optional<DeformScene> recorded_step(const std::string& name) {
  const auto data = shared_data();
  if (!data || !fs::exists(*data / "deform" / name / "frame0.ply")) return std::nullopt;
  const Mesh start = load_mesh(*data / "deform" / name / "frame0.ply");
  const Mesh end = load_mesh(*data / "deform" / name / "frame1.ply");
  return DeformScene{name, start, {end.positions().begin(), end.positions().end()}};
}

std::vector<QueryPoints> draw_candidates(const DeformScene& scene, ElementaryKind kind, std::size_t most,
                                         std::uint64_t seed) {
  const bool faces = kind == ElementaryKind::vertex_face;
  std::vector<Feature> firsts = faces ? vertices_of(scene) : edges_of(scene);
  std::vector<Feature> seconds = faces ? faces_of(scene) : firsts;
  std::sort(seconds.begin(), seconds.end(), [](const Feature& a, const Feature& b) { return a.box.lo.x < b.box.lo.x; });
  double widest = 0;
  for (const Feature& f : seconds) widest = std::max(widest, f.box.hi.x - f.box.lo.x);
  std::mt19937_64 random(seed);
  std::shuffle(firsts.begin(), firsts.end(), random);
  std::vector<QueryPoints> found;
  for (const Feature& a : firsts) {
    auto b = std::lower_bound(seconds.begin(), seconds.end(), a.box.lo.x - widest,
                              [](const Feature& f, double x) { return f.box.lo.x < x; });
    for (; b != seconds.end() && b->box.lo.x <= a.box.hi.x; ++b) {
      // One in four, so that the sample covers more of the scene.
      if (!a.box.overlaps(b->box) || share_vertex(a, *b) || random() % 4 != 0) continue;
      found.push_back(points_of(scene, a, *b));
      if (found.size() == most) return found;
    }
  }
  return found;
}

}  // namespace graze::bench
