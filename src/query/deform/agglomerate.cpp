// SPDX-License-Identifier: MIT
#include "query/deform/agglomerate.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace graze::query {

namespace {

bvh::BoxF united(const bvh::BoxF& a, const bvh::BoxF& b) {
  bvh::BoxF u;
  for (int k = 0; k < 3; ++k) {
    u.lo[k] = std::min(a.lo[k], b.lo[k]);
    u.hi[k] = std::max(a.hi[k], b.hi[k]);
  }
  return u;
}

/// Smaller is better: the area first, then a hash. Areas are not negative, so that their bits sort as they do.
std::uint64_t preference(const bvh::BoxF& a, const bvh::BoxF& b, std::uint32_t i, std::uint32_t j) {
  const bvh::BoxF u = united(a, b);
  const float x = u.hi[0] - u.lo[0], y = u.hi[1] - u.lo[1], z = u.hi[2] - u.lo[2];
  const float area = x * y + y * z + z * x;
  std::uint32_t h = std::min(i, j) * 0x9E3779B1u ^ std::max(i, j) * 0x85EBCA77u;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  return std::uint64_t{std::bit_cast<std::uint32_t>(area)} << 32 | (h ^ h >> 13);
}

constexpr std::uint64_t no_choice = std::numeric_limits<std::uint64_t>::max();

class Joiner {
 public:
  explicit Joiner(Joining& j) : j_(j), label_(j.boxes.size()), choice_(j.boxes.size(), no_choice) {
    for (std::uint32_t i = 0; i < label_.size(); ++i) label_[i] = i;
  }

  void run() {
    const std::size_t given = j_.boxes.size();
    double limit = 4;
    while (!j_.touching.empty()) {
      const std::size_t before = j_.joined.size();
      round(limit);
      limit *= j_.joined.size() == before ? 4 : 1.6;
    }
    std::vector<bool> inside(given + j_.joined.size(), false);
    for (const auto& [a, b] : j_.joined) inside[a] = inside[b] = true;
    for (std::uint32_t i = 0; i < inside.size(); ++i)
      if (!inside[i]) j_.roots.push_back(i);
  }

 private:
  void round(double limit) {
    keys_.resize(j_.touching.size());
    for (std::size_t e = 0; e < j_.touching.size(); ++e) {
      const auto [a, b] = j_.touching[e];
      keys_[e] = no_choice;
      if (static_cast<double>(j_.counts[a]) + static_cast<double>(j_.counts[b]) > limit) continue;
      keys_[e] = preference(j_.boxes[a], j_.boxes[b], a, b);
      choice_[a] = std::min(choice_[a], keys_[e]);
      choice_[b] = std::min(choice_[b], keys_[e]);
    }
    for (std::size_t e = 0; e < j_.touching.size(); ++e) {
      const auto [a, b] = j_.touching[e];
      if (keys_[e] == no_choice || choice_[a] != keys_[e] || choice_[b] != keys_[e]) continue;
      if (label_[a] == a && label_[b] == b) join(a, b);  // else joined already: the pair was there before
    }
    std::size_t kept = 0;
    for (auto [a, b] : j_.touching) {
      a = label_[a];
      b = label_[b];
      choice_[a] = choice_[b] = no_choice;
      if (a != b) j_.touching[kept++] = {a, b};
    }
    j_.touching.resize(kept);
  }

  void join(std::uint32_t a, std::uint32_t b) {
    const auto made = static_cast<std::uint32_t>(label_.size());
    label_[a] = label_[b] = made;
    label_.push_back(made);
    choice_.push_back(no_choice);
    j_.boxes.push_back(united(j_.boxes[a], j_.boxes[b]));
    j_.counts.push_back(j_.counts[a] + j_.counts[b]);
    j_.joined.push_back({std::min(a, b), std::max(a, b)});
  }

  Joining& j_;
  std::vector<std::uint32_t> label_;   // what a patch has become part of in this round, or itself
  std::vector<std::uint64_t> choice_;  // the best preference of a patch in this round
  std::vector<std::uint64_t> keys_;
};

}  // namespace

void agglomerate(Joining& joining) { Joiner(joining).run(); }

}  // namespace graze::query
