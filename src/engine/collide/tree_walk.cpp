// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/collide/tree_walk.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "engine/collide/fan_nodes.hpp"
#include "engine/collide/tree_walk.hpp"
#include "engine/collide/walk_triangles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::collide::walking {
namespace HWY_NAMESPACE {

inline void prefetch(const void* from, std::size_t bytes) {
  const auto* p = static_cast<const char*>(from);
  for (std::size_t i = 0; i < bytes; i += 64) hwy::Prefetch(p + i);
  hwy::Prefetch(p + bytes - 1);
}

/// One traversal: the two trees, cached data of the last visited nodes, and the receiver.
class Walk {
 public:
  Walk(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame, PairReceiver& sink)
      : a_(a), b_(b), same_(same), frame_(frame), sink_(sink) {}

  bool can_open(NodePair pair) const { return !(a_.tree.nodes[pair.a].bottom && b_.tree.nodes[pair.b].bottom); }

  void visit(NodePair pair, NodePairs& stack) {
    ++sink_.counters.node_pairs;
    const bvh::WideNode &na = a_.tree.nodes[pair.a], &nb = b_.tree.nodes[pair.b];
    if (sink_.fans && pair.a != pair.b && sink_.fans->meet_only_in_shared(pair.a, pair.b)) return;
    if (na.bottom && nb.bottom) return triangles(pair);
    if (same_ && pair.a == pair.b) return pairs_within(pair.a, stack);
    if (opens_a(na, nb)) {
      prefetch_children(a_, na);
      prepare<of_b>(frame_, b_, pair.b, whole_b_);
      sink_.counters.box_tests += na.count;
      push(
          meeting<of_a>(frame_, a_, na, whole_b_, keys_),
          [&](std::uint32_t i) {
            return NodePair{na.first + i, pair.b};
          },
          stack);
    } else {
      prefetch_children(b_, nb);
      prepare<of_a>(frame_, a_, pair.a, whole_a_);
      sink_.counters.box_tests += nb.count;
      push(
          meeting<of_b>(frame_, b_, nb, whole_a_, keys_),
          [&](std::uint32_t i) {
            return NodePair{pair.a, nb.first + i};
          },
          stack);
    }
  }

 private:
  /// Opens the larger node, or the one that has children. The result is the same on every instruction set:
  /// single-precision sums and products round identically.
  bool opens_a(const bvh::WideNode& na, const bvh::WideNode& nb) const {
    if (na.bottom || nb.bottom) return nb.bottom;
    return na.scale[0] + na.scale[1] + na.scale[2] >= frame_.f.rho * (nb.scale[0] + nb.scale[1] + nb.scale[2]);
  }

  // Trees are larger than the near caches, and other code uses these between two queries. So everything is prefetched
  // one step ahead: all children of a node while their boxes are compared, and the data of a pair (the slabs of the
  // node that it opens, or the corners of its triangles) when it is pushed on the stack.
  static void prefetch_children(const body::WideTree& tree, const bvh::WideNode& node) {
    prefetch(tree.tree.nodes.data() + node.first, sizeof(bvh::WideNode) * node.count);
  }
  HWY_NOINLINE void prefetch_inside(NodePair pair) const {
    const bvh::WideNode &na = a_.tree.nodes[pair.a], &nb = b_.tree.nodes[pair.b];
    if (na.bottom && nb.bottom) {
      prefetch(a_.row(na, 0, 0), 36u * na.count);
      prefetch(b_.row(nb, 0, 0), 36u * nb.count);
    } else if (opens_a(na, nb)) {
      prefetch(a_.slabs.of(na).m[0], 20u * na.count);
    } else {
      prefetch(b_.slabs.of(nb).m[0], 20u * nb.count);
    }
  }

  /// The last pair pushed is visited first.
  template <class Pair>
  void push(unsigned children, Pair&& pair, NodePairs& stack) {
    std::uint32_t order[8];
    int n = 0;
    for (; children != 0; children &= children - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(children));
      prefetch_inside(pair(i));
      int k = n++;
      for (; k > 0 && keys_[order[k - 1]] < keys_[i]; --k) order[k] = order[k - 1];
      order[k] = i;
    }
    for (int k = 0; k < n; ++k) stack.push_back(pair(order[k]));
  }

