// Counts every allocation of the program it is included in: once per program, in one of its files.
#pragma once

#include <cstdlib>
#include <new>

#include "tests/support/allocations.hpp"

// kept out of line: g++ would otherwise see new beside free and warn of a mismatch
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++torsor::testing::allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
// array forms come down to these; the nothrow form is spelt out because a sanitizer brings its own
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
