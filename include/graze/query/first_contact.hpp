// SPDX-License-Identifier: MIT
#pragma once

/// Deprecated path, kept until 1.0: include <graze/ask/first_contact.hpp>.
#include <graze/ask/first_contact.hpp>
