// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <graze/mesh/holes.hpp>

#include "io/text_scanner.hpp"

namespace graze::io {
namespace {

/// Statements without information about polygons, lines and points: materials, display and curves.
constexpr std::array<std::string_view, 33> ignored_statements = {
    "vt", "vn", "s", "usemtl", "mtllib", "vp", "mg", "usemap", "maplib", "lod", "bevel", "cstype", "deg", "bmat",
    "step", "parm", "trim", "hole", "scrv", "sp", "end", "con", "c_interp", "d_interp", "curv", "curv2", "trace_obj",
    "ctech", "stech", "shadow_obj",
    // Widely used extensions: vertex weights, subdivision tags, Wavefront's own version mark.
    "vw", "t", "version"};

/// Statements that define surfaces other than polygons: ignoring them would silently change the body.
constexpr std::array<std::string_view, 8> refused_statements = {"surf", "call", "csh", "bzp",
                                                                "bsp",  "cdp",  "cdc", "res"};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class ObjReader {
 public:
  explicit ObjReader(const Source& source) : source_(source), text_(source, {.comments = true, .continuation = true}) {}

  MeshParts read() {
    while (text_.find_word()) {
      statement(text_.word());
      text_.next_line();
    }
    check_forward_references();
    join_holes_of_polygons();
    if (parts_.groups.names == std::vector<PolygonGroup>(1)) parts_.groups = {};  // a name that no polygon uses
    if (parts_.polygons.size() == 0 && parts_.loose.empty())
      text_.fail(ErrorCode::empty_mesh, "the file ends without any polygon; an OBJ body needs 'f' statements");
    return std::move(parts_);
  }

 private:
  /// A polygon may refer to a vertex that is defined later. Only references to a later vertex than any before are kept:
  /// the first of them whose vertex is never defined belongs to the first such polygon of the file.
  struct ForwardReference {
    std::uint64_t vertex, line;
    std::string user;
  };

  struct Hole {
    std::uint32_t polygon;
    std::uint64_t line;
    std::vector<std::uint32_t> corners;
  };

  void statement(std::string_view keyword) {
    if (keyword == "v") return vertex();
    if (keyword == "f" || keyword == "fo") return face();
    if (keyword == "fh") return hole();
    if (keyword == "l") return line();
    if (keyword == "p") return points();
    if (keyword == "o") return name(current_.object);
    if (keyword == "g") return name(current_.group);
    if (contains(ignored_statements, keyword)) return;
    if (contains(refused_statements, keyword))
      text_.fail(ErrorCode::bad_file, in_quotes(keyword) +
                                          " brings in geometry that is not polygons of this file; "
                                          "export the model as plain polygons");
    text_.fail(ErrorCode::bad_file, in_quotes(keyword) +
                                        " is not an OBJ statement (like v, vn, vt, f, g, o, usemtl); "
                                        "is this an OBJ file? If so, remove the line");
  }

  void vertex() {
    if (is_full(parts_.positions.size()))
      text_.fail(ErrorCode::too_large, "more vertices than 32-bit ids can name; split the model");
    const double x = text_.coordinate("the x coordinate");
    const double y = text_.coordinate("the y coordinate");
    const double z = text_.coordinate("the z coordinate");
    parts_.positions.push_back({x, y, z});
    int extra = 0;
    for (; !text_.at_line_end(); ++extra) text_.skip_number("a weight or a colour");
    if (extra == 2 || extra > 4)  // w, or red green blue, or both (or alpha)
      text_.fail(ErrorCode::bad_file, "a vertex has 3 coordinates, then optionally a weight and a colour; found " +
                                          std::to_string(3 + extra) + " numbers");
  }

  void face() {
    auto& [corners, first] = parts_.polygons;
    loop(corners, "a polygon");
    first.push_back(static_cast<std::uint32_t>(corners.size()));
    if (named_) parts_.groups.of_polygon.push_back(current_group());
  }

  /// `fh`, a hole in the polygon before it: an extension of ours (docs/formats.md).
  void hole() {
    const std::size_t polygons = parts_.polygons.size();
    if (polygons == 0) text_.fail(ErrorCode::bad_file, "a hole ('fh') follows the polygon ('f') that has it");
    holes_.push_back({static_cast<std::uint32_t>(polygons - 1), text_.line(), {}});
    loop(holes_.back().corners, "a hole");
  }

  /// The vertices of a statement, one after the other.
  template <class Add>
  void vertices(const char* user, Add&& add) {
    user_ = user;
    while (!text_.at_line_end()) {
      if (is_full(parts_.loose.edges.size()) || is_full(parts_.loose.points.size()))
        text_.fail(ErrorCode::too_large, "more lines or points than 32-bit ids can name; split the model");
      add(corner());
    }
    user_ = nullptr;
  }

  /// A polyline: an edge from each vertex to the next.
  void line() {
    std::optional<std::uint32_t> last;
    std::size_t count = 0;
    vertices("a line", [&](std::uint32_t v) {
      if (last) parts_.loose.edges.push_back({*last, v});
      last = v;
      ++count;
    });
    if (count < 2)
      text_.fail(ErrorCode::bad_file, "a line ('l') needs at least 2 vertices, found " + std::to_string(count) +
                                          "; remove the statement or complete it");
  }

  void points() {
    const std::size_t before = parts_.loose.points.size();
    vertices("a point", [&](std::uint32_t v) { parts_.loose.points.push_back(v); });
    if (parts_.loose.points.size() == before)
      text_.fail(ErrorCode::bad_file, "a statement 'p' without a vertex; remove it or complete it");
  }

  /// The corners of a statement.
  void loop(std::vector<std::uint32_t>& corners, const char* what) {
    const std::size_t start = corners.size();
    while (!text_.at_line_end()) {
      if (is_full(corners.size()))
        text_.fail(ErrorCode::too_large, "more polygon corners than 32-bit ids can name; split the model");
      corners.push_back(corner());
    }
    if (corners.size() - start < 3)
      text_.fail(ErrorCode::bad_polygon, std::string(what) + " needs at least 3 corners, found " +
                                             std::to_string(corners.size() - start) +
                                             "; remove the statement or complete it");
  }

  void join_holes_of_polygons() {
    if (holes_.empty()) return;
    const PolygonList plain = std::exchange(parts_.polygons, {});
    auto hole = holes_.begin();
    for (std::uint32_t i = 0; i < plain.size(); ++i) {
      const auto first = hole;
      std::vector<std::vector<std::uint32_t>> inner;
      for (; hole != holes_.end() && hole->polygon == i; ++hole) inner.push_back(std::move(hole->corners));
      if (inner.empty()) {
        parts_.polygons.add(plain[i]);
        continue;
      }
      try {
        parts_.polygons.add(join_holes(parts_.positions, plain[i], inner));
      } catch (const Error& error) {
        const auto& detail = error.detail();
        const bool of_hole = detail.element == "hole" && detail.id < inner.size();
        fail_at_line(source_, (first + (of_hole ? static_cast<std::ptrdiff_t>(detail.id) : 0))->line, detail.code,
                     of_hole ? "this hole " + detail.message : "polygon " + std::to_string(i) + " " + detail.message);
      }
    }
  }

  /// The words after `o` or `g`, separated by single blanks; they apply to the polygons that follow.
  void name(std::string& text) {
    text.clear();
    for (std::string_view word = text_.word(); !word.empty(); word = text_.word())
      (text += text.empty() ? "" : " ") += word;
    group_known_ = false;
    if (named_ || text.empty()) return;
    named_ = true;  // the polygons so far have no name
    if (parts_.polygons.size() == 0) return;
    parts_.groups.names.emplace_back();
    parts_.groups.of_polygon.assign(parts_.polygons.size(), 0);
    groups_.try_emplace({}, 0);
  }

  std::uint32_t current_group() {
    if (!group_known_) {
      const auto next = static_cast<std::uint32_t>(parts_.groups.names.size());
      const auto [entry, added] = groups_.try_emplace({current_.object, current_.group}, next);
      if (added) parts_.groups.names.push_back(current_);
      group_ = entry->second;
      group_known_ = true;
    }
    return group_;
  }

  /// One corner: v, v/vt, v//vn or v/vt/vn. Texture and normal indices are only checked for their syntax, and may be
  /// missing after a slash: exporters write 1// and 2/2/ for corners without a normal.
  std::uint32_t corner() {
    const std::size_t start = text_.offset();
    std::int64_t vertex = 0, unused = 0;
    bool good = text_.digits(vertex);
    for (int slashes = 0; good && slashes < 2 && text_.take('/'); ++slashes) text_.digits(unused);
    if (!good || !text_.at_word_end())
      text_.fail(ErrorCode::bad_file, "expected a polygon corner like 7, 7/1, 7//2 or 7/1/2, found " +
                                          in_quotes(TextScanner(source_, {}, start, text_.line()).word()) +
                                          "; correct the statement");
    return vertex_id(vertex);
  }

  std::uint32_t vertex_id(std::int64_t written) {
    const auto count = static_cast<std::int64_t>(parts_.positions.size());
    if (written > 0 && written <= count) return static_cast<std::uint32_t>(written - 1);
    if (written == 0) text_.fail(ErrorCode::index_out_of_range, "vertex 0 does not exist; OBJ counts vertices from 1");
    if (written < 0) {
      if (written < -count)
        text_.fail(ErrorCode::index_out_of_range, "vertex " + std::to_string(written) +
                                                      " counts back beyond the first of the " + std::to_string(count) +
                                                      " vertices read so far; correct the index");
      return static_cast<std::uint32_t>(count + written);
    }
    const auto id = static_cast<std::uint64_t>(written) - 1;
    const auto user = [&] {
      return user_ ? std::string(user_) : "polygon " + std::to_string(parts_.polygons.size()) + " (zero-based)";
    };
    if (is_full(id)) fail_no_vertex(id, text_.line(), user());
    if (forward_.empty() || id > forward_.back().vertex) forward_.push_back({id, text_.line(), user()});
    return static_cast<std::uint32_t>(id);
  }

  void check_forward_references() const {
    for (const ForwardReference& reference : forward_)
      if (reference.vertex >= parts_.positions.size()) fail_no_vertex(reference.vertex, reference.line, reference.user);
  }

  [[noreturn]] void fail_no_vertex(std::uint64_t vertex, std::uint64_t line, const std::string& user) const {
    fail_at_line(
        source_, line, ErrorCode::index_out_of_range,
        user + " uses vertex " + std::to_string(vertex + 1) +
            " (one-based, as in the file), which the file does not define; correct the index or add the vertex");
  }

  Source source_;
  TextScanner text_;
  MeshParts parts_;
  std::vector<ForwardReference> forward_;
  const char* user_ = nullptr;  ///< what the present statement is; null: a polygon
  std::vector<Hole> holes_;     ///< in the order of their polygons
  PolygonGroup current_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> groups_;
  std::uint32_t group_ = 0;
  bool group_known_ = false;  ///< is `group_` that of `current_`?
  bool named_ = false;        ///< has there been a name?
};

}  // namespace

MeshParts read_obj(const Source& source) { return ObjReader(source).read(); }

}  // namespace graze::io
