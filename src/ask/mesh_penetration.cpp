// SPDX-License-Identifier: MIT
#include "ask/mesh_penetration.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <graze/ask/collide.hpp>
#include <graze/ask/first_contact.hpp>

#include "body/body_data.hpp"
#include "body/compound.hpp"
#include "core/disjoint_sets.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

Pose shifted(const Pose& pose, const Vec3& by) { return Pose(pose.translation() + by, pose.rotation()); }

/// The corners of the body's box at its pose.
std::array<Vec3, 8> box_corners(const Body& body, const Pose& pose) {
  const Box3& box = body.box();
  std::array<Vec3, 8> corners;
  for (std::size_t i = 0; i < 8; ++i)
    corners[i] = pose.apply({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z});
  return corners;
}

bool is_solid(const Body& body) {
  if (const auto pieces = body.pieces(); !pieces.empty())
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return is_solid(p.body); });
  return body.shape() || body.data().classification().even;
}

/// A compound of solids and surfaces: each piece counts as what it is.
bool is_mixed(const Body& body) {
  const auto pieces = body.pieces();
  return !is_solid(body) &&
         std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return is_solid(p.body) || is_mixed(p.body); });
}

/// Does a solid piece of one contain a solid piece of the other?
bool holds_a_piece(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  const body::Pieces pieces_a(a), pieces_b(b);
  for (std::uint32_t i = 0; i < pieces_a.size(); ++i)
    for (std::uint32_t j = 0; j < pieces_b.size(); ++j)
      if (is_solid(pieces_a[i]) && is_solid(pieces_b[j]) &&
          collide(pieces_a[i], pose_a, pieces_b[j], pose_b, {.solid = true}).status == Status::contact)
        return true;
  return false;
}

struct Exit {
  Vec3 translation;
  double length = math::infinity;
  std::array<Vec3, 2> points{};
  std::optional<Vec3> normal;  ///< where B touches A at the end of it, from A to B
};

class Parting {
 public:
  Parting(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), box_a_(box_corners(a, pose_a)), box_b_(box_corners(b, pose_b)) {
    solid_ = is_solid(a) && is_solid(b);
    mixed_ = !solid_ && (is_mixed(a) || is_mixed(b));
  }

  CollideResult meeting() const {
    CollideResult hit = collide(a_, pose_a_, b_, pose_b_, question(true));
    if (hit.status == Status::free && mixed_ && holds_a_piece(a_, pose_a_, b_, pose_b_)) hit.status = Status::contact;
    return hit;
  }

  CollideOptions question(bool all) const {
    CollideOptions options;
    options.solid = solid_;
    options.all = all;
    return options;
  }

  bool is_free(const Vec3& translation) const {
    const Pose there = shifted(pose_b_, translation);
    return collide(a_, pose_a_, b_, there, question(false)).status == Status::free &&
           !(mixed_ && holds_a_piece(a_, pose_a_, b_, there));
  }

  /// A short translation along a direction, verified; none if it cannot be verified.
  std::optional<Exit> along(const Vec3& direction) const {
    const Vec3 d = math::unit(direction);
    if (d == Vec3{}) return std::nullopt;
    double far_a = -math::infinity, near_b = math::infinity, size = 0;
    for (const Vec3& x : box_a_) far_a = std::max(far_a, dot(d, x)), size = std::max(size, length(x));
    for (const Vec3& x : box_b_) near_b = std::min(near_b, dot(d, x)), size = std::max(size, length(x));
    // Beyond A by more than all rounding errors.
    const double beyond = std::max(0.0, far_a - near_b) * (1 + 0x1p-10) + 0x1p-40 * size;
    if (!std::isfinite(beyond)) return std::nullopt;
    // Nearer, if B is free there: a rod inside a ring may leave the ring's side towards the ring's middle.
    double out = beyond * 0x1p-10;
    while (out < beyond && !is_free(d * out)) out *= 2;
    out = std::min(out, beyond);
    FirstContactOptions options;
    options.solid = solid_;
    const FirstContactResult back =
        first_contact(a_, Still{pose_a_}, b_, Velocity(shifted(pose_b_, d * out), pose_b_), options);
    if (back.status == Status::undecided) core::Poll().only_time();  // a limit: ends here
    if (back.status != Status::contact) return std::nullopt;
    Exit exit;
    // Free before `safe`. A little farther out if the rounded pose needs it.
    for (double more = 0x1p-50; more < 1; more *= 16) {
      exit.length = out * (1 - back.time.safe) * (1 + more) + more * 0x1p-20 * size;
      exit.translation = d * exit.length;
      if (is_free(exit.translation)) break;
      exit.length = math::infinity;
    }
    if (!std::isfinite(exit.length)) return std::nullopt;
    exit.normal = back.normal;
    if (back.points) exit.points = {(*back.points)[0], (*back.points)[1] - d * (out * (1 - back.time.touch))};
    return exit;
  }

