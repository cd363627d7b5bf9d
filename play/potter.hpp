// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::play {

/// A part of a hand: a capsule around a segment, or a ball if both ends are the same point. In the hand's coordinates.
struct Tool {
  Vec3 from, to;
  double radius = 0.1;
};
/// A palm and five fingers of three parts each: 16 bodies. `size` is its length.
std::vector<Tool> whole_hand(double size);
/// The three parts of a forefinger, and its tip alone.
std::vector<Tool> forefinger(double size);
std::vector<Tool> finger_tip(double size);

enum class PushMode {
  along,   ///< the pot's surface goes with the hand
  inward,  ///< touched places go against their normals, whatever way the hand moves (Zachmann 8.1)
};

struct PotterOptions {
  PushMode mode = PushMode::along;
  double vicinity = 2;     ///< how far around a tool the surface follows, in radii of the tool
  double roughness = 0.5;  ///< the greatest allowed distance of a vertex from its neighbours' mean, in edge lengths
};

struct PressReport {
  std::size_t touched = 0;  ///< triangles that tools touched
  std::size_t moved = 0;    ///< vertices
  double seconds = 0;
};

/// A pot shaped by a virtual hand (Zachmann 8): what a tool touches is pushed, and what is around follows it smoothly.
///
/// A push is a map of space, x -> x + w(x) d, with a weight w that is 1 in the tool and falls to 0 at the edge of the
/// vicinity. Its steps are so short that |d| times the greatest slope of w stays below 1/2: then no two points of space
/// are mapped to one, and the surface cannot fold over by a push, unless its edges are longer than the vicinity. Where
/// many pushes have made it rough, vertices are moved towards their neighbours' mean, until it is no rougher than
/// `roughness` or for 60 rounds. So no spikes grow (the thesis calls them cancer; not proved, but measured by
/// `scripts/bench play --scene potter`). Only what a push moved is looked at.
class Potter {
 public:
  /// Throws `Error` (bad_option) if the mesh is not closed or the options are out of range.
  explicit Potter(const Mesh& pot, const PotterOptions& options = {});

  PotterOptions& options() { return options_; }
  const Body& body() const { return body_; }
  std::span<const Vec3> positions() const { return positions_; }
  double volume() const;
  /// The worst vertex: see `PotterOptions::roughness`.
  double roughest() const;

  /// The hand goes from one pose to another.
  PressReport press(std::span<const Tool> hand, const Pose& from, const Pose& to);

  /// Takes the last `press` that moved something back. False: there is none.
  bool undo();
  std::size_t undo_steps() const { return history_.size(); }
  /// The pot as a mesh with the polygons that it was made of: save it with `save_mesh`.
  Mesh mesh() const { return body_.mesh(); }

 private:
  struct Change {
    std::vector<std::uint32_t> vertices;
    std::vector<Vec3> before;
  };

  void push(const Tool& tool, const Vec3& way);
  void smooth(std::vector<std::uint32_t> rough);
  void set(std::uint32_t vertex, const Vec3& position);
  double roughness_of(std::uint32_t vertex) const;
  Vec3 mean_of_neighbours(std::uint32_t vertex) const;
  Vec3 normal_of(std::uint32_t vertex) const;

  PotterOptions options_;
  Body body_;
  std::vector<Vec3> positions_;
  std::vector<std::vector<std::uint32_t>> neighbours_, triangles_;  // of each vertex
  std::vector<Change> history_;
  Change change_;                     // of the press that is under way
  std::vector<std::uint32_t> noted_;  // the press in which a vertex was last noted in `change_`
  std::uint32_t press_ = 0;
};

}  // namespace graze::play
