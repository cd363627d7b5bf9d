// SPDX-License-Identifier: MIT
#include <utility>

#include "core/fp_environment.hpp"
#include "core/parallel.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

thread_local const State* delivering = nullptr;

/// Notes that this thread runs a callback of the world.
class Calling {
 public:
  explicit Calling(const State& state) : before_(std::exchange(delivering, &state)) {}
  ~Calling() { delivering = before_; }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

 private:
  const State* before_;
};

void call_all(const State& state, Delivery& d) {
  while (d.next <= d.callbacks.size()) {
    CallbackPointer callback;
    {
      const Access access(state);
      callback = d.next < d.callbacks.size() ? d.callbacks[d.next] : state.callback;
    }
    ++d.next;  // before the call: a callback that throws counts as called
    const Calling calling(state);
    if (callback && *callback) (*callback)(d.event);
  }
}

bool is_done(const Delivery& d) { return d.next > d.callbacks.size(); }

void deliver_in_parallel(State& state) {
  std::vector<Delivery> all;
  all.swap(state.pending);
  struct Ending {
    State& state;
    std::vector<Delivery>& all;
    Ending(State& s, std::vector<Delivery>& a) : state(s), all(a) { s.parallel_callbacks = true; }
    ~Ending() {
      state.parallel_callbacks = false;
      std::erase_if(all, is_done);  // keep the callbacks that follow one that threw
      state.pending.swap(all);
    }
  } const ending(state, all);
  const core::FpEnvironment callers;
  core::parallel_for(all.size(), state.options.threads, [&](std::size_t i) {
    callers.enter();
    call_all(state, all[i]);
  });
}

}  // namespace

bool in_callback_of(const State& state) { return delivering == &state; }

void deliver(State& state, CallbackOrder order) {
  if (order == CallbackOrder::in_parallel) return deliver_in_parallel(state);
  std::size_t done = 0;
  struct Drop {
    State& state;
    std::size_t& done;
    ~Drop() { state.pending.erase(state.pending.begin(), state.pending.begin() + static_cast<std::ptrdiff_t>(done)); }
  } const drop{state, done};
  for (; done < state.pending.size(); ++done) call_all(state, state.pending[done]);
}

}  // namespace graze::world
