// SPDX-License-Identifier: MIT
// Every broad phase of the type list against plain loops over what the test itself remembers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include <graze/broad/broad_phase.hpp>

#include "broad/segment.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}
int whole(Random& random, int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); }

/// A kind of scene: how a body's box comes into being, and how it changes.
struct Kind {
  const char* name;
  std::function<Box3(Random&)> make;
  std::function<Box3(Random&, const Box3&)> move;
};

Box3 around(const Vec3& c, const Vec3& h) { return {c - h, c + h}; }
Vec3 point(Random& r, double side) { return {uniform(r, 0, side), uniform(r, 0, side), uniform(r, 0, side)}; }

Box3 shifted(Random& r, const Box3& box, double step) {
  const Vec3 d{uniform(r, -step, step), uniform(r, -step, step), uniform(r, -step, step)};
  return {box.lo + d, box.hi + d};
}

double any_size(Random& r) { return std::exp2(uniform(r, -990, 990)); }

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"random", [](Random& r) { return around(point(r, 6), point(r, 0.5)); },
       [](Random& r, const Box3& b) { return shifted(r, b, 0.1); }},
      {"whole numbers, touching",
       [](Random& r) {
         const Vec3 lo{double(whole(r, -4, 4)), double(whole(r, -4, 4)), double(whole(r, -4, 4))};
         return Box3{lo, lo + Vec3{double(whole(r, 0, 2)), double(whole(r, 0, 2)), double(whole(r, 0, 2))}};
       },
       [](Random& r, const Box3& b) {
         Vec3 d;
         d[whole(r, 0, 2)] = whole(r, -1, 1);
         return Box3{b.lo + d, b.hi + d};
       }},
      {"all equal",
       [](Random&) {
         return Box3{{1, 2, 3}, {2, 3, 4}};
       },
       [](Random&, const Box3& b) { return b; }},
      {"points",
       [](Random& r) {
         const Vec3 p{double(whole(r, 0, 3)), double(whole(r, 0, 3)), 0};
         return Box3{p, p};
       },
       [](Random& r, const Box3& b) {
         const Vec3 p{double(whole(r, 0, 3)), b.lo.y, 0};
         return Box3{p, p};
       }},
      {"any size",
       [](Random& r) {
         const double s = any_size(r);
         return around(point(r, whole(r, 0, 1) ? s : any_size(r)), {s, whole(r, 0, 3) ? s : any_size(r), s});
       },
       [](Random& r, const Box3& b) {
         const double f = std::exp2(whole(r, -1, 1));
         return std::abs(b.hi.x) < 1e299 && std::abs(b.hi.y) < 1e299 ? Box3{b.lo * f, b.hi * f} : b;
       }},
      {"largest numbers",
       [](Random& r) {
         const double m = std::numeric_limits<double>::max();
         const auto one = [&] { return whole(r, -1, 1) * (whole(r, 0, 1) ? m : uniform(r, 0, m)); };
         Box3 box;
         for (int i = 0; i < 2; ++i) box.add(Vec3{one(), one(), one()});
         return box;
       },
       [](Random& r, const Box3& b) {
         Box3 moved = b;
         const int k = whole(r, 0, 2);
         moved.hi[k] = moved.lo[k];
         return moved;
       }},
      {"teleports", [](Random& r) { return around(point(r, 100), point(r, 10)); },
       [](Random& r, const Box3&) { return around(point(r, whole(r, 0, 9) ? 100 : 1e9), point(r, 10)); }},
      {"far from the origin, one sheet",
       [](Random& r) {
         return around(point(r, 4) + Vec3{1e12, 1e12, -1e12}, {0.25, 0.25, 1e-3});
       },
       [](Random& r, const Box3& b) { return shifted(r, b, 0.25); }},
      {"a floor, a few giants and many small",
       [](Random& r) {
         const int what = whole(r, 0, 20);
         if (what == 0) return Box3{{-50, -50, -1}, {50, 50, 0}};
         return around(point(r, 12), point(r, what == 1 ? 5 : 0.3));
       },
       [](Random& r, const Box3& b) { return shifted(r, b, 0.02); }},
  };
  return all;
}

