// SPDX-License-Identifier: MIT
#include "robot/urdf/xml.hpp"

#include <cmath>
#include <fstream>
#include <locale>
#include <sstream>
#include <utility>

namespace graze::robot {

namespace {

[[noreturn]] void fail_at(ErrorCode code, const std::string& file, std::string element, std::string message,
                          int line = 0) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.element = std::move(element);
  if (line > 0) detail.line = static_cast<std::uint64_t>(line);
  detail.message = std::move(message);
  throw Error(std::move(detail));
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

/// <link name="a">
std::string element_text(const Element& at) {
  const char* const name = at.Attribute("name");
  return "<" + std::string(at.Name()) + (name ? " name=" + in_quotes(name) : "") + ">";
}

}  // namespace

XmlFile::XmlFile(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code error;
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, error)) in.open(file, std::ios::binary);
  if (!in.is_open())
    fail_at(ErrorCode::file_not_found, name_, "file",
            "cannot read the file: it is not there, or is not a plain file; check the path");
  std::ostringstream all;
  all << in.rdbuf();
  text_ = std::move(all).str();
  if (document_.Parse(text_.data(), text_.size()) != tinyxml2::XML_SUCCESS)
    fail_at(ErrorCode::bad_file, name_, document_.ErrorLineNum() > 0 ? "" : "file",
            std::string("this is no XML file: ") + document_.ErrorName() + "; export it again",
            document_.ErrorLineNum());
  if (!document_.RootElement()) fail_at(ErrorCode::bad_file, name_, "file", "it has no element; export it again");
  refuse_xacro(root());
  if (std::string(root().Name()) != "robot")
    fail(root(), "the first element must be <robot>; this is no URDF or SRDF file");
}

/// Iterative: a file may nest its elements to any depth that the parser takes.
void XmlFile::refuse_xacro(const Element& from) const {
  std::vector<const Element*> open{&from};
  while (!open.empty()) {
    const Element& e = *open.back();
    open.pop_back();
    bool is_xacro = std::string(e.Name()).rfind("xacro:", 0) == 0;
    for (const tinyxml2::XMLAttribute* a = e.FirstAttribute(); a; a = a->Next())
      is_xacro = is_xacro || std::string(a->Value()).find("${") != std::string::npos ||
                 std::string(a->Value()).find("$(") != std::string::npos;
    if (is_xacro)
      fail(e, "this is a xacro file, which must be expanded first: xacro " + name_ + " > robot.urdf",
           ErrorCode::unknown_format);
    for (const Element* c = e.LastChildElement(); c; c = c->PreviousSiblingElement()) open.push_back(c);
  }
}

void XmlFile::fail(const Element& at, std::string message, ErrorCode code) const {
  fail_at(code, name_, element_text(at), std::move(message), at.GetLineNum());
}

std::string XmlFile::place(const Element& at) const {
  return name_ + ":" + std::to_string(at.GetLineNum()) + ": " + element_text(at);
}

std::string XmlFile::attribute(const Element& at, const char* name) const {
  const char* const value = at.Attribute(name);
  if (!value || !*value) fail(at, "needs the attribute " + std::string(name) + "=\"...\"");
  return value;
}

std::vector<double> XmlFile::numbers(const Element& at, const char* name, std::size_t count) const {
  const char* const text = at.Attribute(name);
  if (!text) return {};
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    std::istringstream in(word);
    in.imbue(std::locale::classic());
    double x = 0;
    if (!(in >> x) || !in.eof() || !std::isfinite(x))
      fail(at, "the attribute " + std::string(name) + "=" + in_quotes(text) + " must hold finite numbers; " +
                   in_quotes(word) + " is none");
    numbers.push_back(x);
  }
  if (count && numbers.size() != count)
    fail(at, "the attribute " + std::string(name) + "=" + in_quotes(text) + " must have " + std::to_string(count) +
                 " numbers, not " + std::to_string(numbers.size()));
  return numbers;
}

std::vector<double> XmlFile::needed_numbers(const Element& at, const char* name, std::size_t count) const {
  attribute(at, name);
  return numbers(at, name, count);
}

std::vector<const Element*> children(const Element& of, const char* name) {
  std::vector<const Element*> all;
  for (const Element* c = of.FirstChildElement(name); c; c = c->NextSiblingElement(name)) all.push_back(c);
  return all;
}

const Element* child(const Element& of, const char* name) { return of.FirstChildElement(name); }

}  // namespace graze::robot
