// SPDX-License-Identifier: MIT
#pragma once

#include "broad/key_order.hpp"
#include "broad/method.hpp"
#include "broad/strips_frame.hpp"
#include "broad/strips_sweep.hpp"

namespace graze::broad {

/// Made for scenes in which nearly everything moves: nothing is kept but the order of the boxes. One sort along an
/// axis, boxes dealt out in that order to strips (cells across the other two axes, each as long as the scene), and in
/// each strip a sweep that tests eight boxes at a time.
class Strips : public Method {
 public:
  static constexpr BroadTraits traits{"strips", "sorts all boxes anew along one axis and sweeps strips of them"};

  explicit Strips(const BroadOptions&) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::size_t bytes() const override;

 protected:
  double busy_share() const override { return 0.1; }

 private:
  /// A body in the order of the sweep.
  struct Item : KeyBox {
    std::uint32_t id;
  };
  struct Workspace {
    SweepBoxes boxes;
    SweepHits hits;
    std::vector<BoxPair> found;
    std::uint64_t tests = 0;
  };

  void make_keys(const Bodies& bodies);
  void deal_out();
  void sweep_cell(const Bodies& bodies, std::size_t cell, Workspace& work) const;
  std::size_t cell_begin(std::size_t cell) const { return cell == 0 ? 0 : cell_end_[cell - 1]; }

  StripsFrame frame_;
  std::vector<std::uint32_t> ids_;      // of all bodies, in the order of the last sweep
  std::vector<Item> unsorted_, items_;  // items_: in the order of the sweep
  std::vector<KeyItem> order_, scratch_;
  std::vector<std::uint32_t> cell_end_{0};  // by cell: where its items end in cell_items_
  std::vector<std::uint32_t> cell_items_;   // places in items_, each cell's in the order of the sweep
  std::vector<Workspace> work_;             // one for each part of the sweep
  Box3 world_;                              // holds all boxes
  float widest_ = 0;                        // along the swept axis
  std::uint64_t membership_ = 0;            // of the bodies in ids_
  double reference_cost_ = -1;              // of the first sweep in this frame; below 0: none yet
};

}  // namespace graze::broad
