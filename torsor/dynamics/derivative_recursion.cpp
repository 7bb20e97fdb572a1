#include "torsor/dynamics/derivative_recursion.hpp"

#include "torsor/dynamics/plain_chain.hpp"

namespace torsor {

// chain_wide.cpp
std::unique_ptr<ChainRecursion> wide_chain_recursion(const Tree<double>& model);

std::unique_ptr<ChainRecursion> chain_recursion(const Tree<double>& model) {
#if defined(__x86_64__)
  if (is_plain_chain(model) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return wide_chain_recursion(model);
#else
  static_cast<void>(model);
#endif
  return nullptr;
}

}  // namespace torsor
