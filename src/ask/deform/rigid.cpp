// SPDX-License-Identifier: MIT
#include <graze/ask/deform_rigid.hpp>

#include <algorithm>
#include <string>

#include <graze/ask/deform_scene.hpp>

#include "core/refusal.hpp"

namespace graze {

struct DeformableAmongRigid::Data {
  DeformScene scene;
  std::size_t rigid = 0;
  SceneResult answer;
};

DeformableAmongRigid::DeformableAmongRigid(const Mesh& deforming, std::span<const Mesh> rigid)
    : data_(std::make_unique<Data>()) {
  data_->scene.add_deforming(deforming);
  for (const Mesh& m : rigid) data_->scene.add_rigid(Body(m));
  data_->rigid = rigid.size();
}
DeformableAmongRigid::~DeformableAmongRigid() = default;
DeformableAmongRigid::DeformableAmongRigid(DeformableAmongRigid&&) noexcept = default;
DeformableAmongRigid& DeformableAmongRigid::operator=(DeformableAmongRigid&&) noexcept = default;

MixedResult DeformableAmongRigid::step(std::span<const Vec3> positions, std::span<const Motion> motions,
                                       const DeformOptions& options) {
  MixedResult result;
  step(positions, motions, options, result);
  return result;
}

void DeformableAmongRigid::step(std::span<const Vec3> positions, std::span<const Motion> motions,
                                const DeformOptions& options, MixedResult& result) {
  Data& d = *data_;
  result = MixedResult{};
  if (motions.size() != d.rigid)
    return core::refuse(result, core::problem(ErrorCode::bad_option, "motion",
                                              "there must be one motion for each rigid body: " +
                                                  std::to_string(d.rigid) + ", not " + std::to_string(motions.size())));
  const SceneBodyId soft{0};
  try {
    d.scene.move(soft, positions);
  } catch (const Error& e) {
    return core::refuse(result, e.detail());
  }
  for (std::uint32_t b = 0; b < motions.size(); ++b) d.scene.move(SceneBodyId{b + 1}, motions[b]);
  d.scene.step(options, d.answer);
  const SceneResult& r = d.answer;
  result.status = r.status;
  result.time = r.time;
  result.tolerance = r.tolerance;
  result.counters = r.counters;
  result.error = r.error;
  result.own.status = Status::free;
  for (const SceneContact& c : r.contacts) {
    if (index(c.a) == 0 && index(c.b) == 0) {
      TimeBracket& time = result.own.time;
      const bool first = result.own.contacts.empty();
      time.touch = first ? c.contact.time.touch : std::min(time.touch, c.contact.time.touch);
      time.safe = first ? c.contact.time.safe : std::min(time.safe, c.contact.time.safe);
      result.own.contacts.push_back(c.contact);
    } else {
      const bool rigid_first = index(c.a) > 0;
      result.contacts.push_back({index(rigid_first ? c.a : c.b) - 1, rigid_first, c.contact});
    }
  }
  for (const SceneCrossing& c : r.crossing_at_start)
    if (index(c.b) == 0)
      result.own.crossing_at_start.push_back(c.triangles);
    else
      result.crossing_at_start.push_back({index(c.b) - 1, c.triangles});
  if (!result.own.contacts.empty() || !result.own.crossing_at_start.empty()) result.own.status = Status::contact;
}

}  // namespace graze
