// SPDX-License-Identifier: MIT
#include "core/parallel.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

void call_all(const State& state, Delivery& d) {
  while (d.next <= d.callbacks.size()) {
    CallbackPointer callback;
    {
      const Access access(state);
      callback = d.next < d.callbacks.size() ? d.callbacks[d.next] : state.callback;
    }
    ++d.next;  // before the call: one that throws was called
    if (callback && *callback) (*callback)(d.event);
  }
}

}  // namespace

void deliver(State& state, CallbackOrder order) {
  if (order == CallbackOrder::in_parallel) {
    std::vector<Delivery> all;
    all.swap(state.pending);
    struct Flag {
      State& state;
      explicit Flag(State& s) : state(s) { s.parallel_callbacks = true; }
      ~Flag() { state.parallel_callbacks = false; }
    } const flag(state);
    core::parallel_for(all.size(), state.options.threads, [&](std::size_t i) { call_all(state, all[i]); });
    return;
  }
  std::size_t done = 0;
  struct Drop {
    State& state;
    std::size_t& done;
    ~Drop() { state.pending.erase(state.pending.begin(), state.pending.begin() + static_cast<std::ptrdiff_t>(done)); }
  } const drop{state, done};
  for (; done < state.pending.size(); ++done) call_all(state, state.pending[done]);
}

}  // namespace graze::world
