// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <graze/ask/first_contact.hpp>

namespace graze::oracle {

/// Runs the independent checker (apps/graze-verify) on a certificate for two bodies. Empty: verified; otherwise why it
/// was rejected.
std::string rejection(const std::string& certificate, const Body& a, const Body& b);
inline std::string rejection(const Certificate& certificate, const Body& a, const Body& b) {
  return rejection(certificate.text, a, b);
}

}  // namespace graze::oracle
