// SPDX-License-Identifier: MIT
#include <graze/ask/collide.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "ask/collide_methods.hpp"
#include "ask/compound/compound.hpp"
#include "ask/shapes/box_pair.hpp"
#include "ask/shapes/shapes.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "classic/zachmann/coherence.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/polled_sort.hpp"
#include "core/refusal.hpp"
#include "engine/contains/overlap.hpp"
#include "engine/contains/solid.hpp"

namespace graze {

namespace {

using ask::CollideMethods;
using engine::collide::CollideQuery;

struct MethodEntry {
  MethodTraits traits;
  std::optional<ErrorDetail> (*refuses)(const CollideQuery&);
  void (*run)(const CollideQuery&, CollideResult&);

  template <class T>
  static constexpr MethodEntry of() {
    return {T::traits, &T::refuses, &T::run};
  }
};

constexpr auto table = core::table_of<MethodEntry>(CollideMethods{});
constexpr auto all_traits = core::traits_of(CollideMethods{});

const MethodEntry* find(std::string_view name) { return core::find_method(table, name); }

/// Requirements of the query that the method may not support.
std::optional<ErrorDetail> mismatch(const MethodTraits& traits, const CollideQuery& q) {
  const auto name = [&] { return std::string(traits.name); };
  if (q.options.all && !traits.all_pairs)
    return engine::collide::unsupported("method " + name() + " cannot list all pairs; use tree or brute");
  if (!q.options.solid && !traits.surface)
    return engine::collide::unsupported("method " + name() +
                                        " answers the solid question only; ask with solid, or use tree");
  if (q.options.solid)
    for (const auto& [body, label] : {std::pair{&q.a, "A"}, std::pair{&q.b, "B"}})
      if (auto open = engine::contains::not_solid(*body, label)) return open;
  return std::nullopt;
}

/// A partial answer is not reported: a touching pair found so far does not exclude that another pair crosses.
void cut_short(CollideResult& result) {
  result.status = Status::undecided;
  result.kind.reset();
  result.contained = Containment::none;
  result.pairs.clear();
  result.features.clear();
  result.points.reset();
  result.normal.reset();
  result.deepest.reset();
  result.pieces.reset();
  result.piece_contacts.clear();
}

/// Sorts by (a, b), packed into one number that is compared in one step.
void sort_unique(std::vector<TrianglePair>& pairs) {
  const auto key = [](const TrianglePair& p) { return std::uint64_t{index(p.a)} << 32 | index(p.b); };
  core::polled_sort(pairs.begin(), pairs.end(),
                    [&](const TrianglePair& x, const TrianglePair& y) { return key(x) < key(y); });
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Checks the options and finds the method; null: the result says why not.
const MethodEntry* prepare(const CollideQuery& q, CollideResult& result) {
  const MethodEntry* method = find(q.options.method);
  if (!method) {
    core::refuse(result, core::no_such_method(q.options.method, core::names_in(table)));
    return nullptr;
  }
  result.method = method->traits.name;
  if (core::refused(result, core::bad_threads(q.options.threads)) || core::refused(result, mismatch(method->traits, q)))
    return nullptr;
  return method;
}

/// Curved shapes, half-spaces, compounds and surfaces beyond triangles.
void answer_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideQuery& q,
                   CollideResult& result) {
  const MethodEntry* method = prepare(q, result);
  if (!method) return;
  if (method->traits.name != "tree")
    return core::refuse(
        result, engine::collide::unsupported("method " + std::string(method->traits.name) +
                                             " answers for meshes only; use tree for curved shapes and compounds"));
  if (ask::is_compound(a) || ask::is_compound(b))
    return ask::collide_compounds(a, pose_a, b, pose_b, q.options, result);
  if (ask::about_surfaces(a, b)) return ask::collide_surfaces(a, pose_a, b, pose_b, q.options, result);
  ask::collide_shapes(a, pose_a, b, pose_b, q.options, result);
}

/// The witness, if the exact test agrees that these triangles cross.
bool report_crossing(const CollideQuery& q, const TrianglePair& pair, CollideResult& result) {
  if (!ask::triangles_cross(q.a, q.b, q.placement, pair, q.counters)) return false;
  result.status = Status::contact;
  result.kind = ContactKind::crossing;
  result.pairs.push_back(pair);
  add_witness(q, result);
  return true;
}

/// A box and a box, or a mesh: is there an edge that passes through a face, or are they clearly apart? Then that is the
/// answer, and the trees need not be asked. It takes less time than a limit of time can be kept to, but does not count
/// work.
bool answer_box(const CollideQuery& q, CollideResult& result) {
  if (q.options.method != "tree" || q.options.all || (q.limits && q.limits->work > 0)) return false;
  if (ask::plain_boxes(q.a, q.b)) {
    const auto pair = ask::piercing_pair(q.a, q.b, q.placement);
    return pair && report_crossing(q, *pair, result);
  }
  const auto found = ask::quick_mesh_box(q.a, q.pose_a, q.b, q.pose_b, q.placement, q.counters);
  if (!found) return false;
  if (found->apart && !q.options.solid) {
    result.status = Status::free;
    return true;
  }
  return !found->apart && report_crossing(q, found->pair, result);
}

void answer(const CollideQuery& q, CollideResult& result) {
  const MethodEntry* method = prepare(q, result);
  if (!method || core::refused(result, method->refuses(q))) return;
  if (answer_box(q, result)) return;
  method->run(q, result);
  if (q.limits && q.limits->cut()) return;
  if (q.options.all) sort_unique(result.pairs);
  add_witness(q, result);
  const bool solid_a = q.options.solid || q.a.shape, solid_b = q.options.solid || q.b.shape;
  if ((solid_a || solid_b) && result.status == Status::free && !method->traits.solid_only)
    engine::contains::add_containment(q, solid_a, solid_b, result);
  if (!solid_a || !solid_b || result.status != Status::contact) return;
  if (result.contained != Containment::none) {
    result.kind = ContactKind::overlap;
  } else if (result.kind == ContactKind::touching &&
             engine::contains::interiors_overlap(q, result.pairs.empty() ? nullptr : result.pairs.data())) {
    result.kind = ContactKind::overlap;
    result.normal.reset();  // no direction parts them
  }
}

/// Buffers keep their memory. Field by field: building and moving a whole result takes as long as two spheres do.
void clear(CollideResult& result) {
  cut_short(result);
  result.method = {};
  result.certain = true;
  result.counters = {};
  result.seconds = 0;
  result.error.reset();
}

/// Two shapes, one of them curved, or boxes that are apart, asked by the default method without a limit of work (time
/// and cancellation have been looked at): nothing of what a question about meshes prepares is needed.
bool answer_plain_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                         const CollideOptions& options, CollideResult& result) {
  if (!a.data().core || !b.data().core) return false;
  if (options.method != "tree" || options.threads < 1) return false;
  if (ask::plain_shapes(a, b)) {
    result.method = "tree";
    ask::collide_plain_shapes(a, pose_a, b, pose_b, result);
    return true;
  }
  if (!ask::plain_boxes(a.data(), b.data())) return false;
  if (!ask::boxes_apart(a.data(), pose_a, b.data(), pose_b).value_or(false)) return false;
  result.method = "tree";
  result.status = Status::free;
  return true;
}

}  // namespace

