// SPDX-License-Identifier: MIT
#include "ask/many.hpp"

#include <string>

#include "ask/shared/batch.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"

namespace graze {

ManyMemory::ManyMemory() : state_(std::make_unique<State>()) {}
ManyMemory::~ManyMemory() = default;
ManyMemory::ManyMemory(ManyMemory&&) noexcept = default;
ManyMemory& ManyMemory::operator=(ManyMemory&&) noexcept = default;

namespace {

// An entry that was not answered keeps nothing of an earlier answer except its buffers.

void forget_entry(CollideResult& result) {
  CollideResult empty;
  empty.pairs = std::move(result.pairs);
  empty.features = std::move(result.features);
  empty.pairs.clear();
  empty.features.clear();
  result = std::move(empty);
}

void forget_entry(FirstContactResult& result) {
  FirstContactResult empty;
  empty.features = std::move(result.features);
  empty.contacts = std::move(result.contacts);
  empty.features.clear();
  empty.contacts.clear();
  empty.time = {0, math::not_a_number};
  empty.gap = math::not_a_number;
  result = std::move(empty);
}

void forget_entry(RayResult& result) {
  RayResult empty;
  empty.all = std::move(result.all);
  empty.all.clear();
  result = std::move(empty);
}

template <class Result>
void forget_entry(Result& result) {
  result = Result{};
}

template <class T>
std::optional<ErrorDetail> wrong_length(const char* of, const ForEach<T>& list, std::size_t entries) {
  if (list.has(entries)) return std::nullopt;
  return core::problem(ErrorCode::bad_option, of,
                       "the list has " + std::to_string(list.size()) + " entries and there are " +
                           std::to_string(entries) + " results; give one entry for each result, or a single value");
}

/// The options of one entry, for one thread.
CollideOptions entry_options(const CollideOptions& each, ManySlot*) {
  CollideOptions options = each;
  options.threads = 1;
  options.coherence = nullptr;  // only a one-sided method uses it, and its answers may then depend on the order
  options.method_counters = nullptr;
  return options;
}

DistanceOptions entry_options(const DistanceOptions& each, ManySlot*) {
  DistanceOptions options = each;
  options.threads = 1;
  return options;
}

const RayOptions& entry_options(const RayOptions& each, ManySlot*) { return each; }

FirstContactOptions entry_options(const FirstContactOptions& each, ManySlot* slot) {
  FirstContactOptions options = each;
  options.threads = 1;
  options.coherence = &slot->coherence;
  options.method_counters = nullptr;
  return options;
}

/// A slot for each thread; of these bodies.
std::span<ManySlot> slots_for(const Body& a, const Body& b, int threads, ManyMemory& memory) {
  ManyMemory::State& state = memory.state();
  const bool same = state.a && &state.a->data() == &a.data() && &state.b->data() == &b.data();
  if (!same) {  // what is kept belongs to other bodies
    state.slots.clear();
    state.a = a;
    state.b = b;
  }
  if (state.slots.size() < static_cast<std::size_t>(threads)) state.slots.resize(static_cast<std::size_t>(threads));
  return state.slots;
}

template <class T, class Options, class Result, class Ask>
ManyResult run_batch(const Body& a, const ForEach<T>& of_a, const Body& b, const ForEach<T>& of_b,
                     const char* element_a, const char* element_b, std::span<Result> results,
                     const ManyOptions<Options>& options, bool with_slots, const Ask& ask) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  ManyResult many;
  const auto forget_all = [&] {
    for (Result& r : results) forget_entry(r);
  };
  const auto finish = [&] {
    many.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return many;
  };
  if (core::refused(many, wrong_length(element_a, of_a, results.size())) ||
      core::refused(many, wrong_length(element_b, of_b, results.size())) ||
      core::refused(many, core::bad_threads(options.threads))) {
    forget_all();
    many.undecided = results.size();
    return finish();
  }
  core::Limits limits(options.cancel, options.budget);
  bool begun = false;
  core::run_within(limits, [&](core::Limits*) {
    begun = true;
    std::optional<ManyMemory> own;
    if (with_slots && !options.memory) own.emplace();
    const std::span<ManySlot> slots =
        with_slots ? slots_for(a, b, options.threads, own ? *own : *options.memory) : std::span<ManySlot>();
    ask::answer_entries(
        results.size(), options.threads,
        [&](std::size_t worker) {
          ManySlot* const slot = slots.empty() ? nullptr : &slots[worker];
          return [&, slot, each = entry_options(options.each, slot)](std::size_t i) { ask(i, each, slot, results[i]); };
        },
        [&](std::size_t i) { forget_entry(results[i]); });
  });
  if (!begun) forget_all();
  core::leave_if_outer_ended(limits);
  ask::count_entries(results, many);
  return finish();
}

}  // namespace

ManyResult collide_many(const Body& a, ForEach<Pose> poses_a, const Body& b, ForEach<Pose> poses_b,
                        std::span<CollideResult> results, const ManyOptions<CollideOptions>& options) {
  return run_batch(a, poses_a, b, poses_b, "poses of A", "poses of B", results, options, false,
                   [&](std::size_t i, const CollideOptions& each, ManySlot*, CollideResult& result) {
                     collide(a, poses_a[i], b, poses_b[i], each, result);
                   });
}

ManyResult distance_many(const Body& a, ForEach<Pose> poses_a, const Body& b, ForEach<Pose> poses_b,
                         std::span<DistanceResult> results, const ManyOptions<DistanceOptions>& options) {
  return run_batch(a, poses_a, b, poses_b, "poses of A", "poses of B", results, options, false,
                   [&](std::size_t i, const DistanceOptions& each, ManySlot*, DistanceResult& result) {
                     distance(a, poses_a[i], b, poses_b[i], each, result);
                   });
}

ManyResult first_contact_many(const Body& a, ForEach<Motion> motions_a, const Body& b, ForEach<Motion> motions_b,
                              std::span<FirstContactResult> results, const ManyOptions<FirstContactOptions>& options) {
  return run_batch(a, motions_a, b, motions_b, "motions of A", "motions of B", results, options, true,
                   [&](std::size_t i, const FirstContactOptions& each, ManySlot*, FirstContactResult& result) {
                     first_contact(a, motions_a[i], b, motions_b[i], each, result);
                   });
}

ManyResult motion_free_many(const Body& a, ForEach<Motion> motions_a, const Body& b, ForEach<Motion> motions_b,
                            std::span<MotionFreeResult> results, const ManyOptions<FirstContactOptions>& options) {
  return run_batch(a, motions_a, b, motions_b, "motions of A", "motions of B", results, options, true,
                   [&](std::size_t i, const FirstContactOptions& each, ManySlot* slot, MotionFreeResult& result) {
                     ask::motion_free_with(a, motions_a[i], b, motions_b[i], each, slot->motion_free, result);
                   });
}

ManyResult cast_rays(const Body& body, const Pose& pose, ForEach<Ray> rays, std::span<RayResult> results,
                     const ManyOptions<RayOptions>& options) {
  return run_batch(body, rays, body, rays, "rays", "rays", results, options, false,
                   [&](std::size_t i, const RayOptions& each, ManySlot*, RayResult& result) {
                     cast_ray(body, pose, rays[i].from, rays[i].to, each, result);
                   });
}

}  // namespace graze
