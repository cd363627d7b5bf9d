// SPDX-License-Identifier: MIT
#include "classic/kitamura/interference_tree.hpp"

#include "bvh/refit.hpp"
#include "bvh/traverse.hpp"
#include "classic/kitamura/body_pairs.hpp"
#include "classic/kitamura/coherence.hpp"
#include "classic/kitamura/listed_face.hpp"
#include "classic/kitamura/scene_frame.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"

namespace graze::classic::kitamura {

namespace {

struct BodyTree {
  std::vector<Box3> boxes;  ///< of the faces
  bvh::Tree* tree;
};

SceneFrame frame_of(const Scene& scene) {
  std::vector<Box3> boxes;
  for (const PlacedBody& body : scene.bodies()) boxes.push_back(body.box);
  return SceneFrame(boxes);
}

void fit(const Scene& scene, std::uint32_t body, const SceneFrame& frame, std::optional<bvh::Tree>& tree, BodyTree& out,
         Counters& counters) {
  const auto n = static_cast<std::uint32_t>(scene[body].triangles.size());
  std::vector<bvh::BoxF> mapped(n);
  out.boxes.resize(n);
  for (std::uint32_t t = 0; t < n; ++t) {
    out.boxes[t] = face_box(scene[body], t);
    mapped[t] = frame.map(out.boxes[t]);
  }
  if (tree) {
    bvh::refit(*tree, mapped);
    counters.nodes_refitted += tree->nodes.size();
  } else {
    tree = bvh::build(mapped);
    counters.nodes_rebuilt += tree->nodes.size();
  }
  out.tree = &*tree;
}

class PairWalk {
 public:
  PairWalk(const BodyPair& bodies, const BodyTree& a, const BodyTree& b) : bodies_(bodies), a_(a), b_(b) {}

  void run() {
    core::Poll poll;
    const auto enter = [&](const bvh::Node& a, const bvh::Node& b) {
      poll.rarely();
      ++counters.node_pairs;
      return bvh::overlap(a.box, b.box);
    };
    const auto leaves = [&](const bvh::Node& a, const bvh::Node& b) {
      test_leaves(a, b);
      return bvh::Visit::proceed;
    };
    if (bodies_.a == bodies_.b)
      bvh::traverse_self(*a_.tree, enter, leaves);
    else
      bvh::traverse_pairs(*a_.tree, *b_.tree, enter, leaves);
    std::sort(pairs.begin(), pairs.end());
  }

  std::vector<FacePair> pairs;
  Counters counters;

 private:
  void test_leaves(const bvh::Node& a, const bvh::Node& b) {
    ++counters.leaf_pairs;
    const bool self = bodies_.a == bodies_.b;
    for (const std::uint32_t i : bvh::items_of(*a_.tree, a))
      for (const std::uint32_t j : bvh::items_of(*b_.tree, b)) {
        if (&a == &b && i >= j) continue;
        ++counters.box_tests;
        if (!a_.boxes[i].overlaps(b_.boxes[j])) continue;
        const bool swap = self && j < i;
        pairs.push_back({bodies_.a, bodies_.b, swap ? j : i, swap ? i : j});
      }
  }

  BodyPair bodies_;
  const BodyTree& a_;
  const BodyTree& b_;
};

}  // namespace

void InterferenceTree::run(const InterferenceQuery& query, InterferenceResult& result) {
  const Scene& scene = query.scene;
  StageClock clock;
  InterferenceCoherence mine;
  InterferenceCoherence::State& state = (query.options.coherence ? *query.options.coherence : mine).state();
  state.prepare(scene);
  const SceneFrame frame = frame_of(scene);
  std::vector<BodyTree> trees(scene.size());
  std::vector<Counters> counters(scene.size());
  core::parallel_for(scene.size(), query.options.threads, [&](std::size_t i) {
    fit(scene, static_cast<std::uint32_t>(i), frame, state.kept[i].tree, trees[i], counters[i]);
  });
  for (const Counters& c : counters) result.counters += c;
  clock.add_to(result.seconds.structures);
  const auto bodies = overlapping_bodies(scene, true, query.options.self, result.counters);
  clock.add_to(result.seconds.bodies);
  std::vector<std::optional<PairWalk>> walks(bodies.size());
  core::parallel_for(bodies.size(), query.options.threads, [&](std::size_t i) {
    walks[i].emplace(bodies[i], trees[bodies[i].a], trees[bodies[i].b]);
    walks[i]->run();
  });
  std::vector<FacePair> pairs;
  for (const std::optional<PairWalk>& walk : walks) {
    pairs.insert(pairs.end(), walk->pairs.begin(), walk->pairs.end());
    result.counters += walk->counters;
  }
  clock.add_to(result.seconds.cells);
  test_face_pairs(scene, pairs, query.options.threads, result);
  clock.add_to(result.seconds.faces);
}

}  // namespace graze::classic::kitamura
