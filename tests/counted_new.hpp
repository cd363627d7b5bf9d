// SPDX-License-Identifier: MIT
// Reports every call of operator new to `counted_request`. Include this in exactly one file of a program, which must
// define that function.
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
// The sanitizers provide their own versions of these, whose memory must not be passed to the operator delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
