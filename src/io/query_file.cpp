// SPDX-License-Identifier: MIT
#include <graze/io/query_file.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "io/file_bytes.hpp"
#include "io/read_guarded.hpp"
#include "io/source.hpp"
#include "math/dyadic.hpp"

namespace graze {
namespace io {
namespace {

constexpr std::size_t columns = 7;
constexpr std::size_t rows_of_a_query = 8;
/// Doubles have numerators and denominators of up to 324 digits. A fraction that is not reduced may have more, but not
/// without limit.
constexpr std::size_t most_digits = 1000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_integer(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

math::BigInt integer(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  math::BigInt value = 0;
  while (!text.empty()) {  // chunks that fit into a machine word
    const std::size_t n = std::min<std::size_t>(text.size(), 18);
    std::int64_t piece = 0, unit = 1;
    for (const char c : text.substr(0, n)) {
      piece = 10 * piece + (c - '0');
      unit *= 10;
    }
    value = value * unit + piece;
    text.remove_prefix(n);
  }
  return negative ? math::BigInt(-value) : value;
}

/// numerator / denominator if that is a double; denominator > 0.
std::optional<double> exact_quotient(math::BigInt numerator, math::BigInt denominator) {
  if (numerator.is_zero()) return 0.0;
  const math::BigInt common = gcd(numerator, denominator);
  numerator /= common;
  denominator /= common;
  const auto down = static_cast<int>(msb(denominator));
  if (static_cast<int>(lsb(denominator)) != down) return std::nullopt;  // not a power of two
  const auto up = static_cast<int>(lsb(abs(numerator)));
  numerator >>= up;
  if (msb(abs(numerator)) >= 53) return std::nullopt;
  const double value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(numerator)), up - down);
  // Beyond the range of exponents it was rounded.
  const math::Dyadic back(std::isfinite(value) ? value : 0.0);
  if (back.mantissa() != numerator || back.exponent() != up - down) return std::nullopt;
  return value;
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source) {}

  QueryFile read() {
    std::string_view rest = source_.bytes;
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view text = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!text.empty()) row(text);
    }
    if (rows_ % rows_of_a_query != 0)
      refuse("the file ends in the middle of a query: it has " + std::to_string(rows_ % rows_of_a_query) +
             " of its 8 rows");
    if (rows_ == 0) refuse("the file has no queries; each is 8 rows of 7 numbers");
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(std::string message) const {
    fail_at_line(source_, std::max<std::uint64_t>(1, line_), ErrorCode::bad_file, std::move(message));
  }

  void row(std::string_view text) {
    std::array<std::string_view, columns> fields;
    std::size_t n = 0;
    bool numbers = false;
    for (bool more = true; more; ++n) {
      const std::size_t end = text.find(',');
      more = end != std::string_view::npos;
      const std::string_view field = trimmed(text.substr(0, end));
      if (more) text.remove_prefix(end + 1);
      numbers = numbers || is_integer(field);
      if (n < columns) fields[n] = field;
    }
    const bool header = first_row_ && !numbers;
    first_row_ = false;
    if (header) return;
    if (n != columns)
      refuse("a row has 7 numbers (x, y and z as numerator and denominator, and the truth), here are " +
             std::to_string(n));
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(2 * axis);
      p[axis] = coordinate(fields[k], fields[k + 1]);
    }
    add(p, truth(fields[columns - 1]));
  }

  void check_integer(std::string_view text) const {
    if (!is_integer(text)) refuse(in_quotes(text) + " is not an integer");
    if (text.size() > most_digits) refuse(in_quotes(text) + " has more than 1000 digits; reduce the fraction");
  }

  double coordinate(std::string_view numerator, std::string_view denominator) const {
    check_integer(numerator);
    check_integer(denominator);
    const math::BigInt below = integer(denominator);
    if (below.sign() <= 0) refuse("the denominator " + in_quotes(denominator) + " is not positive");
    const auto value = exact_quotient(integer(numerator), below);
    if (!value)
      refuse(in_quotes(numerator) + " / " + in_quotes(denominator) +
             " is not exactly a double; round the coordinates before writing the file");
    return *value;
  }

  std::uint8_t truth(std::string_view text) const {
    if (text != "0" && text != "1") refuse("the truth is 0 or 1, not " + in_quotes(text));
    return text == "1";
  }

  void add(const Vec3& p, std::uint8_t truth) {
    const std::size_t i = rows_++ % rows_of_a_query;
    if (i == 0) {
      result_.queries.emplace_back();
      result_.truth.push_back(truth);
    }
    if (result_.truth.back() != truth) refuse("the truth differs from that of the query's first row");
    result_.queries.back()[i] = p;
  }

  const Source& source_;
  QueryFile result_;
  std::uint64_t line_ = 0, rows_ = 0;
  bool first_row_ = true;
};

QueryFile read_queries(const Source& source) { return Reader(source).read(); }

}  // namespace
}  // namespace io

QueryFile load_queries(const std::filesystem::path& file) {
  const io::Bytes bytes = io::read_file(file);
  return io::read_unpacked(bytes.view(), file.string(), io::read_queries);
}

QueryFile parse_queries(std::span<const char> bytes, std::string_view name) {
  return io::read_unpacked({bytes.data(), bytes.size()}, name, io::read_queries);
}

}  // namespace graze
