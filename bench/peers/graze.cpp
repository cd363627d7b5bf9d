// SPDX-License-Identifier: MIT
#include <memory>
#include <stdexcept>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/body/body.hpp>

#include "peers/graze_convex.hpp"
#include "peers/peers.hpp"

namespace graze::bench {
namespace {

struct Bodies {
  explicit Bodies(const Scene& scene)
      : a(scene.a), b(&scene.a.positions()[0] == &scene.b.positions()[0] ? a : Body(scene.b)), poses(scene.poses) {}

  Body a, b;
  std::vector<PosePair> poses;
  CollideOptions options;
  CollideResult result;
  DistanceResult gap;

  double collide(std::size_t i) {
    graze::collide(a, poses[i].a, b, poses[i].b, options, result);
    if (result.error) throw std::runtime_error(result.error->message);
    return result.status == Status::contact ? 1 : result.status == Status::free ? 0 : -1;
  }
  double count(std::size_t i) {
    collide(i);
    return static_cast<double>(result.pairs.size());
  }
  double distance(std::size_t i) {
    graze::distance(a, poses[i].a, b, poses[i].b, {}, gap);
    return gap.distance;
  }
  std::vector<IdPair> pairs(std::size_t i) {
    collide(i);
    std::vector<IdPair> out;
    for (const TrianglePair& pair : result.pairs) out.emplace_back(index(pair.a), index(pair.b));
    return out;
  }
};

}  // namespace

std::vector<Contestant> enter_graze(Question question, const Scene& scene) {
  if (question == Question::build) {
    return {{"graze", [mesh = scene.a](std::size_t) { return static_cast<double>(Body(mesh).tree_bytes()); }}};
  }
  if (question == Question::convex_yes_no || question == Question::convex_distance) {
    return enter_graze_convex(question, scene);
  }
  auto bodies = std::make_shared<Bodies>(scene);
  const auto pairs = [bodies](std::size_t i) { return bodies->pairs(i); };
  switch (question) {
    case Question::yes_no: return {{"graze", [bodies](std::size_t i) { return bodies->collide(i); }, pairs}};
    case Question::all_pairs:
      bodies->options.all = true;
      return {{"graze", [bodies](std::size_t i) { return bodies->count(i); }, pairs}};
    default: return {{"graze", [bodies](std::size_t i) { return bodies->distance(i); }}};
  }
}

Meets graze_meets(const Mesh& a, const Mesh& b) {
  auto bodies = std::make_shared<Bodies>(Scene{a, b, {}});
  return [bodies](const PosePair& pose) {
    bodies->poses.assign(1, pose);
    return bodies->collide(0) > 0;
  };
}

}  // namespace graze::bench
