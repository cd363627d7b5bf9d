// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/body/body.hpp>
#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

/// Zero-based, in the order in which the bodies were added.
enum class SceneBodyId : std::uint32_t {};
constexpr std::uint32_t index(SceneBodyId id) { return static_cast<std::uint32_t>(id); }

/// Two features that come within the tolerance during the step, and the time when they first do.
struct SceneContact {
  SceneBodyId a{}, b{};  ///< of the vertex and of the face, or of the two edges; edges: a <= b
  /// Each vertex by its number in its own body's mesh. A sphere has one vertex, its centre; a capsule two, the ends of
  /// its axis; a rounded box or hull those of the solid that is rounded. Other shapes (cylinder, cone, ellipsoid) have
  /// one, which stands for the shape, and meet faces, of which loose edges and points are collapsed ones; a compound
  /// has one for each piece, by its number. Of a half-space only the other body's vertex (the first) means anything.
  DeformContact contact;
};

/// Triangles, by their numbers in their own bodies, that meet at the start: of a deforming body a and a rigid body b,
/// or of two deforming ones, a <= b.
struct SceneCrossing {
  SceneBodyId a{}, b{};
  TrianglePair triangles;
  bool inside = false;  ///< the deforming body a has a part inside the solid shape b; there are no triangles to name
};

/// The same for a loose edge of body a, by its number in `Mesh::edges`, and a triangle of body b.
struct SceneEdgeCrossing {
  SceneBodyId a{}, b{};
  EdgeCrossing crossing;
};

/// A vertex of a deforming body, by its number in the body's own mesh.
struct SceneVertex {
  SceneBodyId body{};
  std::uint32_t vertex = 0;
  friend bool operator==(const SceneVertex&, const SceneVertex&) = default;
};

/// Who may touch whom in a scene, by the rules of `DeformFilter`, with the bodies of the scene as bodies.
struct SceneFilter {
  /// By body; bodies beyond the end have the default settings. `self` of a rigid body means nothing.
  std::vector<DeformBody> settings = {};
  /// Pairs of different bodies that are not tested against each other.
  std::vector<std::array<SceneBodyId, 2>> off = {};
  /// Vertices that count as fixed. Rigid bodies are never fixed: what is fixed is tested against them.
  std::vector<SceneVertex> fixed = {};
  /// May two vertices of deforming bodies touch? As in `DeformFilter`, with the lower body first, then the lower
  /// vertex. Not asked for rigid bodies: they are left out by groups, masks and pairs.
  std::function<bool(const SceneVertex& a, const SceneVertex& b)> may_touch = {};
};

struct SceneResult {
  /// `contact` if there is any event or start crossing, of any kind. `undecided`: a limit ended the question; nothing
  /// is listed.
  Status status = Status::undecided;
  TimeBracket time;      ///< of the first event; free: {1, NaN}; undecided: {what had been certified, NaN}
  double tolerance = 0;  ///< the value used for everything that is not two deforming bodies on straight lines
  std::vector<SceneContact> contacts;  ///< sorted by bodies, kind and vertices; only the earliest of all if not `all`
  std::vector<SceneCrossing> crossing_at_start;
  std::vector<SceneEdgeCrossing> edges_crossing_at_start;  ///< sorted by bodies, edge and triangle
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// How far all bodies of a scene may go together: deforming vertices from x0 to x0 + `step` (x1 - x0) (or to that time
/// on their paths), rigid bodies to where their motions are at time `step`.
struct SceneStepSize {
  /// As for `StepSize`, also after a limit.
  Status status = Status::undecided;
  double step = 0;
  TimeBracket time;      ///< as for `StepSize`
  double tolerance = 0;  ///< as in `SceneResult`
  std::optional<SceneContact> first;
  // With `touching_at_start`: what crosses, or touches and is not certified to part, if it is triangles or loose edges.
  std::optional<SceneCrossing> crossing_at_start;
  std::optional<SceneEdgeCrossing> edge_crossing_at_start;
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// A simulator's bodies in one object: meshes that deform or break, and rigid meshes and convex shapes that move and
/// turn as the caller says, such as a ball or the links of a robot. One call asks everything: deforming bodies with
/// themselves, among each other, and with rigid ones. (Rigid bodies among each other: `first_contacts`, `World`.)
///
///   DeformScene scene;
///   const SceneBodyId cloth = scene.add_deforming(cloth_mesh), ball = scene.add_rigid(Body(shape::Sphere{1}));
///   for (;;) {                                                     // one frame
///     scene.move(cloth, x1);                                       // where it wants to go
///     scene.move(ball, Velocity(pose, next_pose));
///     const double t = scene.step_size().step;                     // how far all may go together; moves nothing
///     ...                                                          // or: scene.step(): everything goes there
///   }
///
/// Vertices of deforming bodies move on straight lines, or on curves (quadratic, cubic or quartic polynomials); rigid
/// bodies on the arcs of their motions. Curves and arcs are followed as such, not by chords: `free` and t_safe hold for
/// them, and at t_touch the gap is within the tolerance. Not thread-safe.
class GRAZE_API DeformScene {
 public:
  DeformScene();
  ~DeformScene();
  DeformScene(DeformScene&&) noexcept;
  DeformScene& operator=(DeformScene&&) noexcept;

