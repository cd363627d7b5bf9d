// SPDX-License-Identifier: MIT
#include "peers/graze_convex.hpp"

#include <memory>

#include <graze/query/body.hpp>
#include <graze/query/collide.hpp>
#include <graze/query/distance.hpp>

namespace graze::bench {
namespace {

struct Bodies {
  explicit Bodies(const Scene& scene) : a(scene.a), b(scene.b), poses(scene.poses) { options.solid = true; }

  Body a, b;
  std::vector<PosePair> poses;
  CollideOptions options;
  CollideResult result;
  DistanceResult gap;

  double collide(std::size_t i) {
    graze::collide(a, poses[i].a, b, poses[i].b, options, result);
    return result.status == Status::contact ? 1 : result.status == Status::free ? 0 : -1;
  }
  double distance(std::size_t i) {
    graze::distance(a, poses[i].a, b, poses[i].b, {}, gap);
    return gap.distance;
  }
};

}  // namespace

std::vector<Contestant> enter_graze_convex(Question question, const Scene& scene) {
  auto bodies = std::make_shared<Bodies>(scene);
  if (question == Question::convex_yes_no) {
    return {{"graze, solid", [bodies](std::size_t i) { return bodies->collide(i); }}};
  }
  return {{"graze", [bodies](std::size_t i) { return bodies->distance(i); }}};
}

}  // namespace graze::bench
