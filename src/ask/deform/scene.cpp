// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "ask/deform/scene_data.hpp"
#include "body/body_data.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/deform/paths/rounded_core.hpp"
#include "engine/deform/step_checks.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

[[noreturn]] void refuse(ErrorCode code, std::string message, std::uint64_t id) {
  throw Error(core::problem(code, "body", std::move(message), id));
}

/// Several meshes as one, whose vertices, triangles and loose edges are numbered one mesh after the other.
class Joined {
 public:
  void add(SceneMember& m) {
    m.vertex = static_cast<std::uint32_t>(positions_.size());
    m.triangle = static_cast<std::uint32_t>(triangles_.size());
    m.edge = static_cast<std::uint32_t>(loose_.edges.size());
    const std::span<const Vec3> at = m.deforming ? std::span<const Vec3>(m.now) : m.mesh->positions();
    positions_.insert(positions_.end(), at.begin(), at.end());
    for (const Triangle& t : m.mesh->triangles())
      triangles_.push_back({t[0] + m.vertex, t[1] + m.vertex, t[2] + m.vertex});
    for (const auto& [a, b] : m.mesh->edges()) loose_.edges.push_back({a + m.vertex, b + m.vertex});
    for (const std::uint32_t p : m.mesh->points()) loose_.points.push_back(p + m.vertex);
  }
  Mesh mesh() const {
    if (loose_.empty()) return Mesh(positions_, std::span<const Triangle>(triangles_));
    PolygonList polygons;
    for (const Triangle& t : triangles_) polygons.add(t);
    return Mesh(positions_, std::move(polygons), {}, loose_);
  }

 private:
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  LooseParts loose_;
};

}  // namespace

SceneMember& DeformScene::Data::member(SceneBodyId id, bool deforming) {
  if (index(id) >= members.size()) refuse(ErrorCode::index_out_of_range, "there is no such body", index(id));
  SceneMember& m = members[index(id)];
  if (m.deforming != deforming)
    refuse(ErrorCode::bad_option,
           deforming ? "this body is rigid: give it a motion" : "this body deforms: give it positions", index(id));
  return m;
}

void DeformScene::Data::check_positions(const SceneMember& m, std::span<const Vec3> positions) const {
  core::throw_if(engine::deform::step_positions_problem(positions, m.now.size()));
}

void DeformScene::Data::forget_structures() {
  with_rigid.reset();
  among_soft.reset();
  built = false;
}

std::vector<Vec3> DeformScene::Data::places() const {
  std::vector<Vec3> at;
  for (const std::uint32_t i : order) {
    const SceneMember& m = members[i];
    if (m.deforming) {
      at.insert(at.end(), m.now.begin(), m.now.end());
      continue;
    }
    const Placement place = m.motion.at(0);
    for (const Vec3& x : m.mesh->positions()) at.push_back(place.apply(x));
  }
  return at;
}

/// The joint meshes. After a mesh broke what there is takes the new joint mesh, and updates what changed.
void DeformScene::Data::build() {
  if (built) return;
  order.clear();
  Joined all;
  std::vector<std::uint32_t> groups;
  const auto add = [&](bool deforming) {
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      SceneMember& m = members[i];
      if (m.deforming != deforming || !m.mesh) continue;
      order.push_back(i);
      all.add(m);
      groups.resize(groups.size() + m.mesh->vertex_count(), deforming ? 0 : 1);
    }
  };
  add(true);
  soft_count = order.size();
  if (soft_count > 0) {
    const Mesh mesh = all.mesh();
    if (soft && filtered)
      soft->replace(mesh, joint_filter(false));
    else if (soft)
      soft->replace(mesh);
    else
      soft.emplace(mesh);
    if (among_soft)
      among_soft->replace(mesh, groups, places(), last_threads);
    else
      among_soft.emplace(mesh, groups);
  }
  add(false);
  if (soft_count > 0 && order.size() > soft_count) {
    if (with_rigid)
      with_rigid->replace(all.mesh(), groups, places(), last_threads);
    else
      with_rigid.emplace(all.mesh(), groups);
  }
  built = true;
  if (filtered) pass_filter_on();
}

