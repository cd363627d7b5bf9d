// SPDX-License-Identifier: MIT
#pragma once

/// Marks what the shared library exports; everything else has hidden visibility.
#if defined(GRAZE_STATIC) || !defined(__GNUC__)
#define GRAZE_API
#else
#define GRAZE_API __attribute__((visibility("default")))
#endif
