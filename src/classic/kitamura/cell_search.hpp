// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "classic/kitamura/cells.hpp"
#include "classic/kitamura/face_pairs.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"

namespace graze::classic::kitamura {

struct CellOptions {
  bool self = false;         ///< pairs within a body too
  bool bintree = false;      ///< halves instead of eighths (Kitamura 7)
  std::optional<int> level;  ///< number of octree subdivisions; none: automatic
  int threads = 1;
};

/// The implicit octree (Kitamura 3.5): only the lists of items on the path from the root to the present cell are
/// stored. Cells are closed, and the parts of a cell share their walls and cover it; so a point of the root that two
/// items share lies in some smallest cell, to which both are passed down, and their pair is listed there. A cell is
/// skipped if nothing in it makes a pair.
///
/// With `level`, cells are subdivided that many times. Otherwise they are subdivided until that costs more than testing
/// all pairs, or cells are smaller than the items in them, so that items would be in ever more of them.
///
/// Items (sorted by body) are a type with size(), body(i), box(i), a `may_meet(i, box, counters)` whose "no" is
/// certain, `list(i, j, pairs)`, which adds the face pairs of two items, and `least`: how many items of one body make a
/// pair. A search object is used by one thread only.
template <class Items>
class CellSearch {
 public:
  CellSearch(const Items& items, const CellOptions& options) : items_(items), options_(options) {}

  /// A cell and its items, to be passed to another search.
  struct Task {
    Cell cell;
    std::vector<std::uint32_t> items;
  };

  void run(const Task& task) {
    list_ = task.items;
    visit(task.cell, 0);
  }

  /// Processes one cell only: lists its pairs if it is a smallest one, otherwise outputs its parts.
  void split(const Task& task, std::vector<Task>& out) {
    list_ = task.items;
    look(task.cell, 0, [&](const Cell& part, std::size_t first) {
      out.push_back({part, {list_.begin() + static_cast<std::ptrdiff_t>(first), list_.end()}});
    });
  }

  FacePairList pairs;
  AllCounters counters;

 private:
  std::uint32_t body(std::size_t i) const { return items_.body(list_[i]); }

  void visit(const Cell& cell, std::size_t first) {
    look(cell, first, [&](const Cell& part, std::size_t part_first) { visit(part, part_first); });
  }

  /// The cell's items are the end of the list, from `first` on. Calls `go_on(part, first)` for each of its parts that
  /// may contain a pair, with the part's items at the end of the list.
  template <class GoOn>
  void look(const Cell& cell, std::size_t first, GoOn&& go_on) {
    poll_();
    ++counters.octree_cells;
    if (leave(cell, first)) return;
    const std::size_t last = list_.size();
    const CellParts parts = cut(cell, options_.bintree);
    const std::size_t reach = reach_.size();
    for (std::size_t i = first; i < last; ++i) reach_.push_back(parts.reach(items_.box(list_[i])));
    for (std::size_t i = 0; i < parts.count; ++i) {
      collect(parts.cell[i].box, 1U << i, first, last, reach);
      if (list_.size() > last) go_on(parts.cell[i], last);
      list_.resize(last);
    }
    reach_.erase(reach_.begin() + static_cast<std::ptrdiff_t>(reach), reach_.end());
  }

  /// Appends the items of [first, last) that may meet the part to the list: first by their boxes, and if boxes of two
  /// bodies reach it (or that does not matter), by the full test. An item that may meet the cell, and whose box reaches
  /// only this part of it, may meet the part: no test is needed.
  void collect(const Box3& box, unsigned part, std::size_t first, std::size_t last, std::size_t reach) {
    counters.octree_face_tests += last - first;
    const std::uint8_t* bits = reach_.data() + reach;
    const auto reaches = [&](std::size_t i) { return (bits[i - first] & part) != 0; };
    if (!options_.self) {
      std::size_t low = first, high = last;
      while (low < last && !reaches(low)) ++low;
      while (high > low && !reaches(high - 1)) --high;
      if (low == high || body(low) == body(high - 1)) return;
    }
    for (std::size_t i = first; i < last; ++i) {
      poll_.rarely();
      if (reaches(i) && (bits[i - first] == part || items_.may_meet(list_[i], box, counters)))
        list_.push_back(list_[i]);
    }
  }

