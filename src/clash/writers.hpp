// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <graze/clash/report.hpp>

#include "io/output_file.hpp"

namespace graze::clash {

void write_csv(const Assembly& assembly, const Report& report, io::OutputFile& out);
void write_json(const Assembly& assembly, const Report& report, io::OutputFile& out);
void write_bcf(const Assembly& assembly, const Report& report, const std::string& date, io::OutputFile& out);

/// "", "new", "still".
const char* name(Change change);

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace graze::clash
