// SPDX-License-Identifier: MIT
#include <graze/broad/broad_phase.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include <graze/core/error.hpp>
#include <graze/core/portability.hpp>

#include "broad/automatic.hpp"
#include "broad/methods.hpp"
#include "broad/pair_order.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using namespace broad;

constexpr std::uint32_t kLimit = 1u << 24;

template <class... T>
constexpr auto all_traits(core::MethodList<T...>) {
  return std::array{
      BroadTraits{"automatic",
                  "chooses by the number of bodies, their sizes and how many move, and may change the method later"},
      T::traits...};
}
constexpr auto kTraits = all_traits(Methods{});

template <class... T>
std::unique_ptr<Method> make_method(core::MethodList<T...>, std::string_view name, const BroadOptions& options) {
  std::unique_ptr<Method> made;
  (void)((T::traits.name == name ? (made = std::make_unique<T>(options), true) : false) || ...);
  return made;
}

[[noreturn]] void fail(ErrorCode code, std::string message, std::string element, std::uint64_t id = ErrorDetail::none) {
  throw Error(core::problem(code, std::move(element), std::move(message), id));
}

/// Finite and not empty? Decided by integer comparisons: the caller's floating-point environment may not be used, and
/// setting our own would cost more than everything else here. The bits of finite doubles, read as integers, are in
/// order if neither is negative, and in reverse order if both are.
inline bool surely_good(double lo, double hi) {
  constexpr std::int64_t exponent = 0x7ff0000000000000, magnitude = 0x7fffffffffffffff;
  const auto l = core::bit_cast<std::int64_t>(lo), h = core::bit_cast<std::int64_t>(hi);
  const std::int64_t key_l = l ^ ((l >> 63) & magnitude), key_h = h ^ ((h >> 63) & magnitude);
  return (l & exponent) != exponent && (h & exponent) != exponent && key_l <= key_h;
}

void look_closely(const Box3& box, const char* element, std::uint64_t id) {
  const core::FpGuard guard;
  if (!is_finite(box.lo) || !is_finite(box.hi))
    fail(ErrorCode::not_finite, "its box has a coordinate that is NaN or infinite; give it a finite box", element, id);
  if (box.lo.x > box.hi.x || box.lo.y > box.hi.y || box.lo.z > box.hi.z)
    fail(ErrorCode::bad_option, "its box is empty: lo is above hi; a point has lo equal to hi", element, id);
}

inline void check_box(const Box3& box, const char* element, std::uint64_t id) {
  const bool good =
      surely_good(box.lo.x, box.hi.x) && surely_good(box.lo.y, box.hi.y) && surely_good(box.lo.z, box.hi.z);
  if (!good) look_closely(box, element, id);
}

void check_options(const BroadOptions& o) {
  const core::FpGuard guard;
  if (std::none_of(kTraits.begin(), kTraits.end(), [&](const BroadTraits& t) { return t.name == o.method; })) {
    std::string known;
    for (const BroadTraits& t : kTraits) known += (known.empty() ? "" : ", ") + std::string(t.name);
    fail(ErrorCode::bad_option, "there is no broad phase '" + std::string(o.method) + "'; there are " + known,
         "option method");
  }
  if (o.bounds) check_box(*o.bounds, "option bounds", ErrorDetail::none);
  if (!(o.margin >= 0 && o.margin <= 10))
    fail(ErrorCode::bad_option, "the margin of the tree must be between 0 and 10", "option margin");
  if (!(o.cell >= 0 && std::isfinite(o.cell)))
    fail(ErrorCode::bad_option, "the side of a grid cell must be a finite number above 0, or 0", "option cell");
  if (o.depth < 0 || o.depth > 20)
    fail(ErrorCode::bad_option, "the depth of the octree must be between 1 and 20, or 0", "option depth");
}

void check_threads(int threads) { core::throw_if(core::bad_threads(threads)); }

}  // namespace

struct BroadPhase::Impl {
  explicit Impl(const BroadOptions& given) : options(given), automatic(given.method == "automatic") {
    for (const BroadTraits& t : kTraits) {
      if (t.name == (automatic ? Automatic::first_choice : given.method)) name = t.name;
    }
    options.method = name;  // copied: the caller's string may not outlive the call
    method = make_method(Methods{}, name, options);
  }

  /// Changes are passed to the method only at the next query, so a body that moved twice is processed once. `const`
  /// queries may run concurrently on many threads; the first one applies the changes.
  void catch_up() {
    if (!stale.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(catching_up);
    if (!stale.load(std::memory_order_relaxed)) return;
    method->apply(bodies, bodies.changed());
    bodies.forget_changed();
    stale.store(false, std::memory_order_release);
  }

  void reconsider(bool only_moved) {
    if (!automatic) return;
    const std::string_view better = chooser.choose(bodies, only_moved, name);
    if (better == name) return;
    past += method->counters;
    ++past.method_changes;
    method = make_method(Methods{}, better, options);
    name = better;
    std::vector<std::uint32_t> all;
    for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
      if (bodies.contains(id)) all.push_back(id);
    }
    method->apply(bodies, all);
    bodies.forget_changed();
    stale.store(false, std::memory_order_release);
  }

  void finish(std::vector<BoxPair>& out) {
    order.sort(out, bodies.limit());
    method->counters.pairs_reported += out.size();
    bodies.forget_moved();
  }

  BroadOptions options;
  bool automatic;
  std::string_view name;
  Bodies bodies;
  std::unique_ptr<Method> method;
  Automatic chooser;
  BroadCounters past;  // of methods that `automatic` has replaced
  PairOrder order;
  std::vector<std::uint32_t> moved;
  std::atomic<bool> stale = false;
  std::mutex catching_up;
};

std::span<const BroadTraits> broad_phases() { return kTraits; }