std::span<const MethodTraits> collide_methods() { return all_traits; }

CollideCoherence::CollideCoherence() : state_(std::make_unique<State>()) {}
CollideCoherence::~CollideCoherence() = default;
CollideCoherence::CollideCoherence(CollideCoherence&&) noexcept = default;
CollideCoherence& CollideCoherence::operator=(CollideCoherence&&) noexcept = default;

void engine::collide::collide_within(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                     const CollideOptions& options, core::Limits& limits, CollideResult& result) {
  const core::FpGuard guard;
  clear(result);
  core::clear(options.method_counters);
  // Without `seconds`: two looks at the clock take a third as long as two spheres.
  if (limits.allow_at_once() && answer_plain_shapes(a, pose_a, b, pose_b, options, result)) return;
  const auto start = std::chrono::steady_clock::now();
  AllCounters counters;
  CollideQuery q{a.data(), b.data(), pose_a, pose_b, options, math::RelativePlacement(pose_a, pose_b), counters};
  const bool ended = core::run_within(limits, [&](core::Limits* within) {
    q.limits = within;
    if (ask::beyond_meshes(a, b))
      answer_shapes(a, pose_a, b, pose_b, q, result);
    else
      answer(q, result);
  });
  if (!ended && result.status != Status::invalid_request) cut_short(result);
  core::report(counters, result.counters, options.method_counters);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void collide(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
             CollideResult& result) {
  core::Limits limits(options);
  engine::collide::collide_within(a, pose_a, b, pose_b, options, limits, result);
  core::leave_if_outer_ended(limits);
}

CollideResult collide(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const CollideOptions& options) {
  CollideResult result;
  collide(a, pose_a, b, pose_b, options, result);
  return result;
}

}  // namespace graze
