// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>
#include <utility>

#include <graze/clash/clash.hpp>

namespace graze::clash {

namespace {

constexpr std::array<std::pair<Kind, const char*>, 6> kinds{{{Kind::crossing, "crossing"},
                                                             {Kind::overlap, "overlap"},
                                                             {Kind::inside, "inside"},
                                                             {Kind::duplicate, "duplicate"},
                                                             {Kind::touching, "touching"},
                                                             {Kind::near, "near"}}};

}  // namespace

const char* name(Kind kind) {
  for (const auto& [value, text] : kinds)
    if (value == kind) return text;
  return "unknown";
}

std::optional<Kind> kind_named(std::string_view name) {
  for (const auto& [value, text] : kinds)
    if (name == text) return value;
  return std::nullopt;
}

double Clash::overlap_volume() const {
  if (overlap.empty()) return 0;
  return (overlap.hi.x - overlap.lo.x) * (overlap.hi.y - overlap.lo.y) * (overlap.hi.z - overlap.lo.z);
}

Geometry geometry(Mesh mesh) {
  const Box3 box = mesh.box();
  return {[mesh = std::move(mesh)] { return mesh; }, box};
}

}  // namespace graze::clash
