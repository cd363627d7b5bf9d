// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>

#include "shape.hpp"

namespace verify {

using PoseNumbers = std::array<double, 7>;

/// A part of a body: a mesh or a shape. As a piece of a compound it has a pose: a point p of it is at
/// R(q / |q|) p + (x, y, z) in the body. In a compound of compounds there are several, the innermost first.
struct Piece {
  Mesh mesh;
  std::optional<Shape> shape;
  std::vector<PoseNumbers> poses;
  std::string text;  ///< how the caller named it
};

/// A body that the caller names: a mesh file, a shape, or a compound of several.
struct Subject {
  std::vector<Piece> pieces;
  bool compound = false;

  std::size_t polygons() const {
    std::size_t count = 0;
    for (const Piece& p : pieces) count += p.mesh.polygons();
    return count;
  }
  std::size_t shapes() const {
    std::size_t count = 0;
    for (const Piece& p : pieces) count += p.shape.has_value();
    return count;
  }
};

/// A mesh file, a shape ("sphere:0.5", "hull:FILE"). Throws `Unreadable`.
inline Piece read_piece(const std::string& text, const std::string& folder = {}) {
  Piece piece;
  piece.text = text;
  const bool file = std::ifstream(folder + text).good();
  constexpr std::string_view hull = "hull:";
  if (!file && is_shape_text(text)) {
    piece.shape = shape_from_text(text);
  } else if (!file && text.starts_with(hull)) {
    std::string name = text.substr(hull.size());
    double rounding = 0;
    const auto is_file = [&](const std::string& n) { return std::ifstream(folder + n).good(); };
    for (std::size_t plus = name.find('+'); plus != name.npos && !is_file(name); plus = name.find('+', plus + 1))
      if (is_file(name.substr(0, plus))) {  // FILE+R
        if (!read_number(name.substr(plus + 1), rounding))
          throw Unreadable(text + ": a finite radius follows the plus");
        name.erase(plus);
      }
    piece.shape = Shape{"hull", {}, read_frame(folder + name).vertices, rounding};
    if (!valid_lengths(*piece.shape)) throw Unreadable(text + ": a hull needs a point, and a radius of at least 0");
  } else {
    piece.mesh = read_frame(folder + text);
  }
  return piece;
}

/// Reads the file of a compound: {"pieces": [{"mesh": FILE or "shape": TEXT, "pose": [...], "name": ...}, ...]}.
/// Strict: what it does not understand might be a part of the body. A piece may have "pieces" of its own, which then
/// stand in its place, in the order of the file.
class CompoundReader {
 public:
  static Subject read(const std::string& name) {
    const std::string bytes = read_bytes(name);
    CompoundReader reader(name, bytes);
    Subject subject;
    subject.compound = true;
    reader.object([&](const std::string& key) {
      if (key == "version" && reader.number() == 1) return;
      if (key != "pieces" || !subject.pieces.empty()) reader.fail("expected \"pieces\"");
      reader.pieces(subject.pieces, 0);
    });
    if (reader.next() != '\0' || subject.pieces.empty()) reader.fail("expected pieces, and nothing else");
    return subject;
  }

 private:
  CompoundReader(const std::string& name, const std::string& text) : name_(name), text_(text) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw Unreadable(name_ + ": " + why + " (at byte " + std::to_string(at_) + ")");
  }
  /// The next character that is no space, not yet taken; 0 at the end.
  char next() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (next() != c) fail(std::string("expected ") + c);
    ++at_;
  }
  bool taken(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  std::string string() {
    take('"');
    const std::size_t end = text_.find('"', at_);
    if (end == text_.npos) fail("a text without an end");
    const std::string out = text_.substr(at_, end - at_);
    if (out.find('\\') != out.npos) fail("texts with a backslash are not read");
    at_ = end + 1;
    return out;
  }
  double number() {
    next();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    double x = 0;
    if (!read_number(text_.substr(at_, end - at_), x)) fail("expected a finite number");
    at_ = end;
    return x;
  }
  template <class Item>
  void list(Item&& item) {
    take('[');
    if (taken(']')) return;
    do item();
    while (taken(','));
    take(']');
  }
  template <class Member>
  void object(Member&& member) {
    take('{');
    if (taken('}')) return;
    do {
      const std::string key = string();
      take(':');
      member(key);
    } while (taken(','));
    take('}');
  }
  /// Adds all pieces of a list, `depth` compounds deep.
  void pieces(std::vector<Piece>& all, int depth) {
    if (depth > 100) fail("too many pieces within pieces");
    const std::size_t before = all.size();
    list([&] { piece(all, depth); });
    if (all.size() == before) fail("a compound without pieces");
  }

  void piece(std::vector<Piece>& all, int depth) {
    const std::size_t first = all.size();
    std::vector<double> pose;
    const std::size_t slash = name_.rfind('/');
    const std::string folder = slash == name_.npos ? "" : name_.substr(0, slash + 1);
    object([&](const std::string& key) {
      const bool made = all.size() > first;
      if (key == "pieces" && !made) {
        pieces(all, depth + 1);
      } else if ((key == "mesh" || key == "shape") && !made) {
        all.push_back(read_piece(string(), folder));
        if (all.back().shape.has_value() != (key == "shape")) fail("a mesh is a file, and a shape is none");
      } else if (key == "pose" && pose.empty()) {
        list([&] { pose.push_back(number()); });
        if (pose.size() != 7) fail("expected a pose of seven numbers");
      } else if (key == "name") {
        string();
      } else {
        fail("\"" + key + "\" is not read here");
      }
    });
    if (all.size() == first) fail("a piece without a mesh, a shape or pieces");
    PoseNumbers here{0, 0, 0, 1, 0, 0, 0};
    if (!pose.empty()) std::copy(pose.begin(), pose.end(), here.begin());
    for (std::size_t i = first; i < all.size(); ++i) {
      if (all[i].shape && all[i].shape->kind == "halfspace") fail("a half-space is no piece of a compound");
      all[i].poses.push_back(here);
    }
  }

  const std::string& name_;
  const std::string& text_;
  std::size_t at_ = 0;
};

