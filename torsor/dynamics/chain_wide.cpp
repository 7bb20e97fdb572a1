// Derivatives of plain chains in the lanes of machines with 32-byte vectors and fused multiplication. This unit alone is
// compiled for them (CMakeLists.txt), and entered only where they are; everything is inlined into the one function, so that
// none of it is taken for another unit's.
#include "torsor/dynamics/chain_derivatives.hpp"
#include "torsor/dynamics/derivative_recursion.hpp"

namespace torsor {

#ifdef __AVX2__
namespace {

class WideChain final : public ChainRecursion {
 public:
  explicit WideChain(const Tree<double>& model) : chain_(model) {}

  [[gnu::flatten]] void run(const Tree<double>& model, const Configuration<double>& configuration,
                            Rates<const double> qd, Rates<const double> qdd, const Loads<double>& loads,
                            Rates<double> tau, const InverseDerivatives<double>& out) override {
    chain_.run(model, configuration, qd, qdd, loads, tau, out);
  }

 private:
  ChainDerivatives<Pack<double, 4>> chain_;
};

}  // namespace

[[gnu::flatten]] std::unique_ptr<ChainRecursion> wide_chain_recursion(const Tree<double>& model) {
  return std::make_unique<WideChain>(model);
}
#else
std::unique_ptr<ChainRecursion> wide_chain_recursion(const Tree<double>&) { return nullptr; }
#endif

}  // namespace torsor
