// SPDX-License-Identifier: MIT
#include "gpu/motions/mesh_upload.hpp"

#include <algorithm>
#include <cmath>

#include "body/body_data.hpp"

namespace graze::gpu {

namespace {

VectorD vector_of(const Vec3& x) { return {x.x, x.y, x.z}; }
float up(double x) { return std::nextafterf(static_cast<float>(x), INFINITY); }
float down(double x) { return std::nextafterf(static_cast<float>(x), -INFINITY); }

/// Fills in the parts of a body's tree, children before parents.
class Parts {
 public:
  Parts(const body::BodyData& data, double unit, const VectorD& centre, PartLists& out)
      : data_(data), tree_(data.tree.tree), out_(out) {
    const std::size_t nodes = tree_.nodes.size(), triangles = tree_.items.size();
    out.parts.resize(nodes + triangles);
    out.corners.resize(triangles);
    out.exact.resize(triangles);
    out.triangle.assign(tree_.items.begin(), tree_.items.end());
    near_.resize(triangles);
    for (std::size_t i = 0; i < triangles; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        out.exact[i].at[k] = vector_of(data.corner(tree_.items[i], k)) * unit;
        near_[i].at[k] = out.exact[i].at[k] - centre;
      }
    std::vector<std::uint32_t> below;
    add_node(0, below);
  }

 private:
  /// Appends the triangles below the node.
  void add_node(std::uint32_t index, std::vector<std::uint32_t>& below) {
    const bvh::WideNode& node = tree_.nodes[index];
    const std::size_t before = below.size();
    const auto nodes = static_cast<std::uint32_t>(tree_.nodes.size());
    for (std::uint32_t k = 0; k < node.count; ++k) {
      if (node.bottom)
        add_triangle(node.first + k, below);
      else
        add_node(node.first + k, below);
    }
    VectorF slab = {0, 0, 0};
    if (index > 0) {
      const body::SlabView view = data_.tree.slabs.of_node(node, index);
      slab = {*view.m[0], *view.m[1], *view.m[2]};
    }
    Part& part = out_.parts[index];
    part = bounds_of({below.begin() + static_cast<std::ptrdiff_t>(before), below.end()}, slab);
    part.first = node.bottom ? nodes + node.first : node.first;
    part.children = node.count;
    part.bottom = node.bottom;
  }

  void add_triangle(std::uint32_t item, std::vector<std::uint32_t>& below) {
    const VectorD* x = near_[item].at;
    const VectorD normal = cross(x[1] - x[0], x[2] - x[0]);
    const double size = std::sqrt(dot(normal, normal));
    Part& part = out_.parts[tree_.nodes.size() + item];
    part = bounds_of(std::span(&item, 1), size > 1e-300 ? to_float(normal * (1 / size)) : VectorF{0, 0, 0});
    part.first = item;
    part.children = 0;
    part.bottom = 0;
    for (int k = 0; k < 3; ++k) out_.corners[item].at[k] = to_float(x[k] - to_double(part.centre));
    below.push_back(item);
  }

  Part bounds_of(std::span<const std::uint32_t> items, VectorF slab) const {
    VectorD lo = near_[items[0]].at[0], hi = lo;
    for (const std::uint32_t i : items)
      for (const VectorD& x : near_[i].at) {
        lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
        hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
      }
    Part part{};
    part.centre = to_float((lo + hi) * 0.5);
    const VectorD c = to_double(part.centre);
    part.half = {up(std::max(hi.x - c.x, c.x - lo.x)), up(std::max(hi.y - c.y, c.y - lo.y)),
                 up(std::max(hi.z - c.z, c.z - lo.z))};
    const VectorD n = to_double(slab) * (1 - 0x1p-22);  // at most of length one
    part.slab = to_float(n);
    const VectorD stored = to_double(part.slab);
    double low = INFINITY, high = -INFINITY;
    for (const std::uint32_t i : items)
      for (const VectorD& x : near_[i].at) {
        const double at = dot(stored, x - c);
        low = std::min(low, at);
        high = std::max(high, at);
      }
    part.low = down(low);
    part.high = up(high);
    return part;
  }

  const body::BodyData& data_;
  const bvh::WideTreeView tree_;
  PartLists& out_;
  std::vector<CornersD> near_;  ///< relative to the frame's centre
};

}  // namespace

MeshOnDevice::MeshOnDevice(const Body& body, double unit, const Stream& stream) {
  const body::BodyData& data = body.data();
  const VectorD centre = vector_of(data.tree.frame.centre) * unit;
  const Parts make(data, unit, centre, lists_);
  parts_.upload(stream, lists_.parts);
  corners_.upload(stream, lists_.corners);
  exact_.upload(stream, lists_.exact);
  triangle_.upload(stream, lists_.triangle);
  double radius = 0, size = 0;
  for (const CornersD& c : lists_.exact)
    for (const VectorD& x : c.at) {
      const VectorD r = x - centre;
      radius = std::max(radius, dot(r, r));
      size = std::max(size, dot(x, x));
    }
  const double more = 1 + 0x1p-40;
  view_ = {parts_.data(),
           corners_.data(),
           exact_.data(),
           triangle_.data(),
           static_cast<std::uint32_t>(data.tree.tree.nodes.size()),
           centre,
           std::sqrt(radius) * more,
           std::sqrt(size) * more};
  stream.wait();
  lists_ = {};
}

}  // namespace graze::gpu
