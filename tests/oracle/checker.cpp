// SPDX-License-Identifier: MIT
#include "oracle/checker.hpp"

#include "../../apps/graze-verify/proof.hpp"

namespace graze::oracle {

namespace {

verify::Mesh as_read(const Mesh& mesh) {
  verify::Mesh out;
  for (const Vec3& p : mesh.positions()) out.vertices.push_back({p.x, p.y, p.z});
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    for (const std::uint32_t v : mesh.polygons()[p]) out.corners.push_back(v);
    out.first.push_back(out.corners.size());
  }
  return out;
}

struct Numbers {
  verify::Shape& out;

  void operator()(const shape::Sphere& s) const { out.numbers = {s.radius}; }
  void operator()(const shape::Capsule& c) const { out.numbers = {c.radius, c.length}; }
  void operator()(const shape::Box& b) const { out.numbers = {b.sides.x, b.sides.y, b.sides.z}; }
  void operator()(const shape::Cylinder& c) const { out.numbers = {c.radius, c.height}; }
  void operator()(const shape::Cone& c) const { out.numbers = {c.radius, c.height}; }
  void operator()(const shape::Ellipsoid& e) const { out.numbers = {e.half_axes.x, e.half_axes.y, e.half_axes.z}; }
  void operator()(const shape::HalfSpace&) const {}
  void operator()(const shape::Hull& h) const {
    for (const Vec3& p : h.points) out.points.push_back({p.x, p.y, p.z});
  }
};

verify::Piece as_piece(const Body& body) {
  verify::Piece piece;
  if (!body.shape()) {
    piece.mesh = as_read(body.mesh());
    return piece;
  }
  piece.shape.emplace();
  piece.shape->kind = shape::kind_name(*body.shape());
  piece.shape->rounding = body.shape()->rounding;
  std::visit(Numbers{*piece.shape}, body.shape()->kind);
  return piece;
}

verify::Subject as_subject(const Body& body) {
  verify::Subject subject;
  subject.compound = !body.pieces().empty();
  if (!subject.compound) subject.pieces.push_back(as_piece(body));
  for (const Piece& piece : body.pieces()) {
    subject.pieces.push_back(as_piece(piece.body));
    const Vec3& t = piece.pose.translation();
    const Quat& q = piece.pose.rotation();
    subject.pieces.back().poses = {{t.x, t.y, t.z, q.w, q.x, q.y, q.z}};
  }
  return subject;
}

}  // namespace

std::string rejection(const std::string& certificate, const Body& a, const Body& b) {
  const verify::Subject of_a = as_subject(a), of_b = as_subject(b);
  verify::Proof proof(certificate, of_a, of_b);
  try {
    proof.check();
  } catch (const verify::Rejected& rejected) {
    return rejected.what();
  }
  return {};
}

}  // namespace graze::oracle
