// SPDX-License-Identifier: MIT
#include <graze/gpu/motions.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <graze/ask/many.hpp>
#include <graze/motion/motion.hpp>

#include "body/body_data.hpp"
#include "gpu/motions/kernel.hpp"
#include "gpu/motions/mesh_upload.hpp"

namespace graze::gpu {

namespace {

static_assert(sizeof(Pose) == sizeof(DevicePose));

// Warps of a block, and blocks on a multiprocessor at the same time: registers and shared memory of the device allow
// it.
using Quick = SearchKernel<512, 4, 4>;
using Roomy = SearchKernel<3000, 1, 4>;

ErrorDetail motions_problem(ErrorCode code, std::string element, std::string message) {
  ErrorDetail e;
  e.code = code;
  e.element = std::move(element);
  e.message = std::move(message);
  return e;
}

void require_mesh(const Body& body, const char* which) {
  if (body.has_mesh()) return;
  throw Error(
      motions_problem(ErrorCode::unsupported, std::string("body ") + which,
                      "questions about motions on the GPU take meshes, boxes and hulls only; ask about a curved "
                      "shape, a half-space or a compound on the CPU"));
}

double diagonal_of(const Body& body) { return length(body.box().hi - body.box().lo); }

VectorD scaled(const Vec3& v, double unit) { return {v.x * unit, v.y * unit, v.z * unit}; }

}  // namespace

struct MotionPair::State {
  State(const Body& body_a, const Body& body_b) : a(body_a), b(body_b) {
    // Frames beyond this have no power of two that a double can hold with room to spare: the CPU answers.
    in_range = std::max(std::abs(exponent(a)), std::abs(exponent(b))) < 400;
    unit = in_range ? std::ldexp(1.0, -std::max(exponent(a), exponent(b))) : 1;
    if (!in_range) return;
    mesh_a.emplace(a, unit, stream);
    mesh_b.emplace(b, unit, stream);
  }
  static int exponent(const Body& body) { return body.data().tree.frame.exponent; }

  Body a, b;
  bool in_range = true;
  double unit = 1;
  Stream stream;
  std::optional<MeshOnDevice> mesh_a, mesh_b;
  Buffer<Pose> from_a, to_a, from_b, to_b;
  Buffer<MotionAnswer> answers;
  Buffer<std::uint64_t> numbers;
  Buffer<std::uint32_t> full, unsettled;
};

MotionPair::MotionPair(const Body& a, const Body& b) {
  require_mesh(a, "A");
  require_mesh(b, "B");
  state_ = std::make_unique<State>(a, b);
}
MotionPair::~MotionPair() = default;
MotionPair::MotionPair(MotionPair&&) noexcept = default;
MotionPair& MotionPair::operator=(MotionPair&&) noexcept = default;

std::size_t MotionPair::device_bytes() const {
  const State& s = *state_;
  return (s.mesh_a ? s.mesh_a->bytes() + s.mesh_b->bytes() : 0) + s.from_a.bytes() + s.to_a.bytes() + s.from_b.bytes() +
         s.to_b.bytes() + s.answers.bytes() + s.numbers.bytes() + s.full.bytes() + s.unsettled.bytes();
}

namespace {

/// One call.
class Batch {
 public:
  Batch(MotionPair::State& state, const PoseMotions& a, const PoseMotions& b, std::span<MotionAnswer> answers,
        const MotionsOptions& options, bool any)
      : s_(state), a_(a), b_(b), answers_(answers), options_(options), any_(any), stream_(options.stream) {}

  MotionsResult run() {
    const auto begin = std::chrono::steady_clock::now();
    if (auto wrong = problem()) {
      result_.status = Status::invalid_request;
      result_.error = std::move(*wrong);
      return result_;
    }
    result_.tolerance = options_.tolerance.value_or(1e-6 * std::min(diagonal_of(s_.a), diagonal_of(s_.b)));
    if (!answers_.empty()) answer();
    result_.status = result_.invalid > 0     ? Status::invalid_request
                     : result_.contact > 0   ? Status::contact
                     : result_.undecided > 0 ? Status::undecided
                                             : Status::free;
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result_;
  }

 private:
  const Stream& stream() const { return options_.stream ? stream_ : s_.stream; }