/// The filter for the joint meshes, whose bodies are numbered as in `order`.
DeformFilter DeformScene::Data::joint_filter(bool with_rigid_bodies) const {
  DeformFilter joint;
  const std::size_t bodies = with_rigid_bodies ? order.size() : soft_count;
  std::vector<std::uint32_t> place_of(members.size(), 0);
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::uint32_t of = order[i];
    place_of[of] = static_cast<std::uint32_t>(i);
    joint.settings.push_back(settings(of));
    joint.bodies.resize(joint.bodies.size() + members[of].mesh->vertex_count(), place_of[of]);
  }
  const auto is_there = [&](SceneBodyId id) {
    const SceneMember& m = members[index(id)];
    return m.mesh && (m.deforming || with_rigid_bodies);
  };
  for (const auto& [a, b] : filter.off)
    if (is_there(a) && is_there(b)) joint.off.push_back({place_of[index(a)], place_of[index(b)]});
  for (const SceneVertex& v : filter.fixed) joint.fixed.push_back(members[index(v.body)].vertex + v.vertex);
  if (filter.may_touch && !with_rigid_bodies)
    joint.may_touch = [this](std::uint32_t v, std::uint32_t w) {
      SceneVertex a{SceneBodyId{order[place(v)]}, v}, b{SceneBodyId{order[place(w)]}, w};
      a.vertex -= owner(v).vertex;
      b.vertex -= owner(w).vertex;
      // Deforming bodies are in the order in which they were added, and so are their vertices.
      callers.enter();
      return filter.may_touch(a, b);
    };
  return joint;
}

void DeformScene::Data::pass_filter_on() {
  if (soft) soft->set_filter(joint_filter(false));
  if (among_soft) among_soft->set_filter(joint_filter(false));
  if (with_rigid) with_rigid->set_filter(joint_filter(true));
}

bool DeformScene::Data::bodies_may(std::uint32_t a, std::uint32_t b) const {
  const DeformBody x = settings(a), y = settings(b);
  return x.group & y.mask && y.group & x.mask &&
         std::none_of(filter.off.begin(), filter.off.end(), [&](const std::array<SceneBodyId, 2>& off) {
           return std::minmax(index(off[0]), index(off[1])) == std::minmax(a, b);
         });
}

/// The positions of all deforming vertices at both ends, and the sizes that rounding errors depend on.
void DeformScene::Data::gather() {
  now.clear();
  next.clear();
  far.clear();
  for (const std::uint32_t i : order) {
    const SceneMember& m = members[i];
    double most = 0;
    if (m.deforming) {
      now.insert(now.end(), m.now.begin(), m.now.end());
      next.insert(next.end(), m.end().begin(), m.end().end());
    } else {
      const motion::Bounds& b = m.motion.path().bounds();
      const Placement at = m.motion.at(0);
      for (const Vec3& x : m.mesh->positions())
        most = std::max(most,
                        math::largest(at.apply(x)) + b.speed + b.turn_speed * length(x - m.motion.path().reference()));
    }
    far.push_back(most);
  }
}

bool DeformScene::Data::any_curved() const {
  return std::any_of(members.begin(), members.end(), [](const SceneMember& m) { return m.deforming && m.is_curved(); });
}

DeformScene::DeformScene() : data_(std::make_unique<Data>()) {}
DeformScene::~DeformScene() = default;
DeformScene::DeformScene(DeformScene&&) noexcept = default;
DeformScene& DeformScene::operator=(DeformScene&&) noexcept = default;

std::size_t DeformScene::size() const { return data_->members.size(); }

SceneBodyId DeformScene::add_deforming(const Mesh& mesh) {
  SceneMember m;
  m.mesh = mesh;
  m.now.assign(mesh.positions().begin(), mesh.positions().end());
  data_->members.push_back(std::move(m));
  data_->soft.reset();
  data_->forget_structures();
  return SceneBodyId{static_cast<std::uint32_t>(size() - 1)};
}

