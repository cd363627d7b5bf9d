// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "engine/distance/candidates.hpp"
#include "math/sharp_placement.hpp"
#include "prim/closest/sharp.hpp"

namespace graze::engine::distance {

/// The nearest of some candidates and its distance, from brackets to twice a double's length: what doubles cannot
/// settle where large triangles are very near, for a hundredth of what whole numbers cost.
class SharpList {
 public:
  explicit SharpList(const DistanceQuery& q);

  struct Nearest {
    Candidate candidate;
    double distance;
  };
  /// None if the brackets do not show the least distance to the relative error, or not that it is positive. A pure
  /// function of the list.
  std::optional<Nearest> nearest(const CandidateList& list, double relative_error, Counters& counters);

 private:
  /// A corner at its position, and its coordinate along the current direction.
  struct Corner {
    std::uint32_t vertex = none;
    math::DoubleDoubleVec3 place;
    std::optional<math::DoubleDouble> along;
  };
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t kept = 32;  ///< corners of either body that are remembered

  Corner& corner(bool of_b, std::uint32_t vertex);
  const math::DoubleDouble& along(bool of_b, std::uint32_t vertex, const prim::SharpDirection& d);
  void forget_directions();
  std::optional<prim::SharpBracket> bracket(const Candidate& c);
  double lower_along(const Candidate& c, const prim::SharpDirection& d);

  const DistanceQuery& q_;
  math::SharpPlacement placement_;
  double size_, error_;
  bool usable_;
  std::array<Corner, kept> a_, b_;
};

}  // namespace graze::engine::distance
