// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/core/export.hpp>

/// Options of the methods of Zachmann's thesis; each is explained on its method's page in docs/methods. Used by
/// `CollideOptions::zachmann`.
namespace graze::classic::zachmann {

struct SeparatingPlaneOptions {
  enum class Start { x_axis, barycentres, box_centres };
  Start start = Start::box_centres;
  int max_updates = 1000;     ///< rotations of the plane before the method gives up (`undecided`)
  double eta = 0.1;           ///< step width
  double relaxation = 0.995;  ///< factor applied to eta after each rotation
  bool by_badness = false;    ///< weight the step by how far the point is on the wrong side
  bool box_phase = true;      ///< only points inside both boxes (convex bodies only)
};
struct SamplingOptions {
  std::uint64_t seed = 1;
  int points = 1000;           ///< random points inside both boxes
  bool vertices_first = true;  ///< try the vertices, in random order, before the points
};
/// How the box-tree is built (Zachmann 3.6.3). A body caches the trees of the last few settings it was queried with.
struct BoxTreeBuild {
  int max_depth = 40;          ///< 0 to 64; the root has depth 0
  int min_polygons = 16;       ///< a box with at most this many triangles is not split
  double gamma = 1;            ///< penalty weight of a crossing polygon; the weight of an unbalanced one is 1
  double lambda = 0.7;         ///< reject a cut that leaves a sub-box more than this fraction of the polygons
  double thickness = 0x1p-40;  ///< half the thickness (delta) of cut-planes, relative to the body's largest extent
  int max_iterations = 10;     ///< limit of the interval bisection along one axis
  double max_penalty = 0.5;    ///< a plane with at most this penalty ends the bisection
  /// Crossing polygons are stored twice; the total stored is limited to this factor times the number of polygons.
  int max_copies = 16;
  bool empty_first = true;       ///< first try to cut off an empty sub-box of at least a third
  bool longest_edge = true;      ///< among cuts of similar penalty, take the one across the longest edge
  bool split_in_middle = false;  ///< cut in the middle only (3.6.4)
  friend bool operator==(const BoxTreeBuild&, const BoxTreeBuild&) = default;
};
struct BoxTreeOptions {
  BoxTreeBuild build = {};
  bool reuse_lines = true;         ///< reuse line parameters from the level above (3.6.1)
  bool flag_outside_edges = true;  ///< drop box edges that are permanently outside (3.6.4)
  bool axis_aligned = false;       ///< compute axis-aligned boxes on the fly instead (Figure 3.30)
  bool collect = true;             ///< drop polygons that do not reach the other leaf's box (3.6.5)
};
/// Which of the exact pre-checks of Zachmann 3.2 `brute` uses; none changes an answer.
struct BruteOptions {
  bool edge_box = true;       ///< edges against the other body's box
  bool collect_faces = true;  ///< faces against the other body's box
  bool edge_face_box = true;  ///< each edge's box against each face's box
  /// First test with one ray whether the edge's intersection point is in the polygon (3.2.2); if it may be, decide by
  /// signs.
  bool one_shot = false;
};

/// Which pre-checks of Zachmann 3.4.1 `convex` uses; none changes an answer.
struct ConvexOptions {
  bool edge_box = true;       ///< edges against the other body's box
  bool collect_faces = true;  ///< clip first by those faces that reach the other body's box
};

struct Options {
  BruteOptions brute = {};  ///< of `brute`, `relaxed` and `precheck_only`
  ConvexOptions convex = {};
  SeparatingPlaneOptions separating_plane = {};  ///< also of `dual`
  SamplingOptions sampling = {};
  BoxTreeOptions box_tree = {};
};

}  // namespace graze::classic::zachmann
