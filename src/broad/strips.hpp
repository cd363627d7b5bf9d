// SPDX-License-Identifier: MIT
#pragma once

#include "broad/key_order.hpp"
#include "broad/method.hpp"
#include "broad/strips_frame.hpp"
#include "broad/strips_sweep.hpp"

namespace graze::broad {

/// For scenes in which nearly everything moves: only the order of the boxes is kept between calls. Sorts once along an
/// axis, distributes the boxes in that order to strips (cells across the other two axes, each as long as the scene),
/// and sweeps each strip, testing eight boxes at a time.
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
  /// A body in sweep order.
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
  std::vector<Item> unsorted_, items_;  // items_: in sweep order
  std::vector<KeyItem> order_, scratch_;
  std::vector<std::uint32_t> cell_end_{0};  // by cell: the end of its items in cell_items_
  std::vector<std::uint32_t> cell_items_;   // indices into items_, each cell's in sweep order
  std::vector<Workspace> work_;             // one for each part of the sweep
  Box3 world_;                              // contains all boxes
  float widest_ = 0;                        // largest width along the swept axis
  std::uint64_t membership_ = 0;            // of the bodies in ids_
  std::size_t size_when_chosen_ = 0;        // number of bodies when the frame was chosen
  double reference_cost_ = -1;              // cost of the first sweep in this frame; below 0: none yet
};

}  // namespace graze::broad
