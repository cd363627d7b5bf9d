// SPDX-License-Identifier: MIT
// The few parts of a test library that the tests on a device need.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  std::function<void()> body;
};
inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}
inline int& failures() {
  static int count = 0;
  return count;
}
struct Register {
  Register(const char* name, std::function<void()> body) { tests().push_back({name, std::move(body)}); }
};
inline bool expect(bool holds, const char* what, const char* file, int line) {
  if (!holds) {
    std::printf("%s:%d: not so: %s\n", file, line, what);
    ++failures();
  }
  return holds;
}

}  // namespace check

#define GPU_TEST(name)                                         \
  static void name();                                          \
  static const check::Register registered_##name(#name, name); \
  static void name()
#define EXPECT(condition) check::expect(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
