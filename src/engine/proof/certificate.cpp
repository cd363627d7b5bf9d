// SPDX-License-Identifier: MIT
#include "engine/proof/certificate.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <graze/shape/shape.hpp>

#include "core/limits.hpp"
#include "motion/description.hpp"

namespace graze::engine::proof {

namespace {

void append_number(std::string& text, double x) {
  char number[40];
  std::snprintf(number, sizeof number, " %a", x);
  text += number;
}

struct AppendKind {
  std::string& text;

  void numbers(const char* name, std::initializer_list<double> list) const {
    text += name;
    for (const double x : list) append_number(text, x);
  }
  void operator()(const shape::Sphere& s) const { numbers("sphere", {s.radius}); }
  void operator()(const shape::Capsule& c) const { numbers("capsule", {c.radius, c.length}); }
  void operator()(const shape::Box& b) const { numbers("box", {b.sides.x, b.sides.y, b.sides.z}); }
  void operator()(const shape::Cylinder& c) const { numbers("cylinder", {c.radius, c.height}); }
  void operator()(const shape::Cone& c) const { numbers("cone", {c.radius, c.height}); }
  void operator()(const shape::Ellipsoid& e) const {
    numbers("ellipsoid", {e.half_axes.x, e.half_axes.y, e.half_axes.z});
  }
  void operator()(const shape::HalfSpace&) const { numbers("halfspace", {}); }
  void operator()(const shape::Hull& h) const {
    text += "hull " + std::to_string(h.points.size());
    for (const Vec3& p : h.points) numbers("", {p.x, p.y, p.z});
  }
};

/// `as_given`: what the shape is, `body`: its triangles if it is a mesh.
void append_piece(std::string& text, const char* name, const Body& as_given, const body::BodyData& placed) {
  if (!as_given.shape()) return append_triangles(text, name, placed);
  text += std::string("shape ") + name + ' ';
  std::visit(AppendKind{text}, as_given.shape()->kind);
  append_number(text, as_given.shape()->rounding);
  text += '\n';
}

void append_body(std::string& text, const char* name, const Body& body) {
  if (body.pieces().empty()) return append_piece(text, name, body, body.data());
  text += std::string("pieces ") + name + ' ' + std::to_string(body.pieces().size()) + '\n';
  for (std::uint32_t i = 0; i < body.pieces().size(); ++i) {
    const Piece& piece = body.pieces()[i];
    text += "pose";
    motion::append(text, piece.pose);
    text += '\n';
    append_piece(text, name, piece.body, body.piece(PieceId{i}).data());
  }
}

/// The next line of `text` from `at`, which moves behind it.
std::string_view line_at(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find('\n', at);
  const std::string_view line = text.substr(at, end + 1 - at);
  at = end + 1;
  return line;
}

}  // namespace

bool can_be_stated(const motion::Path& motion_a, const motion::Path& motion_b) {
  return !motion_a.description().empty() && !motion_b.description().empty();
}

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

std::string certificate_head(int version, const motion::Path& motion_a, const motion::Path& motion_b, double until,
                             double separation) {
  // Version 4 tells a checker in advance that joints follow polynomials.
  if (motion::states_courses(motion_a.description()) || motion::states_courses(motion_b.description())) version = 4;
  std::string text = "graze-certificate " + std::to_string(version) + "\nmotion a " + motion_a.description() +
                     "\nmotion b " + motion_b.description() + "\nuntil";
  append_number(text, until);
  if (version >= 3) {
    text += "\nseparation";
    append_number(text, separation);
  }
  return text + '\n';
}

Certificate certificate_of_shapes(const Stated& stated, const std::string& steps, double until) {
  Certificate c;
  c.until = until;
  c.text = certificate_head(3, stated.motion_a, stated.motion_b, until, stated.separation);
  append_body(c.text, "a", stated.a);
  append_body(c.text, "b", stated.b);
  c.text += "proof\n" + steps + "end\n";
  return c;
}

std::string steps_until(const Certificate& certificate, double until) {
  constexpr std::string_view mark = "\nproof\n";
  const std::string_view text = certificate.text;
  std::size_t at = text.find(mark) + mark.size();
  std::string out;
  std::vector<double> open{0};  // the times from which claims are open, the next one last
  core::Poll poll;
  while (!open.empty()) {
    poll.rarely();
    const double from = open.back();
    open.pop_back();
    if (from >= certificate.until) continue;
    const std::string_view line = line_at(text, at);
    if (from < until) out += line;
    if (line[0] == 'S' || line[0] == 'T')
      open.push_back(std::strtod(line.data() + line.rfind(' '), nullptr));
    else
      open.insert(open.end(), std::strtoul(line.data() + 2, nullptr, 10), from);
  }
  return out;
}

}  // namespace graze::engine::proof
