// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "query/body_data.hpp"
#include "query/first_contact/interval_tree.hpp"

namespace graze::query {

/// The body's own tree where it keeps one, else one for this query.
template <class Data>
class TreeOf {
 public:
  explicit TreeOf(const Data& data) {
    if constexpr (requires { data.interval_tree(); }) {
      tree_ = &data.interval_tree();
    } else {
      own_ = std::make_unique<IntervalTree>(data.mesh);
      tree_ = own_.get();
    }
  }
  const IntervalTree& get() const { return *tree_; }

 private:
  std::unique_ptr<IntervalTree> own_;
  const IntervalTree* tree_;
};

}  // namespace graze::query