SceneBodyId DeformScene::add_rigid(const Body& body, const Motion& motion) {
  SceneMember m;
  m.deforming = false;
  if (body.surface())
    refuse(ErrorCode::unsupported, "no surfaces beyond triangles among deforming bodies: give a mesh of it", size());
  for (const Piece& piece : body.pieces()) {
    if (!piece.body.shape())
      refuse(ErrorCode::unsupported,
             "a compound among deforming bodies consists of shapes: add each mesh of it as a body of its own", size());
    m.convex.emplace_back(*piece.body.shape()).place(piece.pose);
  }
  if (engine::deform::RoundedCore::has(body)) {
    const engine::deform::RoundedCore core(body);
    m.mesh = core.mesh();
    m.radius = core.radius();
    m.core = core.core();
  } else if (m.convex.empty() && !body.data().is_half_space()) {
    m.convex.push_back(*body.data().core);
  }
  m.body = body;
  m.motion = motion;
  data_->members.push_back(std::move(m));
  data_->forget_structures();
  return SceneBodyId{static_cast<std::uint32_t>(size() - 1)};
}

void DeformScene::move(SceneBodyId id, std::span<const Vec3> positions) {
  SceneMember& m = data_->member(id, true);
  data_->check_positions(m, positions);
  m.control.resize(1);
  m.control[0].assign(positions.begin(), positions.end());
}

void DeformScene::move(SceneBodyId id, std::span<const std::vector<Vec3>> control) {
  SceneMember& m = data_->member(id, true);
  if (control.empty() || control.size() > engine::deform::path_degree)
    refuse(ErrorCode::bad_option, "paths are of degree 1 to 4: give as many control points after the start", index(id));
  for (const std::vector<Vec3>& positions : control) data_->check_positions(m, positions);
  m.control.assign(control.begin(), control.end());
}

void DeformScene::move(SceneBodyId id, const Motion& motion) { data_->member(id, false).motion = motion; }

void DeformScene::set_positions(SceneBodyId id, std::span<const Vec3> positions) {
  SceneMember& m = data_->member(id, true);
  data_->check_positions(m, positions);
  m.now.assign(positions.begin(), positions.end());
  m.control.clear();
}

void DeformScene::replace(SceneBodyId id, const Mesh& mesh) {
  SceneMember& m = data_->member(id, true);
  for (const SceneVertex& v : data_->filter.fixed)
    if (v.body == id && v.vertex >= mesh.vertex_count())
      refuse(ErrorCode::bad_option,
             "the filter fixes vertex " + std::to_string(v.vertex) + ", which the new mesh has not: set another filter",
             index(id));
  m.mesh = mesh;
  m.now.assign(mesh.positions().begin(), mesh.positions().end());
  m.control.clear();
  data_->built = false;
}

std::span<const Vec3> DeformScene::positions(SceneBodyId id) const { return data_->member(id, true).now; }

SceneResult DeformScene::contacts(const DeformOptions& options) {
  SceneResult result;
  contacts(options, result);
  return result;
}

void DeformScene::contacts(const DeformOptions& options, SceneResult& result) {
  const core::FpGuard guard;
  result = SceneResult{};
  core::clear(options.method_counters);
  if (core::refused(result, data_->problem(options))) return;
  data_->ask(options, nullptr, result);
}

SceneResult DeformScene::step(const DeformOptions& options) {
  SceneResult result;
  step(options, result);
  return result;
}

void DeformScene::step(const DeformOptions& options, SceneResult& result) {
  contacts(options, result);
  if (result.status == Status::invalid_request) return;
  for (SceneMember& m : data_->members) {
    if (!m.control.empty()) m.now = std::move(m.control.back());
    m.control.clear();
  }
}

void DeformScene::set_filter(SceneFilter filter) {
  Data& d = *data_;
  const auto check = [&](SceneBodyId id) {
    if (index(id) >= d.members.size()) refuse(ErrorCode::index_out_of_range, "there is no such body", index(id));
  };
  for (const auto& [a, b] : filter.off) {
    check(a), check(b);
    if (a == b)
      refuse(ErrorCode::bad_option, "a body is not switched off against itself: use DeformBody::self", index(a));
  }
  for (const SceneVertex& v : filter.fixed) {
    check(v.body);
    const SceneMember& m = d.member(v.body, true);
    if (v.vertex >= m.now.size())
      refuse(ErrorCode::index_out_of_range, "it has no vertex " + std::to_string(v.vertex), index(v.body));
  }
  d.filter = std::move(filter);
  d.callers = core::FpEnvironment();
  d.filtered = true;
  const core::FpGuard guard;
  if (d.built) d.pass_filter_on();
}

}  // namespace graze
