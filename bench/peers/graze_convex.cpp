// SPDX-License-Identifier: MIT
#include "peers/graze_convex.hpp"

#include <memory>

#include <graze/ask/convex_distance.hpp>

namespace graze::bench {
namespace {

struct Bodies {
  explicit Bodies(const Scene& scene) : a(scene.a), b(scene.b), poses(scene.poses) {}

  ConvexBody a, b;
  std::vector<PosePair> poses;
  ConvexCoherence coherence;
  ConvexDistanceResult gap;

  double collide(std::size_t i) {
    // Unrelated poses: coherence would not help.
    const Status status = convex_collide(a, poses[i].a, b, poses[i].b).status;
    return status == Status::contact ? 1 : status == Status::free ? 0 : -1;
  }
  double distance(std::size_t i) {
    convex_distance(a, poses[i].a, b, poses[i].b, {.coherence = &coherence}, gap);
    return gap.distance;
  }
};

}  // namespace

std::vector<Contestant> enter_graze_convex(Question question, const Scene& scene) {
  auto bodies = std::make_shared<Bodies>(scene);
  if (question == Question::convex_yes_no) {
    return {{"graze", [bodies](std::size_t i) { return bodies->collide(i); }}};
  }
  return {{"graze", [bodies](std::size_t i) { return bodies->distance(i); }}};
}

}  // namespace graze::bench
