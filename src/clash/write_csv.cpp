// SPDX-License-Identifier: MIT
#include "clash/writers.hpp"

namespace graze::clash {

namespace {

/// RFC 4180: in quotes if it holds what separates fields, and its own quotes twice.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string_view inside(Containment contained) {
  return contained == Containment::a_in_b ? "a" : contained == Containment::b_in_a ? "b" : "";
}

}  // namespace

const char* name(Change change) {
  return change == Change::appeared ? "new" : change == Change::still_there ? "still" : "";
}

void write_csv(const Assembly& assembly, const Report& report, io::OutputFile& out) {
  out << "a,b,kind,inside,distance,depth,a_x,a_y,a_z,b_x,b_y,b_z,volume,group_a,group_b,guid_a,guid_b,repeat,"
         "change\r\n";
  for (const ListedClash& listed : report.clashes) {
    const Clash& c = listed.clash;
    const Part &a = assembly.parts[c.a], &b = assembly.parts[c.b];
    out << csv_field(a.name) << ',' << csv_field(b.name) << ',' << name(c.kind) << ',' << inside(c.contained) << ','
        << c.distance << ',' << c.depth;
    for (const Vec3& p : c.points) out << ',' << p.x << ',' << p.y << ',' << p.z;
    out << ',' << c.overlap_volume() << ',' << csv_field(a.group) << ',' << csv_field(b.group) << ','
        << csv_field(a.guid) << ',' << csv_field(b.guid) << ',' << listed.repeat << ',' << name(listed.change)
        << "\r\n";
  }
  for (const EarlierClash& gone : report.gone)
    out << csv_field(gone.a) << ',' << csv_field(gone.b) << ',' << name(gone.kind) << ",,,,,,,,,,,,,,,,gone\r\n";
}

}  // namespace graze::clash
