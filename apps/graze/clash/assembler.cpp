// SPDX-License-Identifier: MIT
#include "clash/assembler.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <graze/clash/report.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/weld.hpp>

#include "input/query_options.hpp"

namespace graze::app {
namespace {

Mesh made(const MeshSource& source) {
  for (const make::Shape& shape : make::shapes())
    if (shape.name == source.make) return shape.make(static_cast<std::size_t>(source.triangles));
  refuse_option("make", fmt::format("unknown shape '{}'; `graze make --list` shows them", source.make));
}

Mesh scaled(const Mesh& mesh, double scale) {
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : positions) p = p * scale;
  return Mesh(std::move(positions), mesh.polygons(), mesh.groups());
}

Mesh read_whole(const MeshSource& source, const InputOptions& input) {
  Mesh mesh = source.file.empty() ? made(source) : load(source.file.string(), input);
  return source.scale == 1 ? mesh : scaled(mesh, source.scale);
}

}  // namespace

struct Assembler::Loaded {
  std::vector<clash::NamedMesh> parts;
  std::optional<ErrorDetail> error;
};

Assembler::Loaded Assembler::load(const MeshSource& source) const {
  Loaded out;
  try {
    out.parts = clash::split(read_whole(source, options_.input), "", options_.split);
  } catch (const Error& error) {
    out.error = error.detail();
    if (out.error->file.empty()) out.error->file = source.text();
  } catch (const std::bad_alloc&) {  // perhaps in another thread, from which nothing else may escape
    out.parts.clear();
    out.error.emplace();
    out.error->code = ErrorCode::too_large;
    out.error->message = "out of memory: use a smaller mesh or a machine with more of it";
    out.error->file = source.text();
  }
  return out;
}

void Assembler::read_sources(const std::vector<PartEntry>& entries, std::size_t begin, std::size_t end) {
  std::vector<const MeshSource*> wanted;
  std::set<std::string> seen;
  for (std::size_t i = begin; i < end; ++i) {
    std::string text = entries[i].source.text();
    if (!read_.contains(text) && seen.insert(std::move(text)).second) wanted.push_back(&entries[i].source);
  }
  std::vector<Loaded> loaded(wanted.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < wanted.size();) loaded[i] = load(*wanted[i]);
  };
  std::vector<std::thread> others;
  const auto threads = static_cast<std::size_t>(options_.input.threads);
  for (std::size_t t = 1; t < std::min(threads, wanted.size()); ++t) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (std::size_t i = 0; i < wanted.size(); ++i) keep(*wanted[i], loaded[i]);
}

void Assembler::keep(const MeshSource& source, Loaded& loaded) {
  Read& read = read_[source.text()];
  if (loaded.error) {
    read.failed = true;
    unread_.push_back(std::move(*loaded.error));
    return;
  }
  const bool whole_file = loaded.parts.size() == 1 && options_.split == clash::SplitBy::file;
  for (clash::NamedMesh& part : loaded.parts) {
    read.geometries.push_back(geometry_of(part.mesh, source, whole_file));
    read.names.push_back(std::move(part.name));
  }
}

std::uint32_t Assembler::geometry_of(const Mesh& mesh, const MeshSource& source, bool whole_file) {
  std::vector<std::uint32_t>& same_hash = by_hash_[clash::hash_of(mesh)];
  for (const std::uint32_t g : same_hash)
    if (clash::same_mesh(assembly_.geometries[g].load(), mesh)) return g;
  const auto number = static_cast<std::uint32_t>(assembly_.geometries.size());
  if (options_.out_of_core && whole_file)
    assembly_.geometries.push_back({[source, input = options_.input] {
                                      return clash::split(read_whole(source, input), "", clash::SplitBy::file)[0].mesh;
                                    },
                                    mesh.box()});
  else
    assembly_.geometries.push_back(clash::geometry(mesh));
  same_hash.push_back(number);
  triangles_of_.push_back(mesh.triangle_count());
  different_ += mesh.triangle_count();
  return number;
}

void Assembler::add_part(const PartEntry& entry) {
  const Read& read = read_.at(entry.source.text());
  if (read.failed) {
    unread_parts_.push_back({entry.name, entry.guid});
    return;
  }
  for (std::size_t i = 0; i < read.geometries.size(); ++i) {
    clash::Part part;
    part.name = entry.name + read.names[i];
    part.geometry = read.geometries[i];
    part.pose = entry.pose;
    part.group = read.geometries.size() > 1 ? entry.name : entry.group;
    part.guid = entry.guid;
    part.file = entry.source.file.generic_string();
    assembly_.parts.push_back(std::move(part));
    triangles_ += triangles_of_[read.geometries[i]];
  }
}

void Assembler::name_parts(const std::vector<std::pair<std::string, std::string>>& guids) {
  std::unordered_map<std::string, std::uint64_t> times;
  std::unordered_map<std::string, std::string> guid_of(guids.begin(), guids.end());
  std::set<std::string> taken;
  for (const clash::Part& part : assembly_.parts) taken.insert(part.name);
  for (clash::Part& part : assembly_.parts) {
    const std::string given = part.name;
    std::uint64_t& time = times[given];
    if (++time > 1) {
      do part.name = fmt::format("{}#{}", given, time);
      while (!taken.insert(part.name).second && ++time);
    }
    if (const auto listed = guid_of.find(part.name); listed != guid_of.end())
      part.guid = listed->second;
    else if (part.guid.empty() && times[given] == 1)
      part.guid = clash::ifc_guid_in(part.name).value_or("");
  }
  for (UnreadPart& part : unread_parts_)
    if (const auto listed = guid_of.find(part.name); listed != guid_of.end())
      part.guid = listed->second;
    else if (part.guid.empty())
      part.guid = clash::ifc_guid_in(part.name).value_or("");
}

}  // namespace graze::app
