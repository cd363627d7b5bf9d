// SPDX-License-Identifier: MIT
#include <array>

#include "rows/clash/clash.hpp"
#include "rows/cliffs/cliffs.hpp"
#include "rows/deform/deform.hpp"
#include "rows/rigid/rigid.hpp"
#include "rows/robot/robot.hpp"
#include "rows/rows.hpp"
#include "rows/shapes/shapes.hpp"
#include "rows/world/world.hpp"

namespace graze::bench {
namespace {

constexpr Row kRigidRows[] = {
    {"peers", "first contact of bunnies, knots and boards beside FCL", row_rigid_peers},
    {"tolerance", "best_first with tolerances from 1e-3 to 1e-8", row_rigid_tolerance},
    {"growth", "best_first with torus knots of 1,000 to 100,000 triangles", row_rigid_growth},
    {"methods", "all methods on FAST's five scenarios and its hovering scene", row_rigid_methods},
    {"contact", "CONTACT's box tests, its optimizations one at a time, a door in a car shell", row_rigid_contact},
    {"switches", "FAST's ideas switched off one at a time", row_rigid_switches},
};

constexpr Row kDeformRows[] = {
    {"elementary", "vertex/face and edge/edge queries in batches", row_deform_elementary},
    {"steps", "recorded steps: all contacts, the earliest", row_deform_steps},
    {"step_size", "how far a step may go, and the earliest contact", row_deform_step_size},
    {"filter", "ten bodies, of which a filter leaves pairs out", row_deform_filter},
    {"near", "every pair of features within a distance, at an instant", row_deform_near},
    {"rod", "a twisted rod: what the exact test of the start costs", row_deform_rod},
    {"threads", "the same steps with one thread and with two", row_deform_threads},
    {"iccd", "ICCD's tables and Fig. 15 on scenes of its kinds and sizes", row_deform_iccd},
    {"breaking", "ICCD's breaking bodies, timed while they break", row_deform_breaking},
    {"growth", "rolled cloth of 10,000 to 1,000,000 triangles", row_deform_growth},
    {"spheres", "faces that interfere: Kitamura's two spheres of 8 to 3,968 faces", row_kitamura_spheres},
    {"crowd", "Kitamura's 15 shuttles against 2, and 10 to 40 spheres", row_kitamura_many},
    {"deforming", "Kitamura's scene of deforming bodies", row_kitamura_deforming},
    {"update", "Kitamura's octree update beside his method", row_kitamura_update},
};

}  // namespace

std::span<const Row> rigid_rows() { return kRigidRows; }

std::span<const Suite> suites() {
  static const std::array<Suite, 8> all{
      {{"discrete", "do they meet, how far apart are they", "--poses", 1000, 50, "ours/it", discrete_rows(), ""},
       {"rigid", "when do moving bodies first touch", "--flights", 100, 6, "ratio", rigid_rows(), "FCL"},
       {"deform", "what deforming meshes touch in a step", "--steps", 20, 3, "ratio", kDeformRows, "none"},
       {"world", "many bodies: which are near each other, and the thesis's tables", "--frames", 40, 8, "ratio",
        world_rows(), ""},
       {"shapes", "spheres, boxes and other convex shapes beside FCL and Bullet", "--poses", 500, 40, "ours/it",
        shape_rows(), ""},
       {"clash", "clash detection in an assembly beside FCL", "--parts", 10000, 400, "ours/it", clash_rows(), "FCL"},
       {"robot", "arms in states and in motion, and planners", "--states", 1000, 40, "ratio", robot_rows(), "FCL"},
       {"cliffs", "hard cases beside ordinary ones: time over time", "--passes", 3, 1, "ratio", cliff_rows(), "none"}}};
  return all;
}

}  // namespace graze::bench
