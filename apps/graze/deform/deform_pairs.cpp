// SPDX-License-Identifier: MIT
#include "deform/deform_pairs.hpp"

#include <graze/core/error.hpp>

namespace graze::app {

PairsFile::PairsFile(const std::string& name, bool steps) : name_(name), steps_(steps) {
  if (name.empty()) return;
  file_.open(name);
  file_ << "kind,a,b,c,d,t_safe,t_touch" << (steps ? ",step" : "") << '\n';
  check();
}

void PairsFile::write(const std::vector<std::string>& lines, std::size_t step) {
  if (name_.empty()) return;
  for (const std::string& line : lines) {
    file_ << line;
    if (steps_) file_ << ',' << step;
    file_ << '\n';
  }
  file_.flush();
  check();
}

void PairsFile::check() const {
  if (file_) return;
  throw Error({.code = ErrorCode::cannot_write,
               .message = "the pairs could not be written; is the folder there and writable?",
               .element = {},
               .id = ErrorDetail::none,
               .file = name_,
               .line = ErrorDetail::none});
}

}  // namespace graze::app
