// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::bench {

/// Bodies that fall, bend and break: a break parts the triangles of a body on both sides of a plane, so that the
/// vertices between them are doubled. Triangles keep their numbers.
class BreakingScene {
 public:
  /// `body_of`: by triangle; bodies from `first_brittle` on break. `fall`: how far a frame moves them.
  BreakingScene(const Mesh& mesh, std::vector<std::uint32_t> body_of, std::uint32_t first_brittle, double fall);

  Mesh mesh() const;
  /// Where the vertices are at the end of this frame.
  std::vector<Vec3> next() const;
  /// The frame is over.
  void advance();
  /// Every brittle body breaks at one more plane. Returns how many triangles have other vertices now.
  std::size_t break_further();

 private:
  Vec3 middle(const Triangle& t) const;

  std::vector<Vec3> rest_, now_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3> velocity_;                  ///< by vertex: that of its piece, in a frame
  std::vector<std::uint32_t> body_of_, piece_;  ///< by triangle; a piece is a hash of all breaks that separated it
  std::map<std::uint32_t, Vec3> of_piece_;      ///< velocities
  std::uint32_t first_brittle_;
  double fall_;
  std::mt19937_64 random_{7};
};

/// ICCD VII.A: characters that fall into a bowl and break.
BreakingScene breaking_letters(std::size_t triangles);
/// ICCD VII.A, bunny and dragon: a body falls on a larger one, which breaks.
BreakingScene breaking_statue(std::size_t triangles);

}  // namespace graze::bench
