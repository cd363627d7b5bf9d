// SPDX-License-Identifier: MIT
#include "core/portability.hpp"

#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_MSC_VER)
#include <malloc.h>
#endif

namespace graze::core {

#if defined(_MSC_VER)
void* aligned_memory(std::size_t alignment, std::size_t bytes) { return _aligned_malloc(bytes, alignment); }
void free_aligned(void* memory) { _aligned_free(memory); }
#else
void* aligned_memory(std::size_t alignment, std::size_t bytes) { return std::aligned_alloc(alignment, bytes); }
void free_aligned(void* memory) { std::free(memory); }
#endif

#if defined(__linux__)
void ask_for_large_pages(void* memory, std::size_t bytes) { madvise(memory, bytes, MADV_HUGEPAGE); }
#else
void ask_for_large_pages(void*, std::size_t) {}
#endif

}  // namespace graze::core
