// SPDX-License-Identifier: MIT
#include "clash/clash_print.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "output/answer.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

constexpr std::array<clash::Kind, 6> all_kinds{clash::Kind::crossing,  clash::Kind::overlap,  clash::Kind::inside,
                                               clash::Kind::duplicate, clash::Kind::touching, clash::Kind::near};

/// Line breaks in names would break the list.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

std::string plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string kinds_text(const clash::Report& report) {
  std::string out;
  for (const clash::Kind kind : all_kinds) {
    const auto count = static_cast<std::uint64_t>(std::count_if(report.clashes.begin(), report.clashes.end(),
                                                                [&](const auto& c) { return c.clash.kind == kind; }));
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count_text(count), clash::name(kind));
  }
  return out;
}

std::string changes_text(const clash::Report& report) {
  const auto fresh = static_cast<std::uint64_t>(std::count_if(
      report.clashes.begin(), report.clashes.end(), [](const auto& c) { return c.change == clash::Change::appeared; }));
  return fmt::format("{} new, {} still there, {} gone", count_text(fresh), count_text(report.clashes.size() - fresh),
                     count_text(report.gone.size()));
}

std::string clash_text(const clash::Assembly& assembly, const clash::Report& report, const clash::ListedClash& listed) {
  const clash::Clash& c = listed.clash;
  std::string what;
  if (c.kind == clash::Kind::near)
    what = fmt::format("{:.6g} {} apart", c.distance, report.unit);
  else if (c.contained != Containment::none)
    what = c.contained == Containment::a_in_b ? "the first in the second" : "the second in the first";
  else if (c.depth > 0)
    what = fmt::format("at most {:.6g} {} deep", c.depth, report.unit);
  const char* change = listed.change == clash::Change::appeared ? "  new" : "";
  return fmt::format("  {:<9}  {}, {}{}{}{}", clash::name(c.kind), one_line(assembly.parts[c.a].name),
                     one_line(assembly.parts[c.b].name), what.empty() ? "" : ": ", what, change);
}

}  // namespace

void print(const clash::Assembly& assembly, const clash::Report& report, const clash::Result& result,
           std::size_t most) {
  const std::string among = plural(assembly.parts.size(), "part", "parts");
  std::string head;
  if (!report.clashes.empty())
    head = fmt::format("{} among {}: {}", plural(report.clashes.size(), "clash", "clashes"), among, kinds_text(report));
  else if (report.status == Status::free)
    head = fmt::format("free: no clash among {}", among);
  else
    head = fmt::format("undecided: no clash found so far among {}", among);
  fmt::print("{}\n", coloured(head, report.status));
  const std::uint64_t rows = assembly.parts.size();
  if (result.rows < rows)
    fmt::print("  ended early: {} of {} parts were compared with those before them\n", count_text(result.rows),
               count_text(rows));
  if (report.compared) fmt::print("  {}\n", changes_text(report));
  const std::size_t shown = std::min(most, report.clashes.size());
  for (std::size_t i = 0; i < shown; ++i) fmt::print("{}\n", clash_text(assembly, report, report.clashes[i]));
  if (shown > 0 && shown < report.clashes.size())
    fmt::print("  and {} more; --show N shows more, -o FILE.csv writes all\n",
               count_text(report.clashes.size() - shown));
  if (report.repeats.size() < report.clashes.size())
    print_field("different",
                plural(report.repeats.size(), "clash, the others repeat it", "clashes, the others repeat these"));
  print_field("asked", fmt::format("{} near, {} ignored, {}", plural(result.near_pairs, "pair", "pairs"),
                                   count_text(result.ignored_pairs), time_text(result.seconds)));
}

void print_problems(const clash::Assembly& assembly, const clash::Report& report) {
  constexpr std::size_t most = 20;
  std::size_t printed = 0;
  const auto problem = [&](const std::string& text) {
    if (printed++ < most) fmt::print(stderr, "graze: {}\n", text);
  };
  for (const ErrorDetail& error : report.unread) problem("not read: " + message_of(error));
  for (const clash::Unanswered& u : report.unanswered) {
    const std::string& a = assembly.parts[u.a].name;
    problem(u.b ? fmt::format("no answer about {} and {}: {}", one_line(a), one_line(assembly.parts[*u.b].name),
                              message_of(u.error))
                : fmt::format("not read: {}: {}", one_line(a), message_of(u.error)));
  }
  if (printed > most) fmt::print(stderr, "graze: and {} more of this kind\n", printed - most);
}

}  // namespace graze::app
