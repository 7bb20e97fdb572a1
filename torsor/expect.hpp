// TORSOR_EXPECT(condition): a promise of ours towards ourselves (sizes, foreign workspaces), never a check of user
// input. On in debug builds and wherever TORSOR_CHECKED is defined (the bindings); gone in release.
#pragma once

#if !defined(NDEBUG) || defined(TORSOR_CHECKED)
#include <cstdio>
#include <cstdlib>

namespace torsor::detail {
[[noreturn]] inline void broken_expectation(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken expectation: %s\n", file, line, condition);
  std::abort();
}
}  // namespace torsor::detail

#define TORSOR_EXPECT(condition) \
  ((condition) ? static_cast<void>(0) : ::torsor::detail::broken_expectation(#condition, __FILE__, __LINE__))
#else
#define TORSOR_EXPECT(condition) static_cast<void>(sizeof(!(condition)))
#endif
