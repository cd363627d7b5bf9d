// SPDX-License-Identifier: MIT
#pragma once

#include "scene/step_queries.hpp"

namespace graze::bench {

/// Scenes of the kinds and sizes of ICCD VII.A, each with one step of its motion.
DeformScene cloth_over_ball(std::size_t triangles);  ///< draped; its folds close while the ball rotates
DeformScene skirt(std::size_t triangles);            ///< ruffled, swinging around a body
DeformScene flamenco(std::size_t triangles);         ///< a skirt under many ruffles that swirls around a dancer
DeformScene many_balls(std::size_t triangles);       ///< hundreds, flying through each other
DeformScene letters_in_bowl(std::size_t triangles);  ///< small bodies that bend and fall into a bowl
/// A body shattered into pieces that fly apart; `breaks` is the number of slabs along each axis.
DeformScene shattered_body(std::size_t triangles, int breaks);
/// Rolled cloth that becomes uneven: few contacts, with the same density for any number of triangles.
DeformScene tightening_roll(std::size_t triangles);

}  // namespace graze::bench
