// SPDX-License-Identifier: MIT
#include "rows/world/world.hpp"

namespace graze::bench {
namespace {

void row_one(Context& context) {
  row_world_broad_one(context);
  row_world_exact_one(context);
}

constexpr Row kWorldRows[] = {
    {"broad", "100 to 100,000 moving boxes beside Bullet and FCL", row_world_broad},
    {"choice", "few moving, sizes of all kinds: does automatic take the best broad phase?", row_world_broad_choice},
    {"prechecks", "pre-checks of the edge/polygon algorithm (Zachmann 3.2.1)", row_world_prechecks},
    {"polygon", "pre-checks of the point-in-polygon test (Zachmann 3.2.2)", row_world_polygon},
    {"convex", "clipping edges of convex bodies (Zachmann 3.4.1)", row_world_convex},
    {"plane", "separating planes: first planes, step width, turns, relaxation (Zachmann 3.4.2)", row_world_plane},
    {"sampling", "random points in closed bodies (Zachmann 3.5.1)", row_world_sampling},
    {"boxtree", "box-trees against conventional, their depth and ideas (Zachmann 3.6.5)", row_world_box_tree},
    {"cells", "octrees by depth and grids by size (Zachmann 5.4.4, 5.5.2)", row_world_broad_cells},
    {"exact", "a grid before exact tests (Zachmann 5.5.2)", row_world_exact},
    {"one", "one mover among 500 that stand still (Zachmann 5.5.2)", row_one},
    {"methods", "which method for which pair: small and convex bodies (Zachmann 7.1)", row_world_methods},
    {"parallel", "speed-up by threads: coarse, medium, fine, dual (Zachmann 6.3, 6.6)", row_world_parallel},
    {"coherence", "1,000 and 10,000 bodies, a tenth moves: what is known from the frame before", row_world_coherence},
    {"planes", "10 to 40 spheres: Kitamura against separating planes (Kitamura 5.1)", row_world_kitamura_planes},
    {"distances", "15 spheres: Kitamura against closest features (Kitamura 5.3)", row_world_kitamura_distances},
};

}  // namespace

std::span<const Row> world_rows() { return kWorldRows; }

}  // namespace graze::bench
