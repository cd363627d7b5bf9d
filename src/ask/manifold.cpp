// SPDX-License-Identifier: MIT
#include <graze/ask/manifold.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <graze/ask/penetration.hpp>

#include "ask/surfaces/surfaces.hpp"
#include "body/compound.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "engine/collide/method.hpp"
#include "engine/curved/penetration.hpp"
#include "engine/manifold/box_pairs.hpp"
#include "engine/manifold/convex.hpp"
#include "engine/manifold/nearest_places.hpp"
#include "engine/manifold/patch.hpp"

namespace graze {

namespace {

namespace em = engine::manifold;

/// FNV-1a, eight bytes at a time, and a last mixing of high bits into low ones.
std::uint64_t point_id(const std::array<PieceId, 2>& pieces, const FeatureRef& a, const FeatureRef& b) {
  std::uint64_t value = 0xCBF29CE484222325u;
  const auto add = [&](std::uint64_t x) {
    value = (value ^ x) * 0x100000001B3u;
    value ^= value >> 29;
  };
  add(std::uint64_t{index(pieces[0])} << 32 | index(pieces[1]));
  for (const FeatureRef& f : {a, b}) {
    add(static_cast<std::uint64_t>(f.type) << 1 | std::uint64_t{f.diagonal});
    add(std::uint64_t{f.id[0]} << 32 | f.id[1]);
  }
  value *= 0x9E3779B97F4A7C15u;
  return value ^ value >> 32;
}

bool share_vertex(const Mesh& mesh, const std::vector<std::uint32_t>& some, const std::vector<TriangleId>& others) {
  std::vector<std::uint32_t> vertices;
  for (const TriangleId t : others)
    vertices.insert(vertices.end(), mesh.triangles()[index(t)].begin(), mesh.triangles()[index(t)].end());
  std::sort(vertices.begin(), vertices.end());
  return std::any_of(some.begin(), some.end(), [&](std::uint32_t t) {
    const Triangle& corners = mesh.triangles()[t];
    return std::any_of(corners.begin(), corners.end(),
                       [&](std::uint32_t v) { return std::binary_search(vertices.begin(), vertices.end(), v); });
  });
}

/// The patches of two bodies that are no compounds.
class PairManifold {
 public:
  PairManifold(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double margin)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), pair_(a.data(), pose_a, b.data(), pose_b, margin) {}

  void find() {
    const bool half = a_.data().is_half_space() || b_.data().is_half_space();
    if (half)
      along_meeting(em::meet_half_space(pair_));
    else if (convex(a_) && convex(b_))
      along_meeting(em::meet_convex(pair_));
    else
      along_penetration();
    for (em::Patch& p : patches) em::choose_points(p);
  }

  /// A patch of the frame, in the world.
  ManifoldPatch report(const em::Patch& patch, const std::array<PieceId, 2>& pieces) const {
    const auto world = [&](const Vec3& x) { return pose_a_.apply(engine::curved::scaled(x, pair_.exponent)); };
    ManifoldPatch out;
    out.normal = math::unit(Pose({}, pose_a_.rotation()).apply(patch.normal));
    out.depth = -math::infinity;
    out.pieces = pieces;
    for (const em::PatchPoint& p : patch.points) {
      ManifoldPoint point;
      point.points = {world(p.a), world(p.b)};
      point.depth = std::ldexp(p.depth, pair_.exponent);
      point.feature_a = p.feature_a;
      point.feature_b = p.feature_b;
      point.id = point_id(pieces, p.feature_a, p.feature_b);
      out.depth = std::max(out.depth, point.depth);
      out.points.push_back(point);
    }
    return out;
  }

  Status status = Status::free;
  bool certain = true;
  std::vector<em::Patch> patches;

 private:
  static bool convex(const Body& x) {
    return x.data().is_half_space() || engine::curved::convex_core(x.data()) != nullptr;
  }

  /// Convex solids overlap in one piece. Facets of a round one need not have a corner in common to tell.
  void join_patches() {
    for (std::size_t i = 1; i < patches.size(); ++i)
      patches[0].points.insert(patches[0].points.end(), patches[i].points.begin(), patches[i].points.end());
    if (patches.size() > 1) patches.resize(1);
  }

  /// One direction for all.
  void along_meeting(const em::Meeting& m) {
    status = m.status;
    certain = m.certain;
    if (status == Status::free && !(m.depth >= -pair_.margin)) return;
    if (m.normal == Vec3{}) return;
    patches = em::patches_along(pair_, m.normal, m.depth);
    if (convex(a_) && convex(b_)) join_patches();
    keep_deepest(m.normal, m.depth, m.a, m.b);
  }

