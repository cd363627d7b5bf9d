// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <optional>

#include "separation.hpp"
#include "solid.hpp"
#include "tokens.hpp"
#include "turning.hpp"

namespace verify {

/// A number with all its digits.
inline std::string digits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// Checks a certificate (docs/certificates.md) for two bodies. `check` throws `Rejected`, with the position, unless it
/// is a proof; the members then describe what was proved.
class Proof : private Tokens {
 public:
  double until = 0, separation = 0;
  std::size_t separations = 0;
  Instants instants;  ///< its limit is set before `check`
  std::string motion_a, motion_b;
  std::array<std::size_t, 2> item_counts{};  ///< triangles and shapes
  bool solid = false;                        ///< set before `check`: also check that neither body is inside the other

  Proof(std::string_view certificate, const Subject& a, const Subject& b) : Tokens(certificate), a_(a), b_(b) {}

  void check() {
    std::string where;
    try {
      check_tokens(where);
    } catch (const Rejected& rejected) {
      throw Rejected(std::string(rejected.what()) + " (token " + std::to_string(count()) + where + ")");
    }
  }

 private:
  /// A statement still to be proved: these items of A and of B do not meet from t on.
  struct Claim {
    Range a, b;
    double t;
  };

  /// Reads a kind and its numbers, and appends them to the text.
  std::pair<std::string_view, std::vector<double>> read_kind(const std::map<std::string_view, std::size_t>& kinds,
                                                             std::string_view word, std::string& text) {
    const auto kind = kinds.find(word);
    if (kind == kinds.end()) throw Rejected("expected a kind of motion");
    std::vector<double> numbers(kind->second);
    (text += text.empty() ? "" : " ") += kind->first;
    for (double& x : numbers) x = number(), text += " " + digits(x);
    return {kind->first, std::move(numbers)};
  }

  Motion read_motion(const Geometry& geometry, std::string_view body, std::string& text) {
    expect("motion");
    expect(body);
    std::string_view word = next();
    const bool chain = word == "chain";
    if (chain) text = "chain", word = next();
    const auto [kind, numbers] = read_kind(motion_kinds, word, text);
    std::array<double, 3> centre{};
    double size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      Real lowest = Limits::max(), highest = -lowest;
      for (const Vec& p : geometry.vertices) lowest = std::min(lowest, p[i].lo), highest = std::max(highest, p[i].hi);
      const double low = static_cast<double>(lowest), high = static_cast<double>(highest);
      centre[i] = low / 2 + high / 2;
      size = std::max(size, high / 2 - low / 2);
    }
    if (!origin_) origin_ = {numbers[0], numbers[1], numbers[2]};
    const Motion motion(kind, numbers, *origin_, centre, size);
    if (!chain) return motion;
    std::vector<ChainPart> parts;
    const std::size_t count = whole();
    text += " " + std::to_string(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [part, values] = read_kind(courses_allowed_ ? course_kinds : part_kinds, next(), text);
      parts.emplace_back(part, values);
    }
    return Motion(motion, std::move(parts), centre);
  }

  std::vector<Triangle> read_triangles(const Mesh& mesh) {
    std::vector<Triangle> triangles;
    for (std::size_t count = whole(); count > 0; --count) {
      std::array<std::size_t, 4> ids{};
      for (std::size_t& id : ids) id = whole();
      Triangle triangle;
      if (ids[0] >= mesh.polygons()) throw Rejected("a polygon that does not exist");
      triangle.polygon = static_cast<std::uint32_t>(ids[0]);
      for (std::size_t i = 0; i < 3; ++i) triangle.vertices[i] = static_cast<std::uint32_t>(ids[i + 1]);
      if (*std::max_element(ids.begin() + 1, ids.end()) >= mesh.vertices.size()) {
        throw Rejected("a vertex that does not exist");
      }
      triangles.push_back(triangle);
    }
    check_triangulation(mesh, triangles);
    return triangles;
  }

  Shape read_shape() {
    Shape shape;
    shape.kind = next();
    if (shape.kind == "hull") {
      for (std::size_t count = whole(); count > 0; --count) {
        const double x = number(), y = number(), z = number();
        shape.points.push_back({x, y, z});
      }
    } else {
      const auto kind = shape_kinds.find(shape.kind);
      if (kind == shape_kinds.end()) throw Rejected("expected a kind of shape");
      shape.numbers.resize(kind->second);
      for (double& x : shape.numbers) x = number();
    }
    shape.rounding = number();
    if (!valid_lengths(shape)) throw Rejected("a length that is negative, or too small");
    return shape;
  }

  /// Reads what the certificate states of a piece: it must be the caller's.
  void read_piece(const Piece& piece, std::size_t index, std::string_view body, Geometry& geometry) {
    const std::string_view what = next();
    if (what != "triangles" && !(what == "shape" && pieces_allowed_)) throw Rejected("expected triangles");
    expect(body);
    if ((what == "shape") != piece.shape.has_value())
      throw Rejected(std::string("body ") + std::string(body) + (piece.shape ? " is a shape" : " is a mesh"));
    if (what == "triangles") return geometry.add_triangles(index, read_triangles(piece.mesh));
    if (!(read_shape() == *piece.shape)) throw Rejected("another shape than that of body " + std::string(body));
    geometry.add_solid(index, piece);
  }

