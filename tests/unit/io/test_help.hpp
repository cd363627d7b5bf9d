// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>

namespace graze::io_test {

inline Mesh parse(std::string_view text, MeshFormat format, std::string_view name = "test") {
  return parse_mesh({text.data(), text.size()}, format, name);
}

/// The refusal of these bytes; fails the test where they are read.
inline ErrorDetail refusal(std::string_view bytes, MeshFormat format) {
  try {
    parse(bytes, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().file, "test");
    EXPECT_FALSE(error.detail().message.empty());
    EXPECT_TRUE(error.detail().line != ErrorDetail::none || !error.detail().element.empty()) << error.what();
    return error.detail();
  }
  ADD_FAILURE() << "was read: " << bytes.substr(0, 200);
  return {};
}

inline void expect_refused_at_line(std::string_view text, MeshFormat format, ErrorCode code, std::uint64_t line) {
  const ErrorDetail detail = refusal(text, format);
  EXPECT_STREQ(name(detail.code), name(code)) << detail.text();
  EXPECT_EQ(detail.line, line) << detail.text();
}

inline void expect_refused_at(std::string_view bytes, MeshFormat format, ErrorCode code, std::string_view element,
                              std::uint64_t id) {
  const ErrorDetail detail = refusal(bytes, format);
  EXPECT_STREQ(name(detail.code), name(code)) << detail.text();
  EXPECT_EQ(detail.element, element) << detail.text();
  EXPECT_EQ(detail.id, id) << detail.text();
}

inline std::vector<std::uint32_t> polygon(const Mesh& mesh, std::uint32_t id) {
  const auto corners = mesh.polygon(PolygonId{id});
  return {corners.begin(), corners.end()};
}

/// A square of four vertices, and a triangle that takes three of them.
inline void expect_square(const Mesh& mesh) {
  ASSERT_EQ(mesh.vertex_count(), 4u);
  ASSERT_EQ(mesh.polygon_count(), 2u);
  EXPECT_EQ(mesh.positions()[2], (Vec3{1, 1, 0}));
  EXPECT_EQ(polygon(mesh, 0), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(polygon(mesh, 1), (std::vector<std::uint32_t>{3, 1, 0}));
}

/// Bytes of a value in the given order, for hand-made binary files.
template <class T>
std::string bytes_of(T value, std::endian order = std::endian::little) {
  std::string out(sizeof(T), '\0');
  std::memcpy(out.data(), &value, sizeof(T));
  if (order != std::endian::native) out = std::string(out.rbegin(), out.rend());
  return out;
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// A folder of this test alone, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / (std::string("graze_io_") + info->test_suite_name() + "_" +
                                                      info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace graze::io_test
