// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_OPENED_PART_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_OPENED_PART_INL
#undef GRAZE_QUERY_OPENED_PART_INL
#else
#define GRAZE_QUERY_OPENED_PART_INL
#endif

#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/clocks/motion_sides-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// A part, and whether its children take its place.
struct Opened {
  Opened(const body::WideTree& tree, Part p, bool large)
      : node(tree.tree.nodes[p.node_index()]),
        part(p),
        opened(large && !p.is_triangle()),
        look{opened            ? Look::At::children
             : p.is_triangle() ? Look::At::triangle
                               : Look::At::node,
             p.node_index(), static_cast<int>(p.slot())} {}
  const bvh::WideNode& node;
  Part part;
  bool opened;
  Look look;

  int count() const { return opened ? node.count : 1; }
  bool gives_triangles() const { return look.at != Look::At::node && node.bottom; }
  Part child(int i) const {
    if (!opened) return part;
    const auto k = static_cast<std::uint32_t>(i);
    return node.bottom ? Part::triangle(part.node_index(), k) : Part::node(node.first + k);
  }
};

}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#endif
