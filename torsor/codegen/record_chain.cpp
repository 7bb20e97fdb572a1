#include "torsor/codegen/record_chain.hpp"

#include <algorithm>

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/fast/chain_forward.hpp"
#include "torsor/fast/chain_kinematics.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

Trace as_trace(double x) { return Trace(x); }

class RecordedChain {
 public:
  RecordedChain(const CanonicalChain& chain, std::span<const Trace> q)
      : n_(chain.n()), g_(cast<Trace>(chain.g, as_trace)), level_(chain.level), coupling_(chain.rotor_coupling), q_(q) {
    for (const CanonicalLink<double>& l : chain.links) {
      const CanonicalLink<Trace>& link = links_.emplace_back(cast<Trace>(l, as_trace));
      const Trace& x = q[links_.size() - 1];
      // a quarter turn more or less changes names and signs only
      const bool is_plain = (l.c0 == 0 || l.c0 == 1 || l.c0 == -1) && (l.s0 == 0 || l.s0 == 1 || l.s0 == -1);
      if (l.prismatic) {
        c_.emplace_back(1);
        s_.emplace_back(0);
      } else if (is_plain) {
        const Trace c = cos(x), s = sin(x);
        c_.push_back(link.c0 * c - link.s0 * s);
        s_.push_back(link.s0 * c + link.c0 * s);
      } else {
        c_.push_back(cos(x + link.theta0));
        s_.push_back(sin(x + link.theta0));
      }
    }
    force_.resize(links_.size());
  }

  /// Rotors included; friction apart.
  void inverse(const std::vector<Trace>& qd, const std::vector<Trace>& qdd, std::span<Trace> tau) {
    chain_inverse<Trace, Trace>(links_.data(), n_, g_, level_, nullptr, q_.data(), s_.data(), c_.data(), qd.data(), qdd.data(),
                                force_.data(), tau.data());
    for (std::size_t k = 0; k < links_.size(); ++k) tau[k] += links_[k].rotor * qdd[k];
    for (const auto& [i, j, value] : coupling_) {
      tau[static_cast<std::size_t>(i)] += Trace(value) * qdd[static_cast<std::size_t>(j)];
      tau[static_cast<std::size_t>(j)] += Trace(value) * qdd[static_cast<std::size_t>(i)];
    }
  }

  /// The lower triangle.
  void mass(std::span<Trace> M) {
    std::vector<ChainForce<Trace>> force(links_.size());
    chain_mass<Trace, Trace>(links_.data(), n_, q_.data(), s_.data(), c_.data(), force.data(), M.data());
    for (int i = 0; i < n_; ++i) M[cell(i, n_, i)] += links_[static_cast<std::size_t>(i)].rotor;
    for (const auto& [i, j, value] : coupling_) M[cell(std::max(i, j), n_, std::min(i, j))] += Trace(value);
  }

  void kinematics(const CanonicalChain& chain, const Frame<double>& tool, std::span<Trace> pose, std::span<Trace> J) {
    const auto body = static_cast<std::size_t>(tool.body);
    const Transform<double> X = chain.X_link_body[body] * tool.X_body_frame;
    std::vector<Motion<Trace>> frames(links_.size());
    chain_kinematics<Trace, Trace>(links_.data(), n_, cast<Trace>(chain.X_world_0, as_trace), chain.link_of_body[body],
                                   cast<Trace>(X, as_trace), q_.data(), s_.data(), c_.data(), frames.data(), pose.data(), J.data());
  }

 private:
  int n_;
  Vec3<Trace> g_;
  bool level_;
  const std::vector<RotorCoupling<double>>& coupling_;
  std::span<const Trace> q_;
  std::vector<CanonicalLink<Trace>> links_;
  std::vector<Trace> s_, c_;
  std::vector<ChainForce<Trace>> force_;
};

}  // namespace

bool record_chain(const CanonicalChain& chain, const Model<double>& model, const Frame<double>& tool, CodeFunction function,
                  std::span<const Trace> arguments, std::span<Trace> results) {
  const auto n = static_cast<std::size_t>(model.nv);
  const std::span<const Trace> q = arguments.first(n);
  const std::vector<Trace> zero(n);
  const auto rates = [&](std::size_t k) {
    const std::span<const Trace> part = arguments.subspan((k + 1) * n, n);
    return std::vector<Trace>(part.begin(), part.end());
  };
  RecordedChain recorded(chain, q);
  switch (function) {
    case CodeFunction::gravity: recorded.inverse(zero, zero, results); return true;
    case CodeFunction::bias:
    case CodeFunction::id:
      recorded.inverse(rates(0), function == CodeFunction::id ? rates(1) : zero, results);
      add_joint_friction<Trace>(cast<Trace>(model), q, rates(0), Trace(1), results);
      return true;
    case CodeFunction::mass:
      recorded.mass(results);
      for (int i = 0; i < model.nv; ++i)
        for (int j = i + 1; j < model.nv; ++j) results[cell(i, model.nv, j)] = results[cell(j, model.nv, i)];
      return true;
    case CodeFunction::fd: {
      std::vector<Trace> M(n * n), bias(n);
      recorded.inverse(rates(0), zero, bias);
      add_joint_friction<Trace>(cast<Trace>(model), q, rates(0), Trace(1), bias);
      recorded.mass(M);
      for (std::size_t k = 0; k < n; ++k) results[k] = rates(1)[k] - bias[k];
      solve_lower(model.nv, M.data(), results.data());
      return true;
    }
    case CodeFunction::fk: {
      std::vector<Trace> J(6 * n);
      recorded.kinematics(chain, tool, results, J);
      return true;
    }
    case CodeFunction::jacobian: recorded.kinematics(chain, tool, results.first(12), results.subspan(12)); return true;
    default: return false;
  }
}

}  // namespace torsor
