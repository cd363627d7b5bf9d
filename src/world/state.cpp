// SPDX-License-Identifier: MIT
#include "world/state.hpp"

#include <algorithm>
#include <cmath>

#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "world/record/recorder.hpp"

namespace graze::world {

void refuse(ErrorCode code, std::string message, std::string element, std::uint64_t id) {
  throw Error(core::problem(code, std::move(element), std::move(message), id));
}

namespace {

BroadOptions named(BroadOptions options, std::string_view method) {
  options.method = method;
  return options;
}

}  // namespace

BroadPhase State::new_broad_phase() const { return BroadPhase(named(options.broad_options, options.broad)); }

State::State(const WorldOptions& o) : options(o), broad(named(o.broad_options, o.broad)), coherences(o.coherent_pairs) {
  core::throw_if(core::bad_threads(o.threads));
}

State::~State() = default;

BodyRecord& State::get(BodyId body_id) {
  if (!body_slots.has(body_id.slot, body_id.generation))
    refuse(ErrorCode::index_out_of_range,
           "there is no body with generation " + std::to_string(body_id.generation) +
               " in this slot: it was removed, or belongs to another world; has(id) tells",
           "body", body_id.slot);
  return bodies[body_id.slot];
}

PairRecord& State::pair_record(BodyId a, BodyId b) {
  get(a);
  get(b);
  check_pair(a, b, {});
  const auto [at, is_new] = pairs.try_emplace(key_of(a.slot, b.slot));
  if (is_new) {
    bodies[a.slot].pair_partners.insert(b.slot);
    bodies[b.slot].pair_partners.insert(a.slot);
  }
  return at->second;
}

void State::mark_moved(std::uint32_t slot) {
  BodyRecord& r = bodies[slot];
  if (r.moved) return;  // entered at most once (Zachmann 7.0.2)
  r.moved = true;
  moved.push_back(slot);
}

bool State::wanted(PairKey key) const {
  if (const PairRecord* own = find_pair(key); own && own->settings.interest) return *own->settings.interest;
  const BodySettings &a = bodies[first(key)].settings, &b = bodies[second(key)].settings;
  return a.interest && b.interest && (a.group & b.mask) && (b.group & a.mask);
}

Delivery State::delivery(EventKind kind, PairKey key) const {
  const BodyRecord &a = bodies[first(key)], &b = bodies[second(key)];
  const PairRecord* own = find_pair(key);
  Delivery d;
  d.event.kind = kind;
  d.event.a = id(first(key));
  d.event.b = id(second(key));
  d.event.frame = frame;
  d.event.pose_a = a.pose;
  d.event.pose_b = b.pose;
  d.event.data_a = a.settings.data;
  d.event.data_b = b.settings.data;
  if (own) d.event.pair_data = own->settings.data;
  d.event.trigger = is_trigger(key);
  d.callbacks = {own ? own->callback : nullptr, a.callback, b.callback};
  return d;
}

void State::forget_contact(PairKey key) {
  contacts.erase(key);
  bodies[first(key)].touching.erase(second(key));
  bodies[second(key)].touching.erase(first(key));
}

void check_capacity(std::size_t size, std::size_t more) {
  constexpr std::size_t most = std::size_t{1} << 24;  // the broad phases require body numbers below this
  if (more > most || size > most - more)
    refuse(ErrorCode::too_large, "a world holds at most 2^24 bodies; take several worlds");
}

void check_margin(double margin) {
  if (!(margin >= 0 && std::isfinite(margin)))
    refuse(ErrorCode::bad_option, "the margin of a body must be finite and at least 0", "option margin");
}

void check_solid(const State& state, const Body& body, const std::string& name) {
  if (state.recorder && !Recorder::knows(body))
    throw Error(
        core::problem(ErrorCode::unsupported, "body" + (name.empty() ? std::string() : " " + name),
                      "a surface given by the caller's own functions, or made with options, cannot be recorded; "
                      "a torus and Bezier patches can"));
  if (!state.options.solid) return;
  if (auto open = engine::contains::not_solid(body.data(), "A")) {
    open->element = "body" + (name.empty() ? std::string() : " " + name);
    throw Error(*open);
  }
}

void check_pair(BodyId a, BodyId b, const PairSettings& settings) {
  if (a == b) refuse(ErrorCode::bad_option, "a pair needs two different bodies", "body", a.slot);
  if (settings.tolerance && !(*settings.tolerance > 0 && std::isfinite(*settings.tolerance)))
    refuse(ErrorCode::bad_option, "the tolerance must be positive and finite", "option tolerance");
  const auto methods = collide_methods();
  const auto is_it = [&](const MethodTraits& t) { return t.name == settings.method; };
  if (std::any_of(methods.begin(), methods.end(), is_it)) return;
  std::string names;
  for (const MethodTraits& t : methods) names += (names.empty() ? "" : ", ") + std::string(t.name);
  throw Error(core::no_such_method(settings.method, names));
}

Asking::Asking(State& state) : state_(state) {
  if (state.asking)
    refuse(ErrorCode::bad_option, "a callback may change the world but not query it; make the query after check()");
  state.asking = true;
}

}  // namespace graze::world
