// SPDX-License-Identifier: MIT
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <string>
#include <vector>

#include <graze/core/error.hpp>

namespace graze::robot {

using Element = tinyxml2::XMLElement;

/// An XML file, for messages with its lines.
class XmlFile {
 public:
  /// Refuses files that are not there, no XML, or have another root than `robot`.
  explicit XmlFile(const std::filesystem::path& file);

  const Element& root() const { return *document_.RootElement(); }
  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }

  [[noreturn]] void fail(const Element& at, std::string message, ErrorCode code = ErrorCode::bad_file) const;
  /// "file:line: element", for notes.
  std::string place(const Element& at) const;
  /// An attribute that must be there and not empty.
  std::string attribute(const Element& at, const char* name) const;
  /// The numbers of an attribute; none if it is missing. They must be finite, and `count` of them, unless that is 0.
  std::vector<double> numbers(const Element& at, const char* name, std::size_t count) const;
  std::vector<double> needed_numbers(const Element& at, const char* name, std::size_t count) const;

 private:
  void refuse_xacro(const Element& from) const;

  std::string name_, text_;
  tinyxml2::XMLDocument document_;
};

/// for (const Element& link : children(root, "link")) ...; null: all.
std::vector<const Element*> children(const Element& of, const char* name);
const Element* child(const Element& of, const char* name);

}  // namespace graze::robot
