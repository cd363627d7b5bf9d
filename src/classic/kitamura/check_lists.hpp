// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "classic/kitamura/body_pairs.hpp"
#include "classic/kitamura/listed_face.hpp"

namespace graze::classic::kitamura {

/// The intersection of the boxes of two bodies (Kitamura 3.3), or a body's own box if it is paired with itself. It
/// contains every common point of the two.
struct OverlapRegion {
  BodyPair bodies;
  Box3 box;
};

/// Adds the faces of a body that may meet some of the regions (Kitamura 3.4), by triangle, to the list. Counts
/// check_list_faces.
void add_check_list(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                    int threads, std::vector<ListedFace>& list, AllCounters& counters);

}  // namespace graze::classic::kitamura
