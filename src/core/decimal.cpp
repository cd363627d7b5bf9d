// SPDX-License-Identifier: MIT
#include "core/decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace graze::core {
namespace {

using boost::multiprecision::cpp_int;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with(const char* p, const char* last, std::string_view word) {
  return static_cast<std::size_t>(last - p) >= word.size() &&
         std::equal(word.begin(), word.end(), p, [](char w, char c) { return w == lower(c); });
}

/// 0.d1 d2 ... dn times 10^point, without leading zeros. A midpoint between two doubles has fewer than 770 digits. Of
/// the digits beyond those kept here it only matters whether they are all zero; one more digit records that.
struct Decimal {
  static constexpr int most = 800;
  char digits[most + 1];
  int count = 0;
  std::int64_t point = 0;

  void add(char digit, bool& more) {
    if (count < most)
      digits[count++] = digit;
    else
      more = more || digit != '0';
  }
};

/// Reads the digits and the exponent of an unsigned number; null if there is no digit.
const char* scan(const char* p, const char* last, Decimal& d) {
  bool some = false, fraction = false, more = false;
  for (; p != last && (is_digit(*p) || (*p == '.' && !fraction)); ++p) {
    if (*p == '.') {
      fraction = true;
      continue;
    }
    some = true;
    const bool leading = d.count == 0 && *p == '0';
    if (!leading) d.add(*p, more);
    if (fraction ? leading : !leading) d.point += fraction ? -1 : 1;
  }
  if (!some) return nullptr;
  if (more) d.digits[d.count++] = '1';
  if (p != last && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    const bool negative = q != last && *q == '-';
    if (q != last && (*q == '-' || *q == '+')) ++q;
    if (q != last && is_digit(*q)) {
      std::int64_t exponent = 0;  // clamped at a value that no digit string in memory can offset
      for (; q != last && is_digit(*q); ++q) exponent = std::min<std::int64_t>(10 * exponent + (*q - '0'), 1ll << 56);
      d.point += negative ? -exponent : exponent;
      p = q;
    }
  }
  return p;
}

cpp_int power_of_ten(std::int64_t n) { return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(n)); }

/// Correctly rounded; infinity or zero beyond the range of double.
double nearest(const Decimal& d) {
  if (d.count == 0 || d.point < -323) return 0;  // below 10^-323 / 10 < half of the least double, 2^-1074
  if (d.point > 309) return std::numeric_limits<double>::infinity();
  cpp_int above(std::string(d.digits, static_cast<std::size_t>(d.count))), below = 1;
  const std::int64_t exponent = d.point - d.count;
  (exponent > 0 ? above : below) *= power_of_ten(std::abs(exponent));
  // q = floor(above / below * 2^shift) lies between 2^61 and 2^63.
  const int shift = 62 - (static_cast<int>(msb(above)) - static_cast<int>(msb(below)));
  (shift > 0 ? above : below) <<= static_cast<unsigned>(std::abs(shift));
  cpp_int quotient, rest;
  divide_qr(above, below, quotient, rest);
  const auto q = static_cast<std::uint64_t>(quotient);
  const int top = static_cast<int>(msb(quotient));
  // At most 53 bits are kept, and none below 2^-1074; for numbers near the underflow limit the count is 0 or negative.
  const int kept_bits = std::min(53, top - shift + 1075);
  if (kept_bits < 0) return 0;
  const int dropped = top + 1 - kept_bits;  // 9 to 63
  std::uint64_t kept = q >> dropped;
  const std::uint64_t tail = q & ((std::uint64_t{1} << dropped) - 1), half = std::uint64_t{1} << (dropped - 1);
  if (tail > half || (tail == half && (rest != 0 || kept % 2 != 0))) ++kept;
  return std::ldexp(static_cast<double>(kept), dropped - shift);  // exact, or infinite
}

/// Parses an optional "(letters, digits and underscores)" after "nan".
const char* after_nan(const char* p, const char* last) {
  if (p == last || *p != '(') return p;
  const char* q = p + 1;
  while (q != last && (is_digit(*q) || *q == '_' || (lower(*q) >= 'a' && lower(*q) <= 'z'))) ++q;
  return q != last && *q == ')' ? q + 1 : p;
}

template <class Float>
std::to_chars_result print(char* first, char* last, Float value) {
  char text[400];
  char* end = fmt::format_to(text, "{}", value);
  const auto give = [&]() -> std::to_chars_result {
    if (end - text > last - first) return {last, std::errc::value_too_large};
    return {std::copy(text, end, first), std::errc()};
  };
  if (!std::isfinite(value) || value == 0) return give();
  // The digits of this text are correct; the rule for when to use an exponent differs.
  Decimal d;
  scan(text + (*text == '-' ? 1 : 0), end, d);
  while (d.count > 1 && d.digits[d.count - 1] == '0') --d.count;
  const int n = d.count, exponent = static_cast<int>(d.point) - 1;
  const int scientific = n + (n > 1 ? 1 : 0) + (std::abs(exponent) < 100 ? 4 : 5);
  const int fixed = exponent < 0 ? n - exponent + 1 : exponent < n - 1 ? n + 1 : exponent + 1;
  const std::string_view digits(d.digits, static_cast<std::size_t>(n)), sign = value < 0 ? "-" : "";
  if (fixed > scientific)
    end = fmt::format_to(text, "{}{}{}{}e{}{:02}", sign, digits[0], n > 1 ? "." : "", digits.substr(1),
                         exponent < 0 ? '-' : '+', std::abs(exponent));
  else if (exponent >= n - 1)  // an integer: its exact value has the same length
    end = fmt::format_to(text, "{:.0f}", value);
  else if (exponent >= 0)
    end = fmt::format_to(text, "{}{}.{}", sign, digits.substr(0, static_cast<std::size_t>(exponent) + 1),
                         digits.substr(static_cast<std::size_t>(exponent) + 1));
  else
    end = fmt::format_to(text, "{}0.{:0>{}}{}", sign, "", -exponent - 1, digits);
  return give();
}

}  // namespace

std::from_chars_result parse_decimal(const char* first, const char* last, double& value) {
  const char* p = first;
  const bool negative = p != last && *p == '-';
  if (negative) ++p;
  double size = 0;
  const char* end = nullptr;
  if (starts_with(p, last, "inf")) {
    size = std::numeric_limits<double>::infinity();
    end = p + (starts_with(p, last, "infinity") ? 8 : 3);
  } else if (starts_with(p, last, "nan")) {
    size = std::numeric_limits<double>::quiet_NaN();
    end = after_nan(p + 3, last);
  } else {
    Decimal d;
    end = scan(p, last, d);
    if (!end) return {first, std::errc::invalid_argument};
    size = nearest(d);
    if (std::isinf(size) || (size == 0 && d.count > 0)) return {end, std::errc::result_out_of_range};
  }
  value = negative ? -size : size;
  return {end, std::errc()};
}

std::to_chars_result print_decimal(char* first, char* last, double value) { return print(first, last, value); }
std::to_chars_result print_decimal(char* first, char* last, float value) { return print(first, last, value); }

}  // namespace graze::core
