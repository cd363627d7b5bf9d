// SPDX-License-Identifier: MIT
#include <graze/gpu/overlapping_boxes.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <graze/core/error.hpp>

#include "gpu/broad/clusters.hpp"
#include "gpu/broad/sort.hpp"

namespace graze::gpu {

namespace {

static_assert(sizeof(Box3) == sizeof(DeviceBox));
constexpr std::size_t most_boxes = std::size_t{1} << 26;

[[noreturn]] void refuse_boxes(ErrorCode code, std::string message, std::uint64_t id = ErrorDetail::none) {
  ErrorDetail e;
  e.code = code;
  e.element = "box";
  e.id = id;
  e.message = std::move(message);
  throw Error(std::move(e));
}

std::uint32_t in_groups_of_lanes(std::uint32_t n) { return (n + lanes - 1) / lanes; }

}  // namespace

struct OverlappingBoxes::State {
  Stream own;
  Buffer<Box3> given;
  Buffer<BroadNumbers> numbers;
  Buffer<std::uint64_t> keys, sorted_keys, cluster_pairs, found, ordered;
  Buffer<std::uint32_t> ids, sorted_ids;
  Buffer<DeviceBox> boxes, clusters, supers, hypers;
  Buffer<BoxPair> pairs;
  Sorter sorter;
  std::size_t pair_count = 0;

