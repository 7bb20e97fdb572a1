#include "torsor/dynamics/quoted_tables.hpp"
#include "torsor/model/general_arm.hpp"

namespace torsor {
namespace {

OperationCount counted(const Recount& how, const RobotForms<double>& forms) {
  const auto* formulation = find_formulation(inverse_formulations<Trace>(), how.formulation);
  TORSOR_EXPECT(formulation);
  std::vector<StageTally> stages = tally_stages(record(*formulation, forms, how.options), how.rule);
  if (!how.stage.empty()) std::erase_if(stages, [&](const StageTally& s) { return !s.stage.starts_with(how.stage); });
  const Tally sum = total(stages);
  return how.live ? sum.live : sum.all;
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
