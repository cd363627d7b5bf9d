// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/body/contact.hpp>.
#include <graze/body/contact.hpp>