struct Options {
  BroadOptions options;
  std::string name;
};

std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const BroadTraits& t : broad_phases()) all.push_back({{.method = t.name}, std::string(t.name)});
  const Box3 bounds{{0, 0, 0}, {4, 4, 4}};
  all.push_back({{.method = "grid", .bounds = bounds, .cell = 0.7}, "grid, cells of 0.7 within bounds"});
  all.push_back({{.method = "octree", .bounds = bounds, .depth = 3}, "octree, depth 3 within bounds"});
  all.push_back({{.method = "tree", .margin = 0}, "tree without margin"});
  std::erase_if(all, [](const Options& o) {
    return std::none_of(broad_phases().begin(), broad_phases().end(),
                        [&](const BroadTraits& t) { return t.name == o.options.method; });
  });
  return all;
}

/// A broad phase, and the truth beside it.
class Pair {
 public:
  Pair(const BroadOptions& options, int threads) : phase_(options), threads_(threads) {}

  void insert(std::uint32_t id, const Box3& box) {
    phase_.insert(id, box);
    boxes_[id] = box;
    moved_.insert(id);
  }
  void update(std::uint32_t id, const Box3& box) {
    phase_.update(id, box);
    boxes_[id] = box;
    moved_.insert(id);
  }
  void remove(std::uint32_t id) {
    phase_.remove(id);
    boxes_.erase(id);
    moved_.erase(id);
  }
  const std::map<std::uint32_t, Box3>& boxes() const { return boxes_; }

  void check_pairs(bool only_moved) {
    std::vector<BoxPair> expected, found{{7, 3}};
    for (auto a = boxes_.begin(); a != boxes_.end(); ++a) {
      for (auto b = std::next(a); b != boxes_.end(); ++b) {
        if (only_moved && !moved_.count(a->first) && !moved_.count(b->first)) continue;
        if (a->second.overlaps(b->second)) expected.push_back({a->first, b->first});
      }
    }
    if (only_moved)
      phase_.moved_pairs(found, threads_);
    else
      phase_.pairs(found, threads_);
    moved_.clear();
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_TRUE(found == expected);
  }
  void check_box(const Box3& box) {
    std::vector<std::uint32_t> expected, found{3};
    for (const auto& [id, other] : boxes_) {
      if (box.overlaps(other)) expected.push_back(id);
    }
    phase_.overlapping(box, found);
    ASSERT_EQ(found, expected);
  }
  void check_ray(const Vec3& origin, const Vec3& direction, double length) {
    std::vector<std::uint32_t> expected, found{3};
    for (const auto& [id, box] : boxes_) {
      if (broad::Segment{origin, direction, length}.meets(box)) expected.push_back(id);
    }
    phase_.along_ray(origin, direction, length, found);
    ASSERT_EQ(found, expected);
  }

 private:
  BroadPhase phase_;
  int threads_;
  std::map<std::uint32_t, Box3> boxes_;
  std::set<std::uint32_t> moved_;
};

void change_some(Random& random, const Kind& kind, Pair& pair, std::uint32_t ids, double share) {
  for (std::uint32_t id = 0; id < ids; ++id) {
    const bool there = pair.boxes().count(id) != 0;
    if (uniform(random, 0, 1) < 0.02) {
      if (there)
        pair.remove(id);
      else
        pair.insert(id, kind.make(random));
    } else if (there && uniform(random, 0, 1) < share) {
      pair.update(id, kind.move(random, pair.boxes().at(id)));
    }
  }
}