  std::optional<ErrorDetail> problem() const {
    for (const auto& [list, name] :
         {std::pair(a_.from, "poses of A at the start"), std::pair(a_.to, "poses of A at the end"),
          std::pair(b_.from, "poses of B at the start"), std::pair(b_.to, "poses of B at the end")})
      if (list.size() != 1 && list.size() != answers_.size())
        return motions_problem(ErrorCode::bad_option, name,
                               "there are " + std::to_string(list.size()) + ", but " + std::to_string(answers_.size()) +
                                   " answers are asked for; give one for each, or a single one for all");
    if (answers_.size() > 0xFFFFFFFFu / 2)
      return motions_problem(ErrorCode::too_large, "answers", "at most 2^31 motions in a call; split the batch");
    if (!is_finite(a_.reference) || !is_finite(b_.reference))
      return motions_problem(ErrorCode::not_finite, "reference",
                             "the coordinates of a reference point must be finite numbers");
    if (options_.tolerance && !(*options_.tolerance > 0 && std::isfinite(*options_.tolerance)))
      return motions_problem(ErrorCode::bad_option, "tolerance", "must be a positive, finite distance");
    if (!(options_.min_separation >= 0 && std::isfinite(options_.min_separation)))
      return motions_problem(ErrorCode::bad_option, "min_separation", "must be 0 or a positive, finite distance");
    if (options_.threads < 1 || options_.threads > 1024)
      return motions_problem(ErrorCode::bad_option, "threads", "must be between 1 and 1024");
    return std::nullopt;
  }

  void answer() {
    const std::size_t n = answers_.size();
    std::vector<std::uint32_t> left;
    if (s_.in_range) {
      MotionAnswer* out = answers_.data();
      if (!options_.answers_on_device) {
        s_.answers.grow(n);
        out = s_.answers.data();
      }
      search(out, left);
      if (!options_.answers_on_device) stream().copy_to_host(answers_.data(), out, n * sizeof(MotionAnswer));
      stream().wait();
      if (result_.invalid > 0) explain_first_invalid();
    } else {
      left.resize(n);
      for (std::size_t i = 0; i < n; ++i) left[i] = static_cast<std::uint32_t>(i);
    }
    std::sort(left.begin(), left.end());
    result_.on_cpu = left.size();
    if (!left.empty()) ask_cpu(left);
  }

  static const Pose* resident(const std::span<const Pose>& list, bool on_device, Buffer<Pose>& buffer,
                              const Stream& stream) {
    if (on_device) return list.data();
    buffer.upload(stream, list);
    return buffer.data();
  }
  PoseLists lists_of(const PoseMotions& m, Buffer<Pose>& from, Buffer<Pose>& to) const {
    return {reinterpret_cast<const DevicePose*>(resident(m.from, m.on_device, from, stream())),
            reinterpret_cast<const DevicePose*>(resident(m.to, m.on_device, to, stream())), m.from.size() == 1,
            m.to.size() == 1};
  }

  template <class Kernel>
  void fill(Kernel& k, MotionAnswer* out) {
    k.a = s_.mesh_a->view();
    k.b = s_.mesh_b->view();
    const double separation = options_.min_separation, tolerance = result_.tolerance;
    // Rounded to the safe side. A tolerance that doubles cannot add to the separation is one that the CPU is asked
    // about.
    k.pairing = {s_.unit, (separation + 0.5 * tolerance) * (1 + 0x1p-50) * s_.unit,
                 (separation + tolerance) * (1 - 0x1p-50) * s_.unit, scaled(a_.reference, s_.unit),
                 scaled(b_.reference, s_.unit)};
    k.any = any_;
    k.answers = out;
    k.next = s_.numbers.data();
    k.counts = s_.numbers.data() + 1;
    const auto room = static_cast<std::uint32_t>(answers_.size());
    k.full = {s_.full.data(), s_.numbers.data() + 4, room};
    k.unsettled = {s_.unsettled.data(), s_.numbers.data() + 5, room};
  }

