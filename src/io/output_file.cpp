// SPDX-License-Identifier: MIT
#include "io/output_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <graze/core/error.hpp>

namespace graze::io {
namespace fs = std::filesystem;

OutputFile::OutputFile(const fs::path& file, bool compress) : target_(file) {
  if (compress) packer_ = std::make_unique<GzipPacker>();
  if (packer_ && packer_->refused()) fail(packer_->refused());
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::is_directory(status)) fail("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    stream_ = std::fopen(target_.string().c_str(), "wb");
    if (!stream_) fail(std::generic_category().message(errno));
  } else {
    // Renaming must replace the target of a link, not the link itself.
    if (const fs::path real = fs::canonical(target_, error); !error) target_ = real;
    open_beside();
  }
}

OutputFile::~OutputFile() {
  if (stream_) std::fclose(stream_);
  std::error_code ignored;
  if (!partial_.empty()) fs::remove(partial_, ignored);
}

void OutputFile::open_beside() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path candidate = target_;
    candidate += ".part" + std::to_string(attempt);
    stream_ = std::fopen(candidate.string().c_str(), "wbx");  // x: never an existing file, perhaps of another process
    if (stream_) {
      partial_ = candidate;
      return;
    }
    if (errno != EEXIST) break;
  }
  fail(std::generic_category().message(errno));
}

void OutputFile::flush(bool last) {
  if (packer_)
    packer_->pack(buffer_, last, [this](const char* data, std::size_t size) { write(data, size); });
  else
    write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void OutputFile::write(const char* data, std::size_t size) {
  if (size > 0 && std::fwrite(data, 1, size, stream_) != size) fail(std::generic_category().message(errno));
}

void OutputFile::finish() {
  flush(true);
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail(std::generic_category().message(errno));
  if (partial_.empty()) return;
  std::error_code error;
  const fs::file_status old = fs::status(target_, error);
  if (fs::exists(old)) fs::permissions(partial_, old.permissions(), error);
  fs::rename(partial_, target_, error);
  if (error) fail(error.message());
  partial_.clear();
}

void OutputFile::fail(const std::string& why) {
  ErrorDetail detail;
  detail.code = ErrorCode::cannot_write;
  detail.file = target_.string();
  detail.message = "cannot write the file: " + why + "; check the folder, its permissions and the space left";
  throw Error(std::move(detail));
}

}  // namespace graze::io
