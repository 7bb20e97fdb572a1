#include "torsor/reduction/reduction_result.hpp"

namespace torsor {

double ReductionResult::saved() const {
  const int all = full.front().count.multiplications;
  return all > 0 ? 1 - static_cast<double>(cost.count.multiplications) / all : 0;
}

ReductionResult reduction_result(const Reduction& r, const std::string& motion,
                                 const std::optional<std::string>& output,
                                 std::array<std::vector<ReducedEntry>, 3> entries) {
  const ReducedModel& model = r.model;
  const ReductionStatement& said = model.statement;
  ReductionResult out;
  out.robot = model.robot;
  out.motion = motion;
  out.tolerance = said.tolerance;
  out.output = output;
  out.snaps = r.snaps;
  out.snap_effect = r.snap_effect;
  out.terms = r.terms;
  out.terms_kept = model.terms.size();
  out.cost = r.cost;
  out.full = r.full;
  out.definite = said.definite;
  out.least_eigenvalue = r.least_eigenvalue;
  out.consistent = said.consistent;
  out.proven = said.proven;
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    out.joints.push_back({model.joints[i].name, said.scale[i], said.on_motion[i], said.on_ranges[i], r.found[i].error,
                          said.q[i], said.qd[i], said.qdd[i]});
  out.D = std::move(entries[0]);
  out.h = std::move(entries[1]);
  out.G = std::move(entries[2]);
  constexpr std::array letters{"D", "h", "G"};
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    const TorqueTerm& term = model.terms[k];
    KeptTerm kept{letters[static_cast<std::size_t>(term.part)], {term.i + 1}, term.coefficient, {}, r.shares[k]};
    if (term.part != TermPart::gravity) kept.indices.push_back(term.j + 1);
    if (term.part == TermPart::velocity) kept.indices.push_back(term.m + 1);
    for (const TermFactor& factor : term.factors)
      kept.factors.insert(kept.factors.end(), static_cast<std::size_t>(factor.exponent), factor_name(model, factor));
    out.kept.push_back(std::move(kept));
  }
  return out;
}

}  // namespace torsor
