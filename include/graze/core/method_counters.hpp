// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include <graze/core/counters.hpp>

namespace graze {

/// The counters of single methods, each with its meaning. Not part of any result: pass a `MethodCounters` in the
/// options to get them.
#define GRAZE_METHOD_COUNTERS(X)                                                                           \
  X(precheck_edge_box, "edges dropped because they miss the other body's box (Zachmann 3.2)")              \
  X(precheck_face_box, "faces dropped by the collect phase (Zachmann 3.2)")                                \
  X(precheck_edge_face_box, "edge/face pairs dropped by their boxes (Zachmann 3.2)")                       \
  X(relaxed_vertices, "vertices whose faces the relaxed collect phase took (Zachmann 3.2.1)")              \
  X(clipped_edges, "edges clipped by a convex body (Zachmann 3.4.1)")                                      \
  X(clip_steps, "half spaces that an edge was clipped by (Zachmann 3.4.1)")                                \
  X(plane_updates, "turns of the separating plane (Zachmann 3.4.2)")                                       \
  X(plane_passes, "passes over all points by the separating plane (Zachmann 3.4.2)")                       \
  X(plane_reused, "queries that the remembered separating plane settled at once (Zachmann 3.4.2)")         \
  X(sampled_vertices, "vertices tried as witnesses by sampling (Zachmann 3.5)")                            \
  X(sampled_points, "random points tried as witnesses by sampling (Zachmann 3.5)")                         \
  X(box_tree_splits, "boxes split during the box-tree traversal (Zachmann 3.6.1)")                         \
  X(box_tree_outside_edges, "box edges flagged outside and never touched again (Zachmann 3.6.4)")          \
  X(box_tree_line_parameters, "parameters of box edges where they meet a plane, computed (3.6.1)")         \
  X(box_tree_lines_kept, "clipped box edges taken over from the level above (3.6.1)")                      \
  X(box_tree_repeats, "edge/polygon pairs met again in another pair of leaves and not tested twice")       \
  X(polygon_precheck_1, "point in polygon: edge left of the ray's start (Zachmann 3.2.2)")                 \
  X(polygon_precheck_2, "point in polygon: edge above the ray")                                            \
  X(polygon_precheck_3, "point in polygon: edge below the ray")                                            \
  X(polygon_precheck_4, "point in polygon: edge right of the ray's start")                                 \
  X(polygon_precheck_5, "point in polygon: edge above the upper diagonal")                                 \
  X(polygon_precheck_6, "point in polygon: edge below the lower diagonal")                                 \
  X(polygon_exact, "point in polygon: edges that needed the intersection parameter")                       \
  X(clip_forgotten, "half spaces dropped by the collect phase that the first kept edge was clipped by")    \
  X(plane_box_points, "points that the box phase of the separating plane looked at (Zachmann 3.4.2)")      \
  X(polygon_search_steps, "steps of a search in a convex polygon (Zachmann 3.3)")                          \
  X(box_clip_box_apart, "triangle/box tests settled by the triangle's box (Kitamura 3.7)")                 \
  X(box_clip_vertex_inside, "triangle/box tests settled by a corner in the box (Kitamura 3.7)")            \
  X(box_clip_point_inside, "triangle/box tests settled by a cut point in a face (Kitamura 3.7)")           \
  X(box_clip_whole, "triangle/box tests that clipped to the end (Kitamura 3.7)")                           \
  X(box_clip_exact, "triangle/box tests that needed exact numbers")                                        \
  X(motion_solved, "moving triangle pairs solved from t = 0")                                              \
  X(finished_by_parting, "pairs finished for good along a direction that never closes (docs/design.md 4)") \
  X(advancement_steps, "advancement steps of the whole body (FAST Algorithm 2)")                           \
  X(front_pairs, "front pairs that bounded a step (FAST 5.1)")                                             \
  X(front_reused, "front pairs taken over from the last step or query (FAST 5.1)")                         \
  X(hill_climb_steps, "steps of hill climbing in support queries (FAST 4.2)")                              \
  X(discrete_box_tests, "discrete tests that saved a continuous one (CONTACT 6)")                          \
  X(time_subdivisions, "time intervals halved by the subdivision test (CONTACT 4.1.2)")                    \
  X(edge_axes, "edge axes tested (CONTACT 6, partial tests)")                                              \
  X(root_bisections, "time intervals halved by elementary tests (CONTACT 4.2)")                            \
  X(current_time_cuts, "tests cut short by the current collision time (CONTACT 6)")                        \
  X(table_reused, "terminal pairs taken from the coherence table (CONTACT 6)")                             \
  X(reach_tests, "pairs tested by how far they reach while they turn, over many turns at once")            \
  X(patch_cones, "patches whose normal cone proved them free of self-contact (ICCD IV.B)")                 \
  X(contour_tests, "continuous contour tests of patches (ICCD IV.C)")                                      \
  X(contour_culled, "patches that the contour test proved free of self-contact (ICCD IV.C)")               \
  X(contour_edge_tests, "planar edge/edge tests of contours (ICCD IV.C)")                                  \
  X(contour_projections_cached, "projections of contour vertices taken from the cache (ICCD IV.C)")        \
  X(feature_pairs, "feature pairs that overlapping triangles would test without representatives")          \
  X(representative_pairs, "feature pairs left by representative triangles (ICCD Algorithms 1, 2)")         \
  X(bound_culled, "feature pairs apart by their own bounds at both ends of the step (docs/design.md 4)")   \
  X(orphan_tests, "elementary tests of orphans (ICCD V)")                                                  \
  X(overlap_regions, "overlap regions of body boxes (Kitamura 3.3)")                                       \
  X(check_list_faces, "faces put on check-lists (Kitamura 3.4)")                                           \
  X(octree_cells, "cells of the face octree visited (Kitamura 3.5)")                                       \
  X(octree_face_tests, "faces tested against cells (Kitamura 3.6)")                                        \
  X(octree_repeats, "face pairs met again in another cell and not tested twice (Kitamura 3.5)")            \
  X(octree_nodes_placed, "precomputed octree nodes placed anew (Kitamura 5.2)")

/// Work that only one method, or one paper, knows. A question whose options point to an object of this type replaces
/// its values, also if it refuses to answer; a question without the pointer does the same work and gives the same
/// answer. Like a result, the object belongs to one question at a time.
struct MethodCounters {
#define GRAZE_X(name, meaning) std::uint64_t name = 0;
  GRAZE_METHOD_COUNTERS(GRAZE_X)
#undef GRAZE_X