  /// A mesh whose vertices move, at its positions. Loose edges and points take part, as for `Deformable`.
  SceneBodyId add_deforming(const Mesh& mesh);
  /// A mesh, which is a surface (with its loose edges and points), a solid shape of any kind, also a half-space, or a
  /// compound of shapes. Throws `Error` (unsupported) for a compound with meshes (add these one by one) and for
  /// surfaces beyond triangles.
  SceneBodyId add_rigid(const Body& body, const Motion& motion = {});

  /// Where the vertices of a deforming body want to be at the end of the step, on straight lines; without a call they
  /// stay. These functions throw `Error`: index_out_of_range, bad_option (the wrong kind of body or number of
  /// positions), not_finite.
  void move(SceneBodyId deforming, std::span<const Vec3> positions);
  /// On polynomial paths of degree 1 to 4 in Bernstein form, which start at the present positions: one list for each
  /// control point after the first, the last of which is the end.
  void move(SceneBodyId deforming, std::span<const std::vector<Vec3>> control);
  /// How a rigid body moves, from now on until the next call: give one before each step. Of a robot: one call for each
  /// link, with `Chain::link_motion`. Callers' own motions (`OwnMotion`) are not accepted.
  void move(SceneBodyId rigid, const Motion& motion);
  /// Puts a deforming body elsewhere; nothing is asked about the way.
  void set_positions(SceneBodyId deforming, std::span<const Vec3> positions);
  /// A deforming body broke, was cut or changed its connectivity otherwise: see `Deformable::replace`. Bodies that were
  /// added after it are renumbered inside, so add those that break often last. Throws `Error` (bad_option) if the
  /// filter has a fixed vertex that the new mesh has not.
  void replace(SceneBodyId deforming, const Mesh& mesh);

  /// Who may touch whom, in all later questions. Throws `Error` (bad_option, index_out_of_range) if it names a body or
  /// vertex that does not exist; the filter before stays.
  void set_filter(SceneFilter filter);

  std::size_t size() const;
  std::span<const Vec3> positions(SceneBodyId deforming) const;

  /// What touches on the way to where the bodies were told to move? Nothing moves. Options as for `Deformable`;
  /// default tolerance of everything but two deforming bodies on straight lines: 1e-6 of the largest extent of the
  /// scene at both ends of the step. `exact` applies only to the latter. A start crossing of a rigid body is decided
  /// where its motion starts, or at the nearest pose if that is none (links of a robot): `free` holds in any case,
  /// because what is that near has an event at the start.
  SceneResult contacts(const DeformOptions& options = {});
  void contacts(const DeformOptions& options, SceneResult& result);
  /// The same, and afterwards deforming bodies are where they were told to go, except after `invalid_request`.
  SceneResult step(const DeformOptions& options = {});
  void step(const DeformOptions& options, SceneResult& result);
  /// How far may all bodies go together before anything touches? Nothing moves. Everything is as for
  /// `Deformable::step_size`, but what touches at the start (nearer than the errors of its paths), and is not two
  /// deforming bodies on straight lines, is never certified to part. With `ignore_start_if_separating`, what starts
  /// within `min_separation` or the tolerance, but apart, must keep 7/8 of its distance.
  SceneStepSize step_size(const StepSizeOptions& options = {});

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze
