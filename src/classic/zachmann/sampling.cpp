// SPDX-License-Identifier: MIT
#include "classic/zachmann/sampling.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <graze/classic/zachmann.hpp>

#include "core/in_order.hpp"
#include "engine/collide/placed_boxes.hpp"
#include "engine/contains/point_in_body.hpp"

namespace graze::classic::zachmann {

namespace {

/// A small generator (Steele, Lea and Flood's split-mix): the same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  /// Uniform in [0, 1], both ends possible: the bodies' boxes may share only a face.
  double unit() { return static_cast<double>(next() >> 11) / 0x1.fffffffffffffp52; }
  /// A number below n, which is less than 2^32.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((next() >> 32) * n) >> 32); }

 private:
  std::uint64_t state_;
};

/// A point to be tried: a vertex of a body, or a point of A's frame that must be in both.
struct Sample {
  enum class Kind { vertex_of_a, vertex_of_b, point } kind;
  Vec3 x;
};

/// Tests samples one after the other until one is in both bodies. Each thread has its own: placements compute their
/// exact form when it is first needed.
class Tester {
 public:
  Tester(const engine::collide::CollideQuery& q, AllCounters& work)
      : done(false),
        q_(q),
        work_(work),
        b_to_a_(q.placement),
        a_to_b_(q.pose_b, q.pose_a),
        a_itself_(q.pose_a, q.pose_a) {}

  void operator()(const Sample& s) {
    if (engine::collide::over(q_.limits, work_)) {
      done = true;
      return;
    }
    if (!is_in_both(s)) return;
    done = true;
    witness = (s.kind == Sample::Kind::vertex_of_b ? q_.pose_b : q_.pose_a).apply(s.x);
  }

  bool done;
  std::optional<Vec3> witness;  ///< in the world

 private:
  /// A vertex belongs to its own body, so it only has to be in the other one.
  bool is_in_both(const Sample& s) {
    using engine::contains::point_in_body;
    ++(s.kind == Sample::Kind::point ? work_.sampled_points : work_.sampled_vertices);
    if (s.kind == Sample::Kind::vertex_of_b) return point_in_body(q_.a, b_to_a_, s.x, work_) != Location::outside;
    if (s.kind == Sample::Kind::point && point_in_body(q_.a, a_itself_, s.x, work_) == Location::outside) return false;
    return point_in_body(q_.b, a_to_b_, s.x, work_) != Location::outside;
  }

  const engine::collide::CollideQuery& q_;
  AllCounters& work_;
  math::RelativePlacement b_to_a_, a_to_b_, a_itself_;  ///< points of one body seen from another, or from itself
};

class Sampler {
 public:
  Sampler(const engine::collide::CollideQuery& query, CollideResult& r)
      : q_(query),
        result_(r),
        tester_(query, query.counters),
        vertices_(query),
        box_a_(vertices_.body_box(query, false)),
        box_b_(vertices_.body_box(query, true)),
        options_(query.options.zachmann.value().sampling),
        random_(options_.seed),
        // Work is counted sequentially: the point where the budget ends must not depend on the number of threads.
        threads_(query.limits && query.limits->work > 0 ? 1 : query.options.threads) {}

  void run() {
    result_.status = Status::undecided;
    if (!box_a_.overlaps(box_b_)) return;
    if (options_.vertices_first && try_vertices()) return;
    try_points();
  }

 private:
  struct Vertex {
    std::uint32_t id;
    bool of_b;
  };

  /// Vertices of one body inside the other's box. Vertices that no polygon uses are not part of the body.
  void add_vertices(bool b, std::vector<Vertex>& out) const {
    const Mesh& mesh = (b ? q_.b : q_.a).mesh;
    std::vector<char> used(mesh.vertex_count(), 0);
    for (const Triangle& t : mesh.triangles())
      for (const std::uint32_t v : t) used[v] = 1;
    for (std::uint32_t v = 0; v < used.size(); ++v)
      if (used[v] && vertices_.box(b, std::array{v}).overlaps(b ? box_a_ : box_b_)) out.push_back({v, b});
  }

