// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/many_bodies.hpp>.
#include <graze/ask/many_bodies.hpp>
