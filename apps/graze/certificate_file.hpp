// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <graze/query/first_contact.hpp>

namespace graze::app {

/// How many separating directions a certificate is made of.
std::size_t separations(const Certificate& certificate);

/// Writes the certificate of an answer. An answer without one (in contact at the start: there is nothing to prove)
/// removes the file, so that an older proof is not taken for this answer's. Throws `Error` (cannot_write).
void save_certificate(const std::string& file, const FirstContactResult& result);

/// Writes the text if there is one, and removes the file otherwise.
void save_or_remove(const std::string& file, const std::string* text);

/// Writes text to a file; throws `Error` (cannot_write).
void write_file(const std::string& file, const std::string& text);

}  // namespace graze::app
