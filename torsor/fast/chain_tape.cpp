#include "torsor/fast/chain_tape.hpp"

#include <fmt/format.h>

#include "torsor/fast/chain_kinematics.hpp"
#include "torsor/fast/chain_mass.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

Trace chain_constant(double x) { return Trace(x); }

/// One input per name and joint, in turn.
std::vector<std::vector<Trace>> joint_inputs(Tape& tape, int n, std::initializer_list<const char*> names) {
  std::vector<std::vector<Trace>> inputs(names.size());
  for (int i = 1; i <= n; ++i) {
    std::size_t k = 0;
    for (const char* name : names) inputs[k++].push_back(tape.input(fmt::format("{}{}", name, i)));
  }
  return inputs;
}

}  // namespace

ChainOnTape::ChainOnTape(const CanonicalChain& chain, std::span<const Trace> q, std::span<const Trace> s,
                         std::span<const Trace> c)
    : chain_(chain), q_(q.begin(), q.end()), s_(s.begin(), s.end()), c_(c.begin(), c.end()) {
  for (const CanonicalLink<double>& link : chain.links) links_.push_back(cast<Trace>(link, chain_constant));
}

void ChainOnTape::inverse(std::span<const Trace> qd, std::span<const Trace> qdd, std::span<Trace> tau) const {
  std::vector<ChainForce<Trace>> force(links_.size());
  chain_inverse<Trace, Trace>(links_.data(), chain_.n(), cast<Trace>(chain_.g, chain_constant), chain_.level, nullptr,
                              q_.data(), s_.data(), c_.data(), qd.data(), qdd.data(), force.data(), tau.data());
}

void ChainOnTape::mass(std::span<Trace> M) const {
  std::vector<ChainForce<Trace>> force(links_.size());
  chain_mass<Trace, Trace>(links_.data(), chain_.n(), q_.data(), s_.data(), c_.data(), force.data(), M.data());
}

void ChainOnTape::kinematics(const Frame<double>& tool, std::span<Trace> pose, std::span<Trace> J) const {
  const auto body = static_cast<std::size_t>(tool.body);
  const Transform<double> X = chain_.X_link_body[body] * tool.X_body_frame;
  std::vector<Motion<Trace>> frames(links_.size());
  chain_kinematics<Trace, Trace>(links_.data(), chain_.n(), cast<Trace>(chain_.X_world_0, chain_constant),
                                 chain_.link_of_body[body], cast<Trace>(X, chain_constant), q_.data(), s_.data(),
                                 c_.data(), frames.data(), pose.data(), J.data());
}

Tape chain_inverse_tape(const CanonicalChain& chain) {
  Tape tape;
  const Recording recording(tape);
  const auto x = joint_inputs(tape, chain.n(), {"q", "s", "c", "qd", "qdd"});
  std::vector<Trace> tau(chain.links.size());
  ChainOnTape(chain, x[0], x[1], x[2]).inverse(x[3], x[4], tau);
  for (std::size_t i = 0; i < tau.size(); ++i) tape.output(tau[i], fmt::format("tau{}", i + 1));
  return tape;
}

Tape chain_mass_tape(const CanonicalChain& chain) {
  Tape tape;
  const Recording recording(tape);
  const int n = chain.n();
  const auto x = joint_inputs(tape, n, {"q", "s", "c"});
  std::vector<Trace> M(cells(n, n), Trace(0));
  ChainOnTape(chain, x[0], x[1], x[2]).mass(M);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) tape.output(M[cell(i, n, j)], fmt::format("M{}_{}", i + 1, j + 1));
  return tape;
}

}  // namespace torsor