  /// From a first direction on to the normals of the contacts.
  std::optional<Exit> descend(const Vec3& direction) const {
    std::optional<Exit> best = along(direction);
    for (int i = 0; best && best->normal && i < 16; ++i) {
      const Vec3 d = math::unit(best->translation), n = *best->normal;
      if (dot(d, n) > 1 - 1e-9) break;  // the contact's own normal: no direction nearby is shorter
      std::optional<Exit> next = along(n);
      if (!next || !(next->length < best->length * (1 - 1e-6))) next = along(d + n);
      if (!next || !(next->length < best->length * (1 - 1e-6))) break;
      best = next;
    }
    return best;
  }

  const Body &a_, &b_;
  const Pose &pose_a_, &pose_b_;

 private:
  std::array<Vec3, 8> box_a_, box_b_;
  bool solid_ = false, mixed_ = false;
};

/// The sum of the triangles' normals, each as long as twice its area, in the world.
Vec3 normal_of(const Body& body, const Pose& pose, const std::vector<TriangleId>& triangles) {
  Vec3 sum;
  for (const TriangleId t : triangles) {
    const body::BodyData& data = body.data();
    const Vec3 a = data.corner(index(t), 0);
    sum = sum + cross(data.corner(index(t), 1) - a, data.corner(index(t), 2) - a);
  }
  return Pose({}, pose.rotation()).apply(math::unit(sum));
}

/// The pairs of triangles in connected parts: triangles of one body belong together if they share a vertex.
std::vector<PenetrationPatch> patches_of(const Body& a, const Body& b, const std::vector<TrianglePair>& pairs) {
  core::DisjointSets sets(pairs.size());
  const auto join = [&](const Body& body, auto triangle) {
    std::unordered_map<std::uint32_t, std::uint32_t> first;  // the first pair with this vertex
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
      for (const std::uint32_t v : body.mesh().triangles()[index(triangle(pairs[i]))])
        sets.unite(i, first.try_emplace(v, i).first->second);
  };
  // The curve of intersection is connected in both surfaces, so one is enough. Without a mesh, all is one patch.
  if (a.has_mesh())
    join(a, [](const TrianglePair& p) { return p.a; });
  else if (b.has_mesh())
    join(b, [](const TrianglePair& p) { return p.b; });
  else
    for (std::uint32_t i = 1; i < pairs.size(); ++i) sets.unite(0, i);
  std::unordered_map<std::uint32_t, std::size_t> place;
  std::vector<PenetrationPatch> patches;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto [at, is_new] = place.try_emplace(sets.root(i), patches.size());
    if (is_new) patches.emplace_back();
    PenetrationPatch& p = patches[at->second];
    if (a.has_mesh()) p.triangles_a.push_back(pairs[i].a);
    if (b.has_mesh()) p.triangles_b.push_back(pairs[i].b);
  }
  for (PenetrationPatch& p : patches)
    for (std::vector<TriangleId>* list : {&p.triangles_a, &p.triangles_b}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  return patches;
}

}  // namespace

void part_meshes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, PenetrationResult& result) {
  const Parting parting(a, pose_a, b, pose_b);
  const CollideResult meeting = parting.meeting();
  result.counters += meeting.counters;
  result.status = meeting.status;
  result.certain = meeting.certain;
  if (meeting.status == Status::undecided) throw core::Stopped();
  if (meeting.status != Status::contact) {
    result.error = meeting.error;
    return;
  }
  std::vector<PenetrationPatch> patches = patches_of(a, b, meeting.pairs);
  if (patches.empty()) patches.emplace_back();  // one is inside the other
  const Vec3 apart = pose_b.apply((b.box().lo + b.box().hi) * 0.5) - pose_a.apply((a.box().lo + a.box().hi) * 0.5);
  Exit best;
  core::Poll poll;
  for (PenetrationPatch& patch : patches) {
    std::vector<Vec3> directions;
    if (!patch.triangles_a.empty()) directions.push_back(normal_of(a, pose_a, patch.triangles_a));
    if (!patch.triangles_b.empty()) directions.push_back(-normal_of(b, pose_b, patch.triangles_b));
    directions.insert(directions.end(), {apart, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
    std::optional<Exit> least;
    for (const Vec3& d : directions) {
      poll();
      const std::optional<Exit> exit = parting.along(d);
      if (exit && (!least || exit->length < least->length)) least = exit;
    }
    if (least)
      if (const std::optional<Exit> exit = parting.descend(least->translation); exit && exit->length < least->length)
        least = exit;
    if (!least) continue;
    patch.translation = least->translation;
    patch.length = least->length;
    patch.points = least->points;
    if (!(least->length < best.length)) continue;
    best = *least;
    result.upper = best.length;
    result.translation = best.translation;
    result.points = best.points;
  }
  std::stable_sort(patches.begin(), patches.end(),
                   [](const PenetrationPatch& x, const PenetrationPatch& y) { return x.length < y.length; });
  result.patches = std::move(patches);
  if (!std::isfinite(best.length)) throw core::Stopped();  // no direction could be verified
}

}  // namespace graze::ask
