// SPDX-License-Identifier: MIT
#include "core/large_memory.hpp"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace graze::core {

namespace {

constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t alignment = bytes >= large_page ? large_page : line;
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
#ifdef __linux__
  // Whole pages only: what is left over stays on small ones, so that no memory is taken that holds nothing. A system
  // that refuses changes nothing but the time.
  if (bytes >= large_page) madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_large(void* memory) { std::free(memory); }

LargeMemory::LargeMemory(std::size_t bytes) : data_(static_cast<std::byte*>(allocate_large(bytes))), bytes_(bytes) {}

void LargeMemory::Free::operator()(std::byte* p) const { free_large(p); }

}  // namespace graze::core
