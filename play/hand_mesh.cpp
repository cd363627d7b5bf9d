// SPDX-License-Identifier: MIT
#include "hand_mesh.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace graze::play {
namespace {

constexpr double cell = 0.053, thickness = 0.1;
constexpr int palm = 8, breadth = 11;         // cells along x and y
constexpr std::array fingers{10, 11, 10, 8};  // from the thumb on; two cells broad each, one apart
constexpr int thumb = 4, thumb_first = 2, thumb_last = 4;

using Cell = std::pair<int, int>;

std::set<Cell> cells_of_hand() {
  std::set<Cell> cells;
  for (int i = 0; i < palm; ++i)
    for (int j = 0; j < breadth; ++j) cells.insert({i, j});
  int side = 0;
  for (const int length : fingers) {
    for (int i = palm; i < palm + length; ++i)
      for (int j = side; j < side + 2; ++j) cells.insert({i, j});
    side += 3;
  }
  for (int i = thumb_first; i <= thumb_last; ++i)
    for (int j = -thumb; j < 0; ++j) cells.insert({i, j});
  return cells;
}

/// Quads between corners of cells, below (0) and above (1), halved.
class Quads {
 public:
  using Corner = std::array<int, 3>;

  void add(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
    const std::uint32_t p = number(a), q = number(b), r = number(c), s = number(d);
    triangles_.push_back({p, q, r});
    triangles_.push_back({p, r, s});
  }
  Mesh finish() { return Mesh(std::move(positions_), triangles_); }

 private:
  std::uint32_t number(const Corner& corner) {
    const auto [entry, is_new] = numbers_.insert({corner, static_cast<std::uint32_t>(positions_.size())});
    if (is_new)
      positions_.push_back({cell * (corner[0] - palm), cell * (corner[1] - 0.5 * breadth),
                            corner[2] == 0 ? -0.5 * thickness : 0.5 * thickness});
    return entry->second;
  }

  std::map<Corner, std::uint32_t> numbers_;
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
};

}  // namespace

Mesh hand_mesh() {
  const std::set<Cell> cells = cells_of_hand();
  Quads quads;
  for (const auto& [i, j] : cells) {
    quads.add({i, j, 1}, {i + 1, j, 1}, {i + 1, j + 1, 1}, {i, j + 1, 1});
    quads.add({i, j, 0}, {i, j + 1, 0}, {i + 1, j + 1, 0}, {i + 1, j, 0});
    const auto side = [&](const Cell& beside, int i0, int j0, int i1, int j1) {
      if (!cells.contains(beside)) quads.add({i0, j0, 0}, {i1, j1, 0}, {i1, j1, 1}, {i0, j0, 1});
    };
    side({i, j - 1}, i, j, i + 1, j);
    side({i + 1, j}, i + 1, j, i + 1, j + 1);
    side({i, j + 1}, i + 1, j + 1, i, j + 1);
    side({i - 1, j}, i, j + 1, i, j);
  }
  return quads.finish();
}

}  // namespace graze::play
