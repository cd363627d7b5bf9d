// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/step_proof.hpp>.
#include <graze/ask/step_proof.hpp>
