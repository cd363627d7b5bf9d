// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/deform_bodies.hpp>.
#include <graze/ask/deform_bodies.hpp>
