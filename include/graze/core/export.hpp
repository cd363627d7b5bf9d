// SPDX-License-Identifier: MIT
#pragma once

// MSVC defines __cplusplus as C++98 unless /Zc:__cplusplus is given; _MSVC_LANG is the actual language version.
// Including a file that does not exist stops the compilation here, so that the message is not followed by hundreds of
// others.
#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) <= 201703L
#error "graze needs C++20: compile with -std=c++20 (MSVC: /std:c++20)"
#define GRAZE_STOP_HERE <needs-cxx20>
#include GRAZE_STOP_HERE
#endif

/// Marks symbols that the shared library exports; all others have hidden visibility.
#if defined(GRAZE_STATIC) || !defined(__GNUC__)
#define GRAZE_API
#else
#define GRAZE_API __attribute__((visibility("default")))
#endif
