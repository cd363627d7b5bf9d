// SPDX-License-Identifier: MIT
#include <graze/clash/report.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "clash/writers.hpp"
#include "core/refusal.hpp"
#include "io/output_file.hpp"

namespace graze::clash {

namespace {

using Keys = std::pair<std::string_view, std::string_view>;
Keys keys_of(const std::string& a, const std::string& b) { return a < b ? Keys{a, b} : Keys{b, a}; }

/// What clashes have in common that repeat one another.
using Sameness = std::tuple<Kind, std::uint32_t, std::uint32_t>;

void group(const Assembly& assembly, Repeats repeats, Report& report) {
  std::unordered_map<std::string_view, std::uint32_t> group_numbers;
  const auto label = [&](std::uint32_t part) {
    const Part& p = assembly.parts[part];
    if (repeats == Repeats::geometries) return p.geometry;
    return group_numbers.try_emplace(p.group, static_cast<std::uint32_t>(group_numbers.size())).first->second;
  };
  std::map<Sameness, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < report.clashes.size(); ++i) {
    ListedClash& listed = report.clashes[i];
    const auto [x, y] = std::minmax({label(listed.clash.a), label(listed.clash.b)});
    const auto [entry, fresh] =
        numbers.try_emplace({listed.clash.kind, x, y}, static_cast<std::uint32_t>(report.repeats.size()));
    if (fresh) report.repeats.push_back({i, 0});
    listed.repeat = entry->second;
    ++report.repeats[listed.repeat].count;
  }
}

void compare(const Assembly& assembly, const std::vector<EarlierClash>& earlier, bool whole,
             std::span<const std::string> unread, Report& report) {
  report.compared = true;
  // Several parts may have one name: then as many clashes are still there as there were before, the first ones.
  std::map<Keys, std::vector<std::size_t>> known;
  for (std::size_t i = earlier.size(); i-- > 0;) known[keys_of(earlier[i].a, earlier[i].b)].push_back(i);
  std::vector<char> found(earlier.size(), 0);
  for (ListedClash& listed : report.clashes) {
    const auto entry =
        known.find(keys_of(part_key(assembly.parts[listed.clash.a]), part_key(assembly.parts[listed.clash.b])));
    listed.change = Change::appeared;
    if (entry == known.end() || entry->second.empty()) continue;
    listed.change = Change::still_there;
    const std::size_t i = entry->second.back();
    entry->second.pop_back();
    found[i] = 1;
    listed.before = earlier[i].kind;
  }
  if (!whole) return;
  std::map<std::string_view, bool> unknown;  // parts, or pairs of them, of which nothing is known
  std::map<Keys, bool> unknown_pairs;
  for (const std::string& key : unread) unknown[key] = true;
  for (const Unanswered& u : report.unanswered) {
    const std::string& a = part_key(assembly.parts[u.a]);
    if (u.b)
      unknown_pairs[keys_of(a, part_key(assembly.parts[*u.b]))] = true;
    else
      unknown[a] = true;
  }
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const EarlierClash& e = earlier[i];
    if (!found[i] && !unknown.contains(e.a) && !unknown.contains(e.b) && !unknown_pairs.contains(keys_of(e.a, e.b)))
      report.gone.push_back(e);
  }
}

void write(const Assembly& assembly, const Report& report, ReportFormat format, const std::string& date,
           io::OutputFile& out) {
  switch (format) {
    case ReportFormat::csv: return write_csv(assembly, report, out);
    case ReportFormat::json: return write_json(assembly, report, out);
    case ReportFormat::bcf: return write_bcf(assembly, report, date, out);
  }
}

}  // namespace

const std::string& part_key(const Part& part) { return part.guid.empty() ? part.name : part.guid; }

Report report(const Assembly& assembly, const Result& result, Repeats repeats,
              const std::optional<std::vector<EarlierClash>>& earlier, std::span<const std::string> unread) {
  Report out;
  out.status = result.status;
  out.complete = result.complete;
  out.unanswered = result.unanswered;
  for (const Clash& clash : result.clashes) out.clashes.push_back({.clash = clash});
  group(assembly, repeats, out);
  if (earlier) compare(assembly, *earlier, result.rows >= assembly.parts.size(), unread, out);
  return out;
}

void save_report(const Assembly& assembly, const Report& report, ReportFormat format, const std::filesystem::path& file,
                 const std::string& date) {
  io::OutputFile out(file, false);
  write(assembly, report, format, date, out);
  out.finish();
}

std::string report_bytes(const Assembly& assembly, const Report& report, ReportFormat format, const std::string& date) {
  io::OutputFile out;
  write(assembly, report, format, date, out);
  return out.take();
}

}  // namespace graze::clash
