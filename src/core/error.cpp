// SPDX-License-Identifier: MIT
#include <graze/core/error.hpp>
#include <graze/core/status.hpp>

#include <utility>

namespace graze {

const char* name(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_finite: return "not_finite";
    case ErrorCode::index_out_of_range: return "index_out_of_range";
    case ErrorCode::empty_mesh: return "empty_mesh";
    case ErrorCode::bad_polygon: return "bad_polygon";
    case ErrorCode::bad_pose: return "bad_pose";
    case ErrorCode::bad_option: return "bad_option";
    case ErrorCode::file_not_found: return "file_not_found";
    case ErrorCode::bad_file: return "bad_file";
    case ErrorCode::unknown_format: return "unknown_format";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::cannot_write: return "cannot_write";
    case ErrorCode::unsupported: return "unsupported";
  }
  return "unknown";
}

const char* name(Status status) {
  switch (status) {
    case Status::free: return "free";
    case Status::contact: return "contact";
    case Status::touching_at_start: return "touching_at_start";
    case Status::undecided: return "undecided";
    case Status::invalid_request: return "invalid_request";
  }
  return "unknown";
}

std::string ErrorDetail::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line != none) (out += ':') += std::to_string(line);
    out += ": ";
  }
  if (!element.empty()) {
    out += element;
    if (id != none) (out += ' ') += std::to_string(id);
    out += ": ";
  }
  return out + message;
}

Error::Error(ErrorDetail detail) : detail_(std::move(detail)), text_(detail_.text()) {}

}  // namespace graze
