#include "torsor/codegen/record_chain.hpp"

#include <algorithm>

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/fast/chain_forward.hpp"
#include "torsor/fast/chain_tape.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// The chain at q. A quarter turn more or less changes names and signs only.
ChainOnTape chain_at(const CanonicalChain& chain, std::span<const Trace> q) {
  std::vector<Trace> s, c;
  const auto is_plain = [](double x) { return x == 0 || x == 1 || x == -1; };
  for (const CanonicalLink<double>& l : chain.links) {
    const Trace& x = q[s.size()];
    if (l.prismatic) {
      c.emplace_back(1);
      s.emplace_back(0);
    } else if (is_plain(l.c0) && is_plain(l.s0)) {
      const Trace cosine = cos(x), sine = sin(x), c0(l.c0), s0(l.s0);
      c.push_back(c0 * cosine - s0 * sine);
      s.push_back(s0 * cosine + c0 * sine);
    } else {
      c.push_back(cos(x + Trace(l.theta0)));
      s.push_back(sin(x + Trace(l.theta0)));
    }
  }
  return {chain, q, s, c};
}

/// With rotors, which the chain leaves to its caller.
class DrivenChain {
 public:
  DrivenChain(const CanonicalChain& chain, std::span<const Trace> q) : chain_(chain), on_tape_(chain_at(chain, q)) {}

  void inverse(std::span<const Trace> qd, std::span<const Trace> qdd, std::span<Trace> tau) const {
    on_tape_.inverse(qd, qdd, tau);
    for (std::size_t k = 0; k < chain_.links.size(); ++k) tau[k] += Trace(chain_.links[k].rotor) * qdd[k];
    for (const auto& [i, j, value] : chain_.rotor_coupling) {
      tau[static_cast<std::size_t>(i)] += Trace(value) * qdd[static_cast<std::size_t>(j)];
      tau[static_cast<std::size_t>(j)] += Trace(value) * qdd[static_cast<std::size_t>(i)];
    }
  }

  /// The lower triangle.
  void mass(std::span<Trace> M) const {
    const int n = chain_.n();
    on_tape_.mass(M);
    for (int i = 0; i < n; ++i) M[cell(i, n, i)] += Trace(chain_.links[static_cast<std::size_t>(i)].rotor);
    for (const auto& [i, j, value] : chain_.rotor_coupling) M[cell(std::max(i, j), n, std::min(i, j))] += Trace(value);
  }

  const ChainOnTape& on_tape() const { return on_tape_; }

 private:
  const CanonicalChain& chain_;
  ChainOnTape on_tape_;
};

}  // namespace

bool record_chain(const CanonicalChain& chain, const Model<double>& model, const Frame<double>& tool,
                  CodeFunction function, std::span<const Trace> arguments, std::span<Trace> results) {
  const auto n = static_cast<std::size_t>(model.nv);
  const std::span<const Trace> q = arguments.first(n);
  const std::vector<Trace> zero(n);
  const auto rates = [&](std::size_t k) { return arguments.subspan((k + 1) * n, n); };
  const DrivenChain driven(chain, q);
  const auto inverse = [&](std::span<const Trace> qdd, std::span<Trace> tau) {
    driven.inverse(rates(0), qdd, tau);
    add_joint_friction<Trace>(cast<Trace>(model), q, rates(0), Trace(1), tau);
  };
  switch (function) {
    case CodeFunction::gravity: driven.inverse(zero, zero, results); return true;
    case CodeFunction::bias: inverse(zero, results); return true;
    case CodeFunction::id: inverse(rates(1), results); return true;
    case CodeFunction::mass:
      driven.mass(results);
      for (int i = 0; i < model.nv; ++i)
        for (int j = i + 1; j < model.nv; ++j) results[cell(i, model.nv, j)] = results[cell(j, model.nv, i)];
      return true;
    case CodeFunction::fd: {
      std::vector<Trace> M(n * n), bias(n);
      inverse(zero, bias);
      driven.mass(M);
      for (std::size_t k = 0; k < n; ++k) results[k] = rates(1)[k] - bias[k];
      solve_lower(model.nv, M.data(), results.data());
      return true;
    }
    case CodeFunction::fk: {
      std::vector<Trace> J(6 * n);
      driven.on_tape().kinematics(tool, results, J);
      return true;
    }
    case CodeFunction::jacobian: driven.on_tape().kinematics(tool, results.first(12), results.subspan(12)); return true;
    default: return false;
  }
}

}  // namespace torsor
