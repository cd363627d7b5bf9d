// SPDX-License-Identifier: MIT
// A graze without zlib (GRAZE_WITH_ZLIB=OFF) refuses compressed files, and says why.
#include <filesystem>
#include <string>

#include <graze/mesh/make.hpp>

#include "unit/io/test_help.hpp"

namespace graze {
namespace {

using namespace io_test;

TEST(GzipRefused, WithTheReason) {
  const ErrorDetail reading = refusal("\x1f\x8b" + std::string(20, 'x'), MeshFormat::obj);
  EXPECT_EQ(reading.code, ErrorCode::unsupported);
  EXPECT_NE(reading.message.find("without zlib"), std::string::npos) << reading.message;
  try {
    save_mesh(make::box(), std::filesystem::temp_directory_path() / "graze_gzip_refused.obj.gz");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().code, ErrorCode::cannot_write);
    EXPECT_NE(error.detail().message.find("without zlib"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace graze
