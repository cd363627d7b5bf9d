// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/App.hpp>
#include <graze/ask/first_contact.hpp>

#include "input/json_reader.hpp"
#include "input/query_options.hpp"

namespace graze::app {

/// The options that `first-contact` and `chain` share. Numbers are kept as text until `check`, so that they are rounded
/// to a double only once, by graze's own parser.
struct ContactOptions {
  InputOptions input;
  std::string method;  ///< empty: chosen by the library
  std::string tolerance_text, seconds_text, separation_text;
  std::optional<double> tolerance;
  double seconds = 0, min_separation = 0;
  std::uint64_t work = 0;
  bool all_features = false, all_contacts = false, clearance = false, ignore_start_if_separating = false;
  bool solid = false;
  bool json = false, exit_code = false;
};

void add_contact_options(CLI::App& command, ContactOptions& options);

/// Parses the numbers, and refuses what the library would refuse, before any file is read.
void check(ContactOptions& options);

/// The library's options. They contain views into `options`, which must outlive them.
FirstContactOptions library_options(const ContactOptions& options);

/// Write to, and read from, a query file.
void add_to_json(Json& out, const ContactOptions& options);
ContactOptions read_contact_options(JsonReader& reader);

void print_first_contact_methods();

}  // namespace graze::app
