#include "cli/branch_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/ik/describe_branch.hpp"
#include "torsor/io/text_table.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {

std::string standing(const IkBranch& branch, const ArmSolver& arm, const Model<double>& model, int digits) {
  std::vector<std::string> said;
  const auto number = [digits](double x) { return format_number(x, std::min(digits, 4)); };
  for (std::size_t part = 0; part < 3; ++part)
    if (branch.singular[part])
      said.push_back(fmt::format("singular: {}", part_name(part)));
    else if (std::abs(branch.factor[part]) < near_singular_factor)
      said.push_back(fmt::format("near-singular: {} {}", part_name(part), number(branch.factor[part])));
  // what is determined of a wrist that lost a degree of freedom, and which joints are free
  const auto& names = model.position_names;
  if (branch.wrist_sign != 0) {
    const double sum = std::abs(branch.wrist_sum) < 1e-12 ? 0 : branch.wrist_sum;
    said.push_back(
        fmt::format("only {} = {} is determined", signed_sum(arm.determined_sum(branch), names), number(sum)));
  } else {
    for (std::size_t k = 0; k < 6; ++k)
      if (branch.free[k]) said.push_back(fmt::format("{} is free", names[k]));
  }
  const auto kinds = position_kinds(model);
  for (std::size_t k = 0; k < 6; ++k)
    if (branch.beyond_limits[k] != 0)
      said.push_back(fmt::format("{} is {} {} {} its limit", names[k], number(std::abs(branch.beyond_limits[k])),
                                 coordinate_unit(kinds[k], 0), branch.beyond_limits[k] < 0 ? "below" : "above"));
  if (said.empty()) return "ok";
  return fmt::format("{}", fmt::join(said, ", "));
}

std::string_view standing(const GeneralAnswer& answer) {
  const bool is_orientation = answer.status == GeneralStatus::out_of_reach && answer.short_by == 0;
  return is_orientation ? "orientation out of reach" : status_name(answer.status);
}

std::string standing(const ToolRates& rates, int order) {
  if (rates.lost > 0)
    return fmt::format("singular: {} lost, missed by {} of half the arm's length",
                       rates.lost == 1 ? "a direction is" : "directions are",
                       format_number(order == 1 ? rates.velocity_residual : rates.acceleration_residual, 3));
  if (rates.status != RateStatus::singular) return std::string(status_name(rates.status));
  const Motion<double>& missed = order == 1 ? rates.missed_twist : rates.missed_acceleration;
  const char* const per = order == 1 ? "s" : "s²";
  return fmt::format("singular: missed by {} m/{}, {} rad/{}", format_number(norm(missed.v), 3), per,
                     format_number(norm(missed.w), 3), per);
}

}  // namespace torsor
