// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "clash/guid.hpp"
#include "clash/writers.hpp"
#include "clash/zip.hpp"

namespace graze::clash {

namespace {

/// A text inside an element or attribute. XML has no way to write most control characters.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\r': out += "&#13;"; break;
      case '\t': out += "&#9;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? std::string("\xEF\xBF\xBD") : std::string(1, c);
    }
  }
  return out;
}

constexpr std::string_view xml_start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

class BcfWriter {
 public:
  BcfWriter(const Assembly& assembly, const Report& report, std::string date, io::OutputFile& out)
      : assembly_(assembly), report_(report), date_(std::move(date)), zip_(out) {}

  void write() {
    zip_.add("bcf.version",
             std::string(xml_start) + "<Version VersionId=\"2.1\"><DetailedVersion>2.1</DetailedVersion></Version>\n");
    for (std::size_t i = 0; i < report_.clashes.size(); ++i) {
      const Clash& c = report_.clashes[i].clash;
      // The same pair has the same topic in every run, so that other programs recognise it.
      std::string keys = part_key(assembly_.parts[c.a]) + '\n' + part_key(assembly_.parts[c.b]);
      const std::uint32_t times = ++times_[keys];
      if (times > 1) keys += '\n' + std::to_string(times);  // pairs of parts that have the same names
      const std::string topic = uuid_of(keys), viewpoint = uuid_of("viewpoint\n" + keys);
      zip_.add(topic + "/markup.bcf", markup(report_.clashes[i], i, topic, viewpoint));
      zip_.add(topic + "/viewpoint.bcfv", view(c, viewpoint));
    }
    zip_.finish();
  }

 private:
  static std::string number(double x) {
    io::OutputFile out;
    out << x;
    return out.take();
  }
  std::string length(double x) const { return number(x) + " " + report_.unit; }

  std::string description(const Clash& c) const {
    std::string out = assembly_.parts[c.a].name + " and " + assembly_.parts[c.b].name + ": " + name(c.kind);
    if (c.contained != Containment::none)
      out += c.contained == Containment::a_in_b ? ", the first in the second" : ", the second in the first";
    if (c.kind == Kind::near) out += ", " + length(c.distance) + " apart";
    if (c.depth > 0) out += ", at most " + length(c.depth) + " deep";
    return out;
  }

  std::string markup(const ListedClash& listed, std::size_t index, const std::string& topic,
                     const std::string& viewpoint) const {
    const Clash& c = listed.clash;
    std::string out(xml_start);
    out += "<Markup>\n<Topic Guid=\"" + topic + "\" TopicType=\"Clash\" TopicStatus=\"Open\">\n<Title>";
    out += xml_text(std::string(name(c.kind)) + ": " + assembly_.parts[c.a].name + " / " + assembly_.parts[c.b].name);
    out += "</Title>\n<Index>" + std::to_string(index) + "</Index>\n<Labels>" + name(c.kind) + "</Labels>\n";
    if (listed.change != Change::none) out += std::string("<Labels>") + name(listed.change) + "</Labels>\n";
    out += "<CreationDate>" + xml_text(date_) + "</CreationDate>\n<CreationAuthor>graze</CreationAuthor>\n";
    out += "<Description>" + xml_text(description(c)) + "</Description>\n</Topic>\n";
    out += "<Viewpoints Guid=\"" + viewpoint + "\"><Viewpoint>viewpoint.bcfv</Viewpoint></Viewpoints>\n</Markup>\n";
    return out;
  }

  std::string component(const Part& part) const {
    std::string out = "<Component";
    if (is_ifc_guid(part.guid)) out += " IfcGuid=\"" + part.guid + '"';
    return out + "><OriginatingSystem>graze</OriginatingSystem><AuthoringToolId>" + xml_text(part.name) +
           "</AuthoringToolId></Component>\n";
  }

  static std::string vector(const char* element, const Vec3& v) {
    const std::string e = element;
    return "<" + e + "><X>" + number(v.x) + "</X><Y>" + number(v.y) + "</Y><Z>" + number(v.z) + "</Z></" + e + ">\n";
  }

  /// From above and aside, at a distance from which the overlap, or the gap, fills part of the picture.
  std::string view(const Clash& c, const std::string& viewpoint) const {
    const Vec3 target = (c.points[0] * 0.5 + c.points[1] * 0.5) * report_.metres;
    Vec3 extent = c.overlap.empty() ? c.points[1] - c.points[0] : c.overlap.hi - c.overlap.lo;
    const double size = graze::length(extent) * report_.metres;
    const double away = std::clamp(3 * size, 0.5, 50.0);
    const Vec3 direction{-0.5773502691896258, 0.5773502691896258, -0.5773502691896258};
    const Vec3 up{-0.4082482904638631, 0.4082482904638631, 0.8164965809277261};
    std::string out(xml_start);
    out += "<VisualizationInfo Guid=\"" + viewpoint + "\">\n<Components>\n<Selection>\n";
    out += component(assembly_.parts[c.a]) + component(assembly_.parts[c.b]);
    out += "</Selection>\n<Visibility DefaultVisibility=\"true\"/>\n</Components>\n<PerspectiveCamera>\n";
    out += vector("CameraViewPoint", target - direction * away) + vector("CameraDirection", direction) +
           vector("CameraUpVector", up);
    return out + "<FieldOfView>60</FieldOfView>\n</PerspectiveCamera>\n</VisualizationInfo>\n";
  }

  const Assembly& assembly_;
  const Report& report_;
  const std::string date_;
  ZipWriter zip_;
  std::map<std::string, std::uint32_t> times_;
};

}  // namespace

void write_bcf(const Assembly& assembly, const Report& report, const std::string& date, io::OutputFile& out) {
  BcfWriter(assembly, report, date, out).write();
}

}  // namespace graze::clash
