// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/deform.hpp>.
#include <graze/ask/deform.hpp>
