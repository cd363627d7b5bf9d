// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>
#include <set>

#include "following.hpp"
#include "patch.hpp"
#include "proof.hpp"

namespace verify {

/// Checks a certificate of a step (docs/certificates.md): every vertex moves on a straight line from its position in
/// one frame to that in the next. `check` throws `Rejected`, with the position in the certificate, unless it is a valid
/// proof.
class StepProof : private Tokens {
 public:
  std::size_t separations = 0, features = 0, patches = 0;
  double until = 1;       ///< the end of the proved time
  double separation = 0;  ///< the proved minimum separation
  std::string pairs;
  std::vector<std::uint32_t> bodies;  ///< if `pairs` is "bodies": the body of each polygon
  std::size_t groups = 0;             ///< the number of pieces or bodies; 1 if `pairs` is "all"

  std::size_t triangle_count() const { return triangles_.size(); }
  StepProof(std::string_view certificate, const Mesh& start, const Mesh& end)
      : Tokens(certificate), start_(start), end_(end) {}

  void check() {
    try {
      check_tokens();
    } catch (const Rejected& rejected) {
      throw Rejected(std::string(rejected.what()) + " (token " + std::to_string(count()) + where_ + ")");
    }
  }

 private:
  /// A statement still to be proved: the triangles of `a` stay apart from those of `b` or, with `itself`, from each
  /// other.
  struct Claim {
    Range a, b;
    bool itself;
  };
  using Key = std::array<std::uint32_t, 5>;  // of a pair of features, in canonical order

  Point direction() {
    Point n{};
    for (double& x : n) x = number();
    return n;
  }
  std::uint32_t vertex() {
    const std::size_t v = whole();
    if (v >= start_.vertices.size()) throw Rejected("a vertex that does not exist");
    return static_cast<std::uint32_t>(v);
  }

  void check_tokens() {
    expect("graze-step-certificate");
    const std::string_view version = next();
    if (version != "1" && version != "2" && version != "3") throw Rejected("expected version 1, 2 or 3");
    version_ = version[0] - '0';
    if (start_.corners != end_.corners || start_.first != end_.first || start_.holes != end_.holes ||
        start_.vertices.size() != end_.vertices.size())
      throw Rejected("the two frames have not the same polygons");
    expect("pairs");
    pairs = next();
    if (pairs != "all" && pairs != "pieces" && pairs != "bodies") throw Rejected("expected all, pieces or bodies");
    if (pairs == "bodies") read_bodies();
    std::string_view word = next();
    if (word == "separation") {
      separation = number();
      if (!(separation > 0 && separation <= 0x1p500)) throw Rejected("a separation that is no distance");
      word = next();
    }
    if (word == "until" && version_ >= 3) {
      until = number();
      if (!(until > 0 && until < 1)) throw Rejected("an end that is not between 0 and 1");
      word = next();
    }
    if (word != "triangles") throw Rejected("expected triangles");
    read_triangles();
    if (pairs == "pieces") find_pieces();
    count_groups();
    expect("proof");
    if (!triangles_.empty()) claims_.push_back({{0, triangles_.size()}, {}, true});
    while (!claims_.empty()) {
      const Claim claim = claims_.back();
      claims_.pop_back();
      if (claim.itself && claim.a.size() == 1) continue;
      where_ = ", triangles " + claim.a.text() + (claim.itself ? " and each other" : " and " + claim.b.text());
      check_step(claim);
    }
    where_.clear();
    expect("end");
    if (!next().empty()) throw Rejected("something follows the end");
  }

  void read_triangles() {
    for (std::size_t count = whole(); count > 0; --count) {
      Triangle triangle;
      const std::size_t polygon = whole();
      if (polygon >= start_.polygons()) throw Rejected("a polygon that does not exist");
      triangle.polygon = static_cast<std::uint32_t>(polygon);
      for (std::uint32_t& v : triangle.vertices) v = vertex();
      triangles_.push_back(triangle);
    }
    check_triangulation(start_, triangles_);
  }

  /// Reads the body of each polygon; a vertex must belong to one body only.
  void read_bodies() {
    constexpr std::size_t nobody = 0xffffffff;
    piece_.assign(start_.vertices.size(), nobody);
    const auto belongs = [&](std::uint32_t corner, std::size_t body) {
      std::uint32_t& of = piece_[corner];
      if (of != nobody && of != body) throw Rejected("a vertex of two bodies");
      of = static_cast<std::uint32_t>(body);
    };
    for (std::size_t p = 0; p < start_.polygons(); ++p) {
      const std::size_t body = whole();
      if (body >= nobody) throw Rejected("a body's number that is too large");
      bodies.push_back(static_cast<std::uint32_t>(body));
      for (std::size_t c = start_.first[p]; c < start_.first[p + 1]; ++c) belongs(start_.corners[c], body);
    }
    for (const Mesh::Hole& hole : start_.holes)
      for (const std::uint32_t corner : hole.corners) belongs(corner, bodies[hole.polygon]);
  }

  /// Finds the connected components of the triangles by common vertices.
  void find_pieces() {
    piece_.resize(start_.vertices.size());
    std::iota(piece_.begin(), piece_.end(), 0u);
    const auto root = [&](std::uint32_t v) {
      while (piece_[v] != v) v = piece_[v] = piece_[piece_[v]];
      return v;
    };
    for (const Triangle& t : triangles_)
      for (const std::uint32_t v : t.vertices) piece_[root(v)] = root(t.vertices[0]);
    for (std::uint32_t v = 0; v < piece_.size(); ++v) piece_[v] = root(v);
  }

  void count_groups() {
    std::set<std::uint32_t> seen;
    for (const Triangle& t : triangles_) seen.insert(pairs == "all" ? 0 : piece_[t.vertices[0]]);
    groups = seen.size();
  }

  /// Reads one step of the proof of a claim, which has already been removed from the list, and adds the claims that
  /// remain to be proved.
  void check_step(const Claim& claim) {
    const std::string_view step = next();
    if (step == "O") return check_one_piece(claim);
    if (step == "M" && version_ >= 3) return check_patch(claim);
    if (claim.itself) {
      if (step != "P") throw Rejected("expected P, M or O");
      const std::vector<Range> parts = cut(claim.a);  // each part with itself, then all pairs of parts
      for (std::size_t i = parts.size(); i-- > 0;)
        for (std::size_t j = parts.size(); j-- > i + 1;) claims_.push_back({parts[i], parts[j], false});
      for (std::size_t i = parts.size(); i-- > 0;) claims_.push_back({parts[i], {}, true});
    } else if (step == "S") {
      check_separation(claim);
    } else if (step == "A" || step == "B") {
      const std::vector<Range> parts = cut(step == "A" ? claim.a : claim.b);
      for (std::size_t i = parts.size(); i-- > 0;)
        claims_.push_back(step == "A" ? Claim{parts[i], claim.b, false} : Claim{claim.a, parts[i], false});
    } else if (step == "F") {
      check_features(claim);
    } else {
      throw Rejected("expected S, A, B, F, M or O");
    }
  }

  void check_one_piece(const Claim& claim) {
    if (pairs == "all") throw Rejected("pairs within a piece count here");
    const std::uint32_t only = piece_[triangles_[claim.a.first].vertices[0]];
    for (const Range& range : {claim.a, claim.b})
      for (std::size_t t = range.first; t < range.last; ++t)
        if (piece_[triangles_[t].vertices[0]] != only) throw Rejected("triangles of several " + pairs);
  }

  /// All triangles of the claim together never overlap in projection.
  void check_patch(const Claim& claim) {
    const Point along = direction();
    if (separation > 0) throw Rejected("a patch whose points never meet may still come near itself");
    std::vector<Patch::Corners> patch;
    for (const Range& range : {claim.a, claim.itself ? Range{0, 0} : claim.b})
      for (std::size_t t = range.first; t < range.last; ++t) patch.push_back(triangles_[t].vertices);
    Patch(start_, end_, until, along).check(patch);
    ++patches;
  }

  /// A vertex at t = 0 or when the proof ends.
  template <class Number>
  Vector<Number> at_end(std::size_t end, std::uint32_t v) const {
    const auto p = vector_of<Number>(start_.vertices[v]), q = vector_of<Number>(end_.vertices[v]);
    if (end == 0 || until == 1) return end == 0 ? p : q;
    const Number later(until), sooner = Number(1.0) - later;
    return {p[0] * sooner + q[0] * later, p[1] * sooner + q[1] * later, p[2] * sooner + q[2] * later};
  }

  /// All of A's vertices must be strictly below all of B's along the direction at both ends. Vertices move on
  /// straight lines, so this also holds in between.
  void check_separation(const Claim& claim) {
    const Point n = direction();
    const Interval length(product(vector_of<Interval>(n), vector_of<Interval>(n)));
    const Exact square = product(vector_of<Exact>(n), vector_of<Exact>(n));
    for (std::size_t end = 0; end < 2; ++end) {
      const auto along = [&]<class Number>(std::uint32_t v, Number) {
        return product(vector_of<Number>(n), at_end<Number>(end, v));
      };
      Interval top(-Limits::max()), bottom(Limits::max());
      each_vertex(claim.a, [&](std::uint32_t v) { top.hi = std::max(top.hi, along(v, Interval()).hi); });
      each_vertex(claim.b, [&](std::uint32_t v) { bottom.lo = std::min(bottom.lo, along(v, Interval()).lo); });
      if (top.hi < bottom.lo && exceeds(Interval(bottom.lo) - Interval(top.hi), length, separation)) continue;
      std::vector<Exact> tops;
      each_vertex(claim.a, [&](std::uint32_t v) {
        const Exact x = along(v, Exact());
        if (tops.empty() || (x - tops[0]).sign() > 0) tops.assign(1, x);
      });
      each_vertex(claim.b, [&](std::uint32_t v) {
        if (!exceeds(along(v, Exact()) - tops[0], square, separation)) throw Rejected("a separation that is false");
      });
    }
    ++separations;
  }
  template <class Use>
  void each_vertex(const Range& range, Use&& use) const {
    for (std::size_t t = range.first; t < range.last; ++t)
      for (const std::uint32_t v : triangles_[t].vertices) use(v);
  }

