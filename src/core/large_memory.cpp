// SPDX-License-Identifier: MIT
#include "core/large_memory.hpp"

#include <new>

#include "core/portability.hpp"

namespace graze::core {

namespace {

constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t alignment = bytes >= large_page ? large_page : line;
  void* const memory = aligned_memory(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  // Whole large pages only: the remainder stays on small pages, so that no memory is wasted.
  if (bytes >= large_page) ask_for_large_pages(memory, bytes / large_page * large_page);
  return memory;
}

void free_large(void* memory) { free_aligned(memory); }

LargeMemory::LargeMemory(std::size_t bytes) : data_(static_cast<std::byte*>(allocate_large(bytes))), bytes_(bytes) {}

void LargeMemory::Free::operator()(std::byte* p) const { free_large(p); }

}  // namespace graze::core
