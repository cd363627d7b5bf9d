// SPDX-License-Identifier: MIT
#include "engine/first_contact/certificate.hpp"

#include <cstdio>

#include "core/limits.hpp"

namespace graze::engine::first_contact {

namespace {

/// Triangles in the order of the tree, as polygon and vertices. The ranges of the proof count them.
void append_triangles(std::string& text, const char* name, const body::BodyData& body) {
  const Mesh& mesh = body.mesh;
  text += std::string("triangles ") + name + ' ' + std::to_string(mesh.triangle_count()) + '\n';
  std::vector<std::uint32_t> stack{0};
  core::Poll poll;
  while (!stack.empty()) {
    poll.rarely();
    const bvh::WideNode& n = body.tree.tree.nodes[stack.back()];
    stack.pop_back();
    if (!n.bottom) {
      for (std::uint32_t k = n.count; k-- > 0;) stack.push_back(n.first + k);
      continue;
    }
    for (std::uint32_t k = 0; k < n.count; ++k) {
      const std::uint32_t t = body.tree.triangle(n.first + k);
      const Triangle& c = mesh.triangles()[t];
      text += std::to_string(index(mesh.polygon_of(TriangleId{t}))) + ' ' + std::to_string(c[0]) + ' ' +
              std::to_string(c[1]) + ' ' + std::to_string(c[2]) + '\n';
    }
  }
}

}  // namespace

std::optional<Certificate> write_certificate(const Flight& f, const proof::Proof& proof, double until) {
  if (f.motion_a.description().empty() || f.motion_b.description().empty()) return std::nullopt;
  Certificate c;
  c.until = until;
  char number[40];
  std::snprintf(number, sizeof number, "%a", until);
  // Version 2 tells a checker in advance that there are turning directions, which version 1 does not have.
  c.text = std::string("graze-certificate ") + (proof.turns() ? "2" : "1") + "\nmotion a " + f.motion_a.description() +
           "\nmotion b " + f.motion_b.description() + "\nuntil " + number + '\n';
  append_triangles(c.text, "a", f.a);
  append_triangles(c.text, "b", f.b);
  c.text += "proof\n" + proof.text(until) + "end\n";
  return c;
}

}  // namespace graze::engine::first_contact