  /// For a node with itself: every child with itself and with the children after it.
  void pairs_within(std::uint32_t index, NodePairs& stack) {
    const bvh::WideNode& node = a_.tree.nodes[index];
    for (std::uint32_t i = node.count; i-- > 0;) {
      prepare<of_a>(frame_, a_, node.first + i, whole_a_);
      sink_.counters.box_tests += node.count;
      const unsigned later = meeting<of_b>(frame_, b_, node, whole_a_, keys_) & (~1u << i);
      push(
          later,
          [&](std::uint32_t j) {
            return NodePair{node.first + i, node.first + j};
          },
          stack);
      stack.push_back({node.first + i, node.first + i});
    }
  }

  void triangles(NodePair pair) {
    ++sink_.counters.leaf_pairs;
    const bvh::WideNode &na = a_.tree.nodes[pair.a], &nb = b_.tree.nodes[pair.b];
    const LeafPair leaf = leaf_pair(frame_.f, na, nb);
    unsigned rows = load_b(frame_, b_, nb, leaf, a_, pair.a, triangles_b_);
    if (rows == 0) return;
    load_a(a_, pair.a, triangles_a_);
    const D d;
    for (; rows != 0 && !sink_.done; rows &= rows - 1) {
      const auto j = static_cast<std::uint32_t>(std::countr_zero(rows));
      Verdict all;
      // For a node with itself, (i, j) and (j, i) are the same pair, and an item is not paired with itself.
      const std::size_t n = same_ && pair.a == pair.b ? j : na.count;
      for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        const Verdict v = test(triangles_a_, i, hn::FirstN(d, n - i), triangles_b_, j, leaf.delta);
        all.tested |= v.tested << i;
        all.apart |= v.apart << i;
        all.crossing |= v.crossing << i;
      }
      if (all.tested != 0) report(na.first, all, nb.first + j);
    }
  }

  void report(std::uint32_t first_a, const Verdict& v, std::uint32_t item_b) {
    sink_.counters.triangle_tests += static_cast<unsigned>(std::popcount(v.tested));
    sink_.counters.float_decided += static_cast<unsigned>(std::popcount(v.apart | v.crossing));
    for (unsigned left = v.tested & ~v.apart; left != 0 && !sink_.done; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      if (v.crossing >> i & 1)
        sink_.crossing(first_a + i, item_b);
      else
        sink_.undecided(first_a + i, item_b);
    }
  }

  const body::WideTree& a_;
  const body::WideTree& b_;
  bool same_;
  WalkFrame frame_;
  PairReceiver& sink_;
  alignas(64) float keys_[8];
  Whole whole_a_, whole_b_;
  Triangles triangles_a_, triangles_b_;
};

void Traverse(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
              NodePairs& stack, std::uint64_t visits, PairReceiver& sink) {
  Walk walk(a, b, same, frame, sink);
  // Work is counted at every pair. For time and cancellation every 16th is enough (microseconds): looking at each would
  // take 3 % of the time of a query within limits.
  const bool counts_work = sink.limits && sink.limits->work > 0;
  for (unsigned since = 0; !stack.empty() && !sink.done && visits > 0; --visits) {
    if (counts_work ? over(sink.limits, sink.counters) : sink.limits && ++since % 16 == 0 && sink.limits->stopped()) {
      sink.done = true;
      break;
    }
    const NodePair pair = stack.back();
    stack.pop_back();
    walk.visit(pair, stack);
  }
  if (sink.done) stack.clear();
}

void OpenAll(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
             NodePairs& stack, PairReceiver& sink) {
  Walk walk(a, b, same, frame, sink);
  NodePairs opened;
  for (const NodePair& pair : stack)
    if (walk.can_open(pair))
      walk.visit(pair, opened);
    else
      opened.push_back(pair);
  stack.assign(opened.begin(), opened.end());
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::collide::walking
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::collide {

namespace walking {
HWY_EXPORT(Traverse);
HWY_EXPORT(OpenAll);
}  // namespace walking

void traverse(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
              NodePairs& stack, std::uint64_t visits, PairReceiver& sink) {
  using namespace walking;
  HWY_DYNAMIC_DISPATCH(Traverse)(a, b, same, frame, stack, visits, sink);
}

void open_all(const body::WideTree& a, const body::WideTree& b, bool same, const body::TreeFrame& frame,
              NodePairs& stack, PairReceiver& sink) {
  using namespace walking;
  HWY_DYNAMIC_DISPATCH(OpenAll)(a, b, same, frame, stack, sink);
}

}  // namespace graze::engine::collide
#endif
