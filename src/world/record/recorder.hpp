// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/motion/chain.hpp>
#include <graze/world/world.hpp>

#include "core/portability.hpp"

namespace graze::world {

/// Writes calls to a file, one per line, so that they can be replayed. docs/world.md describes the format. Doubles are
/// written with enough digits to round-trip.
class Recorder {
 public:
  /// Throws `Error` (cannot_write).
  Recorder(const std::string& file, const WorldOptions& options);

  /// Throws `Error` (cannot_write).
  template <class... Value>
  void line(std::string_view call, const Value&... values) {
    text_.assign(call);
    (add(values), ...);
    write();
  }

  /// Can the motion be written? Those that the caller defined (`OwnMotion`) cannot.
  static bool knows(const Motion& motion);
  static bool knows(const Body& body);

  /// Called before every query, so that the file contains every call that leads to a crash.
  void flush();

 private:
  void write();
  void check() const;
  /// The number of the body's mesh. A new mesh is written first.
  std::size_t mesh(const Body& body);
  void write_mesh(std::span<const Vec3> positions, const Mesh& mesh);
  void write_shape(const shape::Shape& shape);
  void write_compound(const Body& body);

  void word(std::string_view w) { (text_ += ' ') += w; }
  template <class Number>
  void number(Number x) {
    char buffer[40];
    const auto end = core::to_chars(buffer, buffer + sizeof buffer, x).ptr;
    word({buffer, static_cast<std::size_t>(end - buffer)});
  }
  void add(double x) { number(x); }
  void add(std::uint64_t x) { number(x); }
  void add(std::uint32_t x) { number(x); }
  void add(bool x) { number(x ? 1 : 0); }
  void add(const std::string& s);  ///< in quotes
  void add(std::string_view s) { add(std::string(s)); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Pose& p) {
    add(p.translation());
    add(p.rotation().w), add(p.rotation().x), add(p.rotation().y), add(p.rotation().z);
  }
  void add(const Box3& b) { add(b.lo), add(b.hi); }
  void add(BodyId id) { add(id.slot), add(id.generation); }
  void add(FrameId id) { add(id.slot), add(id.generation); }
  void add(ArticulatedId id) { add(id.slot), add(id.generation); }
  template <class T>
  void add(const std::optional<T>& x) {
    add(x.has_value());
    if (x) add(*x);
  }
  template <class T>
  void add(std::span<const T> list) {
    add(std::uint64_t{list.size()});
    for (const T& x : list) add(x);
  }
  void add(const Body& body) { add(std::uint64_t{mesh(body)}); }
  void add(const LinkBody& link) { add(index(link.link)), add(link.body); }
  void add(const BodySettings& s) { add(s.name), add(s.frame), add(s.interest), add(s.group), add(s.mask); }
  void add(const BodyFilter& f) { add(f.mask), add(f.except); }
  void add(const Ray& r) { add(r.from), add(r.to); }
  void add(const Motion& motion);
  void add(const PairSettings& s) { add(s.interest), add(s.method), add(s.tolerance); }
  void add(const Chain& chain);

  std::string file_, text_;
  std::ofstream out_;
  /// Bodies written so far. Kept alive so that no other body can reuse their addresses.
  std::unordered_map<const body::BodyData*, std::size_t> meshes_;
  std::size_t written_ = 0;  ///< number of lines that give a mesh
  std::vector<Body> bodies_;
};

}  // namespace graze::world
