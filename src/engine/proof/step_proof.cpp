// SPDX-License-Identifier: MIT
#include <graze/ask/step_proof.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/portability.hpp"
#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/difference.hpp"
#include "math/predicates.hpp"

namespace graze {
namespace {

using engine::elementary::ElementaryProofStep;

constexpr std::array<Vec3, 13> directions{{{1, 0, 0},
                                           {0, 1, 0},
                                           {0, 0, 1},
                                           {1, 1, 0},
                                           {1, -1, 0},
                                           {1, 0, 1},
                                           {1, 0, -1},
                                           {0, 1, 1},
                                           {0, 1, -1},
                                           {1, 1, 1},
                                           {1, 1, -1},
                                           {1, -1, 1},
                                           {-1, 1, 1}}};

/// A range of triangles in the order of the certificate, and its bounds along the directions at both ends of the step.
struct Part {
  std::size_t first = 0, last = 0;
  std::int32_t left = -1, right = -1;
  std::array<std::array<double, 13>, 2> low, high;

  std::size_t size() const { return last - first; }
};

/// Kind and vertices of a pair of features, in canonical order.
using FeatureKey = std::array<std::uint32_t, 5>;

class StepProver {
 public:
  StepProver(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end, const StepProofOptions& options)
      : mesh_(mesh), place_{start, end}, self_(options.self), order_(mesh.triangle_count()) {
    asked_.min_separation = options.min_separation;
    for (std::size_t k = 0; k < directions.size(); ++k) keep_[k] = keep_along(directions[k]);
    std::iota(order_.begin(), order_.end(), 0u);
    if (!self_) {
      bodies_ = options.bodies;
      if (bodies_.empty())
        piece_ = engine::deform::pieces(mesh_);
      else
        piece_ = engine::deform::bodies_of_vertices(mesh, bodies_);
      std::stable_sort(order_.begin(), order_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return piece(a) < piece(b); });
    }
    double largest = 0;
    for (const auto& frame : place_)
      for (const Vec3& p : frame) largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    // Three products with factors of at most 1 and their sum: the error is less than 9 eps of the largest coordinate,
    // on either side.
    margin_ = 32 * 0x1p-53 * largest;
    if (!order_.empty()) build(0, order_.size());
  }

  std::optional<StepProof> run() {
    const char* const pairs = self_ ? "all" : bodies_.empty() ? "pieces" : "bodies";
    text_ = std::string("graze-step-certificate 1\npairs ") + pairs + '\n';
    for (const std::uint32_t body : bodies_) text_ += std::to_string(body) + '\n';
    if (asked_.min_separation > 0) {
      text_ += "separation";
      say(asked_.min_separation);
      text_ += '\n';
    }
    text_ += "triangles " + std::to_string(order_.size()) + '\n';
    for (const std::uint32_t t : order_) {
      text_ += std::to_string(index(mesh_.polygon_of(TriangleId{t})));
      for (const std::uint32_t v : mesh_.triangles()[t]) text_ += ' ' + std::to_string(v);
      text_ += '\n';
    }
    text_ += "proof\n";
    if (!order_.empty()) prove_itself(0);
    if (failed_) return std::nullopt;
    text_ += "end\n";
    return StepProof{std::move(text_), separations_, proved_.size()};
  }

 private:
  // ---- parts ----

  std::uint32_t piece(std::uint32_t triangle) const { return piece_[mesh_.triangles()[triangle][0]]; }
  bool one_piece(const Part& a, const Part& b) const {
    if (self_) return false;
    const std::uint32_t only = piece(order_[a.first]);
    const auto same = [&](const Part& p) {
      return piece(order_[p.first]) == only && piece(order_[p.last - 1]) == only;
    };
    return same(a) && same(b);
  }

  double middle(std::uint32_t triangle, int axis) const {
    double sum = 0;
    for (const std::uint32_t v : mesh_.triangles()[triangle]) sum += place_[0][v][axis] + place_[1][v][axis];
    return sum;
  }