  BoxPairsFound find(const Stream& stream, const DeviceBox* on_device, std::uint32_t n);
  std::uint64_t search(const Stream& stream, const Levels& levels, int bits, std::size_t& repeated);
};

OverlappingBoxes::OverlappingBoxes() : state_(std::make_unique<State>()) {}
OverlappingBoxes::~OverlappingBoxes() = default;
OverlappingBoxes::OverlappingBoxes(OverlappingBoxes&&) noexcept = default;
OverlappingBoxes& OverlappingBoxes::operator=(OverlappingBoxes&&) noexcept = default;

namespace {

void require_few(std::size_t boxes) {
  if (boxes > most_boxes)
    refuse_boxes(ErrorCode::too_large, std::to_string(boxes) + " boxes are too many for one call; at most 2^26");
}

}  // namespace

BoxPairsFound OverlappingBoxes::find(std::span<const Box3> boxes, void* stream) {
  require_few(boxes.size());
  const Stream callers(stream);
  const Stream& s = stream ? callers : state_->own;
  state_->given.upload(s, boxes);
  return state_->find(s, reinterpret_cast<const DeviceBox*>(state_->given.data()),
                      static_cast<std::uint32_t>(boxes.size()));
}

BoxPairsFound OverlappingBoxes::find_on_device(std::span<const Box3> boxes, void* stream) {
  require_few(boxes.size());
  const Stream callers(stream);
  return state_->find(stream ? callers : state_->own, reinterpret_cast<const DeviceBox*>(boxes.data()),
                      static_cast<std::uint32_t>(boxes.size()));
}

void OverlappingBoxes::download(std::vector<BoxPair>& pairs) const {
  pairs.resize(state_->pair_count);
  state_->own.copy_to_host(pairs.data(), state_->pairs.data(), pairs.size() * sizeof(BoxPair));
  state_->own.wait();
}

std::size_t OverlappingBoxes::device_bytes() const {
  const State& s = *state_;
  return s.given.bytes() + s.numbers.bytes() + s.keys.bytes() + s.sorted_keys.bytes() + s.cluster_pairs.bytes() +
         s.found.bytes() + s.ordered.bytes() + s.ids.bytes() + s.sorted_ids.bytes() + s.boxes.bytes() +
         s.clusters.bytes() + s.supers.bytes() + s.hypers.bytes() + s.pairs.bytes() + s.sorter.bytes();
}

BoxPairsFound OverlappingBoxes::State::find(const Stream& stream, const DeviceBox* on_device, std::uint32_t n) {
  const auto begin = std::chrono::steady_clock::now();
  BoxPairsFound result;
  pair_count = 0;
  if (n == 0) return result;
  const std::uint32_t warps = std::min(in_groups_of_lanes(n), warps_at_once());
  numbers.grow(1);
  stream.fill(numbers.data(), 0xFF, sizeof(BroadNumbers));
  launch(stream, std::min(warps, warps_at_once() / 8), FindExtent{on_device, n, numbers.data()});
  keys.grow(n);
  sorted_keys.grow(n);
  ids.grow(n);
  sorted_ids.grow(n);
  launch(stream, warps, MakeKeys{on_device, n, numbers.data(), keys.data(), ids.data()});
  sorter.pairs(stream, keys.data(), sorted_keys.data(), ids.data(), sorted_ids.data(), n, 63);

  Levels levels{};
  levels.n = n;
  levels.cluster_count = in_groups_of_lanes(n);
  levels.super_count = in_groups_of_lanes(levels.cluster_count);
  levels.hyper_count = in_groups_of_lanes(levels.super_count);
  boxes.grow(std::size_t{levels.cluster_count} * lanes);
  clusters.grow(std::size_t{levels.super_count} * lanes);
  supers.grow(std::size_t{levels.hyper_count} * lanes);
  hypers.grow(levels.hyper_count);
  levels.boxes = boxes.data();
  levels.clusters = clusters.data();
  levels.supers = supers.data();
  levels.hypers = hypers.data();
  levels.ids = sorted_ids.data();
  launch(stream, std::min(levels.super_count * lanes, warps_at_once()), MakeClusters{on_device, levels});
  launch(stream, std::min(levels.hyper_count * lanes, warps_at_once()),
         MakeLevel{levels.clusters, levels.supers, levels.super_count, levels.hyper_count * lanes});
  launch(stream, std::min(levels.hyper_count, warps_at_once()),
         MakeLevel{levels.supers, levels.hypers, levels.hyper_count, levels.hyper_count});

  const int bits = std::max(1, static_cast<int>(std::bit_width(n - 1)));
  const std::uint64_t count = search(stream, levels, bits, result.repeated);
  ordered.grow(count);
  pairs.grow(count);
  if (count > 0) {
    sorter.keys(stream, found.data(), ordered.data(), count, 2 * bits);
    const auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>((count + lanes - 1) / lanes, warps_at_once()));
    launch(stream, rows, WritePairs{ordered.data(), count, bits, pairs.data()});
  }
  stream.wait();
  pair_count = count;
  result.on_device = {pairs.data(), pair_count};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

/// Lists that are too short are counted to their end, and the search is repeated with enough room.
std::uint64_t OverlappingBoxes::State::search(const Stream& stream, const Levels& levels, int bits,
                                              std::size_t& repeated) {
  cluster_pairs.grow(std::size_t{levels.cluster_count} * 16 + 1024);
  found.grow(std::size_t{levels.n} * 4 + 1024);
  for (;;) {
    BroadNumbers* at = numbers.data();
    stream.fill(&at->cluster_pairs, 0, sizeof(BroadNumbers) - offsetof(BroadNumbers, cluster_pairs));
    const std::uint64_t cluster_room = cluster_pairs.room();
    launch(stream, std::min(levels.cluster_count, warps_at_once()),
           PairClusters{levels, {cluster_pairs.data(), &at->cluster_pairs, cluster_room}});
    launch(stream, warps_at_once(),
           PairBoxes{levels, cluster_pairs.data(), at, cluster_room, found.data(), found.room(), &at->pairs, bits});
    BroadNumbers seen;
    stream.copy_to_host(&seen, at, sizeof(seen));
    stream.wait();
    if (seen.first_wrong != ~std::uint64_t{0})
      refuse_boxes(ErrorCode::not_finite, "is empty, or has a coordinate that is not finite; remove or correct it",
                   seen.first_wrong);
    if (seen.cluster_pairs <= cluster_room && seen.pairs <= found.room()) return seen.pairs;
    if (seen.pairs > 0xFFFFFFFFu)
      refuse_boxes(ErrorCode::too_large, "more than 2^32 pairs overlap; ask about fewer boxes at a time");
    ++repeated;
    cluster_pairs.grow(seen.cluster_pairs + seen.cluster_pairs / 8);
    found.grow(seen.pairs + seen.pairs / 8);
  }
}

}  // namespace graze::gpu
