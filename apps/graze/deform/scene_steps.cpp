// SPDX-License-Identifier: MIT
#include "deform/scene_steps.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "deform/deform_frames.hpp"

namespace graze::app {
namespace {

/// a b, rounded.
Pose composed(const Pose& a, const Pose& b) {
  const Quat &p = a.rotation(), &q = b.rotation();
  return Pose(a.apply(b.translation()),
              {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
               p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w});
}

Motion way(const Pose& from, const Pose& to) {
  if (from == to) return Still{from};
  return Velocity(from, to);
}

/// The chain on a base that moves.
Chain on_base(const Chain& chain, const Motion& base) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < chain.size(); ++i) links.push_back(chain.link(LinkId{i}));
  return Chain(std::move(links), base);
}

}  // namespace

SceneSteps::SceneSteps(const Scene& scene, bool self)
    : scene_(scene), self_(self), world_(scene.options), actors_(world_, scene) {
  build(list());
}

Pose SceneSteps::base(std::size_t articulated) const {
  const auto& a = actors_.articulated()[articulated];
  if (!a.scene->frame) return a.base;
  return composed(world_.pose(actors_.frames()[*a.scene->frame]), a.base);
}

SceneSteps::State SceneSteps::state(const Part& part) const {
  State now{{}, world_.pose(part.id)};
  if (!part.deforms) return now;
  const Body body = world_.body(part.id);
  for (const Vec3& x : body.mesh().positions()) now.vertices.push_back(now.pose.apply(x));
  return now;
}

/// All bodies that are in the world now.
std::vector<SceneSteps::Part> SceneSteps::list() const {
  std::vector<Part> parts;
  for (const auto& actor : actors_.bodies()) {
    Part& part = parts.emplace_back();
    part.id = actor.id;
    part.scene = actor.whole;
    part.deforms = actor.scene && !actor.scene->shapes.empty();
  }
  for (std::size_t a = 0; a < actors_.articulated().size(); ++a) {
    const std::vector<BodyId> links = world_.bodies(actors_.articulated()[a].id);
    for (std::size_t l = 0; l < links.size(); ++l) {
      Part& part = parts.emplace_back();
      part.id = links[l];
      part.articulated = a;
      part.link = l;
    }
  }
  // Those that may change their connectivity are last: `DeformScene::replace`.
  std::stable_partition(parts.begin(), parts.end(), [](const Part& p) { return !p.deforms; });
  for (Part& part : parts) part.before = part.after = state(part);
  return parts;
}

/// Who touches whom, as a `World` has it.
void SceneSteps::filter() {
  SceneFilter filter;
  std::map<std::string, SceneBodyId> ids;
  std::vector<bool> wanted;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const Part& p = parts_[i];
    ids[names_[i]] = SceneBodyId{i};
    const BodySettings& settings = p.scene ? p.scene->settings : actors_.articulated()[p.articulated].scene->settings;
    DeformBody rules;
    rules.self = self_ && (!p.deforms || p.scene->rules.self);
    rules.group = settings.group;
    rules.mask = settings.mask;
    filter.settings.push_back(rules);
    wanted.push_back(settings.interest);
    if (p.deforms)
      for (const std::uint32_t v : p.scene->fixed) filter.fixed.push_back({SceneBodyId{i}, v});
  }
  std::vector<std::string> names;  // in the numbering of `ScenePair`
  for (const SceneBody& b : scene_.bodies) names.push_back(b.settings.name);
  for (const SceneArticulated& a : scene_.articulated)
    for (const LinkBody& l : a.links) names.push_back(a.settings.name + "." + a.chain.link(l.link).name);
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> special;
  for (const ScenePair& pair : scene_.pairs) {
    const auto a = ids.find(names[pair.a]), b = ids.find(names[pair.b]);
    if (!pair.settings.interest || a == ids.end() || b == ids.end()) continue;
    special[std::minmax({index(a->second), index(b->second)})] = *pair.settings.interest;
  }
  for (std::uint32_t a = 0; a < parts_.size(); ++a)
    for (std::uint32_t b = a + 1; b < parts_.size(); ++b) {
      const auto said = special.find({a, b});
      if (!(said != special.end() ? said->second : wanted[a] && wanted[b]))
        filter.off.push_back({SceneBodyId{a}, SceneBodyId{b}});
    }
  deform_->set_filter(std::move(filter));
}

void SceneSteps::build(std::vector<Part> parts) {
  parts_ = std::move(parts);
  names_.clear();
  deform_.emplace();
  for (Part& p : parts_) {
    names_.push_back(actors_.name(p.id));
    const Body body = world_.body(p.id);
    try {
      if (p.deforms) {
        const Mesh& m = body.mesh();
        if (!p.mesh) p.mesh.emplace(p.after.vertices, m.polygons(), m.groups(), m.loose());
        deform_->add_deforming(*p.mesh);
      } else {
        deform_->add_rigid(body, Still{p.after.pose});
      }
    } catch (const Error& error) {
      ErrorDetail detail = error.detail();
      detail.message = fmt::format("'{}' cannot take part: {}", names_.back(), detail.message);
      throw Error(detail);
    }
  }
  filter();
}

void SceneSteps::next() {
  coordinates_.clear();
  bases_.clear();
  for (std::size_t a = 0; a < actors_.articulated().size(); ++a) {
    coordinates_.push_back(actors_.articulated()[a].coordinates);
    bases_.push_back(base(a));
  }
  actors_.step(frame_++);
  std::vector<Part> now = list();
  const auto same = [](const Part& x, const Part& y) { return x.id == y.id; };
  if (!std::equal(now.begin(), now.end(), parts_.begin(), parts_.end(), same)) {
    for (Part& p : now)
      for (const Part& old : parts_)
        if (p.id == old.id) {
          p.before = old.after;
          p.mesh = old.mesh;
        }
    build(std::move(now));  // pieces begin where the whole is
  } else {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].before = std::move(parts_[i].after);
      parts_[i].after = std::move(now[i].after);
    }
  }
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    Part& p = parts_[i];
    const SceneBodyId id{i};
    if (p.deforms) {
      const Body body = world_.body(p.id);
      const Mesh& m = body.mesh();
      if (!same_parts(*p.mesh, m)) {
        const Mesh next(p.after.vertices, m.polygons(), m.groups(), m.loose());
        const Mesh broken = broken_at_start(*p.mesh, p.before.vertices, next, names_[i]);
        p.before.vertices.assign(broken.positions().begin(), broken.positions().end());
        deform_->replace(id, broken);
        p.mesh = next;
      }
      deform_->set_positions(id, p.before.vertices);
      deform_->move(id, p.after.vertices);
    } else if (p.scene) {
      deform_->move(id, way(p.before.pose, p.after.pose));
    } else {
      const auto& a = actors_.articulated()[p.articulated];
      const Chain chain = on_base(a.scene->chain, way(bases_[p.articulated], base(p.articulated)));
      deform_->move(id, chain.link_motion(a.scene->links[p.link].link, coordinates_[p.articulated], a.coordinates));
    }
  }
}

}  // namespace graze::app
