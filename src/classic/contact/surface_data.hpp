// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <graze/ask/surface.hpp>

#include "classic/contact/interval_tree.hpp"

namespace graze::classic::contact {

/// Points whose hull, widened by a radius, contains a piece of a surface.
struct SurfaceHull {
  std::array<Vec3, 8> points;
  int count = 0;
  double radius = 0;
  bool flat = false;  ///< it is thin perpendicular to both of these directions
  std::array<Vec3, 2> along{};

  void add(const Vec3& p) { points[static_cast<std::size_t>(count++)] = p; }
  /// The centre of the points.
  Vec3 centre() const;
  double size() const;
};

/// A piece: a patch and a box of its parameters (the third interval unused), or a box in space.
struct SurfaceCell {
  std::uint32_t patch = 0;
  IntervalBox3 box{};
};

/// A certified point of the surface: within `radius` of `point`.
struct SurfacePoint {
  Vec3 point;
  double radius = 0;
  SurfaceCell at;  ///< the cell shrunk to it: its parameters, or the point itself
};

/// The subdivision of the two kinds of surfaces into pieces.
class SurfaceSource {
 public:
  virtual ~SurfaceSource() = default;
  virtual std::vector<SurfaceCell> roots() const = 0;
  /// False if the cell certainly contains no point of the surface.
  virtual bool enclose(const SurfaceCell& cell, SurfaceHull& hull) const = 0;
  virtual std::array<SurfaceCell, 2> halves(const SurfaceCell& cell) const = 0;
  /// Some point of the surface in the cell or next to it, if one is certified.
  virtual std::optional<SurfacePoint> point(const SurfaceCell& cell) const = 0;
  /// The same, close to `to` if possible: about the point of the cell that is closest to it.
  virtual std::optional<SurfacePoint> near(const SurfaceCell& cell, const Vec3& to) const = 0;
  /// The unit normal there, rounded; none if it is not known or undefined.
  virtual std::optional<Vec3> normal(const SurfacePoint& p) const = 0;
  /// Can the cell be halved further?
  virtual bool divisible(const SurfaceCell& cell) const = 0;
  /// The same surface in a world whose lengths are 2^exponent times as large.
  virtual std::unique_ptr<const SurfaceSource> scaled(int exponent) const = 0;
};

std::unique_ptr<const SurfaceSource> parametric_source(std::vector<std::shared_ptr<const ParametricPatch>> patches);
std::unique_ptr<const SurfaceSource> implicit_source(std::shared_ptr<const ImplicitSurface> surface);

/// Words that make the surface again; empty if it is given by functions of the caller: `torus R r`, or `patches n`, and
/// of each patch both degrees and its points. Numbers are hexadecimal, so that they are exact.
std::string text_of(const ImplicitSurface& surface);
std::string text_of(const std::vector<std::shared_ptr<const ParametricPatch>>& patches);

/// The data of a SurfaceBody.
struct SurfaceData {
  /// Throws `Error` as the constructors of SurfaceBody do.
  SurfaceData(std::unique_ptr<const SurfaceSource> from, bool parametric, const SurfaceOptions& options);

  struct Leaf {
    SurfaceCell cell;
    SurfaceHull hull;
  };
  std::unique_ptr<const SurfaceSource> source;
  bool is_parametric;
  SurfaceOptions made_with;
  std::vector<Leaf> leaves;
  Box3 box;
  IntervalTree tree;  ///< its items are the leaves
  std::string text;   ///< of Bezier patches or a torus: what makes them again (`text_of`)
};

}  // namespace graze::classic::contact
