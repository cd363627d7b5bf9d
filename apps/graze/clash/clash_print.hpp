// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <graze/clash/report.hpp>

namespace graze::app {

/// The report as readable text: how many clashes of each kind, the first ones, what has changed.
void print(const clash::Assembly& assembly, const clash::Report& report, const clash::Result& result, std::size_t most);

/// On standard error: what could not be read or answered.
void print_problems(const clash::Assembly& assembly, const clash::Report& report);

}  // namespace graze::app