  std::int32_t build(std::size_t first, std::size_t last) {
    if (last - first > 64) core::poll_once();
    const auto id = static_cast<std::int32_t>(parts_.size());
    parts_.emplace_back();
    Part part;
    part.first = first;
    part.last = last;
    if (last - first > 1) {
      const std::size_t cut = cut_of(first, last);
      part.left = build(first, cut);
      part.right = build(cut, last);
      const Part &l = parts_[static_cast<std::size_t>(part.left)], &r = parts_[static_cast<std::size_t>(part.right)];
      for (std::size_t end = 0; end < 2; ++end)
        for (std::size_t k = 0; k < directions.size(); ++k) {
          part.low[end][k] = std::min(l.low[end][k], r.low[end][k]);
          part.high[end][k] = std::max(l.high[end][k], r.high[end][k]);
        }
    } else {
      for (std::size_t end = 0; end < 2; ++end)
        for (std::size_t k = 0; k < directions.size(); ++k) {
          const auto along = [&](std::uint32_t v) { return dot(directions[k], place_[end][v]); };
          const Triangle& t = mesh_.triangles()[order_[first]];
          part.low[end][k] = std::min({along(t[0]), along(t[1]), along(t[2])});
          part.high[end][k] = std::max({along(t[0]), along(t[1]), along(t[2])});
        }
    }
    parts_[static_cast<std::size_t>(id)] = part;
    return id;
  }

