// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <stdexcept>
#include <string_view>

#include "core/fp_guard.hpp"
#include "io/gzip.hpp"
#include "io/source.hpp"

namespace graze::io {

/// Runs a reader; exceptions of the standard library on memory exhaustion become an `Error` like all others.
template <class Read>
auto read_guarded(std::string_view name, Read&& read) {
  const core::FpGuard guard;  // numbers are rounded to nearest, whatever the caller's rounding mode
  const char* problem = "";
  try {
    return read();
  } catch (const std::bad_alloc&) {
    problem = "the file needs more memory than there is; split it, or use a machine with more";
  } catch (const std::length_error&) {
    problem = "the file has more elements than memory can hold; split it";
  }
  fail_at_element({{}, name}, "file", ErrorDetail::none, ErrorCode::too_large, problem);
}

/// The same for `read(source)` of a file's bytes, which may be compressed.
template <class Read>
auto read_unpacked(std::string_view bytes, std::string_view name, Read&& read) {
  return read_guarded(name, [&] {
    if (!is_gzip(bytes)) return read(Source{bytes, name});
    const Bytes unpacked = unpack_gzip(bytes, name);
    return read(Source{unpacked.view(), name});
  });
}

}  // namespace graze::io
