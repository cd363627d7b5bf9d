// SPDX-License-Identifier: MIT
#include "demo/cage_soak.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/ask/collide.hpp>

#include "output/progress.hpp"
#include "system.hpp"

namespace graze::app {
namespace {

using Pairs = std::vector<std::pair<BodyId, BodyId>>;

Pairs contacts_of_all_pairs(const World& world) {
  const std::vector<BodyId> ids = world.bodies();
  std::vector<Pose> poses;
  for (const BodyId id : ids) poses.push_back(world.pose(id));
  Pairs out;
  CollideResult result;
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = i + 1; j < ids.size(); ++j) {
      collide(world.body(ids[i]), poses[i], world.body(ids[j]), poses[j], {}, result);
      if (result.status == Status::contact) out.emplace_back(ids[i], ids[j]);
    }
  return out;
}

class Soak {
 public:
  Soak(const CageOptions& cage, const WorldOptions& options, const std::string& record)
      : scene_(cage), dice_(cage.seed + 1), world_(options) {
    if (!record.empty()) world_.record(record);
    for (std::size_t i = 0; i < scene_.size(); ++i) ids_.push_back(world_.add(scene_.body(i), scene_.pose(i)));
  }

  SoakResult run(std::uint64_t frames, std::uint64_t every) {
    Progress progress(frames, "frames");
    CheckResult check;
    for (std::uint64_t f = 0; f < frames && !result_.difference; ++f) {
      change();
      world_.check({}, check);
      take(check);
      if (f % every == every - 1 || f + 1 == frames) compare();
      if (f == frames / 10) result_.bytes_early = process_bytes();
      ++result_.frames;
      progress.step();
    }
    result_.bytes_end = process_bytes();
    return result_;
  }

 private:
  const Body& some_kind() { return scene_.kinds()[static_cast<std::size_t>(dice_.below(scene_.kinds().size()))]; }

  /// Moves everything and changes a few bodies.
  void change() {
    scene_.step();
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (i < scene_.size() && world_.has(ids_[i])) world_.move(ids_[i], scene_.pose(i));
    const std::size_t which = static_cast<std::size_t>(dice_.below(scene_.size()));
    switch (dice_.below(4)) {
      case 0:  // removed and replaced by another
        if (!world_.has(ids_[which])) break;
        world_.remove(ids_[which]);
        ids_[which] = world_.add(some_kind(), scene_.pose(which));
        ++result_.removes, ++result_.adds;
        break;
      case 1: {  // deformed: scaled along one axis
        if (!world_.has(ids_[which])) break;
        const auto old = world_.body(ids_[which]).mesh().positions();
        std::vector<Vec3> positions(old.begin(), old.end());
        const int axis = static_cast<int>(dice_.below(3));
        const double factor = dice_.between(0.8, 1.2);
        for (Vec3& p : positions) p[axis] *= factor;
        world_.deform(ids_[which], positions);
        ++result_.deformations;
        break;
      }
      case 2:  // broken into two pieces that stay in place; a new body continues the motion
        if (!world_.has(ids_[which])) break;
        for (const BodyId id : world_.break_up(ids_[which], std::vector<Body>{some_kind(), some_kind()}))
          pieces_.push_back(id);
        ids_[which] = world_.add(some_kind(), scene_.pose(which));
        ++result_.breaks, ++result_.adds;
        break;
      default:  // surplus pieces are removed
        while (pieces_.size() > scene_.size() / 10 + 1) {
          world_.remove(pieces_.front());
          pieces_.erase(pieces_.begin());
          ++result_.removes;
        }
    }
  }

  void take(const CheckResult& check) {
    result_.events += check.events.size();
    result_.event_hash = event_hash(check.events, result_.event_hash);
    for (const WorldEvent& e : check.events) {
      const std::pair pair(e.a, e.b);
      const bool known = told_.contains(pair);
      if (known == (e.kind == EventKind::began)) differ(check.frame, e.a, e.b, "was told twice, or never");
      if (e.kind == EventKind::ended)
        told_.erase(pair);
      else
        told_.insert(pair);
    }
  }

  void compare() {
    ++result_.compared;
    const Pairs expected = contacts_of_all_pairs(world_), touching = world_.touching();
    if (touching == expected && std::equal(told_.begin(), told_.end(), expected.begin(), expected.end())) return;
    Pairs wrong;
    std::set_symmetric_difference(touching.begin(), touching.end(), expected.begin(), expected.end(),
                                  std::back_inserter(wrong));
    if (wrong.empty())
      std::set_symmetric_difference(told_.begin(), told_.end(), expected.begin(), expected.end(),
                                    std::back_inserter(wrong));
    differ(world_.frame(), wrong[0].first, wrong[0].second, "differs from testing all pairs");
  }

  void differ(std::uint64_t frame, BodyId a, BodyId b, const char* what) {
    if (!result_.difference)
      result_.difference = fmt::format("frame {}: the contact of bodies {} and {} {}", frame, a.slot, b.slot, what);
  }

  CageScene scene_;
  Dice dice_;
  World world_;
  std::vector<BodyId> ids_, pieces_;
  std::set<std::pair<BodyId, BodyId>> told_;
  SoakResult result_;
};

}  // namespace

SoakResult soak(const CageOptions& cage, const WorldOptions& options, std::uint64_t frames, std::uint64_t every,
                const std::string& record) {
  return Soak(cage, options, record).run(frames, every);
}

}  // namespace graze::app
