// SPDX-License-Identifier: MIT
#include <graze/body/body.hpp>

#include <chrono>
#include <string>
#include <vector>

#include <graze/core/error.hpp>

#include "body/body_data.hpp"
#include "body/compound.hpp"
#include "body/shape_mesh.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/composed.hpp"

namespace graze {

namespace body {

BodyData::BodyData(Mesh m, int threads) : mesh(std::move(m)), tree(mesh, threads) {}

BodyData::BodyData(Mesh m, const BodyData& before, int threads) : mesh(std::move(m)), tree(mesh, before.tree, threads) {
  if (!tree.refitted) return;
  const auto positions = before.mesh.positions();
  built_at =
      before.built_at ? before.built_at : std::make_shared<const std::vector<Vec3>>(positions.begin(), positions.end());
}

// Large enough for any scene that can be answered, and small enough that a few of its coordinates can be added.
const Box3 BodyData::everywhere{{-0x1p1000, -0x1p1000, -0x1p1000}, {0x1p1000, 0x1p1000, 0x1p1000}};

BodyData::BodyData(const shape::Shape& s, int threads)
    : mesh(shape_mesh(s)),
      tree(mesh, threads),
      shape(std::make_shared<const shape::Shape>(s)),
      core(is_half_space() ? nullptr : std::make_shared<const shape::Core>(s)) {}

namespace {

/// The same polygons at the pose, rounded.
Mesh placed_mesh(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> positions;
  positions.reserve(mesh.vertex_count());
  for (const Vec3& p : mesh.positions()) positions.push_back(pose.apply(p));
  return {std::move(positions), mesh.polygons(), mesh.groups()};
}

/// Of a curved shape: the box of its core and radius, widened by more than the error of support points.
Box3 box_around(const shape::Core& core) {
  const double wider = core.radius + 0x1p-40 * core.reach();
  Box3 box;
  for (int k = 0; k < 3; ++k) {
    Vec3 n;
    n[k] = 1;
    box.lo[k] = core.furthest(-n)[k] - wider;
    box.hi[k] = core.furthest(n)[k] + wider;
  }
  return box;
}

/// Of a curved piece. One that was taken from a compound is not placed twice: its poses are composed.
std::optional<Pose> place_of(const BodyData& piece, const Pose& pose) {
  if (!piece.is_curved()) return std::nullopt;
  return piece.placed_at ? math::composed(pose, *piece.placed_at) : pose;
}

std::shared_ptr<const shape::Core> placed_core(const shape::Shape& shape, const Pose& pose) {
  auto core = std::make_shared<shape::Core>(shape);
  core->place(pose);
  return core;
}

std::shared_ptr<const shape::Shape> hull_of(const Mesh& mesh) {
  return std::make_shared<const shape::Shape>(shape::Hull{{mesh.positions().begin(), mesh.positions().end()}});
}

Box3 box_of(const CompoundData& parts) { return parts.nodes[0].box; }

}  // namespace

BodyData::BodyData(const BodyData& piece, const Pose& pose, int threads)
    : mesh(piece.is_curved() ? box_mesh(box_around(*placed_core(*piece.shape, *place_of(piece, pose))))
                             : placed_mesh(piece.mesh, pose)),
      tree(mesh, threads),
      shape(!piece.shape || piece.is_curved() ? piece.shape : hull_of(mesh)),
      core(!piece.shape        ? nullptr
           : piece.is_curved() ? placed_core(*shape, *place_of(piece, pose))
                               : std::make_shared<const shape::Core>(*shape)),
      placed_at(place_of(piece, pose)) {}

BodyData::BodyData(std::shared_ptr<const CompoundData> parts)
    : mesh(box_mesh(box_of(*parts))), tree(mesh, 1), compound(std::move(parts)) {}

BodyData::BodyData(std::shared_ptr<const SurfaceBody> s, const Box3& box, std::string text)
    : mesh(box_mesh(box)), tree(mesh, 1), surface(std::move(s)), surface_text(std::move(text)) {}

std::vector<std::uint8_t> BodyData::find_inner_edges() const {
  std::vector<std::uint8_t> bits(mesh.triangle_count(), 0);
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    const auto [first, last] = mesh.triangles_of(PolygonId{p});
    if (last - first < 2 || !mesh.is_planar(PolygonId{p})) continue;
    for (std::uint32_t t = first; t < last; ++t)
      for (int k = 0; k < 3; ++k)
        if (mesh.is_diagonal(TriangleId{t}, k)) bits[t] = static_cast<std::uint8_t>(bits[t] | 1u << k);
  }
  return bits;
}

}  // namespace body

