// SPDX-License-Identifier: MIT
#include <graze/ask/surface.hpp>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ask/surfaces/partner.hpp"
#include "ask/surfaces/surface_text.hpp"
#include "body/body_data.hpp"
#include "classic/contact/surface_data.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"

namespace graze {

Body::Body(const SurfaceBody& surface)
    : data_(std::make_shared<const body::BodyData>(std::make_shared<const SurfaceBody>(surface), surface.box(),
                                                   surface.data().text)) {}

void first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                   const SurfaceContactOptions& options, SurfaceContactResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  ask::SurfaceAnswer answer;
  answer.contact.time.touch = answer.contact.gap = unknown;
  if (!b.pieces().empty()) {
    core::refuse(answer.contact,
                 core::problem(ErrorCode::unsupported, "body",
                               "a compound is asked with Body(surface), which tells the piece, or piece by piece"));
  } else {
    core::Limits limits(options.cancel, options.budget);
    const bool ended =
        core::run_within(limits, [&](core::Limits*) { ask::ask_surface(a, motion_a, b, motion_b, options, answer); });
    SurfaceContactResult& r = answer.contact;
    if (!ended && (r.status == Status::contact || r.status == Status::free)) {  // whether it starts inside is not known
      const Counters counters = r.counters;
      r = {};
      r.counters = counters;
      r.time.touch = r.gap = unknown;
    }
    core::leave_if_outer_ended(limits);
  }
  result = std::move(answer.contact);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                   const SurfaceContactOptions& options) {
  SurfaceContactResult result;
  first_contact(a, motion_a, b, motion_b, options, result);
  return result;
}

void first_contact(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b, const Motion& motion_b,
                   const SurfaceContactOptions& options, SurfaceContactResult& result) {
  first_contact(a, motion_a, Body(b), motion_b, options, result);
}

SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b,
                                   const Motion& motion_b, const SurfaceContactOptions& options) {
  SurfaceContactResult result;
  first_contact(a, motion_a, b, motion_b, options, result);
  return result;
}

namespace ask {

namespace {

[[noreturn]] void refuse_text() {
  throw Error(core::problem(ErrorCode::bad_option, "surface", "the words do not describe a surface"));
}

double number(std::istream& words) {
  std::string word;
  if (!(words >> word)) refuse_text();
  char* end = nullptr;
  const double x = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != 0) refuse_text();
  return x;
}

std::size_t whole(std::istream& words, std::size_t most) {
  const double x = number(words);
  if (!(x >= 0 && x <= static_cast<double>(most)) || x != std::floor(x)) refuse_text();
  return static_cast<std::size_t>(x);
}

}  // namespace

Body surface_from_text(const std::string& text) {
  std::istringstream words(text);
  std::string kind;
  words >> kind;
  if (kind == "torus") {
    const double major = number(words), minor = number(words);
    return Body(SurfaceBody(torus_surface(major, minor)));
  }
  if (kind != "patches") refuse_text();
  std::vector<std::shared_ptr<const ParametricPatch>> patches;
  for (std::size_t left = whole(words, 1u << 24); left > 0; --left) {
    const std::size_t u = whole(words, 16), v = whole(words, 16);
    std::vector<Vec3> points((u + 1) * (v + 1));
    for (Vec3& p : points)
      for (int k = 0; k < 3; ++k) p[k] = number(words);
    patches.push_back(bezier_patch(static_cast<int>(u), static_cast<int>(v), std::move(points)));
  }
  return Body(SurfaceBody(std::move(patches)));
}

}  // namespace ask

}  // namespace graze
