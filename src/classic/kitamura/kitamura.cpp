// SPDX-License-Identifier: MIT
#include "classic/kitamura/kitamura.hpp"

#include <graze/classic/kitamura.hpp>

#include "classic/kitamura/cell_search.hpp"
#include "classic/kitamura/check_lists.hpp"
#include "core/counter_sum.hpp"
#include "core/parallel.hpp"

namespace graze::classic::kitamura {

namespace {

CellOptions octree_options(const InterferenceOptions& options, bool self, int threads) {
  const OctreeOptions& octree = options.kitamura.value().octree;
  return {.self = self, .bintree = octree.bintree, .level = octree.level, .threads = threads};
}

std::vector<OverlapRegion> find_regions(const InterferenceQuery& query, AllCounters& counters) {
  const bool by_tree = query.options.kitamura.value().octree.bodies == OctreeOptions::BodyStage::tree;
  std::vector<OverlapRegion> regions;
  for (const BodyPair& p : overlapping_bodies(query.scene, by_tree, query.options.self, counters))
    regions.push_back({p, common(query.scene[p.a].box, query.scene[p.b].box)});
  counters.overlap_regions += regions.size();
  return regions;
}

/// Every overlap region is the root of its own octree, for the faces of its two bodies. A pair of faces then occurs in
/// one octree only.
class ByRegion {
 public:
  ByRegion(const InterferenceQuery& query, std::vector<OverlapRegion> regions)
      : query_(query),
        test_(query.scene, query.options.kitamura.value().octree.clip),
        regions_(std::move(regions)),
        lists_(regions_.size()),
        parts_(regions_.size()) {}

  void list_faces(AllCounters& counters) {
    for_each_region([&](std::size_t i, int threads) {
      const OverlapRegion& region = regions_[i];
      Part& part = parts_[i];
      const std::span<const Box3> box(&region.box, 1);
      std::vector<ListedFace>& list = lists_[i];
      add_check_list(query_.scene, test_, region.bodies.a, box, threads, list, part.counters);
      const std::size_t of_a = list.size();
      if (region.bodies.a == region.bodies.b || of_a == 0) return;
      add_check_list(query_.scene, test_, region.bodies.b, box, threads, list, part.counters);
      if (list.size() == of_a) list.clear();
    });
    collect(counters);
  }

  std::vector<FacePair> list_pairs(AllCounters& counters) {
    for_each_region([&](std::size_t i, int threads) {
      if (lists_[i].empty()) return;
      const bool self = regions_[i].bodies.a == regions_[i].bodies.b;
      parts_[i].pairs = list_pairs_in_cells(FaceItems(test_, lists_[i]), regions_[i].box,
                                            octree_options(query_.options, self, threads), parts_[i].counters);
    });
    collect(counters);
    std::vector<FacePair> all;
    for (const Part& part : parts_) all.insert(all.end(), part.pairs.pairs().begin(), part.pairs.pairs().end());
    return all;  // regions are sorted by bodies, and so is the result
  }

 private:
  struct Part {
    FacePairList pairs;
    AllCounters counters;
  };

  /// In parallel over the regions if there are many, within each region if there are few.
  template <class Work>
  void for_each_region(Work&& work) {
    const int threads = query_.options.threads;
    const bool many = regions_.size() >= 4 * static_cast<std::size_t>(threads);
    core::parallel_for(regions_.size(), many ? threads : 1, [&](std::size_t i) { work(i, many ? 1 : threads); });
  }
  void collect(AllCounters& counters) {
    for (Part& part : parts_) {
      counters += part.counters;
      part.counters = {};
    }
  }

  const InterferenceQuery& query_;
  FaceTest test_;
  std::vector<OverlapRegion> regions_;
  std::vector<std::vector<ListedFace>> lists_;
  std::vector<Part> parts_;
};

/// All check-lists together in one octree, whose root is the cube around all bodies (Kitamura 3.4, 3.5). If the body
/// stage is skipped, they contain every face.
std::vector<ListedFace> world_check_list(const InterferenceQuery& query, const FaceTest& test,
                                         const std::vector<OverlapRegion>* regions, AllCounters& counters) {
  std::vector<std::vector<Box3>> of_body(query.scene.size());
  for (std::uint32_t i = 0; i < query.scene.size(); ++i)
    if (!regions) of_body[i].push_back(query.scene[i].box);
  if (regions)
    for (const OverlapRegion& region : *regions) {
      of_body[region.bodies.a].push_back(region.box);
      if (region.bodies.b != region.bodies.a) of_body[region.bodies.b].push_back(region.box);
    }
  std::vector<ListedFace> all;
  for (std::uint32_t i = 0; i < query.scene.size(); ++i) {
    if (!of_body[i].empty()) add_check_list(query.scene, test, i, of_body[i], query.options.threads, all, counters);
  }
  return all;
}

Box3 world_cube(const Scene& scene) {
  Box3 world;
  for (const PlacedBody& body : scene.bodies()) world.add(body.box);
  return cube_around(world);
}

}  // namespace

void Kitamura::run(const InterferenceQuery& query, InterferenceResult& result) {
  const OctreeOptions& options = query.options.kitamura.value().octree;
  const bool skipped = options.bodies == OctreeOptions::BodyStage::skipped;
  StageClock clock;
  AllCounters counters;
  std::vector<OverlapRegion> regions;
  if (!skipped) regions = find_regions(query, counters);
  clock.add_to(result.seconds.bodies);
  std::vector<FacePair> pairs;
  if (!skipped && options.root == OctreeOptions::Root::region) {
    ByRegion by_region(query, std::move(regions));
    by_region.list_faces(counters);
    clock.add_to(result.seconds.check_lists);
    pairs = by_region.list_pairs(counters);
  } else {
    const FaceTest test(query.scene, options.clip);
    const auto faces = world_check_list(query, test, skipped ? nullptr : &regions, counters);
    clock.add_to(result.seconds.check_lists);
    const auto options_used = octree_options(query.options, query.options.self, query.options.threads);
    pairs = list_pairs_in_cells(FaceItems(test, faces), world_cube(query.scene), options_used, counters).pairs();
  }
  clock.add_to(result.seconds.cells);
  core::report(counters, result.counters, query.options.method_counters);
  test_face_pairs(query.scene, pairs, query.options.threads, result);
  clock.add_to(result.seconds.faces);
}

}  // namespace graze::classic::kitamura