void ask(Random& random, const Kind& kind, Pair& pair) {
  pair.check_box(kind.make(random));
  const Box3 a = kind.make(random), b = kind.make(random);
  Vec3 direction = b.lo - a.lo;
  if (whole(random, 0, 3) == 0) direction[whole(random, 0, 2)] = 0;
  if (direction == Vec3{} || !is_finite(direction)) direction = {0, 0, -1};
  const double lengths[] = {0, 0.5, 1, 2, std::numeric_limits<double>::infinity()};
  pair.check_ray(a.lo, direction, lengths[whole(random, 0, 4)]);
}

TEST(BroadConformance, SameAsPlainLoops) {
  const std::uint64_t seed = testing::RandomBudget::seed(51);
  for (const Options& options : all_options()) {
    testing::RandomBudget budget(1);
    Random random(seed);
    while (budget.more()) {
      for (const Kind& kind : kinds()) {
        SCOPED_TRACE(options.name + ", " + kind.name + ", seed " + std::to_string(seed));
        Pair pair(options.options, whole(random, 1, 2));
        const std::uint32_t ids = whole(random, 0, 3) ? 90 : 300;
        for (std::uint32_t id = 0; id < ids; ++id) {
          if (whole(random, 0, 9) != 0) pair.insert(id, kind.make(random));
        }
        for (int frame = 0; frame < 12; ++frame) {
          ASSERT_NO_FATAL_FAILURE(pair.check_pairs(whole(random, 0, 1) == 0));
          ASSERT_NO_FATAL_FAILURE(ask(random, kind, pair));
          change_some(random, kind, pair, ids, std::array{0.0, 0.05, 0.5, 1.0}[whole(random, 0, 3)]);
          if (whole(random, 0, 2) != 0) continue;
          ASSERT_NO_FATAL_FAILURE(ask(random, kind, pair));
        }
      }
    }
  }
}

TEST(BroadConformance, EmptyAndRefilled) {
  for (const Options& options : all_options()) {
    SCOPED_TRACE(options.name);
    Pair pair(options.options, 1);
    pair.check_pairs(false);
    pair.check_pairs(true);
    pair.check_box({{0, 0, 0}, {1, 1, 1}});
    pair.check_ray({}, {1, 0, 0}, 5);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t id = 0; id < 40; ++id) pair.insert(id, {{double(id), 0, 0}, {id + 1.0, 1, 1}});
      pair.check_pairs(round == 1);
      for (std::uint32_t id = 0; id < 40; ++id) pair.remove(id);
      if (round != 2) pair.check_pairs(round == 0);
    }
    pair.check_pairs(false);
    pair.check_ray({}, {1, 0, 0}, 5);
  }
}

/// More bodies than the other tests have: where methods deal them out to cells, use the order of the last frame, and
/// `automatic` changes its mind.
TEST(BroadConformance, ManyBodies) {
  Random random(9);
  for (const Options& options : all_options()) {
    SCOPED_TRACE(options.name);
    BroadPhase phase(options.options), truth({.method = "strips"});
    if (options.name == "strips") truth = BroadPhase({.method = "all_pairs"});
    const std::uint32_t n = 1200;
    std::vector<Box3> boxes;
    for (std::uint32_t id = 0; id < n; ++id) {
      boxes.push_back(around(point(random, 12), point(random, 0.4)));
      phase.insert(id, boxes[id]);
      truth.insert(id, boxes[id]);
    }
    std::vector<BoxPair> expected, found;
    for (int frame = 0; frame < 8; ++frame) {
      const bool few = frame > 3;
      if (few) {
        phase.moved_pairs(found, 1 + frame % 3);
        truth.moved_pairs(expected);
      } else {
        phase.pairs(found, 1 + frame % 3);
        truth.pairs(expected);
      }
      ASSERT_TRUE(found == expected) << "frame " << frame;
      for (std::uint32_t id = 0; id < n; id += few ? 50 : 1) {
        boxes[id] = shifted(random, boxes[id], 0.05);
        phase.update(id, boxes[id]);
        truth.update(id, boxes[id]);
      }
    }
  }
}

}  // namespace
}  // namespace graze
