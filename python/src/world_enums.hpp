// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/world/event.hpp>

GRAZE_PYTHON_ENUM(graze::EventKind)
