// SPDX-License-Identifier: MIT
#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

void refuse(std::string_view text, ErrorCode code, std::uint64_t line) {
  expect_refused_at_line(text, MeshFormat::off, code, line);
}

const std::string data = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 3 1 0\n";

TEST(Off, Plain) {
  for (const char* header :
       {"OFF\n4 2 0\n", "OFF 4 2 5\n", "OFF\n4 2\n", "# by hand\n\nOFF # here\n# and there\n4 2 0 # counts\n"}) {
    expect_square(parse(header + data, MeshFormat::off));
    expect_square(parse(replaced(header + data, "\n", "\r\n"), MeshFormat::off));
  }
  expect_square(parse("OFF\n4 2 0\n" + data.substr(0, data.size() - 1), MeshFormat::off));
  expect_square(parse("OFF\n4 2 0\n" + replaced(data, "\n", "\n\n# between\n"), MeshFormat::off));
}

TEST(Off, ColoursAfterFaces) {
  for (const char* colour : {" 7", " 255 0 0", " 0.5 0.5 0.5 1", " 1 2 3 # red"})
    expect_square(parse("OFF\n4 2 0\n" + replaced(data, "3 3 1 0", std::string("3 3 1 0") + colour), MeshFormat::off));
  refuse("OFF\n4 2 0\n" + replaced(data, "3 3 1 0", "3 3 1 0 1 2 3 4 5"), ErrorCode::bad_file, 8);
  refuse("OFF\n4 2 0\n" + replaced(data, "3 3 1 0", "3 3 1 0 red"), ErrorCode::bad_file, 8);
}

TEST(Off, VariantsWithColoursAndNormals) {
  const std::string rest = "4 0 1 2 3\n3 3 1 0\n";
  for (const auto& [keyword, extra] : {std::pair{"COFF", " 255 0 0 255"},
                                       {"COFF", " 255 0 0"},
                                       {"NOFF", " 0 0 1"},
                                       {"CNOFF", " 0 0 1 1 1 1 1"},
                                       {"STOFF", " 0 1"},
                                       {"STCNOFF", " 0 0 1 1 1 1 1 0 1"}}) {
    std::string text = std::string(keyword) + "\n4 2 0\n";
    for (const char* p : {"0 0 0", "1 0 0", "1 1 0", "0 1 0"}) text += std::string(p) + extra + "\n";
    expect_square(parse(text + rest, MeshFormat::off));
  }
  refuse("OFF\n4 2 0\n0 0 0 1\n", ErrorCode::bad_file, 3);
}

TEST(Off, BrokenHeaders) {
  refuse("", ErrorCode::empty_mesh, 1);
  refuse("4 2 0\n" + data, ErrorCode::bad_file, 1);
  refuse("off\n4 2 0\n" + data, ErrorCode::bad_file, 1);
  refuse("4OFF\n4 2 0\n" + data, ErrorCode::bad_file, 1);
  refuse("nOFF\n3\n4 2 0\n" + data, ErrorCode::bad_file, 1);
  refuse("OFF BINARY\n", ErrorCode::bad_file, 1);
  refuse("OFF", ErrorCode::bad_file, 1);
  refuse("OFF\n4\n" + data, ErrorCode::bad_file, 2);
  refuse("OFF\n-4 2 0\n" + data, ErrorCode::bad_file, 2);
  refuse("OFF\n4 x 0\n" + data, ErrorCode::bad_file, 2);
  refuse("OFF\n4 2 0 0\n" + data, ErrorCode::bad_file, 2);
  refuse("OFF\n4 0 0\n" + data.substr(0, 24), ErrorCode::empty_mesh, 7);
}

TEST(Off, BrokenData) {
  const std::string header = "OFF\n4 2 0\n";
  refuse(header + "0 0 0\n1 0 0\n", ErrorCode::bad_file, 5);
  refuse(header + replaced(data, "1 1 0", "1 nan 0"), ErrorCode::not_finite, 5);
  refuse(header + replaced(data, "1 1 0", "1 1"), ErrorCode::bad_file, 5);
  refuse(header + replaced(data, "3 3 1 0", "3 3 1 4"), ErrorCode::index_out_of_range, 8);
  refuse(header + replaced(data, "3 3 1 0", "3 3 1 -1"), ErrorCode::index_out_of_range, 8);
  refuse(header + replaced(data, "3 3 1 0", "2 3 1"), ErrorCode::bad_polygon, 8);
  refuse(header + replaced(data, "3 3 1 0", "-3 3 1 0"), ErrorCode::bad_polygon, 8);
  refuse(header + replaced(data, "3 3 1 0", "4 3 1 0"), ErrorCode::bad_file, 8);
  refuse(header + replaced(data, "3 3 1 0", ""), ErrorCode::bad_file, 9);
  refuse(header + data + "3 0 1 2\n", ErrorCode::bad_file, 9);
}

}  // namespace
}  // namespace graze