  /// Is there nothing to do below this cell: it contains no pair, or its pairs have now been listed?
  bool leave(const Cell& cell, std::size_t first) {
    const std::size_t n = list_.size() - first;
    if (options_.self ? n < Items::least : n < 2 || body(first) == body(list_.size() - 1)) return true;
    if (!is_smallest(cell, first)) return false;
    for (std::size_t i = first; i < list_.size(); ++i) {
      poll_();  // the list may be long
      for (std::size_t j = options_.self ? i : i + 1; j < list_.size(); ++j)
        if (options_.self || body(i) != body(j)) items_.list(list_[i], list_[j], pairs);
    }
    return true;
  }

  bool is_smallest(const Cell& cell, std::size_t first) const {
    if (!can_cut(cell.box)) return true;
    const int cuts_a_level = options_.bintree ? 3 : 1;
    if (options_.level) return cell.depth >= *options_.level * cuts_a_level;
    return cell.depth >= deepest * cuts_a_level || !cutting_pays(cell.box, first);
  }

  bool cutting_pays(const Box3& cell, std::size_t first) const {
    const std::size_t n = list_.size() - first;
    if (count_pairs(first) <= pairs_an_item * n) return false;
    double extents = 0;  // of the parts of the items inside the cell
    for (std::size_t i = first; i < list_.size(); ++i) extents += longest_half_side(common(items_.box(list_[i]), cell));
    return extents < largest_share * longest_half_side(cell) * static_cast<double>(n);
  }

  std::size_t count_pairs(std::size_t first) const {
    const std::size_t n = list_.size() - first;
    std::size_t count = n * (n - 1) / 2;
    for (std::size_t i = first, run = first; i <= list_.size() && !options_.self; ++i)
      if (i == list_.size() || body(i) != body(run)) {
        count -= (i - run) * (i - run - 1) / 2;
        run = i;
      }
    return count;
  }

  // Constants of the automatic resolution; measured on scenes of two bodies (docs/methods/kitamura.md).
  static constexpr std::size_t pairs_an_item = 16;
  static constexpr double largest_share = 0.5;
  static constexpr int deepest = 20;

  const Items& items_;
  const CellOptions& options_;
  std::vector<std::uint32_t> list_;  ///< of all cells on the path from the root, contiguous
  std::vector<std::uint8_t> reach_;  ///< for the subdivided cells on the path: which parts each item's box reaches
  core::Poll poll_;
};

/// All face pairs of items that share a point in the root, and possibly others; each once, sorted. It does not matter
/// which search visits a cell: the cells are the same for any number of threads, and so are the pairs and counters.
template <class Items>
FacePairList list_pairs_in_cells(const Items& items, const Box3& root, const CellOptions& options,
                                 AllCounters& counters) {
  using Search = CellSearch<Items>;
  std::vector<typename Search::Task> tasks(1);
  tasks[0].cell = {root, 0};
  for (std::uint32_t i = 0; i < items.size(); ++i) tasks[0].items.push_back(i);
  FacePairList all;
  const auto take = [&](const Search& search) {
    all.add(search.pairs);
    counters += search.counters;
  };
  while (options.threads > 1 && items.size() > 256 && !tasks.empty() &&
         tasks.size() < 8 * static_cast<std::size_t>(options.threads)) {
    std::vector<typename Search::Task> next;
    Search search(items, options);
    for (const auto& task : tasks) search.split(task, next);
    take(search);
    tasks = std::move(next);
  }
  std::vector<std::optional<Search>> searches(tasks.size());
  core::parallel_for(tasks.size(), options.threads, [&](std::size_t i) {
    searches[i].emplace(items, options);
    searches[i]->run(tasks[i]);
  });
  for (const std::optional<Search>& search : searches) take(*search);
  all.compact();
  counters.octree_repeats += all.repeats();
  return all;
}

}  // namespace graze::classic::kitamura
