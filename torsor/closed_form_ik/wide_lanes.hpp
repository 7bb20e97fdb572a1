// Whether the machine has 32-byte vectors and fused multiplication: units that are compiled for them are entered only
// then.
#pragma once

namespace torsor {

inline bool has_wide_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace torsor
