// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/core/export.hpp>

namespace graze {

/// The counters of every result, each with its meaning: the units of work in which the methods of a question are
/// compared. The struct, the printing and the sums are generated from this one list.
#define GRAZE_COUNTERS(X)                                                                             \
  X(node_pairs, "pairs of tree nodes whose children were tested against each other")                  \
  X(box_tests, "box against box tests")                                                               \
  X(leaf_pairs, "pairs of leaves reached")                                                            \
  X(triangle_tests, "triangle against triangle tests, by any arithmetic")                             \
  X(float_decided, "triangle tests settled by single precision with its error bound")                 \
  X(filter_decided, "signs settled by double precision with its error bound")                         \
  X(whole_decided, "triangle tests settled in whole numbers, where placed coordinates are on a grid") \
  X(expansion_decided, "signs settled by expansions, where placed coordinates are doubles")           \
  X(rational_decided, "signs settled by exact big integers")                                          \
  X(edge_polygon_tests, "edge against polygon tests (Zachmann 3.2)")                                  \
  X(ray_tests, "ray against triangle tests (contains)")                                               \
  X(triangle_distances, "triangle to triangle distances computed")                                    \
  X(support_calls, "support points asked of convex bodies")                                           \
  X(iterations, "iterations of an iterative kernel (convex distance)")                                \
  X(motion_box_tests, "moving box against moving box: safe times computed")                           \
  X(motion_triangle_tests, "moving triangle pairs: safe times computed eight at a time")              \
  X(motion_steps, "moving triangle pairs: steps along their closest direction")                       \
  X(queue_pops, "node and triangle pairs taken from the queue of clocks (docs/design.md 4)")          \
  X(hull_distances, "distances between convex hulls (FAST 3.3)")                                      \
  X(continuous_box_tests, "continuous 15-axis tests of oriented boxes (CONTACT 4.1.2)")               \
  X(elementary_tests, "continuous vertex/face and edge/edge tests (CONTACT 4.2)")                     \
  X(swept_box_tests, "swept boxes of whole bodies compared (many bodies)")                            \
  X(orphans_updated, "orphans computed or looked at again (ICCD V.E.1)")                              \
  X(nodes_refitted, "tree nodes whose bounds were computed (ICCD VI)")                                \
  X(nodes_rebuilt, "tree nodes built or repaired after a break (ICCD VI.B)")

/// The work done for an answer. Counting never changes an answer. What only one method counts is in `MethodCounters`.
struct Counters {
#define GRAZE_X(name, meaning) std::uint64_t name = 0;
  GRAZE_COUNTERS(GRAZE_X)
#undef GRAZE_X

  Counters& operator+=(const Counters& other) {
#define GRAZE_X(name, meaning) name += other.name;
    GRAZE_COUNTERS(GRAZE_X)
#undef GRAZE_X
    return *this;
  }
};

/// A method's own counters, filled on request (`method_counters` of the options): see
/// <graze/core/method_counters.hpp>.
struct MethodCounters;

/// Calls `visit(name, meaning, value)` for every counter, in the order of the list above.
template <class Visit>
void for_each_counter(const Counters& counters, Visit&& visit) {
#define GRAZE_X(name, meaning) visit(#name, meaning, counters.name);
  GRAZE_COUNTERS(GRAZE_X)
#undef GRAZE_X
}

}  // namespace graze
