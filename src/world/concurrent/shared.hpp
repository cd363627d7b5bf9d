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

#include "world/concurrent/handover.hpp"
#include "world/state.hpp"

namespace graze::world {

struct MoveBody {
  BodyId id;
  Pose pose;
};
/// Most changes are moves; any other change is a function to run on the world. A deque never copies its elements.
using Change = std::variant<MoveBody, std::function<void(World&)>>;

/// A query of the application. It fills in the answer and the bodies that the answer names.
struct PostedQuestion {
  std::uint64_t number = 0;
  std::function<void(World&, ConcurrentAnswer&)> ask;
};

/// The changes and queries of the application between two posts.
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

/// Destroys a long list iteratively, not recursively.
template <class Node>
void drain(std::unique_ptr<Node> node) {
  while (node) node = std::move(node->next);
}

}  // namespace graze::world

namespace graze {

struct ConcurrentWorld::Shared {
  explicit Shared(const ConcurrentOptions& o);
  ~Shared();

  // The application's side. The world runs in its own thread, where errors could not be reported to the caller. So
  // errors are detected here, and this side keeps the data needed to detect them.
  const ConcurrentOptions options;
  world::Slots body_slots, frame_slots,
      articulated_slots;  ///< receive the same calls as the world's own, and so give the same ids
  struct BodyEntry {
    std::size_t vertices = 0;
    std::uint32_t attached_to = world::no_slot;  ///< slot of its parent frame
    std::uint64_t frame = 0;                     ///< frame number of `move`
    Pose* move = nullptr;  ///< its move in the frame being filled; a body is entered there at most once
    bool link = false;     ///< it is a link of an articulated body
  };
  struct FrameEntry {
    std::uint32_t parent = world::no_slot;
    std::size_t attached_count = 0;  ///< number of child frames, bodies and articulated bodies
  };
  struct Articulated {
    std::shared_ptr<const Chain> chain;
    std::vector<BodyId> bodies;
    std::uint32_t attached_to = world::no_slot;  ///< as for bodies
  };
  std::vector<BodyEntry> bodies;  ///< all indexed by slot
  std::vector<FrameEntry> frame_entries;
  std::vector<Articulated> articulated;
  std::unique_ptr<world::PostedFrame> frame = std::make_unique<world::PostedFrame>();
  std::uint64_t posted_number = 0, question_number = 0;
  std::size_t size = 0;  ///< number of bodies

  /// Called by everything that the application calls: throws in a callback, which runs beside the application.
  Shared& from_application();
  void change(std::function<void(World&)> what) { frame->changes.emplace_back(std::move(what)); }
  BodyId take_body(const Body& body, std::uint32_t attached_to = world::no_slot);
  void give_back_body(BodyId id);
  /// Of a body or an articulated body.
  template <class Entry>
  void attach(Entry& entry, std::uint32_t frame_slot);
  void check_body(BodyId id) const;
  /// As `check_body`, and the body must not be a link.
  void check_own(BodyId id) const;
  void check_articulated(ArticulatedId id) const;
  void check_frame(FrameId id) const;

  // Shared by both threads.
  world::Handover<world::PostedFrame> frames;
  world::Handover<world::FinishedCheck> results;
  world::Handover<world::FinishedAnswer> answers;
  std::atomic<std::uint64_t> posted{0}, checked{0}, skipped{0};
  std::atomic<bool> stopping{false};
  std::atomic<std::uint32_t> bell{0};  ///< incremented at every post

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
