// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/gpu/deform.hpp>

#include "gpu/buffer.hpp"
#include "gpu/deform/features.hpp"
#include "gpu/deform/step_view.hpp"

namespace graze::gpu {

/// What is asked of a step.
struct StepQuestion {
  bool self = true, all = true, exact = false;
  double min_separation = 0, tolerance = 0;  ///< tolerance 0: the default
  int threads = 1;                           ///< of the host
  friend bool operator==(const StepQuestion&, const StepQuestion&) = default;
};

/// A mesh on the device and the kernels of its steps.
class StepOnDevice {
 public:
  explicit StepOnDevice(void* stream);

  const Stream& stream() const { return stream_; }
  void set_features(const Features& features, std::size_t vertices);
  /// `filter`: checked by the caller.
  void set_filter(const DeformFilter& filter, std::size_t vertices);
  void set_unit(double unit) { unit_ = unit; }
  /// Positions that all steps start near; once.
  void set_frame(std::span<const Vec3> positions);

  /// Where positions are kept: at the start and at the end of a step.
  Vec3* start() const { return start_.data(); }
  Vec3* end() const { return end_.data(); }

  /// Puts a step on the stream. `end`: positions on the device.
  void begin(const Vec3* end, const StepQuestion& question);
  /// Waits for its end, repeats it as often as lists were too long, and has the host decide what the device left. After
  /// it `counts` are those of the step, and `contacts` are on the device: all in order, or the earliest only.
  void finish();
  const StepCounts& counts() const { return *counts_here_.data(); }
  const StepContact* contacts() const { return sorted_.data(); }
  /// Copies the contacts to the host.
  std::span<const StepContact> fetch(std::size_t count);
  const StepWork& work() const { return work_; }
  const StepQuestion& question() const { return question_; }

 private:
  /// How a step is asked about: in the frame or at any scale; whole or a first part.
  struct Way {
    bool framed = true, part = false;
    friend bool operator==(const Way&, const Way&) = default;
  };
  StepView view(const Vec3* end) const;
  void record();
  void run();
  void run_framed(const Stream& stream, const StepView& view) const;
  static void settle_hard(const Stream& stream, const StepView& view);
  static void run_at_any_scale(const Stream& stream, const StepView& view);
  void frame_anew();
  void take(std::span<const Vec3> positions);
  void make_frame();
  bool repeat_with_room();
  void settle();
  static void run_order(const Stream& stream, const StepView& view, bool all);
  bool grow();
  void decide_left();
  std::uint64_t bytes() const;

  Stream stream_;
  double unit_ = 1;
  Frame frame_{{0, 0, 0}, 1};
  Vec3 frame_low_{}, frame_high_{};  ///< of all positions that the frame was made for
  bool frame_fits_ = false;          ///< it has a size that doubles can have
  Way way_;
  bool early_pays_ = true;  ///< the last contact that was asked for was in the first part
  /// What a step in the frame had, of which a list was too short.
  std::uint64_t framed_candidates_[2] = {}, framed_near_[2] = {};
  bool at_any_scale_ = false;  ///< the frame is too coarse for this mesh
  bool comparing_ = false;     ///< with what it has at any scale
  Way compared_way_;           ///< that of the step whose lists were too short
  StepQuestion question_;
  const Vec3* asked_end_ = nullptr;
  StepWork work_;

  std::uint32_t vertex_names_ = 0;
  std::uint32_t count_[3] = {};  ///< of vertices, faces, edges
  Buffer<std::uint32_t> vertices_, edge_at_, face_at_, piece_, body_;
  Buffer<Edge> edges_, edges_by_name_, off_;
  Buffer<Face> faces_, faces_by_name_;
  Buffer<BodyRule> settings_;
  Buffer<std::uint8_t> fixed_;
  std::uint32_t settings_count_ = 0, off_count_ = 0;
  bool filtered_ = false;

  Buffer<Vec3> start_, end_;
  Buffer<BoxPair> boxes_[3][4];
  Buffer<Edge> placed_edges_;
  Buffer<Face> placed_faces_;
  Buffer<FramedVertex> framed_;
  Buffer<PackedBox> packed_[3], packed_clusters_[3];
  Buffer<StepCounts> counts_;
  Buffer<StepCounts, Place::pinned> counts_here_;
  Buffer<ClusterPair> pairs_[2];
  Buffer<Candidate> candidates_[2];
  Buffer<NearPair> near_[2], rest_[2], hard_[2];
  Buffer<FoundContact> contacts_;
  Buffer<InBucket> in_buckets_;
  Buffer<LeftPair> left_;
  Buffer<LeftPair, Place::pinned> left_here_;
  Buffer<FoundContact, Place::pinned> decided_;
  Buffer<std::uint32_t> filled_, first_, chunk_;
  Buffer<StepContact> sorted_;
  Buffer<StepContact, Place::pinned> sorted_here_;

  /// A recorded step, and of what it was recorded.
  struct Kept {
    Recorded step, order;
    const Vec3* end = nullptr;
    StepQuestion question;
    Way way;
  };
  Kept kept_[2];  ///< of whole steps and of first parts
  Kept& kept() { return kept_[way_.part ? 1 : 0]; }
  void forget() {
    for (Kept& k : kept_) k.step.forget(), k.order.forget();
  }
};

}  // namespace graze::gpu
