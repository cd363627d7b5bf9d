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

LargeMemory::LargeMemory(std::size_t bytes) : bytes_(bytes) {
  const std::size_t alignment = bytes >= large_page ? large_page : line;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)));
  if (!data_) throw std::bad_alloc();
#ifdef __linux__
  // Whole pages only: what is left over stays on small ones, so that no memory is taken that holds nothing. A system
  // that refuses changes nothing but the time.
  if (bytes >= large_page) madvise(data_.get(), bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
}

void LargeMemory::Free::operator()(std::byte* p) const { std::free(p); }

}  // namespace graze::core
