// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "interval.hpp"
#include "mesh.hpp"

namespace verify {

/// A range of triangles of a list: [first, last).
struct Range {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
  std::string text() const { return "[" + std::to_string(first) + "," + std::to_string(last) + ")"; }
};

/// Reads a certificate word by word; throws `Rejected` for anything unexpected.
class Tokens {
 public:
  explicit Tokens(std::string_view certificate) : words_(certificate) {}

  std::size_t count() const { return count_; }  ///< the number of words read
  std::string_view next() {
    ++count_;
    return words_.next();
  }
  void expect(std::string_view word) {
    if (next() != word) throw Rejected("expected " + std::string(word));
  }
  double number() {
    double x = 0;
    if (!read_number(next(), x)) throw Rejected("expected a finite number");
    return x;
  }
  std::size_t whole() {
    long long x = 0;
    if (!read_whole(next(), x) || x < 0) throw Rejected("expected a whole number");
    return static_cast<std::size_t>(x);
  }
  /// Reads the parts into which a range is divided.
  std::vector<Range> cut(const Range& range) {
    const std::size_t parts = whole();
    if (parts < 2 || parts > range.size()) throw Rejected("a cut into an impossible number of parts");
    std::vector<Range> out;
    std::size_t at = range.first;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t size = whole();
      if (size == 0 || size > range.last - at) throw Rejected("a cut whose parts are not the range");
      out.push_back({at, at + size});
      at += size;
    }
    if (at != range.last) throw Rejected("a cut whose parts are not the range");
    return out;
  }

 private:
  Words words_;
  std::size_t count_ = 0;
};

}  // namespace verify
