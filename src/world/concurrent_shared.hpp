// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <variant>
#include <vector>

#include <graze/world/concurrent.hpp>

#include "world/handover.hpp"
#include "world/state.hpp"

namespace graze::world {

struct MoveBody {
  BodyId id;
  Pose pose;
};
/// Moves are by far the most; all else is whatever is to be done to the world. A deque never copies what it holds.
using Change = std::variant<MoveBody, std::function<void(World&)>>;

/// Something that the application wants to know; fills in the answer and the bodies that it names.
struct PostedQuestion {
  std::uint64_t number = 0;
  std::function<void(World&, ConcurrentAnswer&)> ask;
};

/// What the application changed and asked between two posts.
struct PostedFrame {
  std::uint64_t number = 0;
  std::deque<Change> changes;
  std::vector<PostedQuestion> questions;
  std::unique_ptr<PostedFrame> next;
};

struct FinishedCheck {
  CheckResult result;
  std::exception_ptr error;
  std::unique_ptr<FinishedCheck> next;
};

struct FinishedAnswer {
  ConcurrentAnswer answer;
  std::unique_ptr<FinishedAnswer> next;
};

/// A long list is taken apart one by one, not by recursion.
template <class Node>
void drain(std::unique_ptr<Node> node) {
  while (node) node = std::move(node->next);
}

}  // namespace graze::world

namespace graze {

struct ConcurrentWorld::Shared {
  explicit Shared(const ConcurrentOptions& o);
  ~Shared();

  // The application's side. What the world would refuse later, in its own thread, where nobody could be told, is
  // refused here; for that it keeps what it takes to know.
  const ConcurrentOptions options;
  world::Slots body_slots, frame_slots,
      articulated_slots;  ///< see the same calls as the world's own, and so give the same ids
  struct BodyEntry {
    std::size_t vertices = 0;
    std::uint32_t hangs_in = world::no_slot;  ///< a frame
    std::uint64_t frame = 0;                  ///< of `move`
    Pose* move = nullptr;                     ///< its move in the frame being filled, in which it is entered once
    bool link = false;                        ///< of an articulated body
  };
  struct FrameEntry {
    std::uint32_t parent = world::no_slot;
    std::size_t hanging = 0;  ///< frames and bodies in it
  };
  struct Articulated {
    std::shared_ptr<const Chain> chain;
    std::vector<BodyId> bodies;
  };
  std::vector<BodyEntry> bodies;  ///< all by slot
  std::vector<FrameEntry> frame_entries;
  std::vector<Articulated> articulated;
  std::unique_ptr<world::PostedFrame> frame = std::make_unique<world::PostedFrame>();
  std::uint64_t posted_number = 0, question_number = 0;
  std::size_t size = 0;  ///< how many bodies there are

  void change(std::function<void(World&)> what) { frame->changes.emplace_back(std::move(what)); }
  BodyId take_body(const Body& body, std::uint32_t hangs_in = world::no_slot);
  void give_back_body(BodyId id);
  void hang(BodyEntry& entry, std::uint32_t frame_slot);
  void check_body(BodyId id) const;
  /// Not a link either.
  void check_own(BodyId id) const;
  void check_articulated(ArticulatedId id) const;
  void check_frame(FrameId id) const;

  // Between the two.
  world::Handover<world::PostedFrame> frames;
  world::Handover<world::FinishedCheck> results;
  world::Handover<world::FinishedAnswer> answers;
  std::atomic<std::uint64_t> posted{0}, checked{0}, skipped{0};
  std::atomic<bool> stopping{false};
  std::atomic<std::uint32_t> bell{0};  ///< rung for every post

  void wake() {
    bell.fetch_add(1, std::memory_order_release);
    bell.notify_one();
  }

  // The detector's side.
  World world;
  std::thread detector;

  void run();
  void process(world::PostedFrame& f, bool with_check);
  void answer(const world::PostedFrame& f, world::FinishedCheck& finished);
};

}  // namespace graze
