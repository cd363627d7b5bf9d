// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "interval.hpp"
#include "ply.hpp"

namespace verify {

/// A file cannot be read; `what()` gives its name and the reason.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::string read_bytes(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Unreadable(name + ": cannot be opened");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Iterates over the words of a text. The text must outlive this object.
class Words {
 public:
  explicit Words(std::string_view text, std::string_view spaces = " \t\n\v\f\r") : text_(text), spaces_(spaces) {}
  /// The next word; empty at the end.
  std::string_view next() {
    text_.remove_prefix(std::min(text_.find_first_not_of(spaces_), text_.size()));
    const std::string_view word = text_.substr(0, text_.find_first_of(spaces_));
    text_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view text_, spaces_;
};

/// True if all of `word` is a finite number, decimal or hexadecimal. The character after it in memory must not be part
/// of a number.
inline bool read_number(std::string_view word, double& number) {
  char* end = nullptr;
  if (word.empty()) return false;
  number = std::strtod(word.data(), &end);
  return end == word.data() + word.size() && std::isfinite(number) && std::abs(number) <= largest_number;
}

/// True if all of `word` is an integer of up to ten digits.
inline bool read_whole(std::string_view word, long long& number) {
  const std::size_t sign = word.starts_with('-') ? 1 : 0;
  if (word.size() == sign || word.size() > sign + 10) return false;
  if (word.find_first_not_of("0123456789", sign) != word.npos) return false;
  number = std::strtoll(word.data(), nullptr, 10);
  return true;
}

/// Vertices and polygons in the file's order. The corners of polygon p are corners[first[p]] up to corners[first[p+1]].
struct Mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::uint32_t> corners;
  std::vector<std::size_t> first{0};
  std::vector<std::size_t> files;  ///< the first polygon of each file; empty if there is only one
  struct Hole {
    std::size_t polygon;
    std::vector<std::uint32_t> corners;
    friend bool operator==(const Hole&, const Hole&) = default;
  };
  std::vector<Hole> holes;  ///< in the order of their polygons
  std::size_t polygons() const { return first.size() - 1; }
};

/// Reads OBJ, OFF, PLY and STL. Strict: it rejects everything that it does not understand, because it might be a part
/// of the body.
class MeshReader {
 public:
  Mesh read(const std::string& name) {
    name_ = name;
    std::string ending = name.substr(std::min(name.size(), name.rfind('.')));
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (ending != ".obj" && ending != ".off" && ending != ".ply" && ending != ".stl")
      fail("only .obj, .off, .ply and .stl are read, unpacked");
    bytes_ = read_bytes(name);
    if (ending == ".ply") {
      read_ply();
    } else if (ending == ".stl" && is_binary_stl()) {
      read_binary_stl();
    } else {
      if (ending == ".obj") join_lines();
      split_lines();
      ending == ".obj" ? read_obj() : ending == ".off" ? read_off() : read_stl();
    }
    if (mesh_.polygons() == 0) fail("there are no polygons");
    const auto check = [&](const std::vector<std::uint32_t>& corners) {
      for (const std::uint32_t v : corners)
        if (v >= mesh_.vertices.size()) fail("a polygon has a corner that is no vertex");
    };
    check(mesh_.corners);
    for (const Mesh::Hole& hole : mesh_.holes) check(hole.corners);
    return std::move(mesh_);
  }

 private:
  using Line = std::vector<std::string_view>;

  [[noreturn]] void fail(const std::string& what, const Line& line = {}) const {
    std::string text = name_ + ": " + what;
    for (std::string_view word : line) text += (word.data() == line[0].data() ? ": " : " ") + std::string(word);
    throw Unreadable(text);
  }

  void join_lines() {  // a backslash continues a line
    for (std::size_t i = bytes_.find('\\'); i < bytes_.size(); i = bytes_.find('\\', i + 1)) {
      const std::size_t ends = bytes_.compare(i + 1, 2, "\r\n") == 0      ? 2
                               : bytes_.find_first_of("\r\n", i) == i + 1 ? 1
                                                                          : 0;
      if (ends > 0) bytes_.replace(i, ends + 1, ends + 1, ' ');
    }
  }

  void split_lines() {  // into words too, without comments
    Words lines(bytes_, "\r\n");
    for (std::string_view text = lines.next(); !text.empty(); text = lines.next()) {
      Line line;
      Words words(text.substr(0, text.find('#')));
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) line.push_back(word);
      if (!line.empty()) lines_.push_back(line);
    }
  }

  void add_vertex(const Line& line, std::size_t from) {
    std::array<double, 3> p{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (from + i >= line.size() || !read_number(line[from + i], p[i])) fail("expected three finite numbers", line);
    }
    mesh_.vertices.push_back(p);
  }

  void add_corners(std::vector<std::uint32_t>& corners, const Line& line, std::size_t count, bool off) {
    if (count < 3 || count >= line.size()) fail("a polygon with too few corners", line);
    for (std::size_t i = 1; i <= count; ++i) {
      long long id = 0;
      const bool read = read_whole(line[i].substr(0, line[i].find('/')), id);
      if (!off) id = id < 0 ? id + static_cast<long long>(mesh_.vertices.size()) : id - 1;
      if (!read || id < 0 || id > 0xffffffffLL) fail("a corner that is no vertex", line);
      corners.push_back(static_cast<std::uint32_t>(id));
    }
  }

  void add_polygon(const Line& line, std::size_t count, bool off) {
    add_corners(mesh_.corners, line, count, off);
    mesh_.first.push_back(mesh_.corners.size());
  }

  void add_hole(const Line& line) {  // in the polygon before it
    if (mesh_.polygons() == 0) fail("a hole without a polygon", line);
    mesh_.holes.push_back({mesh_.polygons() - 1, {}});
    add_corners(mesh_.holes.back().corners, line, line.size() - 1, false);
  }

  void add_facet() {  // of the three vertices read last
    for (std::size_t i = 3; i > 0; --i) mesh_.corners.push_back(static_cast<std::uint32_t>(mesh_.vertices.size() - i));
    mesh_.first.push_back(mesh_.corners.size());
  }

  void read_obj() {
    static const std::set<std::string_view> no_geometry{
        "vt", "vn",  "vp",     "g",      "o",     "s",        "usemtl",   "mtllib",     "l",        "p",
        "mg", "lod", "maplib", "usemap", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    for (const Line& line : lines_) {
      if (line[0] == "v") {
        add_vertex(line, 1);
      } else if (line[0] == "f" || line[0] == "fo") {
        add_polygon(line, line.size() - 1, false);
      } else if (line[0] == "fh") {
        add_hole(line);
      } else if (!no_geometry.contains(line[0])) {
        fail("not understood", line);
      }
    }
  }

  void read_off() {
    if (lines_.empty() || !lines_[0][0].ends_with("OFF") ||
        lines_[0][0].find_first_not_of("STCNOF") != Line::value_type::npos) {
      fail("expected OFF");
    }
    lines_[0].erase(lines_[0].begin());
    if (lines_[0].empty()) lines_.erase(lines_.begin());
    long long vertices = 0, faces = 0;
    if (lines_.empty() || lines_[0].size() < 2 || !read_whole(lines_[0][0], vertices) ||
        !read_whole(lines_[0][1], faces) || vertices < 0 || faces < 0 ||
        lines_.size() - 1 != static_cast<std::size_t>(vertices + faces)) {
      fail("the numbers of vertices and faces are missing, or are not those of the lines that follow");
    }
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      long long count = 0;
      if (i <= static_cast<std::size_t>(vertices)) {
        add_vertex(lines_[i], 0);
      } else {
        if (!read_whole(lines_[i][0], count) || count < 0) fail("expected a number of corners", lines_[i]);
        add_polygon(lines_[i], static_cast<std::size_t>(count), true);
      }
    }
  }

  void read_ply() {
    const auto vertex = [&](double x, double y, double z) {
      for (const double c : {x, y, z})
        if (!(std::abs(c) <= largest_number)) fail("a coordinate that is not finite");
      mesh_.vertices.push_back({x, y, z});
    };
    const auto polygon = [&](const std::vector<double>& corners) {
      if (corners.size() < 3) fail("a polygon with too few corners");
      for (const double c : corners) {
        if (!(c >= 0 && c < 4294967295.0 && c == std::floor(c))) fail("a corner that is no vertex");
        mesh_.corners.push_back(static_cast<std::uint32_t>(c));
      }
      mesh_.first.push_back(mesh_.corners.size());
    };
    Ply(
        bytes_, [&](const std::string& what) { fail(what); },
        [](std::string_view word, double& number) { return read_number(word, number); })
        .read(vertex, polygon);
  }

  void read_stl() {
    std::string_view expected = "solid";
    for (const Line& line : lines_) {
      const std::string_view word = line[0];
      if (word == "endsolid" && expected == "facet") {
        expected = "solid";
      } else if (word != expected) {
        fail("expected " + std::string(expected), line);
      } else if (word == "vertex") {
        add_vertex(line, 1);
        if (mesh_.vertices.size() % 3 == 0) add_facet(), expected = "endloop";
      } else {
        expected = word == "facet" ? "outer" : word == "outer" ? "vertex" : word == "endloop" ? "endfacet" : "facet";
      }
    }
    if (expected != "solid") fail("it ends before its solid does");
  }

  bool is_binary_stl() {  // if and only if the file size matches its triangle count
    std::uint32_t facets = 0;
    if (bytes_.size() < 84) return false;
    std::memcpy(&facets, bytes_.data() + 80, 4);
    return bytes_.size() == 84 + std::size_t{50} * facets;
  }

  void read_binary_stl() {
    static_assert(std::endian::native == std::endian::little);
    for (std::size_t at = 84; at < bytes_.size(); at += 50) {
      std::array<float, 12> numbers;  // the normal and three corners
      std::memcpy(numbers.data(), bytes_.data() + at, sizeof numbers);
      for (std::size_t i = 3; i < 12; i += 3) {
        mesh_.vertices.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
        for (double x : mesh_.vertices.back()) {
          if (!std::isfinite(x)) fail("a coordinate that is not finite");
        }
      }
      add_facet();
    }
  }

  std::string name_, bytes_;
  std::vector<Line> lines_;
  Mesh mesh_;
};

/// Reads one file, or several concatenated ones, with + between their names.
inline Mesh read_frame(const std::string& name) {
  if (name.find('+') == name.npos || std::ifstream(name)) return MeshReader().read(name);
  Mesh all;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('+', at), name.size());
    const Mesh mesh = MeshReader().read(name.substr(at, end - at));
    const std::size_t vertices = all.vertices.size(), corners = all.corners.size(), polygons = all.polygons();
    all.files.push_back(all.polygons());
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const std::uint32_t c : mesh.corners) all.corners.push_back(static_cast<std::uint32_t>(vertices + c));
    for (std::size_t p = 1; p < mesh.first.size(); ++p) all.first.push_back(corners + mesh.first[p]);
    for (const Mesh::Hole& hole : mesh.holes) {
      all.holes.push_back({polygons + hole.polygon, {}});
      for (const std::uint32_t c : hole.corners)
        all.holes.back().corners.push_back(static_cast<std::uint32_t>(vertices + c));
    }
    at = end + 1;
  }
  return all;
}

/// A triangle of a proof and the polygon that it is a part of.
struct Triangle {
  std::uint32_t polygon = 0;
  std::array<std::uint32_t, 3> vertices{};
};

/// For each edge: how often it is traversed from its lower to its higher vertex, minus how often in the opposite
/// direction.
using Walks = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

inline void walk(Walks& walks, const std::uint32_t* corners, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t u = corners[i], v = corners[(i + 1) % count];
    if (u != v) walks[{std::min(u, v), std::max(u, v)}] += u < v ? 1 : -1;
  }
}

/// Subtracts a loop in the direction in which it is traversed there, or fails: its first edge that counts tells.
inline bool subtract(Walks& rest, const Walks& loop) {
  int direction = 0;
  for (const auto& [edge, sum] : loop) {
    const auto at = rest.find(edge);
    if (at == rest.end()) return false;
    if (direction == 0 && sum != 0) direction = at->second == sum ? 1 : at->second == -sum ? -1 : 0;
    if (direction == 0 && sum != 0) return false;
    at->second -= direction * sum;
  }
  return true;
}

/// Inner edges cancel, so the sum over the triangles must equal that of the outline, or its negative, and those of the
/// holes, each in either direction. Then the triangles cover a flat polygon: a point with non-zero winding number with
/// respect to the outline, around which no hole winds, also has one with respect to some triangle. Every edge of these
/// loops must also occur in the triangles, because of spikes and bridges, which an outline traverses in both
/// directions.
inline bool spans(const Walks& outline, const std::vector<Walks>& holes, Walks triangles) {
  if (!subtract(triangles, outline)) return false;
  for (const Walks& hole : holes)
    if (!subtract(triangles, hole)) return false;
  return std::all_of(triangles.begin(), triangles.end(), [](const auto& walked) { return walked.second == 0; });
}

/// Rejects unless the triangles are a triangulation of all of the mesh's polygons and of nothing else.
inline void check_triangulation(const Mesh& mesh, const std::vector<Triangle>& triangles) {
  std::vector<std::vector<std::size_t>> parts(mesh.polygons());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    parts[triangles[t].polygon].push_back(t);
  }
  auto hole = mesh.holes.begin();
  for (std::size_t p = 0; p < mesh.polygons(); ++p) {
    const std::uint32_t* const corners = mesh.corners.data() + mesh.first[p];
    std::size_t count = mesh.first[p + 1] - mesh.first[p];
    std::set<std::uint32_t> known(corners, corners + count);
    Walks outline, inside;
    walk(outline, corners, count);
    std::vector<Walks> holes;
    for (; hole != mesh.holes.end() && hole->polygon == p; ++hole) {
      known.insert(hole->corners.begin(), hole->corners.end());
      walk(holes.emplace_back(), hole->corners.data(), hole->corners.size());
      count += hole->corners.size() + 2;  // with a bridge to it
    }
    bool good = parts[p].size() == count - 2;
    for (std::size_t t : parts[p]) {
      for (std::uint32_t v : triangles[t].vertices) good &= known.contains(v);
      walk(inside, triangles[t].vertices.data(), 3);
    }
    if (!good || !spans(outline, holes, std::move(inside))) {
      throw Rejected("the triangles of polygon " + std::to_string(p) + " are not a triangulation of it");
    }
  }
}

}  // namespace verify
