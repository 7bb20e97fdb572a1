// Whether the sanitizers watch: they reserve addresses by the terabyte, so that no limit on them can be tried, and take
// several times as long.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TORSOR_TESTS_SANITIZED true
#endif
#endif

// In no namespace: the command's tests have a function `torsor`.
#if defined(TORSOR_TESTS_SANITIZED) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
