// SPDX-License-Identifier: MIT
#include <graze/world/concurrent.hpp>

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <thread>
#include <variant>

#include "world/handover.hpp"
#include "world/state.hpp"

namespace graze {

namespace {

struct MoveBody {
  BodyId id;
  Pose pose;
};
/// Moves are by far the most; all else is whatever is to be done to the world. A deque never copies what it holds.
using Change = std::variant<MoveBody, std::function<void(World&)>>;

/// What the application changed between two posts.
struct PostedFrame {
  std::uint64_t number = 0;
  std::deque<Change> changes;
  std::unique_ptr<PostedFrame> next;
};

struct FinishedCheck {
  CheckResult result;
  std::exception_ptr error;
  std::unique_ptr<FinishedCheck> next;
};

}  // namespace

struct ConcurrentWorld::Shared {
  explicit Shared(const ConcurrentOptions& o) : options(o), world(o.world) {
    world.state_->stop = &stopping;
    detector = std::thread([this] { run(); });
  }
  ~Shared() {
    stopping.store(true, std::memory_order_relaxed);
    wake();
    detector.join();
    // A long list is taken apart one by one, not by recursion.
    drain(frames.take());
    drain(results.take());
  }

  template <class Node>
  static void drain(std::unique_ptr<Node> node) {
    while (node) node = std::move(node->next);
  }

  // The application's side.
  const ConcurrentOptions options;
  world::Slots body_slots, frame_slots;  ///< see the same calls as the world's own, and so give the same ids
  /// By slot: vertices of the body, and its move in the frame being filled, in which it is entered at most once.
  struct Entry {
    std::size_t vertices = 0;
    std::uint64_t frame = 0;  ///< of `move`
    Pose* move = nullptr;
  };
  std::vector<Entry> entries;
  std::unique_ptr<PostedFrame> frame = std::make_unique<PostedFrame>();
  std::uint64_t posted_number = 0;

  // Between the two.
  world::Handover<PostedFrame> frames;
  world::Handover<FinishedCheck> results;
  std::atomic<std::uint64_t> posted{0}, checked{0}, skipped{0};
  std::atomic<bool> stopping{false};
  std::atomic<std::uint32_t> bell{0};  ///< rung for every post

  // The detector's side.
  World world;
  std::thread detector;

  void wake() {
    bell.fetch_add(1, std::memory_order_release);
    bell.notify_one();
  }
  void change(std::function<void(World&)> what) { frame->changes.emplace_back(std::move(what)); }

  void check_body(BodyId id) const {
    if (!body_slots.has(id.slot, id.generation))
      world::refuse(ErrorCode::index_out_of_range,
                    "there is no body with generation " + std::to_string(id.generation) +
                        " in this slot: it was removed, or is of another world; ask has(id) where that may be",
                    "body", id.slot);
  }
  void check_frame(FrameId id) const {
    if (!frame_slots.has(id.slot, id.generation))
      world::refuse(ErrorCode::index_out_of_range, "there is no such frame: it is of another world", "frame", id.slot);
  }

  /// Zachmann 6.4: sleeps while there is nothing, takes everything there is, and processes it.
  void run() {
    while (true) {
      const std::uint32_t rung = bell.load(std::memory_order_acquire);
      std::unique_ptr<PostedFrame> next = frames.take();
      if (stopping.load(std::memory_order_relaxed)) return drain(std::move(next));
      if (!next) {
        bell.wait(rung, std::memory_order_acquire);
        continue;
      }
      while (next && !stopping.load(std::memory_order_relaxed)) {
        process(*next, options.every_frame || !next->next);
        next = std::move(next->next);
      }
      drain(std::move(next));
    }
  }

