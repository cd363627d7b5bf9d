// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#include <graze/world/ids.hpp>

#include "scene/scene_file.hpp"

namespace graze::app {

/// The scene in a serial or a concurrent world.
template <class AnyWorld>
class Actors {
 public:
  Actors(AnyWorld& world, const Scene& scene) : world_(world), scene_(scene) {
    for (const SceneFrame& f : scene.frame_list) {
      frames_.push_back(world.add_frame(f.pose, f.parent ? std::optional(frames_[*f.parent]) : std::nullopt));
      frame_poses_.push_back(f.pose);
    }
    std::vector<BodyId> ids;  // in the numbering of `ScenePair`
    for (const SceneBody& b : scene.bodies) {
      BodySettings settings = b.settings;
      if (b.frame) settings.frame = frames_[*b.frame];
      naming(b.settings.name, 1, [&] { ids.push_back(world.add(b.body, b.pose, settings)); });
      bodies_.push_back({ids.back(), b.pose, &b.motion, &b, &b});
      know(ids.back(), b.settings.name, b.body);
    }
    for (const SceneArticulated& a : scene.articulated) naming(a.settings.name, 1, [&] { add(a, ids); });
    for (const ScenePair& p : scene.pairs) world.set_pair(ids[p.a], ids[p.b], p.settings);
  }

  /// Advances from this frame, numbered from 0, to the next.
  void step(std::uint64_t frame) {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const SceneFrame& f = scene_.frame_list[i];
      if (f.motion.moves())
        naming(f.name, frame + 2,
               [&] { world_.move(frames_[i], frame_poses_[i] = f.motion.next(frame_poses_[i], frame)); });
    }
    for (std::size_t i = bodies_.size(); i-- > 0;) naming(names_.at(bodies_[i].id), frame + 2, [&] { step(i, frame); });
    for (Articulated& a : articulated_) {
      if (!a.scene->motion.moves() && !a.scene->base_motion.moves()) continue;
      naming(a.scene->settings.name, frame + 2, [&] {
        a.coordinates = a.scene->motion.next(a.coordinates, frame);
        a.base = a.scene->base_motion.next(a.base, frame);
        world_.move(a.id, a.coordinates, a.base);
      });
    }
  }

  struct Actor {
    BodyId id;
    Pose pose;
    const SceneMotion* motion;
    const SceneBody* scene;  ///< none: a piece of a broken body
    const SceneBody* whole;  ///< the body, or the one of which this is a piece
  };
  struct Articulated {
    ArticulatedId id;
    std::vector<double> coordinates;
    Pose base;
    const SceneArticulated* scene;
  };
  const std::vector<Actor>& bodies() const { return bodies_; }
  const std::vector<Articulated>& articulated() const { return articulated_; }
  const std::vector<FrameId>& frames() const { return frames_; }
  const std::string& name(BodyId id) const { return names_.at(id); }
  /// Empty: the body is no compound, or the piece has no name.
  std::string piece_name(BodyId id, PieceId piece) const {
    const auto found = compounds_.find(id);
    return found == compounds_.end() ? std::string() : found->second.pieces()[index(piece)].name;
  }

 private:
  /// Adds the object's name in the scene and the frame to the errors of the world.
  template <class Work>
  static void naming(const std::string& name, std::uint64_t frame, Work&& work) try {
    work();
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.message = fmt::format("'{}' cannot be placed in frame {}: {}", name, frame, detail.message);
    throw Error(detail);
  }

  void know(BodyId id, const std::string& name, const Body& body) {
    names_[id] = name;
    if (!body.pieces().empty()) compounds_.insert_or_assign(id, body);
  }

  void add(const SceneArticulated& a, std::vector<BodyId>& ids) {
    BodySettings settings = a.settings;
    if (a.frame) settings.frame = frames_[*a.frame];
    const ArticulatedId id = world_.add(a.chain, a.links, a.coordinates, a.base, settings);
    const std::vector<BodyId> links = world_.bodies(id);
    for (std::size_t i = 0; i < links.size(); ++i)
      know(links[i], a.settings.name + "." + a.chain.link(a.links[i].link).name, a.links[i].body);
    for (const auto& pair : a.ignored) world_.interest(links[pair[0]], links[pair[1]], false);
    ids.insert(ids.end(), links.begin(), links.end());
    articulated_.push_back({id, a.coordinates, a.base, &a});
  }

  void step(std::size_t number, std::uint64_t frame) {
    const Actor a = bodies_[number];
    if (a.scene && a.scene->breaks_in == frame + 2) return break_up(number);
    if (a.scene && !a.scene->shapes.empty()) {
      const std::vector<Mesh>& shapes = a.scene->shapes;
      const Mesh& now = shapes[track_entry(shapes.size(), a.scene->shapes_loop, frame)];
      const Mesh& next = shapes[track_entry(shapes.size(), a.scene->shapes_loop, frame + 1)];
      if (same_parts(now, next))
        world_.deform(a.id, std::vector<Vec3>(next.positions().begin(), next.positions().end()));
      else
        world_.replace(a.id, Body(next));
    }
    if (a.motion->moves()) world_.move(a.id, bodies_[number].pose = a.motion->next(a.pose, frame));
  }

  void break_up(std::size_t number) {
    const Actor whole = bodies_[number];
    std::vector<Body> pieces;
    for (const ScenePiece& p : whole.scene->pieces) pieces.push_back(p.body);
    const std::vector<BodyId> ids = world_.break_up(whole.id, pieces);
    bodies_.erase(bodies_.begin() + static_cast<std::ptrdiff_t>(number));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const ScenePiece& p = whole.scene->pieces[i];
      bodies_.push_back({ids[i], whole.pose, &p.motion, nullptr, whole.scene});
      know(ids[i], p.name, p.body);
    }
  }

  AnyWorld& world_;
  const Scene& scene_;
  std::vector<FrameId> frames_;
  std::vector<Pose> frame_poses_;
  std::vector<Actor> bodies_;
  std::vector<Articulated> articulated_;
  std::map<BodyId, std::string> names_;
  std::map<BodyId, Body> compounds_;
};

}  // namespace graze::app
