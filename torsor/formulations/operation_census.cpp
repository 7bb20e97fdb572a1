#include "torsor/formulations/operation_census.hpp"

#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/numeric/exact_polynomial.hpp"

namespace torsor {

std::vector<StageTally> tally_stages(const Tape& tape, Rule rule) {
  // what folding makes dead is dead under the structured rule only
  const Tape living = live(rule == Rule::structured ? fold(tape) : tape);
  const std::vector<StageCount> all = count_stages(tape, rule);
  const std::vector<StageCount> alive = count_stages(living, rule);
  std::vector<StageTally> stages;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].count != OperationCount{}) stages.push_back({all[k].stage, {all[k].count, alive[k].count}});
  return stages;
}

Tally total(const std::vector<StageTally>& stages) {
  Tally sum;
  for (const StageTally& stage : stages) {
    if (stage.is_given()) continue;
    sum.all += stage.count.all;
    sum.live += stage.count.live;
  }
  return sum;
}

std::vector<CensusRow> operation_census(const RobotForms<double>& forms, const RecordOptions& options) {
  const RobotForms<Trace> traced = cast<Trace>(forms, [](double x) { return Trace(x); });
  std::vector<CensusRow> rows;
  for (const InverseFormulation<Trace>& formulation : inverse_formulations<Trace>()) {
    CensusRow row{std::string(formulation.name), std::string(formulation.source), std::string(formulation.complexity),
                  refusal(formulation, traced), {}, {}, {}};
    if (row.refusal.empty()) {
      const Tape tape = record(formulation, forms, options);
      row.dense = total(tally_stages(tape, Rule::dense));
      row.structured = total(tally_stages(tape, Rule::structured));
      row.listing = total(tally_stages(tape, Rule::listing));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string GeneralCount::law(const std::vector<long long>& values) const {
  const auto polynomial = exact_polynomial(values, first_n);
  if (!polynomial) return "";
  return to_text(*polynomial) +
         (polynomial->first > first_n ? "  (n >= " + std::to_string(polynomial->first) + ")" : std::string());
}

}  // namespace torsor
