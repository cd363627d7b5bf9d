// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/method_options.hpp>
#include <graze/core/status.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/interval.hpp>
#include <graze/math/vec3.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

namespace classic::contact {
struct SurfaceData;
}

/// Three intervals: an axis-aligned box of points or vectors.
using IntervalBox3 = std::array<Interval, 3>;

/// A patch (u, v) -> point over [0, 1] x [0, 1], given by inclusion functions (CONTACT 5, eq. 12). The library does not
/// verify them: answers are certified if and only if they are correct. They are called from several threads
/// concurrently.
class GRAZE_API ParametricPatch {
 public:
  virtual ~ParametricPatch();
  /// Contains the point of every (u, v) in the two intervals. Must shrink to a point as the intervals do.
  virtual IntervalBox3 over(const Interval& u, const Interval& v) const = 0;
  /// The same for the derivatives. Without them (false), a piece is bounded by a box of its own size; with them, by a
  /// parallelogram and a remainder that is quadratic in its size. Implement them for contacts of smooth surfaces.
  virtual bool derivatives(const Interval& u, const Interval& v, IntervalBox3& by_u, IntervalBox3& by_v) const;
};

/// All points of a box at which a continuous function f is zero, given by inclusion functions as above.
class GRAZE_API ImplicitSurface {
 public:
  virtual ~ImplicitSurface();
  /// Contains the value of f at every point of the box.
  virtual Interval over(const IntervalBox3& points) const = 0;
  /// The same for the gradient; false if it does not exist (a kink, a pole) or is not known.
  virtual bool gradient(const IntervalBox3& points, IntervalBox3& g) const;
  /// The region in which the surface is searched for.
  virtual Box3 bounds() const = 0;
};

/// A tensor product Bézier patch: control point (i, j) is `points[i * (degree_v + 1) + j]`, i along u. Throws `Error`:
/// bad_option if the number of points does not match the degrees, or a degree is not in 1..16; not_finite.
GRAZE_API std::shared_ptr<const ParametricPatch> bezier_patch(int degree_u, int degree_v, std::vector<Vec3> points);

/// A torus around the z axis; `major` is the radius of the centre line, `minor` that of the tube. Throws `Error`
/// (bad_option).
GRAZE_API std::shared_ptr<const ImplicitSurface> torus_surface(double major, double minor);

struct SurfaceOptions {
  double leaf_size = 1.0 / 16;         ///< maximum size of the pieces in the tree, as a fraction of the body's size
  std::size_t most_leaves = 1u << 15;  ///< subdivision also stops at this number of pieces
};

/// A body given by patches or by an implicit surface, prepared for queries: a precomputed tree of oriented boxes around
/// sufficiently small pieces (CONTACT 5). Immutable, cheap to copy and thread-safe.
class GRAZE_API SurfaceBody {
 public:
  /// Throws `Error`: empty_mesh without patches, or if no part of the bounds can hold a point of the surface;
  /// bad_option; not_finite if an inclusion function returns nothing finite anywhere.
  explicit SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>> patches, const SurfaceOptions& options = {});
  explicit SurfaceBody(std::shared_ptr<const ImplicitSurface> surface, const SurfaceOptions& options = {});

  /// Contains the whole surface.
  const Box3& box() const;
  std::size_t leaf_count() const;

  /// For internal use.
  const classic::contact::SurfaceData& data() const { return *data_; }

 private:
  std::shared_ptr<const classic::contact::SurfaceData> data_;
};

struct SurfaceContactOptions {
  std::optional<double> tolerance = {};  ///< as for bodies: 1e-6 of the smaller box's diagonal
  /// A safety distance, 0 or more: contact means at most this far apart. `free`, and the time before t_safe, are
  /// certified farther apart than this; at t_touch they are at most this and the tolerance apart.
  double min_separation = 0;
  /// `partial`, `current_time`, `directional` and `subdivision` apply.
  MethodOptions<classic::contact::IntervalOptions> interval = {};
  // Limits: see `CancelToken`. A step is a test of two boxes over a time interval.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  /// If set: filled with the method's own counters.
  MethodCounters* method_counters = nullptr;
};

struct SurfaceContactResult {
  Status status = Status::undecided;
  TimeBracket time;                    ///< free: {1, NaN}; undecided: {t_safe, NaN}
  double gap = 0;                      ///< of `points` at t_touch; NaN if there are none
  double tolerance = 0;                ///< the value used
  std::optional<TriangleId> triangle;  ///< of B, if B is a mesh
  // The certified point of A: `where` holds its parameters (u, v), or, for an implicit surface, the point itself, in
  // the surface's frame.
  std::optional<std::uint32_t> patch;  ///< of a parametric A
  IntervalBox3 where{};
  // The same of B, if B is a surface too.
  std::optional<std::uint32_t> patch_b;
  IntervalBox3 where_b{};
  /// On A and on B at t_touch, in world coordinates, rounded.
  std::optional<std::array<Vec3, 2>> points;
  /// Unit, from A to B: along `points`; where these are too close for that, along the normal of a surface, towards the
  /// body that it approaches. Rounded, not certified. None where undefined: points that coincide at the start, or where
  /// the functions give no derivatives.
  std::optional<Vec3> normal;
  std::optional<ContactDirection> direction;  ///< with a normal
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// When does a moving surface first touch a moving mesh? `contact`: certified free before t_safe, and a certified point
/// of the surface is within the tolerance of the triangle at t_touch (t_touch = 0 if they start within it, crossing or
/// not). `free`: certified for the whole motion. `undecided`: a limit ended the query, or the inclusion
/// functions do not get tight enough where necessary (for example, if they do not show a sign change across the
/// surface).
GRAZE_API SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b,
                                             const Motion& motion_b, const SurfaceContactOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void first_contact(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const SurfaceContactOptions& options, SurfaceContactResult& result);

/// The same for two moving surfaces, parametric or implicit, in any combination (CONTACT 5). `contact`: certified free
/// before t_safe, and at t_touch a certified point of A and a certified point of B are within the tolerance of each
/// other. `free` and `undecided` as above. Surfaces are no solids: one inside the other, without a common point, is
/// free. Where surfaces touch along a whole curve, or stay close to each other over an area without touching, the time
/// grows with the number of pieces of size sqrt(tolerance) that this takes: set a limit.
GRAZE_API SurfaceContactResult first_contact(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b,
                                             const Motion& motion_b, const SurfaceContactOptions& options = {});
GRAZE_API void first_contact(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b, const Motion& motion_b,
                             const SurfaceContactOptions& options, SurfaceContactResult& result);

}  // namespace graze
