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
  world::Slots body_slots, frame_slots,
      articulated_slots;  ///< see the same calls as the world's own, and so give the same ids
  /// By slot: vertices of the body, and its move in the frame being filled, in which it is entered at most once.
  struct Entry {
    std::size_t vertices = 0;
    std::uint64_t frame = 0;  ///< of `move`
    Pose* move = nullptr;
    bool link = false;  ///< of an articulated body
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

  struct Articulated {
    std::shared_ptr<const Chain> chain;
    std::vector<BodyId> bodies;
  };
  std::vector<Articulated> articulated;  ///< by slot

  BodyId take_body(const Body& body) {
    const world::Slots::Id id = body_slots.take();
    if (id.slot >= entries.size()) entries.resize(id.slot + 1);
    entries[id.slot] = {body.mesh().vertex_count(), 0, nullptr, false};
    return {id.slot, id.generation};
  }
  /// Throws what the world would throw later, in its own thread, where nobody could be told.
  void check_articulated(ArticulatedId id) const {
    if (!articulated_slots.has(id.slot, id.generation))
      world::refuse(ErrorCode::index_out_of_range, "there is no such articulated body: it was removed",
                    "articulated body", id.slot);
  }
  void check_own(BodyId id) const {
    check_body(id);
    if (entries[id.slot].link)
      world::refuse(ErrorCode::bad_option, "it is a link of an articulated body; move or remove that", "body", id.slot);
  }
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
  s.change([body, pose, settings](World& w) { w.add(body, pose, settings); });
  return s.take_body(body);
}

void ConcurrentWorld::remove(BodyId id) {
  shared_->check_own(id);
  shared_->body_slots.give_back(id.slot);
  shared_->change([id](World& w) { w.remove(id); });
}

bool ConcurrentWorld::has(BodyId id) const { return shared_->body_slots.has(id.slot, id.generation); }

void ConcurrentWorld::move(BodyId id, const Pose& pose) {
  Shared& s = *shared_;
  s.check_own(id);
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

std::vector<BodyId> ConcurrentWorld::break_up(BodyId id, std::span<const Body> pieces) {
  Shared& s = *shared_;
  s.check_own(id);
  for (const Body& piece : pieces) world::check_solid(*s.world.state_, piece, {});
  s.body_slots.give_back(id.slot);
  s.change([id, all = std::vector<Body>(pieces.begin(), pieces.end())](World& w) { w.break_up(id, all); });
  std::vector<BodyId> out;
  for (const Body& piece : pieces) out.push_back(s.take_body(piece));
  return out;
}

ArticulatedId ConcurrentWorld::add(const Chain& chain, std::span<const LinkBody> links,
                                   std::span<const double> coordinates, const Pose& base,
                                   const BodySettings& settings) {
  Shared& s = *shared_;
  // A world of its own finds out whether this can be: what it refuses is refused here and now.
  World(WorldOptions{.broad = "all_pairs", .solid = s.options.world.solid})
      .add(chain, links, coordinates, base, settings);
  const world::Slots::Id id = s.articulated_slots.take();
  if (id.slot >= s.articulated.size()) s.articulated.resize(id.slot + 1);
  Shared::Articulated& a = s.articulated[id.slot];
  a = {std::make_shared<const Chain>(chain), {}};
  for (const LinkBody& l : links) {
    a.bodies.push_back(s.take_body(l.body));
    s.entries[a.bodies.back().slot].link = true;
  }
  s.change([c = a.chain, l = std::vector<LinkBody>(links.begin(), links.end()),
            q = std::vector<double>(coordinates.begin(), coordinates.end()), base,
            settings](World& w) { w.add(*c, l, q, base, settings); });
  return {id.slot, id.generation};
}

void ConcurrentWorld::move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  Shared& s = *shared_;
  s.check_articulated(id);
  if (s.articulated[id.slot].chain->size() > 0)
    s.articulated[id.slot].chain->link_motion(LinkId{0}, coordinates, coordinates);  // throws as the world would
  s.change(
      [id, q = std::vector<double>(coordinates.begin(), coordinates.end()), base](World& w) { w.move(id, q, base); });
}

void ConcurrentWorld::remove(ArticulatedId id) {
  Shared& s = *shared_;
  s.check_articulated(id);
  for (const BodyId body : s.articulated[id.slot].bodies) s.body_slots.give_back(body.slot);
  s.articulated[id.slot] = {};
  s.articulated_slots.give_back(id.slot);
  s.change([id](World& w) { w.remove(id); });
}

std::vector<BodyId> ConcurrentWorld::bodies(ArticulatedId id) const {
  shared_->check_articulated(id);
  return shared_->articulated[id.slot].bodies;
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

void ConcurrentWorld::record(const std::string& file) {
  shared_->change([file](World& w) { w.record(file); });
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
