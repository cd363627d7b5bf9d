// SPDX-License-Identifier: MIT
// usage: graze_gpu_tests [PART_OF_A_NAME]. Exit code 77: there is no device.
#include <cstring>
#include <exception>

#include <graze/gpu/device.hpp>

#include "check.hpp"

int main(int count, char** words) {
  if (const auto problem = graze::gpu::device_problem()) {
    std::printf("skipped: %s\n", problem->text().c_str());
    return 77;
  }
  for (const graze::gpu::DeviceInfo& d : graze::gpu::devices())
    std::printf("device %d: %s, %d.%d\n", d.number, d.name.c_str(), d.major, d.minor);
  int failed = 0;
  for (const check::Test& test : check::tests()) {
    if (count > 1 && !std::strstr(test.name, words[1])) continue;
    check::failures() = 0;
    try {
      test.body();
    } catch (const std::exception& e) {
      std::printf("%s\n", e.what());
      ++check::failures();
    }
    std::printf("%-8s %s\n", check::failures() ? "FAILED" : "ok", test.name);
    std::fflush(stdout);
    failed += check::failures() > 0;
  }
  std::printf("%d of %zu tests failed\n", failed, check::tests().size());
  return failed > 0;
}