  bool try_vertices() {
    std::vector<Vertex> order;
    add_vertices(false, order);
    add_vertices(true, order);
    std::size_t left = order.size();
    return try_all(order.size(), [&] {
      std::swap(order[left - 1], order[random_.below(left)]);
      const Vertex v = order[--left];
      return Sample{v.of_b ? Sample::Kind::vertex_of_b : Sample::Kind::vertex_of_a,
                    (v.of_b ? q_.b : q_.a).mesh.positions()[v.id]};
    });
  }

  /// Points in A's frame, inside both boxes.
  void try_points() {
    const Vec3 lo{std::max(box_a_.lo.x, box_b_.lo.x), std::max(box_a_.lo.y, box_b_.lo.y),
                  std::max(box_a_.lo.z, box_b_.lo.z)};
    const Vec3 hi{std::min(box_a_.hi.x, box_b_.hi.x), std::min(box_a_.hi.y, box_b_.hi.y),
                  std::min(box_a_.hi.z, box_b_.hi.z)};
    try_all(static_cast<std::size_t>(options_.points), [&] {
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis) {
        const double t = random_.unit();
        x[axis] = std::clamp(lo[axis] * (1 - t) + hi[axis] * t, lo[axis], hi[axis]);
      }
      return Sample{Sample::Kind::point, x};
    });
  }

  /// Tries `count` samples, drawn by `draw()` in order, until one is found: true. The first ones on this thread alone:
  /// most contacts are found by a few samples.
  template <class Draw>
  bool try_all(std::size_t count, Draw&& draw) {
    constexpr std::size_t alone = 32;
    std::size_t tried = 0;
    for (; tried < (threads_ > 1 ? std::min(count, alone) : count) && !tester_.done; ++tried) tester_(draw());
    if (tester_.done) return found(tester_.witness);
    // In rounds, so that no more samples are drawn than are soon needed; drawn by one thread, so that they are the
    // same for any number of threads.
    constexpr std::size_t part = 32, round = 64 * part;
    std::vector<Sample> samples;
    for (; tried < count; tried += samples.size()) {
      samples.clear();
      for (std::size_t i = tried; i < std::min(count, tried + round); ++i) samples.push_back(draw());
      if (try_round(samples, part)) return true;
    }
    return false;
  }

  /// The earliest sample of a round that is found, and the work up to it, as if they had been tried one by one (6.3.1).
  bool try_round(const std::vector<Sample>& samples, std::size_t part) {
    struct Part {
      Part(const engine::collide::CollideQuery& q) : tester(q, work) {}
      AllCounters work;
      Tester tester;
      bool done = false;
    };
    bool done = false;
    core::in_order((samples.size() + part - 1) / part, threads_,
                   [&](std::size_t i) {
                     auto result = std::make_unique<Part>(q_);
                     for (std::size_t k = i * part;
                          k < std::min(samples.size(), (i + 1) * part) && !result->tester.done; ++k)
                       result->tester(samples[k]);
                     result->done = result->tester.done;
                     return result;
                   },
                   [&](const std::unique_ptr<Part>& p) {
                     q_.counters += p->work;
                     if (p->done) done = found(p->tester.witness);
                   });
    return done;
  }

  /// Nothing more needs to be tried; without a witness because a limit ended it.
  bool found(const std::optional<Vec3>& witness) {
    if (witness) {
      result_.status = Status::contact;
      result_.points = {*witness, *witness};
    }
    return true;
  }

  const engine::collide::CollideQuery& q_;
  CollideResult& result_;
  Tester tester_;
  engine::collide::PlacedVertices vertices_;
  Box3 box_a_, box_b_;  ///< both in A's frame
  const SamplingOptions& options_;
  Random random_;
  int threads_;
};

}  // namespace

std::optional<ErrorDetail> Sampling::refuses(const engine::collide::CollideQuery& query) {
  if (query.options.zachmann.value().sampling.points >= 0) return std::nullopt;
  return core::bad_option("sampling.points", "the number of points must not be negative");
}

void Sampling::run(const engine::collide::CollideQuery& query, CollideResult& result) { Sampler(query, result).run(); }

}  // namespace graze::classic::zachmann
