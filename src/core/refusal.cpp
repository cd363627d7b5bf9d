// SPDX-License-Identifier: MIT
#include "core/refusal.hpp"

#include <cmath>

namespace graze::core {

ErrorDetail problem(ErrorCode code, std::string element, std::string message, std::uint64_t id) {
  return {.code = code,
          .message = std::move(message),
          .element = std::move(element),
          .id = id,
          .file = {},
          .line = ErrorDetail::none};
}

ErrorDetail bad_option(const std::string& option, std::string message) {
  return problem(ErrorCode::bad_option, "option " + option, std::move(message));
}

ErrorDetail no_such_method(std::string_view method, const std::string& names) {
  return bad_option("method", "there is no method \"" + std::string(method) + "\"; choose one of " + names);
}

std::optional<ErrorDetail> bad_threads(int threads) {
  if (threads >= 1 && threads <= most_threads) return std::nullopt;
  return bad_option("threads", "the number of threads must be between 1 and " + std::to_string(most_threads));
}

std::optional<ErrorDetail> bad_tolerance(const std::optional<double>& tolerance) {
  if (!tolerance || (*tolerance > 0 && std::isfinite(*tolerance))) return std::nullopt;
  return bad_option("tolerance", "the tolerance must be a positive, finite distance");
}

}  // namespace graze::core
