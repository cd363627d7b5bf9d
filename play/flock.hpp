// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <graze/ask/interference.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::play {

/// A body that flies, turns and perhaps deforms.
struct Flyer {
  Mesh mesh;
  Pose pose = {};
  Vec3 velocity = {}, spin = {};
  /// The positions of its vertices at a time, in its own coordinates; none: it is rigid.
  std::function<void(double time, std::vector<Vec3>& positions)> deform = {};
};

struct FlockReport {
  std::vector<std::vector<std::uint32_t>> touching;  ///< of each body: its triangles that touch others, sorted
  std::size_t pairs = 0;
  double seconds = 0;
};

/// Bodies that fly about in a box and may deform in any way (Kitamura 4.3): where faces touch, each body is reflected
/// by the mean normal of the faces that it met. They are looked at once a frame, so they overlap a little before they
/// part; for motion without interpenetration see `Stage`.
class Flock {
 public:
  explicit Flock(const Box3& box) : box_(box) {}
  std::size_t add(Flyer flyer);
  std::size_t size() const { return flyers_.size(); }
  const Flyer& flyer(std::size_t i) const { return flyers_[i]; }
  /// In world coordinates after `pose`; of a rigid body those of its mesh.
  const std::vector<Vec3>& positions(std::size_t i) const { return positions_[i]; }
  FlockReport step(double time);

 private:
  Vec3 normal(std::size_t body, TriangleId triangle) const;

  Box3 box_;
  double now_ = 0;
  std::vector<Flyer> flyers_;
  std::vector<std::vector<Vec3>> positions_;
  InterferenceCoherence coherence_;
};

/// Two grasping hands, a ball that swells and shrinks, a head and a shuttle: about 960 faces each at detail 1.
Flock kitamura_flock(double detail);

}  // namespace graze::play
