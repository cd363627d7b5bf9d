// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "answer.hpp"

namespace graze::app {

/// Answers every row of a CSV file of pose pairs, one JSON line a row on standard output, with a progress bar on
/// standard error if that is a terminal. The first bad row ends it: rows before it are answered, `Error` names it.
/// Returns the exit status: contact (if asked for) before undecided.
int run_batch(const std::string& file, bool exit_code, const Question& question);

}  // namespace graze::app
