// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "input/body_motion.hpp"
#include "input/contact_options.hpp"

namespace graze::app {

/// Everything that the answer to `graze first-contact` depends on.
struct FirstContactQuestion {
  std::string file_a, file_b, certificate;
  MotionKind motion = MotionKind::velocity;
  BodyMotion a, b;
  ContactOptions options;

  FirstContactOptions library_options() const {
    FirstContactOptions out = app::library_options(options);
    out.certificate = !certificate.empty();
    return out;
  }
};

/// The distance on a grid of times, and what is certified between them.
int answer_profile(const FirstContactQuestion& question, std::uint32_t intervals);

}  // namespace graze::app
