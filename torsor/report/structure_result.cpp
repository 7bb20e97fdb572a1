#include "torsor/report/structure_result.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "torsor/formulations/coefficients_composite_body.hpp"

namespace torsor {

std::vector<std::string> CoefficientRow::depends_on() const {
  std::vector<std::string> names;
  for (int l = 0; l < of.numbers().n; ++l)
    if (of.numbers().depends_on(e, l)) names.push_back(of.robot.model.velocity_names[static_cast<std::size_t>(l)]);
  return names;
}

std::vector<std::string_view> CoefficientRow::zero_at_levels() const {
  std::vector<std::string_view> names;
  for (const Level level : levels)
    if (of.at(level).nonzero[e] == 0) names.push_back(status_name(level));
  return names;
}

std::optional<std::string> CoefficientRow::because() const {
  return zero() ? std::optional(why_zero(of.numbers(), e, of.facts, of.robot.model)) : std::nullopt;
}

std::vector<CoriolisTermRow> CoriolisEntry::terms(bool zero) const {
  const ExactStructure& s = of.numbers();
  std::vector<CoriolisTermRow> out;
  const bool coupled = of.robot.model.S.size() != static_cast<std::size_t>(s.n);
  for (const CoriolisTerm& t : coriolis_terms(i, j, s.n, coupled)) {
    const auto e = static_cast<std::size_t>(std::ranges::find(s.coefficients, t.of) - s.coefficients.begin());
    if ((s.nonzero[e] == 0) == zero) out.push_back({of, t});
  }
  return out;
}

std::optional<std::string> CoriolisEntry::because() const {
  if (!terms().empty()) return std::nullopt;
  const ExactStructure& s = of.numbers();
  std::vector<std::string> reasons;
  for (const CoriolisTermRow& t : terms(true)) {
    const auto e = static_cast<std::size_t>(std::ranges::find(s.coefficients, t.term.of) - s.coefficients.begin());
    std::string why = why_zero(s, e, of.facts, of.robot.model);
    if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(std::move(why));
  }
  // no coefficient at all stands in it where nothing comes after the joint
  if (reasons.empty())
    reasons.push_back(fmt::format("{} is constant", to_text({CoefficientKind::self_inertia, i, j}, s.n)));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::vector<JointPair<PairCoupling>> StateCoupling::pairs() const {
  std::vector<JointPair<PairCoupling>> out;
  for (int i = 0; i < at.n; ++i)
    for (int j = i + 1; j < at.n; ++j)
      out.push_back({static_cast<std::size_t>(i) + 1, static_cast<std::size_t>(j) + 1, at(i, j)});
  return out;
}

std::vector<TermSizeRow> size_rows(const Model<double>& model, const TermSizes& sizes) {
  std::vector<TermSizeRow> rows;
  for (std::size_t i = 0; i < sizes.inertia.size(); ++i)
    rows.push_back({model.velocity_names[i], sizes.inertia[i], sizes.velocity[i], sizes.gravity[i]});
  return rows;
}

bool MotionCoefficient::idle() const { return std::ranges::find(survey.idle, e) != survey.idle.end(); }

std::vector<ZeroPassage> MotionCoefficient::zeros() const {
  std::vector<ZeroPassage> out;
  std::ranges::copy_if(survey.zeros, std::back_inserter(out),
                       [this](const ZeroPassage& z) { return z.coefficient == e; });
  return out;
}

std::vector<JointPair<Spread>> StructureMotion::coupling() const {
  std::vector<JointPair<Spread>> out;
  const std::size_t n = motion.survey.dominance.size();
  for (std::size_t i = 0; i < n && !motion.survey.coupling.empty(); ++i)
    for (std::size_t j = i + 1; j < n; ++j) out.push_back({i + 1, j + 1, motion.survey.coupling[i * n + j]});
  return out;
}

std::vector<MotionCoefficient> StructureMotion::coefficients() const {
  std::vector<MotionCoefficient> out;
  for (std::size_t e = 0; e < of.numbers().coefficients.size(); ++e)
    if (of.numbers().nonzero[e] != 0) out.push_back({of.numbers(), motion.survey, e});
  return out;
}

std::vector<WorkspaceSpread> StructureResult::dominance() const {
  std::vector<WorkspaceSpread> out;
  for (const Spread& s : of.survey.dominance) out.push_back({of.survey, s});
  return out;
}

std::vector<CoefficientRow> StructureResult::coefficients() const {
  std::vector<CoefficientRow> out;
  for (std::size_t e = 0; e < of.numbers().coefficients.size(); ++e) out.push_back({of, e});
  return out;
}

std::vector<CoriolisEntry> StructureResult::coriolis() const {
  std::vector<CoriolisEntry> out;
  for (int i = 0; i < of.numbers().n; ++i)
    for (int j = 0; j < of.numbers().n; ++j) out.push_back({of, i, j});
  return out;
}

std::optional<StateCoupling> StructureResult::state() const {
  if (!view.state) return std::nullopt;
  const Model<double>& model = of.robot.model;
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  configuration.set(model, *view.state);
  Coupling at = coupling_at(model, configuration, work);
  const bool moves_masses = model.S.size() == at.mass.size();
  return StateCoupling{*view.state, std::move(at), moves_masses};
}

StructureTerms StructureResult::terms() const {
  return {view.limits, size_rows(of.robot.model, view.sizes),
          view.state ? std::optional(state_terms(of, view)) : std::nullopt};
}

}  // namespace torsor
