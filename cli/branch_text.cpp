#include "cli/branch_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/ik/describe_branch.hpp"
#include "torsor/io/text_table.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

char sign(int value) { return value > 0 ? '+' : value < 0 ? '-' : '0'; }

}  // namespace

std::string label_text(const BranchLabel& label) {
  if (label.root > 0) return fmt::format("root {} {}", label.root, sign(label.wrist));
  return fmt::format("{} {} {}", sign(label.shoulder), sign(label.elbow), sign(label.wrist));
}

bool BranchChoice::fits(const BranchLabel& branch) const {
  const auto agree = [](int wanted, int found) { return wanted == 0 || found == 0 || wanted == found; };
  return agree(label.shoulder, branch.shoulder) && agree(label.elbow, branch.elbow) &&
         agree(label.wrist, branch.wrist) && (label.root == 0 || label.root == branch.root);
}

Faults BranchChoice::check(const ArmSolver& arm) const {
  const std::string offender = fmt::format("--branch \"{}\"", text);
  if (arm.has_roots() && (label.shoulder != 0 || label.elbow != 0))
    return {{{},
             offender,
             "ik-branch",
             "this arm has no shoulder and elbow to choose: its positions are numbered roots",
             "write a root and the sign of the wrist: \"1 +\"; or the wrist alone: \"0 0 +\""}};
  if (!arm.has_roots() && label.root != 0)
    return {{{},
             offender,
             "ik-branch",
             "this arm has no numbered roots: its branches are told apart by signs",
             "write the signs of shoulder, elbow and wrist: \"+ - +\", 0 for either"}};
  return {};
}

Result<BranchChoice> read_branch_choice(const std::string& text) {
  const Fault fault{{},
                    fmt::format("--branch \"{}\"", text),
                    "option-value",
                    "is no branch",
                    "write the signs of shoulder, elbow and wrist: \"+ - +\", 0 for either; or a root and the sign of "
                    "the wrist: \"2 +\""};
  std::string signs;
  for (const char c : text)
    if (c != ' ' && c != ',' && c != '\t') signs += c;
  const auto value = [](char c) -> std::optional<int> {
    if (c == '+') return 1;
    if (c == '-') return -1;
    if (c == '0') return 0;
    return std::nullopt;
  };
  BranchChoice choice{{}, text};
  if (signs.size() == 2 && signs[0] >= '1' && signs[0] <= '8' && value(signs[1])) {
    choice.label.root = signs[0] - '0';
    choice.label.wrist = *value(signs[1]);
    return choice;
  }
  if (signs.size() != 3 || !value(signs[0]) || !value(signs[1]) || !value(signs[2])) return fault;
  choice.label = {*value(signs[0]), *value(signs[1]), *value(signs[2]), 0};
  return choice;
}

std::string_view part_name(std::size_t part) {
  constexpr std::string_view names[] = {"shoulder", "elbow", "wrist"};
  return names[part];
}

bool inside_limits(const IkBranch& branch) {
  return std::all_of(branch.beyond_limits.begin(), branch.beyond_limits.end(), [](double x) { return x == 0; });
}

double least_factor(const IkBranch& branch) {
  double least = 1;
  for (const double factor : branch.factor) least = std::min(least, std::abs(factor));
  return least;
}

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

}  // namespace torsor
