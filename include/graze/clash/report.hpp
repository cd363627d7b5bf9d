// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <graze/clash/clash.hpp>
#include <graze/core/export.hpp>

/// Lists of clashes for people and other programs: grouped, compared with an earlier list, and written to files.
namespace graze::clash {

/// When clashes count as repetitions of one another: they are of the same kind, between the same two ...
enum class Repeats {
  geometries,  ///< ... geometries: the same bolt in the same plate, many times
  groups       ///< ... groups
};

enum class Change {
  none,        ///< not compared
  appeared,    ///< was not in the earlier list; written as "new"
  still_there  ///< "still"
};

/// A clash of an earlier list, by what its parts are called: see `part_key`.
struct EarlierClash {
  std::string a, b;
  Kind kind = Kind::touching;
};

/// How a part is recognised in another run: by its GUID, or by its name if it has none.
GRAZE_API const std::string& part_key(const Part& part);

struct ListedClash {
  Clash clash;
  std::uint32_t repeat = 0;  ///< index into `Report::repeats`
  Change change = Change::none;
  std::optional<Kind> before = {};  ///< the earlier kind, of a clash that is still there
};

/// Clashes that repeat one another.
struct RepeatedClash {
  std::uint32_t first = 0;  ///< index into `Report::clashes`
  std::uint32_t count = 0;
};

struct Report {
  /// Of all coordinates and lengths, and how many metres it is. Nothing is converted, except for BCF.
  std::string unit = "m";
  double metres = 1;
  double clearance = 0, tolerance = 0;  ///< as asked
  Status status = Status::undecided;    ///< as in the result, and so on
  bool complete = false;
  bool compared = false;               ///< with an earlier list
  std::vector<ListedClash> clashes;    ///< in the order of the result
  std::vector<RepeatedClash> repeats;  ///< in the order of their first clashes
  std::vector<EarlierClash> gone;      ///< in the earlier list, and no longer; in its order
  std::vector<Unanswered> unanswered;
  /// Files that are no parts because they could not be read.
  std::vector<ErrorDetail> unread;
};

/// Groups the clashes of a result and, if an earlier list is given, compares them with it. A pair is the same if its
/// parts are, whatever the kind; an earlier clash of a part that is unanswered now is not `gone`, and none is if rows
/// are missing (`Result::rows`). `unread`: what parts are called that are not in the assembly because they could not be
/// read. Of their earlier clashes nothing is known, so these are not `gone`, either.
GRAZE_API Report report(const Assembly& assembly, const Result& result, Repeats repeats = Repeats::geometries,
                        const std::optional<std::vector<EarlierClash>>& earlier = {},
                        std::span<const std::string> unread = {});

/// docs/clash.md describes the files.
enum class ReportFormat {
  csv,   ///< RFC 4180: a line for each clash, and for each that is gone
  json,  ///< one object
  bcf    ///< BCF 2.1: a zip with a topic for each clash
};

/// Writes a report. Throws `Error` (cannot_write). `date`: of the topics of BCF, as "2026-11-19T13:58:00Z".
GRAZE_API void save_report(const Assembly& assembly, const Report& report, ReportFormat format,
                           const std::filesystem::path& file, const std::string& date = "1970-01-01T00:00:00Z");
/// The same bytes in memory.
GRAZE_API std::string report_bytes(const Assembly& assembly, const Report& report, ReportFormat format,
                                   const std::string& date = "1970-01-01T00:00:00Z");

/// The GUID of IFC (22 characters) that a text contains by itself, between characters that cannot be part of one; or
/// that of a UUID with its 36 characters. Nothing: there is none.
GRAZE_API std::optional<std::string> ifc_guid_in(const std::string& text);

}  // namespace graze::clash
