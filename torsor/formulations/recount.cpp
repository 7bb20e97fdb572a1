#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/quoted_tables.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor {
namespace {

/// Whether a name stands in a list separated by |.
bool is_listed(std::string_view name, std::string_view list) {
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find('|', start), list.size());
    if (list.substr(start, end - start) == name) return true;
    start = end + 1;
  }
  return false;
}

OperationCount counted(const Recount& how, const RobotForms<double>& forms) {
  if (how.wrist) {
    const WristCount c = count_wrist(*how.wrist, *forms.standard);
    return how.extent == Extent::live ? c.live : c.all;
  }
  const auto* formulation = find_formulation(inverse_formulations<Trace>(), how.formulation);
  TORSOR_EXPECT(formulation);
  Tape tape = record(*formulation, forms, how.options);
  if (how.extent == Extent::used) tape = live(tape);
  std::vector<StageTally> stages = tally_stages(tape, how.rule);
  if (!how.stages.empty())
    std::erase_if(stages, [&](const StageTally& s) { return !is_listed(s.stage, how.stages); });
  const Tally sum = total(stages);
  return how.extent == Extent::live ? sum.live : sum.all;
}

}  // namespace

std::optional<Recounted> recount(const Recount& how, const std::function<RobotForms<double>(std::string_view)>& robot) {
  if (how.formulation.empty()) return std::nullopt;
  if (!how.robot.empty()) return Recounted{counted(how, robot(how.robot)), {}, {}};

  // seven values fix and confirm a quartic
  Recounted out;
  std::vector<long long> multiplications, additions;
  constexpr int first = 2, last = 8;
  for (int n = first; n <= last; ++n) {
    const OperationCount c = counted(how, general_forms(n));
    if (n == 6) out.at_six = c;
    multiplications.push_back(c.multiplications);
    additions.push_back(c.additions);
  }
  out.multiplications = exact_polynomial(multiplications, first);
  out.additions = exact_polynomial(additions, first);
  return out;
}

}  // namespace torsor