Body::Body(Mesh mesh, const BodyOptions& options) {
  const core::FpGuard guard;
  core::throw_if(core::bad_threads(options.threads));
  if (mesh.polygon_count() == 0)
    throw Error(core::problem(ErrorCode::empty_mesh, "mesh",
                              "a body is a surface and needs a polygon; loose edges and points are for `Deformable`"));
  const auto start = std::chrono::steady_clock::now();
  auto data = std::make_shared<body::BodyData>(std::move(mesh), options.threads);
  data->build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  data_ = std::move(data);
}

Body::Body(const shape::Shape& shape, const BodyOptions& options) {
  const core::FpGuard guard;
  core::throw_if(core::bad_threads(options.threads));
  const auto start = std::chrono::steady_clock::now();
  shape::check(shape);
  auto data = std::make_shared<body::BodyData>(shape, options.threads);
  data->build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  data_ = std::move(data);
}

Body Body::deformed(std::span<const Vec3> positions, const BodyOptions& options) const {
  const core::FpGuard guard;
  core::throw_if(core::bad_threads(options.threads));
  const auto start = std::chrono::steady_clock::now();
  if (data_->compound)
    throw Error(core::problem(ErrorCode::unsupported, "body",
                              "a compound is not deformed: deform its piece, and make a compound of it again"));
  if (data_->shape)
    throw Error(core::problem(ErrorCode::unsupported, "body",
                              "a shape is not deformed: make a body of its mesh(), which is a surface then"));
  if (data_->surface)
    throw Error(core::problem(ErrorCode::unsupported, "body",
                              "a surface given by functions is not deformed: make a body of the changed surface"));
  if (positions.size() != mesh().vertex_count())
    throw Error(core::problem(ErrorCode::bad_option, "positions",
                              "a deformed body keeps its polygons and needs as many positions as it has vertices, " +
                                  std::to_string(mesh().vertex_count()) + ", not " + std::to_string(positions.size())));
  auto data = std::make_shared<body::BodyData>(
      Mesh(std::vector<Vec3>(positions.begin(), positions.end()), mesh().polygons(), mesh().groups(), mesh().loose()),
      *data_, options.threads);
  data->build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Body body = *this;
  body.data_ = std::move(data);
  return body;
}

bool Body::is_refitted() const { return data_->tree.refitted; }
bool Body::has_mesh() const {
  return !data_->compound && !data_->surface && !data_->is_curved() && !data_->is_half_space();
}
const SurfaceBody* Body::surface() const { return data_->surface.get(); }
const Mesh& Body::mesh() const {
  if (data_->compound)
    throw Error(core::problem(ErrorCode::unsupported, "body",
                              "the body is a compound and has no mesh of its own; ask its pieces()"));
  if (data_->surface)
    throw Error(core::problem(ErrorCode::unsupported, "body",
                              "the body is a surface given by functions and has no mesh; ask its surface()"));
  if (!has_mesh())
    throw Error({.code = ErrorCode::unsupported,
                 .message = "the body is a " + std::string(shape::kind_name(*data_->shape)) +
                            (data_->is_half_space() ? "" : ", which is curved or rounded") +
                            " and has no mesh; ask its shape()",
                 .element = "body",
                 .id = ErrorDetail::none,
                 .file = {},
                 .line = ErrorDetail::none});
  return data_->mesh;
}
const Box3& Body::box() const { return data_->box(); }
const shape::Shape* Body::shape() const { return data_->shape.get(); }
std::size_t Body::tree_bytes() const {
  std::size_t sum = data_->tree.bytes();
  if (data_->compound)
    for (const Body& piece : data_->compound->placed) sum += piece.tree_bytes();
  return sum;
}
double Body::build_seconds() const { return data_->build_seconds; }

}  // namespace graze