  /// If no point is as deep as this (it is where the surface is too steep or too round for facets), it becomes one.
  void keep_deepest(const Vec3& n, double depth, const Vec3& a, const Vec3& b) {
    const double near = 1e-6 * std::min(pair_.size, 1.0) + 0x1p-40;
    for (const em::Patch& patch : patches)
      for (const em::PatchPoint& p : patch.points)
        if (p.depth >= depth - near) return;
    em::PatchPoint p;
    p.depth = depth;
    p.a = a;
    p.b = a - n * depth;
    if (length(b - p.b) <= near) p.b = b;
    p.feature_a = em::feature_at(pair_.a, n, a);
    p.feature_b = em::feature_at(pair_.b, -n, b);
    // Two convex solids have one patch only; otherwise it is a patch of its own.
    if (patches.empty() || !convex(a_) || !convex(b_)) patches.emplace_back();
    em::Patch& patch = patches.back();
    patch.normal = n;
    std::erase_if(patch.points, [&](const em::PatchPoint& other) {
      return other.feature_a == p.feature_a && other.feature_b == p.feature_b;
    });
    patch.points.push_back(p);
  }

  void along_penetration() {
    const PenetrationResult parted = penetration(a_, pose_a_, b_, pose_b_);
    if (parted.status == Status::undecided) throw core::Stopped();
    status = parted.status;
    certain = parted.certain;
    for (const PenetrationPatch& p : parted.patches)
      if (p.length > 0) along_patch(p);
    if (pair_.margin > 0) along_nearest();
  }

  Vec3 in_frame(const Vec3& direction) const {
    const Quat q = pose_a_.rotation();
    return math::unit(Pose({}, {q.w, -q.x, -q.y, -q.z}).apply(math::unit(direction)));
  }
  Vec3 point_in_frame(const Vec3& world) const {
    const Quat q = pose_a_.rotation();
    return engine::curved::scaled(Pose({}, {q.w, -q.x, -q.y, -q.z}).apply(world - pose_a_.translation()),
                                  -pair_.exponent);
  }

  void along_patch(const PenetrationPatch& parting) {
    const Vec3 n = in_frame(parting.translation);
    const double depth = std::ldexp(parting.length, -pair_.exponent);
    bool any = false;
    for (em::Patch& patch : em::patches_along(pair_, n, depth)) {
      if (!is_part(patch, parting)) continue;
      any = true;
      if (!is_known(patch)) patches.push_back(std::move(patch));
    }
    if (!any) add_point(n, depth, point_in_frame(parting.points[0]), point_in_frame(parting.points[1]));
  }

  /// Is this where the curve of intersection runs?
  bool is_part(const em::Patch& patch, const PenetrationPatch& parting) const {
    if (a_.has_mesh() && !parting.triangles_a.empty() &&
        !share_vertex(a_.mesh(), patch.triangles_a, parting.triangles_a))
      return false;
    return !b_.has_mesh() || parting.triangles_b.empty() ||
           share_vertex(b_.mesh(), patch.triangles_b, parting.triangles_b);
  }

  /// Has a patch that was found before one of its points?
  bool is_known(const em::Patch& patch) const {
    for (const em::Patch& known : patches)
      for (const em::PatchPoint& p : known.points)
        for (const em::PatchPoint& q : patch.points)
          if (p.feature_a == q.feature_a && p.feature_b == q.feature_b) return true;
    return false;
  }

  void along_nearest() {
    for (const em::NearPlace& place : em::near_places(pair_, 0x1p-40)) {
      const auto covers = [&](const em::Patch& p) { return is_near(p, place); };
      if (std::any_of(patches.begin(), patches.end(), covers)) continue;
      std::vector<em::Patch> here = em::patches_along(pair_, place.normal, -place.gap);
      const auto found = std::find_if(here.begin(), here.end(), covers);
      if (found == here.end())
        add_point(place.normal, -place.gap, place.a, place.b);
      else if (!is_known(*found))
        patches.push_back(std::move(*found));
    }
  }

  /// Is this place part of the patch? The triangles of the place need not be the patch's own: where a box stands on a
  /// floor, its sides are as near as its bottom.
  bool is_near(const em::Patch& patch, const em::NearPlace& place) const {
    constexpr double same_side = 0.99;  // the cosine of 8 degrees
    if (dot(patch.normal, place.normal) < same_side) return false;
    if (a_.has_mesh() && !share_vertex(a_.mesh(), patch.triangles_a, {TriangleId{place.triangle_a}})) return false;
    return !b_.has_mesh() || share_vertex(b_.mesh(), patch.triangles_b, {TriangleId{place.triangle_b}});
  }

