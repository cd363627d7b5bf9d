// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

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

/// A contact of a part that is left out would be missed.
void refuse_loose_parts(const Mesh& mesh, std::uint64_t id) {
  if (!mesh.loose().empty())
    refuse(ErrorCode::unsupported,
           "bodies of a scene are made of triangles; meshes with loose edges or points are for Deformable", id);
}

/// The triangles of several meshes as those of one, whose vertices are numbered one mesh after the other.
class Joined {
 public:
  void add(SceneMember& m) {
    m.vertex = static_cast<std::uint32_t>(positions_.size());
    m.triangle = static_cast<std::uint32_t>(triangles_.size());
    const std::span<const Vec3> at = m.deforming ? std::span<const Vec3>(m.now) : m.mesh->positions();
    positions_.insert(positions_.end(), at.begin(), at.end());
    for (const Triangle& t : m.mesh->triangles())
      triangles_.push_back({t[0] + m.vertex, t[1] + m.vertex, t[2] + m.vertex});
  }
  Mesh mesh() const { return Mesh(positions_, std::span<const Triangle>(triangles_)); }

 private:
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
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
}

/// The joint meshes. A mesh that broke is replaced in `soft`, which updates what changed.
void DeformScene::Data::build() {
  if (with_rigid || among_soft) return;
  order.clear();
  Joined all;
  std::vector<std::uint32_t> groups;
  const auto add = [&](bool deforming) {
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      SceneMember& m = members[i];
      if (m.deforming != deforming || m.is_half_space()) continue;
      order.push_back(i);
      all.add(m);
      groups.resize(groups.size() + m.mesh->vertex_count(), deforming ? 0 : 1);
    }
  };
  add(true);
  soft_count = order.size();
  if (soft_count > 0) {
    const Mesh mesh = all.mesh();
    if (soft)
      soft->replace(mesh);
    else
      soft.emplace(mesh);
    among_soft.emplace(mesh, groups);
  }
  add(false);
  if (soft_count > 0 && order.size() > soft_count) with_rigid.emplace(all.mesh(), groups);
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
  refuse_loose_parts(mesh, size());
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
  if (!body.data().is_half_space()) {
    if (body.has_mesh()) refuse_loose_parts(body.mesh(), size());
    if (!engine::deform::RoundedCore::has(body))
      refuse(ErrorCode::unsupported,
             "rigid bodies among deforming ones are meshes, spheres, capsules, boxes, hulls (also rounded) and "
             "half-spaces; give a hull or a mesh for other shapes, and each piece of a compound as a body",
             size());
    const engine::deform::RoundedCore core(body);
    m.mesh = core.mesh();
    m.radius = core.radius();
    m.core = core.core();
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
  refuse_loose_parts(mesh, index(id));
  m.mesh = mesh;
  m.now.assign(mesh.positions().begin(), mesh.positions().end());
  m.control.clear();
  data_->forget_structures();
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
  data_->ask(options, result);
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

double DeformScene::step_size(const DeformOptions& options, double slack) {
  if (!(slack >= 0 && slack < 1)) core::throw_if(core::bad_option("slack", "the slack is from 0 to below 1"));
  DeformOptions asked = options;
  asked.all = false;
  const SceneResult r = contacts(asked);
  if (r.error) throw Error(*r.error);
  if (r.status == Status::free) return 1;
  return r.crossing_at_start.empty() ? (1 - slack) * r.time.safe : 0;
}

}  // namespace graze
