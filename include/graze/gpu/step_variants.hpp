// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>

namespace graze::gpu {

/// Which of several ways a step goes. All give the same contacts. For measurements and tests, which want each way; set
/// before a mesh is made.
struct StepVariants {
  bool packed = true;       ///< boxes of 15 bits in the scene's frame; off: floats, of any scale
  bool projected = true;    ///< the sieve works in the scene's frame; off: in a frame for each pair
  bool branches = true;     ///< edges beside vertices and faces
  bool early_first = true;  ///< the earliest contact is looked for in a first part of the step before
  bool shared_rest = true;  ///< a warp decides one hard pair; off: a lane does
  int waves = 1;            ///< how often the device is filled with warps by one kernel
  int batches = 1;          ///< of 32 candidates, at least, that a warp of the sieve gets
  int stages = 1000;        ///< only so many stages are recorded, to see what each costs; the answers are wrong then
};
GRAZE_API StepVariants& step_variants();

}  // namespace graze::gpu