  void read_body(const Subject& subject, std::string_view body, Geometry& geometry) {
    if (!subject.compound) return read_piece(subject.pieces[0], 0, body, geometry);
    if (!pieces_allowed_) throw Rejected("it is about meshes, not about a compound");
    expect("pieces");
    expect(body);
    if (whole() != subject.pieces.size()) throw Rejected("another number of pieces");
    for (std::size_t i = 0; i < subject.pieces.size(); ++i) {
      expect("pose");
      PoseNumbers stated{};
      for (double& x : stated) x = number();
      if (!states_pose(stated, subject.pieces[i])) throw Rejected("another pose of piece " + std::to_string(i));
      read_piece(subject.pieces[i], i, body, geometry);
    }
  }

  void check_tokens(std::string& where) {
    expect("graze-certificate");
    const std::string_view version = next();
    if (version != "1" && version != "2" && version != "3" && version != "4")
      throw Rejected("expected version 1, 2, 3 or 4");
    turning_allowed_ = version != "1";
    pieces_allowed_ = version == "3" || version == "4";
    courses_allowed_ = version == "4";
    Geometry of_a(a_), of_b(b_);
    const Motion moves_a = read_motion(of_a, "a", motion_a), moves_b = read_motion(of_b, "b", motion_b);
    expect("until");
    until = number();
    if (!(until >= 0 && until <= 1)) throw Rejected("expected an end between 0 and 1");
    if (pieces_allowed_) {
      expect("separation");
      separation = number();
      if (!(separation >= 0)) throw Rejected("expected a separation of 0 or more");
    }
    read_body(a_, "a", of_a);
    read_body(b_, "b", of_b);
    Body a(std::move(of_a), moves_a), b(std::move(of_b), moves_b);
    item_counts = {a.items(), b.items()};
    expect("proof");
    claims_.push_back({{0, a.items()}, {0, b.items()}, 0});
    while (!claims_.empty()) {
      const Claim claim = claims_.back();
      claims_.pop_back();
      if (claim.t >= until) continue;
      try {
        check_step(claim, a, b);
      } catch (const Rejected&) {
        where = ", triangles " + claim.a.text() + " of A and " + claim.b.text() + " of B from t=" + digits(claim.t);
        throw;
      }
    }
    expect("end");
    if (!next().empty()) throw Rejected("something follows the end");
    if (!solid) return;
    if (!(until > 0)) throw Rejected("the surfaces are not proved apart at the start");
    check_start_outside(a_, a, b_, b);
  }

  /// Reads one step of the proof of a claim, which has already been removed from the list, and adds the claims that
  /// remain to be proved.
  void check_step(const Claim& claim, Body& a, Body& b) {
    const std::string_view step = next();
    if (step == "S" || (step == "T" && turning_allowed_)) {
      check_separation(claim, a, b, step == "T");
    } else if (step == "A" || step == "B") {
      const std::vector<Range> parts = cut(step == "A" ? claim.a : claim.b);
      for (std::size_t i = parts.size(); i-- > 0;) {  // the first part's proof comes first
        claims_.push_back(step == "A" ? Claim{parts[i], claim.b, claim.t} : Claim{claim.a, parts[i], claim.t});
      }
    } else {
      throw Rejected(turning_allowed_ ? "expected S, T, A or B" : "expected S, A or B");
    }
  }

  void check_separation(const Claim& claim, Body& a, Body& b, bool turning) {
    bool with_b = false;
    if (turning) {
      const std::string_view body = next();
      if (body != "a" && body != "b") throw Rejected("expected a or b, with which a direction turns");
      with_b = body == "b";
    }
    std::array<double, 3> n{};
    for (double& x : n) x = number();
    const double end = number();
    if (n == std::array<double, 3>{}) throw Rejected("a direction that is zero");
    if (!(end > claim.t && end <= 1)) throw Rejected("a separation that ends no later than it begins, or after t=1");
    a.select(claim.a.first, claim.a.last);
    b.select(claim.b.first, claim.b.last);
    const bool holds = turning ? TurningSeparation(a, b, with_b, n, separation, instants).holds(claim.t, end)
                               : Separation(a, b, n, separation, instants).holds(claim.t, end);
    if (!holds) {
      throw Rejected("a separation that is false up to t=" + digits(end) + ", or cannot be confirmed");
    }
    ++separations;
    claims_.push_back({claim.a, claim.b, end});
  }

  const Subject &a_, &b_;
  std::optional<Point> origin_;  // where A's frame, or its base's, starts
  std::vector<Claim> claims_;
  bool turning_allowed_ = false, pieces_allowed_ = false, courses_allowed_ = false;
};

}  // namespace verify