  void process(PostedFrame& f, bool with_check) {
    auto finished = std::make_unique<FinishedCheck>();
    const auto guarded = [&](auto&& work) {
      try {
        work();
      } catch (...) {
        if (!finished->error) finished->error = std::current_exception();
      }
    };
    for (Change& c : f.changes)  // each by itself: one that fails takes no other with it
      guarded([&] {
        if (const MoveBody* move = std::get_if<MoveBody>(&c))
          world.move(move->id, move->pose);
        else
          std::get<1>(c)(world);
      });
    world.state_->frame = f.number - 1;  // the check counts one further
    if (with_check) guarded([&] { world.check(options.check, finished->result); });
    if (!with_check) skipped.fetch_add(1, std::memory_order_relaxed);
    if (with_check || finished->error) results.give(std::move(finished));
    checked.store(f.number, std::memory_order_release);
    checked.notify_all();
  }
};

ConcurrentWorld::ConcurrentWorld(const ConcurrentOptions& options) : shared_(std::make_unique<Shared>(options)) {}
ConcurrentWorld::~ConcurrentWorld() = default;
ConcurrentWorld::ConcurrentWorld(ConcurrentWorld&&) noexcept = default;
ConcurrentWorld& ConcurrentWorld::operator=(ConcurrentWorld&&) noexcept = default;

BodyId ConcurrentWorld::add(const Body& body, const Pose& pose, const BodySettings& settings) {
  Shared& s = *shared_;
  if (settings.frame) s.check_frame(*settings.frame);
  if (s.options.world.solid) world::check_solid(*s.world.state_, body, settings.name);
  const world::Slots::Id id = s.body_slots.take();
  if (id.slot >= s.entries.size()) s.entries.resize(id.slot + 1);
  s.entries[id.slot] = {body.mesh().vertex_count(), 0, nullptr};
  s.change([body, pose, settings](World& w) { w.add(body, pose, settings); });
  return {id.slot, id.generation};
}

void ConcurrentWorld::remove(BodyId id) {
  shared_->check_body(id);
  shared_->body_slots.give_back(id.slot);
  shared_->change([id](World& w) { w.remove(id); });
}

bool ConcurrentWorld::has(BodyId id) const { return shared_->body_slots.has(id.slot, id.generation); }

void ConcurrentWorld::move(BodyId id, const Pose& pose) {
  Shared& s = *shared_;
  s.check_body(id);
  Shared::Entry& entry = s.entries[id.slot];
  const std::uint64_t now = s.posted_number + 1;
  if (entry.frame == now) {
    *entry.move = pose;
    return;
  }
  entry.frame = now;
  entry.move = &std::get<MoveBody>(s.frame->changes.emplace_back(MoveBody{id, pose})).pose;
}

void ConcurrentWorld::deform(BodyId id, std::vector<Vec3> positions) {
  shared_->check_body(id);
  if (positions.size() != shared_->entries[id.slot].vertices)
    world::refuse(ErrorCode::bad_option,
                  "a deformed body keeps its polygons and needs as many positions as it has vertices, " +
                      std::to_string(shared_->entries[id.slot].vertices) + ", not " + std::to_string(positions.size()),
                  "body", id.slot);
  shared_->change([id, p = std::move(positions)](World& w) { w.deform(id, p); });
}

void ConcurrentWorld::replace(BodyId id, const Body& body) {
  shared_->check_body(id);
  if (shared_->options.world.solid) world::check_solid(*shared_->world.state_, body, {});
  shared_->entries[id.slot].vertices = body.mesh().vertex_count();
  shared_->change([id, body](World& w) { w.replace(id, body); });
}

FrameId ConcurrentWorld::add_frame(const Pose& pose, std::optional<FrameId> parent) {
  if (parent) shared_->check_frame(*parent);
  const world::Slots::Id id = shared_->frame_slots.take();
  shared_->change([pose, parent](World& w) { w.add_frame(pose, parent); });
  return {id.slot, id.generation};
}

void ConcurrentWorld::move(FrameId id, const Pose& pose) {
  shared_->check_frame(id);
  shared_->change([id, pose](World& w) { w.move(id, pose); });
}

void ConcurrentWorld::interest(BodyId id, bool wanted) {
  shared_->check_body(id);
  shared_->change([id, wanted](World& w) { w.interest(id, wanted); });
}

void ConcurrentWorld::interest(BodyId a, BodyId b, bool wanted) {
  shared_->check_body(a);
  shared_->check_body(b);
  world::check_pair(a, b, {});
  shared_->change([a, b, wanted](World& w) { w.interest(a, b, wanted); });
}

void ConcurrentWorld::groups(BodyId id, std::uint32_t group, std::uint32_t mask) {
  shared_->check_body(id);
  shared_->change([id, group, mask](World& w) { w.groups(id, group, mask); });
}

void ConcurrentWorld::set_pair(BodyId a, BodyId b, const PairSettings& settings) {
  shared_->check_body(a);
  shared_->check_body(b);
  world::check_pair(a, b, settings);
  shared_->change([a, b, settings](World& w) { w.set_pair(a, b, settings); });
}

void ConcurrentWorld::on_contact(ContactCallback callback) {
  shared_->change([callback = std::move(callback)](World& w) { w.on_contact(callback); });
}

std::uint64_t ConcurrentWorld::post() {
  Shared& s = *shared_;
  s.frame->number = ++s.posted_number;
  s.posted.store(s.posted_number, std::memory_order_relaxed);
  s.frames.give(std::exchange(s.frame, std::make_unique<PostedFrame>()));
  s.wake();
  return s.posted_number;
}

void ConcurrentWorld::take(std::vector<CheckResult>& out) {
  std::exception_ptr error;
  for (std::unique_ptr<FinishedCheck> r = shared_->results.take(); r; r = std::move(r->next)) {
    if (r->error && !error) error = r->error;
    if (r->result.frame) out.push_back(std::move(r->result));
  }
  if (error) std::rethrow_exception(error);
}

std::uint64_t ConcurrentWorld::posted() const { return shared_->posted.load(std::memory_order_relaxed); }
std::uint64_t ConcurrentWorld::checked() const { return shared_->checked.load(std::memory_order_acquire); }
std::uint64_t ConcurrentWorld::skipped_frames() const { return shared_->skipped.load(std::memory_order_relaxed); }

void ConcurrentWorld::wait() const {
  for (std::uint64_t c = checked(); c < posted(); c = checked()) shared_->checked.wait(c, std::memory_order_acquire);
}

}  // namespace graze
