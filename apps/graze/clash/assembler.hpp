// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <graze/clash/clash.hpp>
#include <graze/clash/split.hpp>
#include <graze/core/error.hpp>

#include "clash/part_list.hpp"
#include "input/query_options.hpp"

namespace graze::app {

/// A part, or a file of parts, that could not be read.
struct UnreadPart {
  std::string name, guid;  ///< the GUID may be empty
};

struct AssemblerOptions {
  InputOptions input;
  clash::SplitBy split = clash::SplitBy::file;
  /// Read files again when they are needed, and keep no mesh. (Parts of files stay in memory in any case.)
  bool out_of_core = false;
};

/// Reads meshes and makes them the parts of an assembly. Equal meshes become one geometry.
class Assembler {
 public:
  explicit Assembler(AssemblerOptions options) : options_(options) {}

  /// Adds the parts of these entries, in order. What cannot be read is kept for `unread`. `progress` is called after
  /// each source.
  template <class Progress>
  void add(const std::vector<PartEntry>& entries, Progress&& progress) {
    for (std::size_t begin = 0; begin < entries.size(); begin += at_a_time) {
      read_sources(entries, begin, std::min(entries.size(), begin + at_a_time));
      for (std::size_t i = begin; i < std::min(entries.size(), begin + at_a_time); ++i) {
        add_part(entries[i]);
        progress();
      }
    }
  }

  /// Names that occur again get "#2", "#3" and so on. GUIDs: as listed, or found in the name.
  void name_parts(const std::vector<std::pair<std::string, std::string>>& guids);

  clash::Assembly take() { return std::move(assembly_); }
  const std::vector<ErrorDetail>& unread() const { return unread_; }
  /// What the parts of these files are called; after `name_parts`.
  const std::vector<UnreadPart>& unread_parts() const { return unread_parts_; }
  /// Of all parts, and of different meshes.
  std::uint64_t triangles() const { return triangles_; }
  std::uint64_t different_triangles() const { return different_; }

 private:
  static constexpr std::size_t at_a_time = 256;
  struct Read {
    bool failed = false;
    std::vector<std::string> names;  ///< of its parts, beginning with that of the source; empty ends
    std::vector<std::uint32_t> geometries;
  };
  struct Loaded;

  void read_sources(const std::vector<PartEntry>& entries, std::size_t begin, std::size_t end);
  Loaded load(const MeshSource& source) const;
  void keep(const MeshSource& source, Loaded& loaded);
  std::uint32_t geometry_of(const Mesh& mesh, const MeshSource& source, bool whole_file);
  void add_part(const PartEntry& entry);

  AssemblerOptions options_;
  clash::Assembly assembly_;
  std::unordered_map<std::string, Read> read_;  ///< by `MeshSource::text`
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
  std::vector<std::uint64_t> triangles_of_;  ///< by geometry
  std::vector<ErrorDetail> unread_;
  std::vector<UnreadPart> unread_parts_;
  std::uint64_t triangles_ = 0, different_ = 0;
};

}  // namespace graze::app