Box3 cube_around(const Vec3& middle, double radius) {
  const core::FpGuard guard;
  if (!(radius >= 0)) fail(ErrorCode::bad_option, "the radius of a cube must be 0 or more", "option radius");
  using math::infinity;
  Box3 box;
  for (int k = 0; k < 3; ++k) {
    // One rounding of at most half a unit in the last place each; one unit outward covers it.
    box.lo[k] = radius == 0 ? middle[k] : std::nextafter(middle[k] - radius, -infinity);
    box.hi[k] = radius == 0 ? middle[k] : std::nextafter(middle[k] + radius, infinity);
  }
  check_box(box, "cube", ErrorDetail::none);
  return box;
}

BroadPhase::BroadPhase(const BroadOptions& options) {
  check_options(options);
  impl_ = std::make_unique<Impl>(options);
}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

void BroadPhase::insert(std::uint32_t id, const Box3& box) {
  if (id >= kLimit) fail(ErrorCode::too_large, "ids of a broad phase must be below 16777216", "body", id);
  if (contains(id)) fail(ErrorCode::bad_option, "it is there already; update it or remove it first", "body", id);
  check_box(box, "body", id);
  impl_->bodies.insert(id, box);
  impl_->stale.store(true, std::memory_order_relaxed);
}

void BroadPhase::update(std::uint32_t id, const Box3& box) {
  if (!contains(id))
    fail(ErrorCode::index_out_of_range, "there is no such body to update; insert it first", "body", id);
  check_box(box, "body", id);
  impl_->bodies.set(id, box);
  impl_->stale.store(true, std::memory_order_relaxed);
}

void BroadPhase::tilt(std::uint32_t id, const TiltedBox& box) {
  if (!contains(id)) fail(ErrorCode::index_out_of_range, "there is no such body to tilt; insert it first", "body", id);
  const core::FpGuard guard;
  bool finite = is_finite(box.corner);
  for (const Vec3& edge : box.edges) finite = finite && is_finite(edge);
  if (!finite) fail(ErrorCode::not_finite, "its tilted box has a number that is NaN or infinite", "body", id);
  impl_->bodies.tilt(id, box);
  impl_->stale.store(true, std::memory_order_relaxed);
}

void BroadPhase::remove(std::uint32_t id) {
  if (!contains(id)) fail(ErrorCode::index_out_of_range, "there is no such body to remove", "body", id);
  impl_->bodies.remove(id);
  impl_->stale.store(true, std::memory_order_relaxed);
}

bool BroadPhase::contains(std::uint32_t id) const noexcept { return impl_->bodies.contains(id); }

const Box3& BroadPhase::box(std::uint32_t id) const {
  if (!contains(id)) fail(ErrorCode::index_out_of_range, "there is no such body", "body", id);
  return impl_->bodies.box(id);
}

std::size_t BroadPhase::size() const noexcept { return impl_->bodies.size(); }

void BroadPhase::pairs(std::vector<BoxPair>& out, int threads) {
  check_threads(threads);
  const core::FpGuard guard;
  out.clear();
  impl_->reconsider(false);
  impl_->catch_up();
  impl_->method->pairs(impl_->bodies, threads, out);
  impl_->finish(out);
}

void BroadPhase::moved_pairs(std::vector<BoxPair>& out, int threads) {
  check_threads(threads);
  const core::FpGuard guard;
  out.clear();
  impl_->reconsider(true);
  impl_->catch_up();
  const Bodies& bodies = impl_->bodies;
  impl_->moved.clear();
  for (const std::uint32_t id : bodies.moved()) {
    if (bodies.contains(id)) impl_->moved.push_back(id);
  }
  impl_->method->moved_pairs(bodies, impl_->moved, threads, out);
  impl_->finish(out);
}

void BroadPhase::overlapping(const Box3& box, std::vector<std::uint32_t>& out) const {
  check_box(box, "question", ErrorDetail::none);
  const core::FpGuard guard;
  out.clear();
  impl_->catch_up();
  impl_->method->overlapping(impl_->bodies, box, out);
  std::sort(out.begin(), out.end());
}

void BroadPhase::along_ray(const Vec3& origin, const Vec3& direction, double length,
                           std::vector<std::uint32_t>& out) const {
  const core::FpGuard guard;
  if (!is_finite(origin) || !is_finite(direction) || !(length >= 0))
    fail(ErrorCode::not_finite, "a ray needs a finite origin and direction and a length of 0 or more", "question");
  if (direction == Vec3{}) fail(ErrorCode::bad_option, "the direction of a ray must not be zero", "question");
  out.clear();
  impl_->catch_up();
  impl_->method->along_ray(impl_->bodies, {origin, direction, length}, out);
  std::sort(out.begin(), out.end());
}

std::uint64_t BroadPhase::around_point(const Vec3& point,
                                       const std::function<bool(std::uint32_t, double)>& visit) const {
  const core::FpGuard guard;
  if (!is_finite(point)) fail(ErrorCode::not_finite, "a coordinate of the point is NaN or infinite", "question");
  impl_->catch_up();
  return impl_->method->around_point(impl_->bodies, point, visit);
}

std::string_view BroadPhase::method() const noexcept { return impl_->name; }

BroadCounters BroadPhase::counters() const {
  BroadCounters sum = impl_->past;
  return sum += impl_->method->counters;
}

std::vector<std::uint64_t> BroadPhase::entries_by_depth() const {
  impl_->catch_up();
  return impl_->method->entries_by_depth();
}

std::size_t BroadPhase::bytes() const {
  return sizeof(Impl) + impl_->bodies.bytes() + impl_->method->bytes() + impl_->order.bytes() +
         impl_->moved.capacity() * sizeof(std::uint32_t);
}

}  // namespace graze
