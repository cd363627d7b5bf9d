// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "query/interference/body_pairs.hpp"
#include "query/interference/listed_face.hpp"

namespace graze::query {

/// What the boxes of two bodies share (Kitamura 3.3), or a body's own box where it is paired with itself. A point that
/// the two have in common lies in it.
struct OverlapRegion {
  BodyPair bodies;
  Box3 box;
};

/// The faces of a body that may meet some of the regions (Kitamura 3.4), by triangle, are added to the list. Counts
/// check_list_faces.
void add_check_list(const Scene& scene, const FaceTest& test, std::uint32_t body, std::span<const Box3> regions,
                    int threads, std::vector<ListedFace>& list, Counters& counters);

}  // namespace graze::query
