// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <graze/ask/first_contact.hpp>

namespace graze::app {

/// The number of separating directions in a certificate.
std::size_t separations(const Certificate& certificate);

/// Writes the certificate of an answer. If the answer has none (contact at the start: there is nothing to prove),
/// removes the file, so that an older certificate is not mistaken for that of this answer. Throws `Error`
/// (cannot_write).
void save_certificate(const std::string& file, const FirstContactResult& result);

/// Writes the text if there is one, and removes the file otherwise.
void save_or_remove(const std::string& file, const std::string* text);

/// Writes text to a file; throws `Error` (cannot_write).
void write_file(const std::string& file, const std::string& text);

}  // namespace graze::app
