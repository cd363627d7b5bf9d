// SPDX-License-Identifier: MIT
#include <graze/clash/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <graze/mesh/make.hpp>

#include "clash/guid.hpp"
#include "clash/writers.hpp"
#include "clash/zip.hpp"

namespace graze::clash {
namespace {

/// Cubes on a line, each touching the next, of two geometries in turn and with the given names.
Assembly line(const std::vector<std::string>& names) {
  Assembly out{{geometry(make::box()), geometry(make::box({.size = {1, 1, 1}}))}, {}};
  for (std::uint32_t i = 0; i < names.size(); ++i)
    out.parts.push_back({.name = names[i], .geometry = i % 2, .pose = Pose({double(i), 0, 0}), .group = names[i]});
  return out;
}

TEST(ClashReport, GroupsRepetitions) {
  const Assembly four = line({"a", "b", "c", "d"});
  const Report by_geometry = report(four, check(four));
  ASSERT_EQ(by_geometry.repeats.size(), 1U);
  EXPECT_EQ(by_geometry.repeats[0].count, 3U);
  EXPECT_EQ(report(four, check(four), Repeats::groups).repeats.size(), 3U);
}

TEST(ClashReport, ComparesWithAnEarlierList) {
  const Assembly four = line({"a", "b", "c", "d"});
  const Report now = report(four, check(four), Repeats::geometries,
                            std::vector<EarlierClash>{{"c", "b", Kind::crossing}, {"a", "x", Kind::near}});
  EXPECT_TRUE(now.compared);
  ASSERT_EQ(now.clashes.size(), 3U);
  EXPECT_EQ(now.clashes[0].change, Change::appeared);
  EXPECT_EQ(now.clashes[1].change, Change::still_there);
  EXPECT_EQ(now.clashes[1].before, Kind::crossing);
  ASSERT_EQ(now.gone.size(), 1U);
  EXPECT_EQ(now.gone[0].b, "x");
  // GUIDs come before names, so a part may be renamed.
  Assembly renamed = four;
  renamed.parts[1].guid = "2O2Fr$t4X7Zf8NOew3FLOH";
  const std::vector<EarlierClash> before{{"a", "2O2Fr$t4X7Zf8NOew3FLOH", Kind::touching}};
  EXPECT_EQ(report(renamed, check(renamed), Repeats::geometries, before).clashes[0].change, Change::still_there);
  // What was not asked may still be there.
  EXPECT_TRUE(report(four, check(four, {.most = 1}), Repeats::geometries, before).gone.empty());
  Assembly broken = four;
  broken.geometries[0].load = []() -> Mesh { throw Error({.message = "gone", .element = {}, .file = {}}); };
  const Report rest = report(broken, check(broken), Repeats::geometries,
                             std::vector<EarlierClash>{{"a", "b", Kind::touching}, {"b", "d", Kind::near}});
  ASSERT_EQ(rest.gone.size(), 1U);
  EXPECT_EQ(rest.gone[0].a, "b");
}

TEST(ClashReport, ClashesOfPartsThatCouldNotBeReadAreNotGone) {
  const Assembly two = line({"a", "b"});
  const std::vector<EarlierClash> before{
      {"a", "unread", Kind::touching}, {"guid", "unread", Kind::near}, {"a", "x", Kind::near}};
  const std::vector<std::string> unread{"unread", "guid"};
  const Report now = report(two, check(two), Repeats::geometries, before, unread);
  ASSERT_EQ(now.gone.size(), 1U);
  EXPECT_EQ(now.gone[0].b, "x");
  EXPECT_EQ(report(two, check(two), Repeats::geometries, before).gone.size(), 3U);
}

TEST(ClashReport, ManyPartsWithOneNameAreCounted) {
  const Assembly same = line({"a", "a", "a", "a"});
  const std::vector<EarlierClash> before(2, {"a", "a", Kind::touching});
  const Report now = report(same, check(same), Repeats::geometries, before);
  EXPECT_EQ(now.clashes[1].change, Change::still_there);
  EXPECT_EQ(now.clashes[2].change, Change::appeared);
  EXPECT_TRUE(now.gone.empty());
}

TEST(ClashReport, CsvQuotesWhatSeparatesFields) {
  const Assembly odd = line({"a, \"b\"\nc", "Tr\xC3\xA4ger"});
  const std::string csv = report_bytes(odd, report(odd, check(odd)), ReportFormat::csv);
  EXPECT_EQ(csv.substr(csv.find("\r\n") + 2, 39), "\"a, \"\"b\"\"\nc\",Tr\xC3\xA4ger,touching,,0,0,0.5,");
}

TEST(ClashReport, TextIsMadeValid) {
  EXPECT_EQ(valid_utf8("a\xC3\xA4\xF0\x9F\x98\x80"), "a\xC3\xA4\xF0\x9F\x98\x80");
  for (const char* bad : {"\x80", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"})
    EXPECT_EQ(valid_utf8(bad).substr(0, 3), "\xEF\xBF\xBD") << bad;
}

TEST(ClashReport, FindsGuidsInNames) {
  EXPECT_EQ(ifc_guid_in("IfcWall 2O2Fr$t4X7Zf8NOew3FLOH.obj"), "2O2Fr$t4X7Zf8NOew3FLOH");
  EXPECT_EQ(ifc_guid_in("00000000-0000-0000-0000-000000000001"), "0000000000000000000001");
  EXPECT_EQ(ifc_guid_in("x{FFFFFFFF-ffff-FFFF-FFFF-FFFFFFFFFFFF}"), "3$$$$$$$$$$$$$$$$$$$$$");
  EXPECT_FALSE(ifc_guid_in("bolt 17"));
  EXPECT_FALSE(ifc_guid_in("4O2Fr$t4X7Zf8NOew3FLOH"));  // more than 128 bits
  EXPECT_FALSE(ifc_guid_in("12O2Fr$t4X7Zf8NOew3FLOH"));
  EXPECT_EQ(uuid_of("a").size(), 36U);
  EXPECT_NE(uuid_of("a"), uuid_of("b"));
  EXPECT_EQ(uuid_of("a"), uuid_of("a"));
}

TEST(ClashZip, HasTheChecksumThatReadersExpect) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);  // the check value of CRC-32
  EXPECT_EQ(crc32(""), 0U);
}

TEST(ClashReport, IsTheSameForTheSameAnswer) {
  const Assembly four = line({"a", "b", "c", "d"});
  for (const ReportFormat format : {ReportFormat::csv, ReportFormat::json, ReportFormat::bcf})
    EXPECT_EQ(report_bytes(four, report(four, check(four)), format),
              report_bytes(four, report(four, check(four, {.threads = 3})), format));
}

}  // namespace
}  // namespace graze::clash
