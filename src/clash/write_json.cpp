// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>

#include "clash/writers.hpp"

namespace graze::clash {

namespace {

/// How many bytes of a valid character begin here; 0: it is none. (No overlong forms, no surrogates.)
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool outside = (byte(0) == 0xED && byte(1) >= 0xA0) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : size;
}

/// With its quotes.
std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr const char* digits = "0123456789abcdef";
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

class JsonWriter {
 public:
  JsonWriter(const Assembly& assembly, const Report& report, io::OutputFile& out)
      : assembly_(assembly), report_(report), out_(out) {}

  void write() {
    out_ << "{\"version\": 1, \"report\": \"clash\", \"unit\": " << json_text(report_.unit)
         << ", \"metres_per_unit\": ";
    number(report_.metres);
    out_ << ", \"status\": \"" << graze::name(report_.status) << "\", \"complete\": " << flag(report_.complete)
         << ", \"clearance\": ";
    number(report_.clearance);
    out_ << ", \"tolerance\": ";
    number(report_.tolerance);
    out_ << ", \"compared\": " << flag(report_.compared) << ",\n\"parts\": ";
    list(assembly_.parts, [&](const Part& p) { part(p); });
    out_ << ",\n\"clashes\": ";
    list(report_.clashes, [&](const ListedClash& c) { clash(c); });
    out_ << ",\n\"repeats\": ";
    list(report_.repeats,
         [&](const RepeatedClash& r) { out_ << "{\"first\": " << r.first << ", \"count\": " << r.count << '}'; });
    out_ << ",\n\"gone\": ";
    list(report_.gone, [&](const EarlierClash& gone) {
      out_ << "{\"a\": " << json_text(gone.a) << ", \"b\": " << json_text(gone.b) << ", \"kind\": \""
           << clash::name(gone.kind) << "\"}";
    });
    out_ << ",\n\"unanswered\": ";
    list(report_.unanswered, [&](const Unanswered& u) {
      out_ << "{\"a\": " << u.a << ", \"b\": ";
      if (u.b)
        out_ << *u.b;
      else
        out_ << "null";
      out_ << ", \"error\": ";
      error(u.error);
      out_ << '}';
    });
    out_ << ",\n\"unread\": ";
    list(report_.unread, [&](const ErrorDetail& e) { error(e); });
    out_ << "}\n";
  }

 private:
  static const char* flag(bool value) { return value ? "true" : "false"; }

  template <class List, class Write>
  void list(const List& entries, Write&& write_entry) {
    out_ << '[';
    const char* separator = "\n";
    for (const auto& entry : entries) {
      out_ << separator;
      write_entry(entry);
      separator = ",\n";
    }
    out_ << ']';
  }
  void number(double x) {
    if (std::isfinite(x))
      out_ << x;
    else
      out_ << "null";
  }
  void point(const Vec3& p) {
    out_ << '[';
    number(p.x);
    out_ << ", ";
    number(p.y);
    out_ << ", ";
    number(p.z);
    out_ << ']';
  }

  void part(const Part& p) {
    out_ << "{\"name\": " << json_text(p.name) << ", \"group\": " << json_text(p.group)
         << ", \"guid\": " << json_text(p.guid) << ", \"file\": " << json_text(p.file)
         << ", \"geometry\": " << p.geometry << ", \"pose\": [";
    const Vec3& t = p.pose.translation();
    const Quat& q = p.pose.rotation();
    const std::array<double, 7> numbers{t.x, t.y, t.z, q.w, q.x, q.y, q.z};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) out_ << ", ";
      number(numbers[i]);
    }
    out_ << "]}";
  }

  void clash(const ListedClash& listed) {
    const Clash& c = listed.clash;
    out_ << "{\"a\": " << c.a << ", \"b\": " << c.b << ", \"name_a\": " << json_text(assembly_.parts[c.a].name)
         << ", \"name_b\": " << json_text(assembly_.parts[c.b].name) << ", \"kind\": \"" << clash::name(c.kind)
         << "\", \"inside\": ";
    if (c.contained == Containment::none)
      out_ << "null";
    else
      out_ << (c.contained == Containment::a_in_b ? "\"a\"" : "\"b\"");
    out_ << ", \"distance\": ";
    number(c.distance);
    out_ << ", \"depth\": ";
    number(c.depth);
    out_ << ", \"point_a\": ";
    point(c.points[0]);
    out_ << ", \"point_b\": ";
    point(c.points[1]);
    out_ << ", \"overlap\": ";
    if (c.overlap.empty()) {
      out_ << "null";
    } else {
      out_ << "{\"lo\": ";
      point(c.overlap.lo);
      out_ << ", \"hi\": ";
      point(c.overlap.hi);
      out_ << '}';
    }
    out_ << ", \"volume\": ";
    number(c.overlap_volume());
    out_ << ", \"repeat\": " << listed.repeat;
    if (listed.change != Change::none) out_ << ", \"change\": \"" << clash::name(listed.change) << '"';
    if (listed.before) out_ << ", \"before\": \"" << clash::name(*listed.before) << '"';
    out_ << '}';
  }

  void error(const ErrorDetail& e) {
    out_ << "{\"code\": \"" << graze::name(e.code) << "\", \"message\": " << json_text(e.text()) << '}';
  }

  const Assembly& assembly_;
  const Report& report_;
  io::OutputFile& out_;
};

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_at(text);
    out += size > 0 ? text.substr(0, size) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(size > 0 ? size : 1);
  }
  return out;
}

void write_json(const Assembly& assembly, const Report& report, io::OutputFile& out) {
  JsonWriter(assembly, report, out).write();
}

}  // namespace graze::clash
