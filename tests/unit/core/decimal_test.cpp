// SPDX-License-Identifier: MIT
#include "core/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/arena.hpp"
#include "core/portability.hpp"

namespace graze::core {
namespace {

std::uint64_t bits(double x) { return bit_cast<std::uint64_t>(x); }

/// Where the standard library has no std::from_chars of doubles, core::from_chars is our own: then only the other tests
/// are meaningful.
void expect_parsed_as_std(const std::string& text) {
  double ours = -7, theirs = -7;
  const char *first = text.data(), *last = first + text.size();
  const auto a = parse_decimal(first, last, ours), b = core::from_chars(first, last, theirs);
  EXPECT_EQ(a.ec, b.ec) << text;
  EXPECT_EQ(a.ptr - first, b.ptr - first) << text;
  if (std::isnan(theirs))
    EXPECT_EQ(std::isnan(ours) && std::signbit(ours), std::signbit(theirs)) << text;
  else
    EXPECT_EQ(bits(ours), bits(theirs)) << text;
}

template <class Float>
void expect_printed_as_std(Float x) {
  char ours[40], theirs[40];
  const auto a = print_decimal(ours, ours + 40, x), b = core::to_chars(theirs, theirs + 40, x);
  const std::string text(ours, a.ptr);
  EXPECT_EQ(text, std::string(theirs, b.ptr));
  if (!std::isfinite(x)) return;
  double back = 0;
  const auto r = parse_decimal(ours, a.ptr, back);
  EXPECT_EQ(r.ec, std::errc()) << text;
  EXPECT_EQ(r.ptr, a.ptr) << text;
  EXPECT_EQ(static_cast<Float>(back), x) << text;
  EXPECT_EQ(std::signbit(back), std::signbit(x)) << text;
}

TEST(Decimal, PrintsAndReadsWhatTheStandardLibraryDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto x = bit_cast<double>(random());
    expect_printed_as_std(x);
    expect_printed_as_std(bit_cast<float>(static_cast<std::uint32_t>(random())));
    expect_printed_as_std(std::ldexp(static_cast<double>(random() % 100000), static_cast<int>(random() % 140) - 70));
    expect_printed_as_std(std::round(std::pow(10, static_cast<double>(random() % 24)) * 1e-3) / 1000);
  }
}

TEST(Decimal, SpecialNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, 1.0, 0.1, 1e5, 1e-5, 123456.0, 1e22, 1e23, 5e-324, 0x1p-1022, 0x1p-1023, 0x1p53,
                         0x1p53 + 2, 1.7976931348623157e308, 123456789012345683968.0, infinity, std::nan("")}) {
    expect_printed_as_std(x);
    expect_printed_as_std(-x);
    expect_printed_as_std(static_cast<float>(x));
  }
  char small[3];
  EXPECT_EQ(print_decimal(small, small + 3, 0.25).ec, std::errc::value_too_large);
}

TEST(Decimal, ReadsWhateverIsWritten) {
  std::mt19937_64 random(2);
  const auto digits = [&](std::uint64_t most) {
    std::string text;
    for (std::uint64_t n = random() % (most + 1); n > 0; --n) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int i = 0; i < 10000; ++i) {
    std::string text = (random() % 2 ? "-" : "") + digits(random() % 40);
    if (random() % 4) text += "." + digits(random() % 40);
    if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 720) - 360);
    expect_parsed_as_std(text);
  }
}

