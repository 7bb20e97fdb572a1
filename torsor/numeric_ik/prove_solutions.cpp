// InverseKinematics: how many solutions a pose has, proven.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/prove_count.hpp"
#include "torsor/numeric_ik/made_forms.hpp"
#include "torsor/how_many.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

IkProof InverseKinematics::prove(const Transform<double>& X_world_tool, const IkChoice& choice, double seconds) const {
  const auto open = [](std::string why) { return IkProof{false, 0, {}, fmt::format("Not proven: {}.", why)}; };
  const auto chain = joint_chain(*model_, tool_);
  if (!chain) return open(chain.faults().front().what);
  IkChoice all = choice;
  all.outside_limits = true;
  all.near.reset();
  all.branch.reset();
  const IkSolutions found = solve(X_world_tool, all);
  if (!is_frame(X_world_tool.R) || !is_within(X_world_tool.p, farthest_pose * chain->size))
    return open("this is no pose");
  if (components() < 6) return open("not all of the pose counts");
  if (chain->joints() != 6 && chain->joints() != 7) return open("proofs are for six joints, or seven with one held");
  if (std::ranges::count(chain->slides, true) > (chain->joints() == 7 ? 1 : 0))
    return open("proofs are for joints that turn");
  if (chain->joints() == 7 && !found.redundancy)
    return open("no value of the redundancy is given, and none has a solution");

  int held = -1;
  std::optional<SixTurns> own;
  if (chain->joints() == 7) {
    const RedundantArm& arm = *redundant(choice.redundant_joint);
    held = arm.held();
    own = arm.six(*found.redundancy);
  } else if (!made_->six) {
    std::array<Transform<double>, 7> B;
    std::copy(chain->B.begin(), chain->B.end(), B.begin());
    made_->six.emplace(B);
  }
  const SixTurns& six = own ? *own : *made_->six;
  if (six.slides() != std::array<bool, 6>{}) return open("proofs are for joints that turn");
  const CountProof proof = prove_count(six.loop(X_world_tool), six.cuts(), seconds);
  if (!proof.proven)
    return open(fmt::format("solutions meet or nearly meet, or {} s were not enough", seconds));
  IkProof out{true, proof.count, {}, {}};
  for (int k = 0; k < proof.count; ++k) {
    std::vector<double> q = neutral_position(*model_);
    const SixAngles& turned = proof.solution[static_cast<std::size_t>(k)];
    for (std::size_t i = 0, m = 0; i < chain->slides.size(); ++i)
      q[static_cast<std::size_t>(chain->coordinate[i])] =
          static_cast<int>(i) == held ? *found.redundancy : turned[m++];
    const bool is_found = std::ranges::any_of(found, [&](const IkSolution& s) {
      for (const int i : chain->coordinate)
        if (std::abs(std::remainder(s.q[static_cast<std::size_t>(i)] - q[static_cast<std::size_t>(i)],
                                    2 * std::numbers::pi)) > 1e-6)
          return false;
      return true;
    });
    if (!is_found) out.missing.push_back(std::move(q));
  }
  const std::string where =
      held < 0
          ? ""
          : fmt::format(
                " with \"{}\" held",
                model_->position_names[static_cast<std::size_t>(chain->coordinate[static_cast<std::size_t>(held)])]);
  out.sentence = proof.count == 0 ? fmt::format("No solution{}, proven.", where)
                                  : fmt::format("{}{}, proven.", how_many(proof.count, "solution"), where);
  if (!out.missing.empty())
    out.sentence +=
        fmt::format(" {} of them {} not been found.", out.missing.size(), out.missing.size() == 1 ? "has" : "have");
  return out;
}

}  // namespace torsor
