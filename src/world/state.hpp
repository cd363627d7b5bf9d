// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/world/world.hpp>

#include "world/coherence.hpp"
#include "world/near_memory.hpp"
#include "world/pair_key.hpp"
#include "world/slot_set.hpp"
#include "world/slots.hpp"

namespace graze::world {

constexpr std::uint32_t no_slot = BodyId::none;
using CallbackPointer = std::shared_ptr<const ContactCallback>;

struct BodyRecord {
  std::optional<Body> body;
  Pose local;  ///< as given: relative to the frame, or to the world
  Pose pose;   ///< in the world, as last computed
  bool moved = false;
  bool placed = false;                       ///< inserted into the broad phase
  bool to_check = false, to_sweep = false;   ///< on the lists of bodies that moved since the last check, sweep
  bool to_near = false;                      ///< the same, since the last `near`
  bool swept = false, swept_placed = false;  ///< moved in the last sweep; inserted into the sweeps' broad phase
  Pose swept_from;                           ///< pose at the last sweep, or when it was added
  bool nowhere = false;                      ///< it had no finite pose then: its path starts at its first finite pose
  std::optional<Body> swept_body;            ///< its shape then, if it has deformed since
  /// In a frame: where a sweep put it, exactly, until it or a frame above it is moved. `local` is that, rounded.
  std::optional<Pose> held;
  std::optional<Pose> destination;       ///< a budget stopped it on its path; the next sweep moves it on to this pose
  std::optional<Body> destination_body;  ///< the same, of its shape
  std::optional<double> radius;          ///< with cubes: of the body's present shape
  std::uint32_t frame = no_slot;
  std::uint32_t articulated = no_slot, link = 0;  ///< the articulated body it belongs to, and its link there
  BodySettings settings;
  CallbackPointer callback;
  SlotSet touching;       ///< the other slots of pairs in contact
  SlotSet pair_partners;  ///< the other slots of pairs with settings or callbacks of their own

  void forget_destination() {
    destination.reset();
    destination_body.reset();
  }
};

struct FrameRecord {
  Pose local, pose;
  std::uint32_t parent = no_slot;
  std::uint32_t depth = 0;
  bool moved = false;
  SlotSet frames, bodies, chains;  ///< child frames, bodies and articulated bodies
};

/// The target of an articulated body that a budget stopped. The next sweep moves it on to this.
struct ArticulatedDestination {
  Pose base;
  std::vector<double> coordinates;
};

struct ArticulatedRecord {
  std::shared_ptr<const Chain> chain;
  std::uint32_t frame = no_slot;
  Pose local_base;  ///< as given: relative to the frame, or to the world
  Pose base;        ///< in the world, as last computed
  /// In a frame: a sweep put the base where it is, until it or a frame above is moved. `local_base` is that, rounded.
  bool held = false;
  bool moved = false;    ///< in a frame: its links are to be placed
  bool nowhere = false;  ///< as for bodies: its path starts at its first finite base
  std::vector<double> coordinates;
  Pose swept_base;  ///< at the last sweep
  std::vector<double> swept_coordinates;
  std::optional<ArticulatedDestination> destination;
  std::vector<LinkId> links;
  std::vector<BodyId> bodies;  ///< the bodies of these links
};

/// A pair's own settings (Zachmann 7.0.1: the matrix may "hold certain data with every individual pair").
struct PairRecord {
  PairSettings settings;
  CallbackPointer callback;
};

/// An event and its receivers at the time it was found. The general callback is called in addition.
struct Delivery {
  WorldEvent event;
  std::array<CallbackPointer, 3> callbacks;  ///< of the pair, of a, of b
  std::size_t next = 0;                      ///< how many of these, and then the general one, have been called
};

/// One pair to be tested, and the answer.
struct Question {
  PairKey key = 0;
  std::string_view method = "tree";
  CollideCoherence* coherence = nullptr;
  double margin = 0;                  ///< of both bodies together
  double depth = 0;                   ///< relative overlap of the boxes; under a budget only
  bool begun = false, asked = false;  ///< asked: the test ran to its end and the answer counts
  Status status = Status::undecided;
  bool certain = true;
  std::optional<ErrorDetail> error;
  std::unique_ptr<WorldEvent> witness;  ///< of a contact: only the witness and the details are filled in
};

/// How much a check may test. Time and cancellation are those of `core::current_limits()`.
struct CheckBounds {
  std::uint64_t work = 0;  ///< 0: no limit
  std::uint64_t pairs = std::numeric_limits<std::uint64_t>::max();
  bool for_caller = false;  ///< the caller gave a limit, of any kind
};

class Recorder;

struct State {
  explicit State(const WorldOptions& o);
  ~State();