TEST(Decimal, SyntaxIsThatOfTheStandardLibrary) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           ".",
                           "-.",
                           ".5",
                           "5.",
                           "5.e1",
                           ".5e1",
                           "1e",
                           "1e+",
                           "1e-",
                           "1ee5",
                           "1e5.5",
                           "1.2.3",
                           "1E+05",
                           "0x10",
                           "inf",
                           "INF",
                           "-Infinity",
                           "infinit",
                           "nan",
                           "-NaN",
                           "nan(",
                           "nan(12_ab)",
                           "nan(-)",
                           "in",
                           "na",
                           "--1",
                           "0",
                           "-0",
                           "000",
                           "0e999999999999999999999",
                           "1e999999999999999999999",
                           "1e-999999999999999999999",
                           "1,5",
                           "1e400",
                           "1e-400",
                           "1e308",
                           "2e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "-2e308",
                           "0.0e-5",
                           "00012.50e0"})
    expect_parsed_as_std(text);
  expect_parsed_as_std(std::string(5000, '0') + "1" + std::string(300, '0') + "e-4");
  expect_parsed_as_std("0." + std::string(5000, '0') + "123e5000");
  expect_parsed_as_std("1" + std::string(2000, '3') + "e-1900");
}

/// Exactly half way between two doubles, and with one more or one fewer digit far behind: the hardest cases to round.
TEST(Decimal, HalfWayBetweenTwoDoubles) {
  const auto tie = [](const std::string& half, double even, double above) {
    double x = 0;
    const std::string more = half + "0000000000000000000000000000000000000000000000000000000000001";
    EXPECT_EQ(parse_decimal(half.data(), half.data() + half.size(), x).ec, std::errc());
    EXPECT_EQ(bits(x), bits(even)) << half;
    EXPECT_EQ(parse_decimal(more.data(), more.data() + more.size(), x).ec, std::errc());
    EXPECT_EQ(bits(x), bits(above)) << more;
    expect_parsed_as_std(half);
    expect_parsed_as_std(more);
    expect_parsed_as_std(half + std::string(900, '0') + "1");
  };
  tie("9007199254740993.", 9007199254740992.0, 9007199254740994.0);
  tie("1.00000000000000011102230246251565404236316680908203125", 1.0, 1.0 + 0x1p-52);
  std::mt19937_64 random(3);
  char text[1200];
  for (int i = 0; i < 300; ++i) {  // 53 bits and one more, in all their decimal digits
    const std::uint64_t mantissa = (random() >> 11 | std::uint64_t{1} << 52) & ~std::uint64_t{1};
    const int exponent = static_cast<int>(random() % 1000) - 200;  // 2^-k has k digits
    if (exponent > 0) continue;
    const auto length =
        std::snprintf(text, sizeof text, "%.*f", 1 - exponent, std::ldexp(static_cast<double>(mantissa), exponent));
    expect_parsed_as_std(std::string(text, static_cast<std::size_t>(length)));
  }
  // Half of the least double, and all smaller ones, are nothing; anything more is the least.
  double x = -7;
  const std::string half = "2.470328229206232720882843964341106861825299013071623822127928412503377536351043e-324";
  EXPECT_EQ(parse_decimal(half.data(), half.data() + half.size(), x).ec, std::errc::result_out_of_range);
  EXPECT_EQ(x, -7);
  expect_parsed_as_std(half);
  expect_parsed_as_std("2.4703282292062328e-324");
  expect_parsed_as_std("7.4109846876186981626485318930233205854758970392148714663837852375101326090531312e-324");
}

TEST(Arena, ListsOutgrowTheirSpace) {
  alignas(std::max_align_t) std::byte space[256];
  Arena arena(space, sizeof space);
  ArenaVector<std::uint64_t> a(&arena), b(&arena);
  ArenaVector<char> c(&arena);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    a.push_back(i);
    c.push_back(static_cast<char>(i));
    b.push_back(~i);
  }
  for (std::uint64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(a[i], i);
    ASSERT_EQ(b[i], ~i);
    ASSERT_EQ(c[i], static_cast<char>(i));
  }
  const ArenaVector<std::uint64_t> copy = a, moved = std::move(b);
  EXPECT_EQ(copy.get_allocator().arena(), nullptr);  // may outlive the arena
  EXPECT_EQ(moved.get_allocator().arena(), &arena);
  EXPECT_EQ(copy, a);
}

}  // namespace
}  // namespace graze::core
