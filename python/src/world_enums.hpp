// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/world/event.hpp>
#include <graze/world/questions.hpp>
#include <graze/world/world.hpp>

GRAZE_PYTHON_ENUM(graze::EventKind)
GRAZE_PYTHON_ENUM(graze::WorldRayHits)
GRAZE_PYTHON_ENUM(graze::BroadBoxes)