  WorldOptions options;
  BroadPhase broad;

  Slots body_slots, frame_slots, articulated_slots;
  std::vector<BodyRecord> bodies;
  std::vector<FrameRecord> frames;
  std::vector<ArticulatedRecord> articulated;
  std::size_t size = 0;

  std::unordered_map<PairKey, PairRecord> pairs;        ///< only pairs with an entry of their own
  std::unordered_map<PairKey, std::uint64_t> contacts;  ///< pairs in contact; the frame of their last test
  CallbackPointer callback;
  Coherences coherences;
  NearMemory near_memory;
  const std::atomic<bool>* stop = nullptr;  ///< set by another thread: this world is about to be destroyed
  std::unique_ptr<Recorder> recorder;
  int call_depth = 0;  ///< nesting depth of calls that change the world: nested calls are not recorded

  // Two lists of moved bodies (Zachmann 7.0.2): callbacks fill this one while a check processes its own.
  std::vector<std::uint32_t> moved;
  std::vector<std::uint32_t> moved_frames, moved_chains;
  std::vector<std::uint32_t> to_check, to_sweep;  ///< placed since the last check, the last sweep; each at most once
  std::vector<std::uint32_t> last_swept;          ///< moved in the last sweep
  std::vector<std::uint32_t>
      interrupted;                        ///< stopped by a sweep's budget; some may have been moved by the caller since
  std::optional<BroadPhase> swept_broad;  ///< boxes swept since the last sweep; created by the first sweep
  // Pairs that the next check or the next sweep must test again although nothing moved.
  std::unordered_set<PairKey> again, sweep_again;
  std::vector<Delivery> departed;  ///< ends of contacts of bodies removed since the last check
  std::vector<Delivery> pending;   ///< found, but not yet delivered because a callback threw

  std::uint64_t frame = 0;
  WorldCounters counted;  ///< work done since the last check outside of any query

  bool asking = false;              ///< a query is running: no other may start
  bool parallel_callbacks = false;  ///< while true, every call takes the lock
  mutable std::recursive_mutex mutex;

  BodyRecord& get(BodyId body_id);
  const BodyRecord& get(BodyId body_id) const { return const_cast<State*>(this)->get(body_id); }
  FrameRecord& get(FrameId frame_id);
  const FrameRecord& get(FrameId frame_id) const { return const_cast<State*>(this)->get(frame_id); }
  ArticulatedRecord& get(ArticulatedId chain_id);
  const ArticulatedRecord& get(ArticulatedId chain_id) const { return const_cast<State*>(this)->get(chain_id); }
  BodyId id(std::uint32_t slot) const { return {slot, body_slots.generation(slot)}; }
  PairRecord& pair_record(BodyId a, BodyId b);
  const PairRecord* find_pair(PairKey key) const {
    const auto at = pairs.find(key);
    return at == pairs.end() ? nullptr : &at->second;
  }