  /// `left`: those that the device does not settle.
  void search(MotionAnswer* out, std::vector<std::uint32_t>& left) {
    const auto n = static_cast<std::uint32_t>(answers_.size());
    s_.numbers.grow(8);
    s_.full.grow(n);
    s_.unsettled.grow(n);
    stream().fill(s_.numbers.data(), 0, s_.numbers.bytes());
    Quick quick;
    fill(quick, out);
    quick.poses_a = lists_of(a_, s_.from_a, s_.to_a);
    quick.poses_b = lists_of(b_, s_.from_b, s_.to_b);
    quick.which = nullptr;
    quick.motions = n;
    launch(stream(), std::min(n, warps_at_once()), quick);
    std::uint64_t numbers[6];
    const auto read = [&] {
      stream().copy_to_host(numbers, s_.numbers.data(), sizeof(numbers));
      stream().wait();
    };
    read();
    if (const auto full = static_cast<std::uint32_t>(numbers[4]); full > 0) {
      result_.repeated = full;
      Roomy roomy;
      fill(roomy, out);
      roomy.poses_a = quick.poses_a;
      roomy.poses_b = quick.poses_b;
      roomy.which = s_.full.data();
      roomy.motions = full;
      roomy.full = roomy.unsettled;  // then it is the CPU's
      stream().fill(s_.numbers.data(), 0, sizeof(std::uint64_t));
      launch(stream(), std::min(full, warps_at_once() / 8), roomy);
      read();
    }
    result_.free = numbers[1 + static_cast<int>(Counted::free)];
    result_.contact = numbers[1 + static_cast<int>(Counted::contact)];
    result_.invalid = numbers[1 + static_cast<int>(Counted::invalid)];
    left.resize(numbers[5]);
    stream().copy_to_host(left.data(), s_.unsettled.data(), left.size() * sizeof(std::uint32_t));
    stream().wait();
  }

  /// Poses may only be invalid in the device's memory.
  void explain_first_invalid() {
    result_.error = motions_problem(ErrorCode::bad_pose, "poses",
                                    std::to_string(result_.invalid) +
                                        " motions have a pose with a number that is not finite, or without a rotation; "
                                        "their answers are invalid_request");
  }

  Pose pose_of(const std::span<const Pose>& list, bool on_device, std::uint32_t i) const {
    const Pose* at = list.data() + (list.size() == 1 ? 0 : i);
    if (!on_device) return *at;
    Pose pose;
    stream().copy_to_host(&pose, at, sizeof(pose));
    stream().wait();
    return pose;
  }

  void ask_cpu(const std::vector<std::uint32_t>& left) {
    std::vector<Motion> motions_a, motions_b;
    for (const std::uint32_t i : left) {
      motions_a.push_back(Velocity(pose_of(a_.from, a_.on_device, i), pose_of(a_.to, a_.on_device, i), a_.reference));
      motions_b.push_back(Velocity(pose_of(b_.from, b_.on_device, i), pose_of(b_.to, b_.on_device, i), b_.reference));
    }
    FirstContactOptions each;
    each.tolerance = options_.tolerance;
    each.min_separation = options_.min_separation;
    std::vector<MotionAnswer> found(left.size());
    if (any_) {
      std::vector<MotionFreeResult> results(left.size());
      const ManyResult all =
          motion_free_many(s_.a, motions_a, s_.b, motions_b, results, {.each = each, .threads = options_.threads});
      for (std::size_t k = 0; k < left.size(); ++k)
        found[k] = {results[k].status == Status::free ? 1.0 : results[k].time, {}, {}, results[k].status, 0};
      add(all);
    } else {
      std::vector<FirstContactResult> results(left.size());
      const ManyResult all =
          first_contact_many(s_.a, motions_a, s_.b, motions_b, results, {.each = each, .threads = options_.threads});
      for (std::size_t k = 0; k < left.size(); ++k) {
        const FirstContactResult& r = results[k];
        const TrianglePair pair = r.pair.value_or(TrianglePair{});
        found[k] = {r.status == Status::contact ? r.time.touch : r.time.safe, pair.a, pair.b, r.status, 0};
      }
      add(all);
    }
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (options_.answers_on_device)
        stream().copy_to_device(answers_.data() + left[k], &found[k], sizeof(MotionAnswer));
      else
        answers_[left[k]] = found[k];
    }
    stream().wait();
  }
  void add(const ManyResult& many) {
    result_.free += many.free;
    result_.contact += many.contact;
    result_.undecided += many.undecided;
    result_.invalid += many.invalid;
    if (many.error && !result_.error) result_.error = many.error;
  }

  MotionPair::State& s_;
  const PoseMotions &a_, &b_;
  std::span<MotionAnswer> answers_;
  const MotionsOptions& options_;
  bool any_;
  Stream stream_;  ///< the caller's
  MotionsResult result_;
};

}  // namespace

MotionsResult first_contact_many(MotionPair& pair, const PoseMotions& a, const PoseMotions& b,
                                 std::span<MotionAnswer> answers, const MotionsOptions& options) {
  return Batch(pair.state(), a, b, answers, options, false).run();
}

MotionsResult motion_free_many(MotionPair& pair, const PoseMotions& a, const PoseMotions& b,
                               std::span<MotionAnswer> answers, const MotionsOptions& options) {
  return Batch(pair.state(), a, b, answers, options, true).run();
}

}  // namespace graze::gpu
