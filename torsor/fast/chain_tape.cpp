#include "torsor/fast/chain_tape.hpp"

#include "torsor/fast/chain_inverse.hpp"
#include "torsor/fast/chain_mass.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

Trace design_constant(Tape& tape, double x) { return x == 0 || x == 1 || x == -1 ? Trace(x) : tape.constant(x); }

std::vector<CanonicalLink<Trace>> traced_links(Tape& tape, const CanonicalChain& chain) {
  std::vector<CanonicalLink<Trace>> links;
  for (const CanonicalLink<double>& link : chain.links)
    links.push_back(cast<Trace>(link, [&](double x) { return design_constant(tape, x); }));
  return links;
}

}  // namespace

Tape chain_inverse_tape(const CanonicalChain& chain) {
  Tape tape;
  const Recording recording(tape);
  const int n = chain.n();
  const std::vector<CanonicalLink<Trace>> links = traced_links(tape, chain);
  const Vec3<Trace> g = cast<Trace>(chain.g, [&](double x) { return design_constant(tape, x); });
  std::vector<Trace> q, s, c, qd, qdd, tau(links.size());
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    q.push_back(tape.input("q" + k));
    s.push_back(tape.input("s" + k));
    c.push_back(tape.input("c" + k));
    qd.push_back(tape.input("qd" + k));
    qdd.push_back(tape.input("qdd" + k));
  }
  std::vector<ChainForce<Trace>> force(links.size());
  chain_inverse<Trace, Trace>(links.data(), n, g, chain.level, nullptr, q.data(), s.data(), c.data(), qd.data(),
                              qdd.data(), force.data(), tau.data());
  for (int i = 0; i < n; ++i) tape.output(tau[static_cast<std::size_t>(i)], "tau" + std::to_string(i + 1));
  return tape;
}

Tape chain_mass_tape(const CanonicalChain& chain) {
  Tape tape;
  const Recording recording(tape);
  const int n = chain.n();
  const std::vector<CanonicalLink<Trace>> links = traced_links(tape, chain);
  std::vector<Trace> q, s, c, M(cells(n, n), Trace(0));
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    q.push_back(tape.input("q" + k));
    s.push_back(tape.input("s" + k));
    c.push_back(tape.input("c" + k));
  }
  std::vector<ChainForce<Trace>> force(links.size());
  chain_mass<Trace, Trace>(links.data(), n, q.data(), s.data(), c.data(), force.data(), M.data());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      tape.output(M[cell(i, n, j)], "M" + std::to_string(i + 1) + "_" + std::to_string(j + 1));
  return tape;
}

}  // namespace torsor
