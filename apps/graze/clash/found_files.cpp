// SPDX-License-Identifier: MIT
#include "clash/found_files.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <graze/clash/clash.hpp>

#include "input/refuse_file.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> endings{".obj", ".stl", ".ply", ".off"};

/// The name without ".obj" or ".obj.gz".
std::string without_ending(const fs::path& file) {
  fs::path out = file;
  if (out.extension() == ".gz") out.replace_extension();
  out.replace_extension();
  return out.generic_string();
}

bool is_mesh_file(const fs::path& file) {
  std::string name = file.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); });
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

void add_file(const fs::path& file, const fs::path& below, std::vector<FoundFile>& found) {
  const fs::path inside = below.empty() ? file.filename() : file.lexically_relative(below);
  const fs::path folder = below.empty() ? file.parent_path() : inside.parent_path();
  found.push_back({file, without_ending(inside), folder.generic_string()});
}

/// Links to folders are not followed: they may lead round in circles.
void add_folder(const fs::path& folder, const fs::path& below, std::vector<FoundFile>& found) {
  constexpr auto skip = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, skip)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored) && is_mesh_file(entry.path())) add_file(entry.path(), below, found);
  }
}

/// The files that match the components [i, end) of a pattern below a folder.
class PatternSearch {
 public:
  PatternSearch(std::vector<std::string> components, fs::path below, std::vector<FoundFile>& found)
      : components_(std::move(components)), below_(std::move(below)), found_(found) {}

  void search(const fs::path& folder, std::size_t i) {
    if (!visited_.insert({folder.generic_string(), i}).second) return;  // reached by ** in two ways
    if (i == components_.size()) return;
    const std::string& component = components_[i];
    const bool last = i + 1 == components_.size();
    if (component == "**") {
      search(folder, i + 1);
      if (last) add_folder(folder, below_, found_);
      for (const fs::path& inner : entries(folder))
        if (!last && is_folder(inner)) search(inner, i);
      return;
    }
    for (const fs::path& entry : entries(folder)) {
      const std::string name = entry.filename().string();
      if (name[0] == '.' && component[0] != '.') continue;  // hidden files, as in a shell
      if (!clash::matches(component, name)) continue;
      if (!last)
        search(entry, i + 1);
      else if (is_folder(entry))
        add_folder(entry, below_, found_);
      else if (is_mesh_file(entry))
        add_file(entry, below_, found_);
    }
  }

 private:
  static bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(fs::symlink_status(path, ignored));
  }
  static std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code ignored;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, ignored), end; !ignored && at != end;
         at.increment(ignored))
      out.push_back(folder / at->path().filename());
    return out;
  }

  std::vector<std::string> components_;
  fs::path below_;
  std::vector<FoundFile>& found_;
  std::set<std::pair<std::string, std::size_t>> visited_;
};

void search_pattern(const std::string& pattern, std::vector<FoundFile>& found) {
  fs::path base;
  std::vector<std::string> components;
  for (const fs::path& part : fs::path(pattern)) {
    if (components.empty() && !is_pattern(part.string()))
      base /= part;
    else if (!part.empty())
      components.push_back(part.string());
  }
  PatternSearch(std::move(components), base.empty() ? fs::path(".") : base, found)
      .search(base.empty() ? fs::path(".") : base, 0);
}

}  // namespace

std::vector<FoundFile> find_files(const std::string& argument) {
  std::vector<FoundFile> found;
  std::error_code ignored;
  if (fs::is_directory(argument, ignored)) {
    add_folder(argument, argument, found);
    if (found.empty())
      refuse_file(ErrorCode::file_not_found, argument, "the folder holds no mesh file (.obj, .stl, .ply, .off)");
  } else if (fs::exists(argument, ignored)) {
    add_file(argument, {}, found);
  } else if (is_pattern(argument)) {
    search_pattern(argument, found);
    if (found.empty())
      refuse_file(ErrorCode::file_not_found, argument, "no mesh file (.obj, .stl, .ply, .off) matches this pattern");
  } else {
    refuse_file(ErrorCode::file_not_found, argument, "there is no such file or folder");
  }
  std::sort(found.begin(), found.end(), [](const FoundFile& x, const FoundFile& y) { return x.file < y.file; });
  found.erase(
      std::unique(found.begin(), found.end(), [](const FoundFile& x, const FoundFile& y) { return x.file == y.file; }),
      found.end());
  return found;
}

}  // namespace graze::app
