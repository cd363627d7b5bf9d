// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/interval.hpp>
#include <graze/math/vec3.hpp>
#include <graze/motion/motion.hpp>
#include <graze/query/body.hpp>
#include <graze/query/first_contact.hpp>

namespace graze {

namespace query {
struct SurfaceData;
}

/// Three intervals: a box of points, or of vectors.
using IntervalBox3 = std::array<Interval, 3>;

/// A patch (u, v) -> point over [0, 1] x [0, 1], by inclusion functions (CONTACT 5, eq. 12). They are believed: answers
/// are certified if and only if they hold. Called from several threads at once.
class GRAZE_API ParametricPatch {
 public:
  virtual ~ParametricPatch();
  /// Holds the point of every (u, v) in the two intervals; must shrink to a point with them.
  virtual IntervalBox3 over(const Interval& u, const Interval& v) const = 0;
  /// The same for the derivatives. Without them (false) a piece is bounded by a box of its own size, with them by a
  /// parallelogram and a rest of the square of its size: contacts of smooth surfaces want them.
  virtual bool derivatives(const Interval& u, const Interval& v, IntervalBox3& by_u, IntervalBox3& by_v) const;
};

/// All points of a box at which a continuous function is zero, by inclusion functions as above.
class GRAZE_API ImplicitSurface {
 public:
  virtual ~ImplicitSurface();
  /// Holds the value of f at every point.
  virtual Interval over(const IntervalBox3& points) const = 0;
  /// The same for the gradient; false if there is none (a kink, a pole) or it is not known.
  virtual bool gradient(const IntervalBox3& points, IntervalBox3& g) const;
  /// Where the surface is looked for.
  virtual Box3 bounds() const = 0;
};

/// A tensor product Bézier patch: control point (i, j) is `points[i * (degree_v + 1) + j]`, i along u. Throws `Error`:
/// bad_option for a number of points that does not fit the degrees, or a degree that is not in 1..16; not_finite.
GRAZE_API std::shared_ptr<const ParametricPatch> bezier_patch(int degree_u, int degree_v, std::vector<Vec3> points);

/// Around the z axis; `major` is the radius of the centre line, `minor` that of the tube. Throws `Error` (bad_option).
GRAZE_API std::shared_ptr<const ImplicitSurface> torus_surface(double major, double minor);

struct SurfaceOptions {
  double leaf_size = 1.0 / 16;         ///< pieces in the tree are at most this large, as a share of the body's size
  std::size_t most_leaves = 1u << 15;  ///< or there are this many of them
};

/// A body given by patches or by an implicit surface, made ready for questions: a tree of oriented boxes around pieces
/// that are small enough, precomputed (CONTACT 5). Immutable, cheap to copy, free to share between threads.
class GRAZE_API SurfaceBody {
 public:
  /// Throws `Error`: empty_mesh without patches, or if no part of the bounds can hold a point of the surface;
  /// bad_option; not_finite if an inclusion function gives nothing finite anywhere.
  explicit SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>> patches, const SurfaceOptions& options = {});
  explicit SurfaceBody(std::shared_ptr<const ImplicitSurface> surface, const SurfaceOptions& options = {});

  /// Holds the whole surface.
  const Box3& box() const;
  std::size_t leaf_count() const;

  /// For the library's own use.
  const query::SurfaceData& data() const { return *data_; }

 private:
  std::shared_ptr<const query::SurfaceData> data_;
};

struct SurfaceContactOptions {
  std::optional<double> tolerance = {};  ///< as for bodies: 1e-6 of the smaller box's diagonal
  IntervalOptions interval = {};         ///< `partial`, `current_time`, `directional` and `subdivision` apply
  std::uint64_t work = 0;                ///< budget: at most so many tests (0: none)
};

struct SurfaceContactResult {
  Status status = Status::undecided;
  TimeBracket time;      ///< free: {1, NaN}; undecided: {t_safe, NaN}
  double gap = 0;        ///< of `points` at t_touch; NaN if there are none
  double tolerance = 0;  ///< the value used
  std::optional<TriangleId> triangle;
  std::optional<std::uint32_t> patch;         ///< of a parametric body
  IntervalBox3 where{};                       ///< the parameters (u, v), or the place in the surface's frame
  std::optional<std::array<Vec3, 2>> points;  ///< on the surface and on the mesh at t_touch, in the world, rounded
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// When does a moving surface first touch a moving mesh? `contact`: certified free before t_safe, and a certified point
/// of the surface is within the tolerance of the triangle at t_touch (0 for a start that is within it, crossing or
/// not); `free`: certified for the whole motion; `undecided`: a budget ran out, or the inclusion functions do not get
/// sharper where it matters (a surface that is not seen to change its sign, say).
GRAZE_API SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b,
                                             const Motion& motion_b, const SurfaceContactOptions& options = {});

}  // namespace graze
