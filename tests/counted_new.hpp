// SPDX-License-Identifier: MIT
// Every request to operator new is told to `counted_request`. To be included by one file of a program, which defines
// it.
#pragma once

#include <cstdlib>
#include <new>

void counted_request(std::size_t size);

namespace {

void* counted_new(std::size_t size) {
  counted_request(size);
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted_new(size); }
void* operator new[](std::size_t size) { return counted_new(size); }
// The sanitizers have their own of these, which must not meet our delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
