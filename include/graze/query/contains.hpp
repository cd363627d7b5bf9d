// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/contains.hpp>.
#include <graze/ask/contains.hpp>
