// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/collide.hpp>.
#include <graze/ask/collide.hpp>
