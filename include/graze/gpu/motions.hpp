// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <graze/body/body.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>

namespace graze::gpu {

/// How a body moves in each motion of a batch: `Velocity(from[i], to[i], reference)`. A list of one pose stands for all
/// motions; equal lists are a body at rest.
struct PoseMotions {
  std::span<const Pose> from, to;
  Vec3 reference = {};
  /// The lists are memory of the device that is in use. (A pose there may be NaN or have no rotation: its motion is
  /// refused.)
  bool on_device = false;
};

/// What happens in one motion.
struct MotionAnswer {
  /// `contact`: certified free before, and within the tolerance then. `free`: 1. Otherwise 0.
  double time = 0;
  TriangleId a{}, b{};  ///< with a contact: triangles that touch
  Status status = Status::undecided;
  std::uint32_t rounds = 0;  ///< of the search on the device: a measure of its work
};

struct MotionsOptions {
  /// As for `first_contact`.
  std::optional<double> tolerance = {};
  double min_separation = 0;
  int threads = 1;                 ///< of the CPU, for the motions that it is asked about
  bool answers_on_device = false;  ///< `answers` is memory of the device
  void* stream = nullptr;          ///< a cudaStream_t with which the call is ordered; none: a stream of its own
};

struct MotionsResult {
  /// As of `ManyResult`.
  Status status = Status::undecided;
  std::size_t free = 0, contact = 0, undecided = 0, invalid = 0;
  double tolerance = 0;      ///< the value used
  std::size_t repeated = 0;  ///< motions that were searched again on the device, with more room
  std::size_t on_cpu = 0;    ///< motions that the CPU was asked about
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< of the batch, or of the first motion that was refused
};

/// Two bodies on the device, to be asked about many motions. Keeps memory from call to call: with as many motions as
/// before nothing is allocated, unless the CPU is asked. Not for two calls at the same time.
///
/// Both must be meshes, boxes or hulls; throws `Error` (unsupported) otherwise, or if there is no device to use, or not
/// enough memory on it.
class GRAZE_API MotionPair {
 public:
  MotionPair(const Body& a, const Body& b);
  ~MotionPair();
  MotionPair(MotionPair&&) noexcept;
  MotionPair& operator=(MotionPair&&) noexcept;
  struct State;
  State& state() { return *state_; }
  std::size_t device_bytes() const;

 private:
  std::unique_ptr<State> state_;
};

/// When do the bodies first touch, in each of many motions: `first_contact` on the device, a warp a motion. `free` is
/// certified for the whole motion. The time of a contact lies, as that of the CPU, between the first time that the gap
/// is within the tolerance and the first time that it is zero; it is the same in every run.
///
/// Motions that single and double precision do not settle are answered by the CPU in the same call and counted in
/// `on_cpu`: those that start within the tolerance but do not certainly cross, that turn by half a turn, whose numbers
/// are too large or too far apart for the tolerance, or that take very many steps. So every motion is answered.
///
/// Returns when the answers are there. `invalid_request`: the lists do not fit together or an option is wrong; then
/// nothing was answered. Throws `Error` if the device fails.
GRAZE_API MotionsResult first_contact_many(MotionPair& pair, const PoseMotions& a, const PoseMotions& b,
                                           std::span<MotionAnswer> answers, const MotionsOptions& options = {});
/// The same for `motion_free`: yes or no. A contact is any contact, certified to be within the tolerance at its time.
GRAZE_API MotionsResult motion_free_many(MotionPair& pair, const PoseMotions& a, const PoseMotions& b,
                                         std::span<MotionAnswer> answers, const MotionsOptions& options = {});

}  // namespace graze::gpu