  /// Cuts between connected components (or bodies) first, then in halves along the widest axis.
  std::size_t cut_of(std::size_t first, std::size_t last) {
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (!self_ && piece(order_[first]) != piece(order_[last - 1])) {
      const std::uint32_t middle_piece = piece(order_[first + (last - first) / 2]);
      const std::uint32_t from = middle_piece == piece(order_[first]) ? middle_piece + 1 : middle_piece;
      return static_cast<std::size_t>(
          std::partition_point(at(first), at(last), [&](std::uint32_t t) { return piece(t) < from; }) - order_.begin());
    }
    int widest = 0;
    double width = -1;
    for (int axis = 0; axis < 3; ++axis) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = first; i < last; ++i) {
        low = std::min(low, middle(order_[i], axis));
        high = std::max(high, middle(order_[i], axis));
      }
      if (high - low > width) {
        width = high - low;
        widest = axis;
      }
    }
    const std::size_t half = first + (last - first) / 2;
    std::nth_element(at(first), at(half), at(last), [&](std::uint32_t a, std::uint32_t b) {
      const double x = middle(a, widest), y = middle(b, widest);
      return x != y ? x < y : a < b;
    });
    return half;
  }

  // ---- claims ----

  const Part& part(std::int32_t id) const { return parts_[static_cast<std::size_t>(id)]; }

  void prove_itself(std::int32_t id) {
    const Part& p = part(id);
    if (failed_ || p.size() == 1) return;
    if (one_piece(p, p)) {
      text_ += "O\n";
      return;
    }
    say_cut('P', p);
    prove_itself(p.left);
    prove_itself(p.right);
    prove_pair(p.left, p.right);
  }

  void prove_pair(std::int32_t ia, std::int32_t ib) {
    if (failed_) return;
    poll_.rarely();
    const Part &a = part(ia), &b = part(ib);
    if (one_piece(a, b)) {
      text_ += "O\n";
      return;
    }
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double apart = margin_ + keep_[k];
      if (a.high[0][k] + apart < b.low[0][k] && a.high[1][k] + apart < b.low[1][k]) return say_apart(directions[k]);
      if (b.high[0][k] + apart < a.low[0][k] && b.high[1][k] + apart < a.low[1][k]) return say_apart(-directions[k]);
    }
    if (a.size() == 1 && b.size() == 1) return prove_triangles(order_[a.first], order_[b.first]);
    if (a.size() >= b.size()) {
      say_cut('A', a);
      prove_pair(a.left, ib);
      prove_pair(a.right, ib);
    } else {
      say_cut('B', b);
      prove_pair(ia, b.left);
      prove_pair(ia, b.right);
    }
  }

  /// By a separating direction of their own, or feature by feature.
  void prove_triangles(std::uint32_t ta, std::uint32_t tb) {
    const Triangle &a = mesh_.triangles()[ta], &b = mesh_.triangles()[tb];
    for (const Triangle* t : {&a, &b}) {
      const auto twice = [&](std::size_t i) { return place_[0][(*t)[i]] + place_[1][(*t)[i]]; };
      const Vec3 n = cross(twice(1) - twice(0), twice(2) - twice(0));
      const double size = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
      if (!(size > 0 && std::isfinite(1 / size))) continue;
      const Vec3 scaled = n * (1 / size);
      if (apart_along(scaled, a, b)) return say_apart(scaled);
      if (apart_along(-scaled, a, b)) return say_apart(-scaled);
    }
    if (pierces(a, b) || pierces(b, a)) failed_ = true;
    std::string before;
    before.swap(text_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 && !failed_; ++i) {
      count += prove_feature(ElementaryKind::vertex_face, {a[i], b[0], b[1], b[2]});
      count += prove_feature(ElementaryKind::vertex_face, {b[i], a[0], a[1], a[2]});
      for (std::size_t j = 0; j < 3; ++j)
        count += prove_feature(ElementaryKind::edge_edge, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]});
    }
    before.swap(text_);
    text_ += "F " + std::to_string(count) + '\n' + before;
  }

  /// All of a is below all of b along n, at both ends. The coordinates of n are at most 1 in magnitude.
  bool apart_along(const Vec3& n, const Triangle& a, const Triangle& b) const {
    const double apart = margin_ + keep_along(n);
    for (const auto& frame : place_) {
      const auto along = [&](std::uint32_t v) { return dot(n, frame[v]); };
      if (!(std::max({along(a[0]), along(a[1]), along(a[2])}) + apart <
            std::min({along(b[0]), along(b[1]), along(b[2])})))
        return false;
    }
    return true;
  }

  /// The distance along n (not normalised) that the minimum separation requires, rounded up by more than the rounding
  /// error.
  double keep_along(const Vec3& n) const { return asked_.min_separation * length(n) * (1 + 0x1p-40); }

  /// At the start an edge of a that shares no vertex with b passes through b.
  bool pierces(const Triangle& a, const Triangle& b) const {
    const auto at = [&](std::uint32_t v) { return place_[0][v]; };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = a[i], q = a[(i + 1) % 3];
      if (std::find(b.begin(), b.end(), p) != b.end() || std::find(b.begin(), b.end(), q) != b.end()) continue;
      if (math::orient3d(at(b[0]), at(b[1]), at(b[2]), at(p)) * math::orient3d(at(b[0]), at(b[1]), at(b[2]), at(q)) >=
          0)
        continue;
      int low = 1, high = -1;
      for (std::size_t k = 0; k < 3; ++k) {
        const int side = math::orient3d(at(p), at(q), at(b[k]), at(b[(k + 1) % 3]));
        low = std::min(low, side);
        high = std::max(high, side);
      }
      if (low >= 0 || high <= 0) return true;
    }
    return false;
  }

  /// Adds the proof, unless there is nothing to prove or it was already given. Returns whether it was added.
  bool prove_feature(ElementaryKind kind, const std::array<std::uint32_t, 4>& v) {
    const bool faces = kind == ElementaryKind::vertex_face;
    for (std::size_t i = 0; i < (faces ? 1 : 2); ++i)
      for (std::size_t j = faces ? 1 : 2; j < 4; ++j)
        if (v[i] == v[j]) return false;
    FeatureKey key{faces ? 0u : 1u, v[0], v[1], v[2], v[3]};
    if (faces) {
      std::sort(key.begin() + 2, key.end());
    } else {
      std::sort(key.begin() + 1, key.begin() + 3);
      std::sort(key.begin() + 3, key.end());
      if (key[1] > key[3] || (key[1] == key[3] && key[2] > key[4])) {
        std::swap(key[1], key[3]);
        std::swap(key[2], key[4]);
      }
    }
    if (!proved_.insert(key).second) return false;
    const ElementaryQuery q{kind,
                            {place_[0][key[1]], place_[0][key[2]], place_[0][key[3]], place_[0][key[4]]},
                            {place_[1][key[1]], place_[1][key[2]], place_[1][key[3]], place_[1][key[4]]}};
    poll_();
    const engine::elementary::MovingDifference d(q);
    steps_.clear();
    ElementaryResult result;
    engine::elementary::ElementaryAdvancement::run(
        {q, asked_, std::max(1e-13 * d.size, 16 * d.rounding), d.rounding, &d, &steps_}, result);
    if (result.status != Status::free) {
      failed_ = true;
      return false;
    }
    say_feature(faces, key);
    return true;
  }

  // ---- output ----

  void say(double x) {
    char digits[32];
    const auto [end, error] = core::to_chars(digits, digits + sizeof digits, x);
    (void)error;  // 32 characters are enough for every double
    text_ += ' ';
    text_.append(digits, end);
  }
  void say(const Vec3& n) {
    for (int k = 0; k < 3; ++k) say(n[k]);
  }
  void say_apart(const Vec3& n) {
    text_ += 'S';
    say(n);
    text_ += '\n';
    ++separations_;
  }
  void say_cut(char which, const Part& p) {
    text_ += which;
    text_ += " 2 " + std::to_string(part(p.left).size()) + ' ' + std::to_string(part(p.right).size()) + '\n';
  }
  void say_feature(bool faces, const FeatureKey& key) {
    text_ += faces ? 'V' : 'E';
    for (std::size_t i = 1; i < 5; ++i) text_ += ' ' + std::to_string(key[i]);
    for (const ElementaryProofStep& step : steps_) {
      switch (step.kind) {
        case ElementaryProofStep::Kind::direction:
          text_ += " D";
          say(step.n0);
          break;
        case ElementaryProofStep::Kind::turning:
          text_ += " T";
          say(step.n0);
          say(step.n1);
          break;
        case ElementaryProofStep::Kind::plane: text_ += " C"; break;
      }
      say(step.until);
      if (step.until >= 1) break;
    }
    text_ += '\n';
  }

  const Mesh& mesh_;
  std::array<std::span<const Vec3>, 2> place_;
  bool self_;
  std::span<const std::uint32_t> bodies_;
  std::vector<std::uint32_t> order_, piece_;
  std::vector<Part> parts_;
  ElementaryOptions asked_;
  std::array<double, directions.size()> keep_{};  // by direction
  double margin_ = 0;
  std::string text_;
  std::set<FeatureKey> proved_;
  std::vector<ElementaryProofStep> steps_;
  std::size_t separations_ = 0;
  bool failed_ = false;
  core::Poll poll_;
};

}  // namespace

std::optional<StepProof> prove_step(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                                    const StepProofOptions& options) {
  const core::FpGuard guard;
  for (const auto& place : {start, end})
    core::throw_if(engine::deform::step_positions_problem(place, mesh.vertex_count()));
  core::throw_if(engine::deform::step_options_problem({.min_separation = options.min_separation}));
  core::Limits limits(options);
  std::optional<StepProof> proof;
  if (!core::run_within(limits, [&](core::Limits*) { proof = StepProver(mesh, start, end, options).run(); }))
    proof.reset();
  core::leave_if_outer_ended(limits);
  return proof;
}

}  // namespace graze