  /// A claim about two triangles: proofs of some feature pairs follow. Together with those read before, all feature
  /// pairs that share no vertex must be proved. At the start no edge of one may pass through the other's face.
  void check_features(const Claim& claim) {
    if (claim.a.size() != 1 || claim.b.size() != 1) throw Rejected("features of more than two triangles");
    for (std::size_t count = whole(); count > 0; --count) read_feature();
    const auto &a = triangles_[claim.a.first].vertices, &b = triangles_[claim.b.first].vertices;
    for (std::size_t i = 0; i < 3; ++i) {
      need(true, {a[i], b[0], b[1], b[2]});
      need(true, {b[i], a[0], a[1], a[2]});
      for (std::size_t j = 0; j < 3; ++j) need(false, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]});
      check_start(a[i], a[(i + 1) % 3], b);
      check_start(b[i], b[(i + 1) % 3], a);
    }
  }
  void check_start(std::uint32_t p, std::uint32_t q, const std::array<std::uint32_t, 3>& face) const {
    for (const std::uint32_t v : face)
      if (v == p || v == q) return;
    const auto at = [&](std::uint32_t v) { return start_.vertices[v]; };
    if (pierces(at(p), at(q), at(face[0]), at(face[1]), at(face[2])))
      throw Rejected("an edge that passes through a face at the start");
  }

  static bool share_vertex(bool faces, const std::array<std::uint32_t, 4>& v) {
    for (std::size_t i = 0; i < (faces ? 1 : 2); ++i)
      for (std::size_t j = faces ? 1 : 2; j < 4; ++j)
        if (v[i] == v[j]) return true;
    return false;
  }
  static Key key_of(bool faces, std::array<std::uint32_t, 4> v) {
    if (faces) {
      std::sort(v.begin() + 1, v.end());
    } else {
      std::sort(v.begin(), v.begin() + 2);
      std::sort(v.begin() + 2, v.end());
      if (std::pair(v[2], v[3]) < std::pair(v[0], v[1])) v = {v[2], v[3], v[0], v[1]};
    }
    return {faces ? 0u : 1u, v[0], v[1], v[2], v[3]};
  }
  void need(bool faces, const std::array<std::uint32_t, 4>& v) const {
    if (share_vertex(faces, v) || proved_.contains(key_of(faces, v))) return;
    throw Rejected(std::string(faces ? "a vertex and a face" : "two edges") + " without a proof: vertices " +
                   std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + " " +
                   std::to_string(v[3]));
  }

  void read_feature() {
    const std::string_view kind = next();
    if (kind != "V" && kind != "E") throw Rejected("expected V or E");
    const bool faces = kind == "V";
    std::array<std::uint32_t, 4> v{};
    for (std::uint32_t& x : v) x = vertex();
    Features f;
    f.firsts = faces ? 1 : 2;
    for (std::size_t i = 0; i < 4; ++i) f.start[i] = start_.vertices[v[i]], f.end[i] = end_.vertices[v[i]];
    for (double t = 0; t < until;) t = check_stretch(f, t);
    proved_.insert(key_of(faces, v));
    ++features;
  }

  /// Checks one time interval of a pair of features; returns its end.
  double check_stretch(const Features& f, double t) {
    const std::string_view step = next();
    Point n0{}, n1{};
    const bool follows = step == "N" && version_ >= 2;
    if (step != "D" && step != "T" && step != "C" && !follows) throw Rejected("expected D, T, C or N");
    if (step == "D" || step == "T") n1 = n0 = direction();
    if (step == "T") n1 = direction();
    const std::size_t parts = follows ? whole() : 0;
    const double end = number();
    if (!(end > t && end <= 1)) throw Rejected("a stretch that ends no later than it begins, or after t=1");
    if (step == "C" && separation > 0) throw Rejected("what is never in one plane may still be near");
    int budget = 4096;
    const bool holds = follows       ? certainly_keeps(f, parts, t, end, separation, budget)
                       : step == "C" ? certainly_never_in_plane(f, t, end, budget)
                                     : certainly_beyond(f, n0, t, n1, end, separation);
    if (!holds) throw Rejected("features that are not proved apart from t=" + digits(t) + " to " + digits(end));
    return end;
  }

  int version_ = 1;
  std::string where_;
  const Mesh &start_, &end_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> piece_;
  std::vector<Claim> claims_;
  std::set<Key> proved_;
};

}  // namespace verify
