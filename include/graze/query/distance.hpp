// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/distance.hpp>.
#include <graze/ask/distance.hpp>