  void mark_moved(std::uint32_t slot);
  void mark_frame_moved(std::uint32_t slot);
  void mark_chain_moved(std::uint32_t slot);
  bool wanted(PairKey key) const;
  bool is_trigger(PairKey key) const {
    return bodies[first(key)].settings.trigger || bodies[second(key)].settings.trigger;
  }
  BroadPhase new_broad_phase() const;
  Delivery delivery(EventKind kind, PairKey key) const;
  void forget_contact(PairKey key);
};

/// Held by every call. Takes the lock while callbacks run in parallel.
class Access {
 public:
  explicit Access(const State& state) {
    if (state.parallel_callbacks) lock_ = std::unique_lock(state.mutex);
  }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Held by every query: only one runs at a time, and callbacks may not start another.
class Asking {
 public:
  explicit Asking(State& state);
  ~Asking() { state_.asking = false; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  State& state_;
};

[[noreturn]] void refuse(ErrorCode code, std::string message, std::string element = "world",
                         std::uint64_t id = ErrorDetail::none);

/// Throws if a world of this size cannot take that many more bodies.
void check_capacity(std::size_t size, std::size_t more);

/// Throws if it is no margin of a body.
void check_margin(double margin);

/// Throws if the world tests solid bodies and this one has no interior.
void check_solid(const State& state, const Body& body, const std::string& name);

/// Throws if such a pair or such settings are not allowed.
void check_pair(BodyId a, BodyId b, const PairSettings& settings);

// Throw if these arguments are not allowed.
std::optional<ErrorDetail> bad_distance(double d);
void check_ray(const Vec3& from, const Vec3& to);
void check_question_box(const Box3& box);

Pose pose_of(const Placement& placement);

/// World poses of the links of an articulated body, from its base in the world and its coordinates.
std::vector<Pose> link_poses(const ArticulatedRecord& r);
/// Gives the bodies of the links their poses.
void set_link_poses(State& state, const ArticulatedRecord& r, const std::vector<Pose>& poses);
/// The base in the world, computed through all frames above. Throws as `pose_now`.
Pose base_now(const State& state, const ArticulatedRecord& r);
/// Puts the base somewhere in the world. In a frame it is held there, and its pose in the frame is the nearest to that.
void put_base(const State& state, ArticulatedRecord& r, const Pose& base);
/// The path of the articulated body starts at its present base, with its present coordinates.
void begin_chain_path(State& state, std::uint32_t slot);
/// Computes the bases and the links of the articulated bodies in frames that moved. The frames must be placed.
void place_chains(State& state);

/// The same links on another base.
Chain on_base(const Chain& chain, const Motion& base);

/// World pose of a body or frame, computed through all its parent frames. Throws `Error` (not_finite) if they move it
/// beyond the largest double.
Pose frame_pose_now(const State& state, std::uint32_t frame);
Pose pose_now(const State& state, std::uint32_t slot);
/// The world pose of something with a local pose in a frame. Throws as `pose_now`, naming what it is.
Pose carried(const Pose& parent, const Pose& local, const char* what, std::uint32_t slot);
/// The local pose in a frame at this world pose of something at that pose, rounded. Any, if no double says where it is.
Pose relative_to(const Pose& frame, const Pose& pose);
/// Has a frame above the body been moved since the bodies were placed?
bool is_carried_on(const State& state, std::uint32_t slot);
bool has_moved_frame(const State& state, std::uint32_t frame);
/// The body's path starts at its present pose, with its present shape.
void begin_path(State& state, std::uint32_t slot);

/// Updates the poses and boxes of everything that moved, level by level, and their entries in the broad phase. Every
/// query starts with this. Throws `Error` (not_finite) as `pose_now` does; the moved bodies then remain to be placed.
void place_moved(State& state, WorldCounters& counters);

/// Empties a list of moved bodies and clears their flags. Returns those that still exist, in ascending slot order.
std::vector<std::uint32_t> take(State& state, std::vector<std::uint32_t>& list, bool BodyRecord::*flag);

/// Tests the pairs on the world's number of threads, within the limits. Under limits, pairs with a larger box overlap
/// come first. Returns how many were tested: a prefix of the list in its new order. The same answers for any number of
/// threads.
std::uint64_t ask(State& state, const CheckBounds& bounds, std::vector<Question>& questions, WorldCounters& counters,
                  MethodCounters* requested);

/// Adds to every pair in contact what the caller asked for, on the world's number of threads.
void add_details(const State& state, const ContactDetails& details, std::vector<Question>& questions);

/// Runs all pending callbacks.
void deliver(State& state, CallbackOrder order);
/// Does this thread run a callback of this world?
bool in_callback_of(const State& state);

}  // namespace graze::world
