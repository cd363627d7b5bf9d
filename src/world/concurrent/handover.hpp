// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace graze::world {

/// Passes nodes from one thread to another. Neither thread ever blocks. The producer pushes a node to the front with
/// one compare-and-exchange of a pointer. The consumer takes all nodes at once and reverses their order. `Node` has a
/// member `std::unique_ptr<Node> next`.
template <class Node>
class Handover {
 public:
  Handover() = default;
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;
  ~Handover() { take(); }

  void give(std::unique_ptr<Node> node) {
    Node* raw = node.release();
    Node* old = head_.load(std::memory_order_relaxed);
    do {
      static_cast<void>(raw->next.release());  // the pointer from the last attempt is not owned by this node
      raw->next.reset(old);
    } while (!head_.compare_exchange_weak(old, raw, std::memory_order_release, std::memory_order_relaxed));
  }

  /// Returns the nodes oldest first, linked by `next`.
  std::unique_ptr<Node> take() {
    std::unique_ptr<Node> newest(head_.exchange(nullptr, std::memory_order_acquire)), oldest;
    while (newest) {
      std::unique_ptr<Node> rest = std::move(newest->next);
      newest->next = std::move(oldest);
      oldest = std::move(newest);
      newest = std::move(rest);
    }
    return oldest;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

}  // namespace graze::world