  void add_point(const Vec3& n, double depth, const Vec3& a, const Vec3& b) {
    em::Patch patch;
    patch.normal = n;
    patch.points.push_back({a, b, depth, em::feature_at(pair_.a, n, a), em::feature_at(pair_.b, -n, b)});
    if (!is_known(patch)) patches.push_back(std::move(patch));
  }

  const Body &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  em::PlacedPair pair_;
};

/// Every pair of pieces, or of bodies that are none, whose boxes are near.
template <class Visit>
void for_near_pieces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double margin,
                     Visit&& visit) {
  if (!a.data().compound && !b.data().compound) return visit(a, b, std::array<PieceId, 2>{});
  const body::Pieces pieces_a(a), pieces_b(b);
  const auto boxes = [](const body::Pieces& pieces, const Pose& pose, double grow) {
    std::vector<Box3> out;
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
      const Box3& own = pieces[i].box();
      Box3 box;
      if (pieces[i].data().is_half_space()) {
        out.push_back(body::BodyData::everywhere);
        continue;
      }
      for (unsigned k = 0; k < 8; ++k)
        box.add(pose.apply({k & 1 ? own.hi.x : own.lo.x, k & 2 ? own.hi.y : own.lo.y, k & 4 ? own.hi.z : own.lo.z}));
      // Poses are rounded: a little more than the margin, compared with all numbers here.
      const double more = grow + 0x1p-40 * std::max(math::largest(box.lo), math::largest(box.hi));
      box.lo = box.lo - Vec3{more, more, more};
      box.hi = box.hi + Vec3{more, more, more};
      out.push_back(box);
    }
    return out;
  };
  std::vector<std::array<std::uint32_t, 2>> near;
  em::for_overlapping(boxes(pieces_a, pose_a, margin), boxes(pieces_b, pose_b, 0),
                      [&](std::uint32_t i, std::uint32_t j) {
                        near.push_back({i, j});
                      });
  std::sort(near.begin(), near.end());
  for (const auto& [i, j] : near) visit(pieces_a[i], pieces_b[j], std::array<PieceId, 2>{PieceId{i}, PieceId{j}});
}

void find_manifold(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double margin,
                   ManifoldResult& result) {
  core::Poll poll;
  Status status = Status::free;
  bool certain = true, certain_contact = false;
  for_near_pieces(a, pose_a, b, pose_b, margin,
                  [&](const Body& piece_a, const Body& piece_b, const std::array<PieceId, 2>& pieces) {
                    poll.only_time();
                    PairManifold pair(piece_a, pose_a, piece_b, pose_b, margin);
                    pair.find();
                    if (pair.status == Status::contact) {
                      status = Status::contact;
                      (pair.certain ? certain_contact : certain) = pair.certain;
                    }
                    const std::size_t first = result.patches.size();
                    for (const em::Patch& p : pair.patches) result.patches.push_back(pair.report(p, pieces));
                    std::stable_sort(result.patches.begin() + static_cast<std::ptrdiff_t>(first), result.patches.end(),
                                     [](const ManifoldPatch& x, const ManifoldPatch& y) { return x.depth > y.depth; });
                  });
  result.status = status;
  result.certain = certain || certain_contact;
}

void refuse_manifold(ManifoldResult& result, ErrorDetail detail) {
  result.status = Status::invalid_request;
  result.error = std::move(detail);
}

}  // namespace

ManifoldResult manifold(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const ManifoldOptions& options) {
  const core::FpGuard guard;
  ManifoldResult result;
  if (!(options.margin >= 0 && std::isfinite(options.margin))) {
    refuse_manifold(result, {.code = ErrorCode::bad_option,
                             .message = "the margin must be finite and at least 0",
                             .element = "option margin",
                             .id = ErrorDetail::none,
                             .file = {},
                             .line = ErrorDetail::none});
    return result;
  }
  if (a.data().is_half_space() && b.data().is_half_space()) {
    refuse_manifold(result, engine::collide::unsupported("two half-spaces have no contact points"));
    return result;
  }
  if (auto refused = ask::refused_for_surfaces("manifold", a, b)) {
    refuse_manifold(result, std::move(*refused));
    return result;
  }
  core::Limits limits(options);
  const bool ended =
      core::run_within(limits, [&](core::Limits*) { find_manifold(a, pose_a, b, pose_b, options.margin, result); });
  if (!ended) {
    result.status = Status::undecided;
    result.patches.clear();
  }
  core::leave_if_outer_ended(limits);
  return result;
}

}  // namespace graze
