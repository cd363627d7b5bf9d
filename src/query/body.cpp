// SPDX-License-Identifier: MIT
#include <graze/query/body.hpp>

#include <chrono>

#include "core/fp_guard.hpp"
#include "query/body_data.hpp"

namespace graze {

namespace query {

BodyData::BodyData(Mesh m, int threads) : mesh(std::move(m)), tree(mesh, threads) {}

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

}  // namespace query

Body::Body(Mesh mesh, const BodyOptions& options) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  auto data = std::make_shared<query::BodyData>(std::move(mesh), options.threads);
  data->build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  data_ = std::move(data);
}

const Mesh& Body::mesh() const { return data_->mesh; }
std::size_t Body::tree_bytes() const { return data_->tree.bytes(); }
double Body::build_seconds() const { return data_->build_seconds; }

}  // namespace graze