/// A mesh file, a shape, or "compound:FILE".
inline Subject read_subject(const std::string& text) {
  constexpr std::string_view compound = "compound:";
  if (text.starts_with(compound) && !std::ifstream(text).good())
    return CompoundReader::read(text.substr(compound.size()));
  Subject subject;
  subject.pieces.push_back(read_piece(text));
  return subject;
}

/// What separations are about: triangles and solids, in the order in which a certificate numbers them, over vertices in
/// the coordinates of the body. Coordinates of pieces at poses are intervals.
struct Geometry {
  static constexpr std::uint32_t none = 0xffffffff;
  struct Solid {
    Core core;
    std::uint32_t first, last;  ///< its corners among the vertices
    Mat turn{Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}};
    Vec shift{};
  };
  struct Item {
    std::array<std::uint32_t, 3> triangle{};
    std::uint32_t solid = none;  ///< or a solid
  };
  std::vector<Vec> vertices;
  std::vector<Item> items;
  std::vector<Solid> solids;
  std::vector<std::size_t> first_vertex;  ///< of each piece

  explicit Geometry(const Subject& subject) {
    for (const Piece& piece : subject.pieces) {
      first_vertex.push_back(vertices.size());
      const auto placed = placement(piece);
      const auto add = [&](const Vec& x) { vertices.push_back(placed ? placed->second + placed->first * x : x); };
      if (piece.shape)
        for (const Vec& x : Core(*piece.shape).corners) add(x);
      else
        for (const Point& p : piece.mesh.vertices) add(vec(p.data()));
    }
    if (vertices.size() > 0xfffffff0u) throw Rejected("too many vertices");
  }

  /// Adds the items of a piece, in the order of the certificate.
  void add_triangles(std::size_t piece, const std::vector<Triangle>& triangles) {
    const auto first = static_cast<std::uint32_t>(first_vertex[piece]);
    for (const Triangle& t : triangles) {
      items.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) items.back().triangle[k] = first + t.vertices[k];
    }
  }
  void add_solid(std::size_t piece, const Piece& of) {
    items.push_back({{}, static_cast<std::uint32_t>(solids.size())});
    const auto first = static_cast<std::uint32_t>(first_vertex[piece]);
    Solid solid{Core(*of.shape), first, first};
    solid.last += static_cast<std::uint32_t>(solid.core.corners.size());
    if (const auto placed = placement(of)) std::tie(solid.turn, solid.shift) = *placed;
    solids.push_back(std::move(solid));
  }

  /// The rotation and the shift of a piece: its poses, one after another.
  static std::optional<std::pair<Mat, Vec>> placement(const Piece& piece) {
    if (piece.poses.empty()) return {};
    std::pair<Mat, Vec> placed = placement(piece.poses[0]);
    for (std::size_t i = 1; i < piece.poses.size(); ++i) {
      const auto [turn, shift] = placement(piece.poses[i]);
      placed = {turn * placed.first, shift + turn * placed.second};
    }
    return placed;
  }
  static std::pair<Mat, Vec> placement(const PoseNumbers& pose) {
    return {rotation_of(scaled(pose.data() + 3)), vec(pose.data())};
  }
};

/// Is this the pose that a certificate states of a piece? The only pose of a piece, to the last bit. Of several it is
/// the product, rounded: it is compared to within 2^-40, so that a certificate of another body is told from a wrong
/// one. What is proved is proved of the product itself.
inline bool states_pose(const PoseNumbers& stated, const Piece& piece) {
  if (piece.poses.size() == 1) return stated == piece.poses[0];
  const auto [turn, shift] = Geometry::placement(stated);
  const auto [exact_turn, exact_shift] = *Geometry::placement(piece);
  const auto differ = [](const Vec& x, const Vec& y, const Interval& size) {
    return !(length(x - y).hi <= (Interval(0x1p-40L) * size).lo);
  };
  Interval far(0x1p-900L);
  for (const PoseNumbers& pose : piece.poses) far = far + length(vec(pose.data()));
  for (std::size_t k = 0; k < 3; ++k)
    if (differ(turn[k], exact_turn[k], Interval(1))) return false;
  return !differ(shift, exact_shift, far);
}

}  // namespace verify
