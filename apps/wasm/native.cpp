// SPDX-License-Identifier: MIT
// The engine of web/graze compiled natively, for the test that compares the two. It reads requests, one a line, and
// writes a line for each. What a page does with the module's memory, it does with requests of its own: "memory.put"
// (bytes as hexadecimal digits), "memory.get", "memory.free", "many".
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>

#include <hwy/targets.h>

#include "engine.hpp"

extern "C" std::size_t graze_ask(const char* text, std::size_t size);
extern "C" const char* graze_reply();
extern "C" int graze_many(int question, std::uint32_t a, std::uint32_t b, const double* poses, std::size_t count,
                          double* out);

namespace {

using graze::app::Json;
constexpr char digits[] = "0123456789abcdef";
#ifdef HWY_AVX2
constexpr std::int64_t wide_vectors = HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL;
#else
constexpr std::int64_t wide_vectors = 0;
#endif

/// An address, and how many bytes.
std::span<unsigned char> place(const Json& request) {
  return {reinterpret_cast<unsigned char*>(request.at("place").at(0).get<std::uintptr_t>()),
          request.at("place").at(1).get<std::size_t>()};
}

unsigned value(char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

Json put(const Json& request) {
  const auto& text = request.at("bytes").get_ref<const std::string&>();
  auto* const bytes = static_cast<unsigned char*>(std::malloc(text.size() / 2 + 8));
  for (std::size_t i = 0; i < text.size() / 2; ++i)
    bytes[i] = static_cast<unsigned char>(value(text[2 * i]) << 4 | value(text[2 * i + 1]));
  return Json{{"place", Json::array({reinterpret_cast<std::uintptr_t>(bytes), text.size() / 2})}};
}

Json get(const Json& request) {
  std::string text;
  for (const unsigned char byte : place(request)) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return Json{{"bytes", text}};
}

Json many(const Json& request) {
  const auto address = [&](const char* key) {
    return reinterpret_cast<double*>(request.at(key).get<std::uintptr_t>());
  };
  return Json{{"refused", graze_many(request.at("question"), request.at("a"), request.at("b"), address("poses"),
                                     request.at("count"), address("out"))}};
}

std::string reply_to(const std::string& line) {
  const Json request = Json::parse(line, nullptr, false);
  const std::string question = request.is_object() ? request.value("do", "") : "";
  if (question == "memory.put") return put(request).dump();
  if (question == "memory.get") return get(request).dump();
  if (question == "memory.free") return std::free(place(request).data()), "{}";
  if (question == "many") return many(request).dump();
  const std::size_t size = graze_ask(line.data(), line.size());
  return {graze_reply(), size};
}

}  // namespace

/// --narrow: with vectors no wider than those of WebAssembly.
int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--narrow") hwy::DisableTargets(wide_vectors);
  for (std::string line; std::getline(std::cin, line);) std::cout << reply_to(line) << std::endl;
}