  MethodCounters& operator+=(const MethodCounters& other) {
#define GRAZE_X(name, meaning) name += other.name;
    GRAZE_METHOD_COUNTERS(GRAZE_X)
#undef GRAZE_X
    return *this;
  }
};

/// Calls `visit(name, meaning, value)` for every counter, in the order of the list above.
template <class Visit>
void for_each_counter(const MethodCounters& counters, Visit&& visit) {
#define GRAZE_X(name, meaning) visit(#name, meaning, counters.name);
  GRAZE_METHOD_COUNTERS(GRAZE_X)
#undef GRAZE_X
}

/// All counters together: `AllCounters{result.counters, method_counters}`. The library itself counts in this type.
struct AllCounters : Counters, MethodCounters {
  AllCounters& operator+=(const AllCounters& other) {
    Counters::operator+=(other);
    MethodCounters::operator+=(other);
    return *this;
  }
  /// Adds the work of a question of which no method counters were requested.
  AllCounters& operator+=(const Counters& other) {
    Counters::operator+=(other);
    return *this;
  }
};

/// Calls `visit(name, meaning, value)` for every counter: first those of every result, then the methods' own.
template <class Visit>
void for_each_counter(const AllCounters& counters, Visit&& visit) {
  for_each_counter(static_cast<const Counters&>(counters), visit);
  for_each_counter(static_cast<const MethodCounters&>(counters), std::forward<Visit>(visit));
}

}  // namespace graze
