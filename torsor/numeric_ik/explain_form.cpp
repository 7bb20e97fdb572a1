// InverseKinematics in words: which form serves the robot and why no other, and what each of its stages found at a pose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/made_forms.hpp"
#include "torsor/how_many.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {
namespace {

/// What elimination, polishing and search found.
std::vector<std::string> stages_of(const TurningSolutions& found, std::string_view first_joint) {
  std::vector<std::string> said;
  if (found.cuts > 0)
    said.push_back(fmt::format(
        "At this pose the polynomial of \"{}\" has {}{}.", first_joint,
        how_many(found.simple_zeros, "simple real zero"),
        found.double_zeros > 0 ? fmt::format(" and {} or near so", how_many(found.double_zeros, "double one")) : ""));
  if (found.cuts > 1)
    said.push_back(fmt::format(
        "That left doubt (a double zero, one without a solution, an odd count): {} ways were united.", found.cuts));
  if (found.searched)
    said.push_back(
        fmt::format("{} descents from seeded draws looked for what may be missing.",
                    found.cuts > 0 ? "Doubt remained, or a position is singular:" : "No way to eliminate serves it:"));
  const auto families = std::ranges::count_if(found.all(), [](const TurningSolution& s) { return s.family; });
  said.push_back(fmt::format("{} closed the loop to rounding{}.", how_many(found.count, "solution"),
                             families > 0 ? fmt::format(", {} of them a curve of solutions", families) : ""));
  return said;
}

}  // namespace

std::vector<std::string> InverseKinematics::explain() const {
  std::vector<std::string> said;
  if (!arm_ && short_arm()) {
    said = {
        fmt::format("{} the tool: with {} more behind it the general form of six gives every solution, and those are "
                    "kept that need none of them.",
                    joints() == 1 ? "One joint moves" : fmt::format("{} joints move", joints()), 6 - joints())};
    if (short_arm()->is_closed_form())
      said.push_back("Poses that are not beside a singular one are solved in closed form, with the same solutions.");
    said.push_back("Poses that the arm does not reach are left to descents.");
    return said;
  }
  if (!arm_ && joints() == 7 && redundant()) {
    const RedundantArm& arm = *redundant();
    const std::string& name =
        model_->position_names[static_cast<std::size_t>(arm.chain().coordinate[static_cast<std::size_t>(arm.held())])];
    said.push_back(fmt::format(
        "Seven joints are one more than a pose determines: with \"{}\" held the other six have every solution by "
        "the {}.",
        name,
        arm.closed_form() ? fmt::format("closed form of the family {}, beside singular positions by the general form",
                                        arm.closed_form()->family())
                          : "general form"));
    said.push_back(arm.swivel()
                       ? "Shoulder, elbow and wrist are points: at a swivel angle there is a closed form, too."
                       : "There is no form by swivel angle: axes 1, 2, 3, axes 3, 4 and axes 5, 6, 7 do not meet in "
                         "three points.");
    if (task_.aim) said.push_back("With an aim, descents find one solution and improve it.");
    return said;
  }
  for (const Fault& fault : not_special_)
    said.push_back(
        fmt::format("{}: {}.", arm_ && arm_->is_general() ? "No special form" : "No closed form", fault.what));
  if (const auto& form = made_->short_arm; !arm_ && form && !*form)
    said = {fmt::format("No closed form: {}.", form->faults().front().what)};
  if (!arm_) {
    said.push_back("Descents from a start, and from seeded draws inside the limits, find one solution.");
    return said;
  }
  if (!arm_->is_general()) {
    said.push_back(fmt::format("The closed form of the family {} gives every solution.", arm_->family()));
    std::vector<std::string> assumed;
    for (const Snap& snap : arm_->snaps())
      assumed.push_back(fmt::format("{} (off by {:.3g})", snap.what, snap.residual));
    if (!assumed.empty())
      said.push_back(fmt::format("It assumes geometry that the robot has nearly: {}.", fmt::join(assumed, "; ")));
    if (described_)
      said.push_back(
          "Each solution is corrected on the robot as described; where that does not reach rounding, as beside "
          "singular positions, the general form answers instead.");
    return said;
  }
  const SixTurns& turns = std::get<TurningArm>(arm_->arm).turns;
  if (turns.cuts().empty()) {
    said.push_back(
        "The general form of six joints: no way to eliminate five of them serves this arm, with prismatic joints that "
        "are not "
        "neighbours. Descents from seeded draws find the solutions, eight at most.");
    return said;
  }
  said.push_back(fmt::format(
      "The general form of six joints gives every solution: five joints are eliminated, \"{}\" is found first, as the "
      "zeros of a trigonometric polynomial of degree eight. Of 36 ways to eliminate {} this arm.",
      model_->position_names[static_cast<std::size_t>(turns.cuts().front().joint())],
      turns.cuts().size() == 1 ? "one serves" : fmt::format("{} serve", turns.cuts().size())));
  return said;
}

std::vector<std::string> InverseKinematics::explain(const Transform<double>& X_world_tool,
                                                    const IkChoice& choice) const {
  std::vector<std::string> said;
  const auto name = [&](const JointChain& chain, int joint) {
    return model_->position_names[static_cast<std::size_t>(chain.coordinate[static_cast<std::size_t>(joint)])];
  };
  const auto limits = [&](const IkSolutions& found) {
    const auto inside = std::ranges::count_if(found, [](const IkSolution& s) { return s.inside_limits; });
    if (found.size() > 0) said.push_back(fmt::format("{} of {} inside the limits.", inside, found.size()));
  };
  const auto add = [&](const TurningSolutions& found, std::string_view first) {
    for (std::string& sentence : stages_of(found, first)) said.push_back(std::move(sentence));
  };
  IkChoice all = choice;
  all.outside_limits = true;
  TurningSolutions six;
  if (!arm_ && joints() == 7 && (choice.redundancy || chooses_redundancy(choice))) {
    const Result<RedundantArm>& arm = redundant(choice.redundant_joint);
    if (!arm) return said;
    const IkSolutions found = solve(X_world_tool, all);
    if (!found.redundancy) return {"No value of the redundancy has a solution: descents looked for what comes near."};
    said.push_back(fmt::format("\"{}\" is held at {:.6g}{}.", name(arm->chain(), arm->held()), *found.redundancy,
                               choice.redundancy ? "" : ", of 120 values the next to its neutral one that serves"));
    if (arm->closed_form()) {
      said.push_back(fmt::format("There the six others have {}.", how_many(found.count, "solution")));
      limits(found);
      return said;
    }
    arm->six(*found.redundancy).solve(X_world_tool, six);
    int first = arm->cuts().empty() ? 0 : arm->cuts().front().joint();
    first += first >= arm->held();
    add(six, name(arm->chain(), first));
    limits(found);
    return said;
  }
  if (!arm_ && short_arm()) {
    short_arm()->solve_six(X_world_tool, six);
    const int first = short_arm()->cuts().empty() ? 0 : short_arm()->cuts().front().joint();
    add(six, first < joints() ? name(short_arm()->chain(), first) : std::string("an added joint"));
    const IkSolutions found = solve_short(X_world_tool, all);
    said.push_back(fmt::format("{} of them {} the joints that were added at rest.", found.count,
                               found.count == 1 ? "leaves" : "leave"));
    limits(found);
    return said;
  }
  if (!arm_) return said;
  const IkAnswer answer = branches(X_world_tool);
  const Transform<double> X_world_carrier = X_world_tool * inverse(X_carrier_tool_);
  if (arm_->is_general()) {
    const TurningArm& arm = std::get<TurningArm>(arm_->arm);
    if (answer.status == PoseStatus::not_a_pose) return said;
    arm.turns.solve(X_world_carrier, six);
    add(six, arm.turns.cuts().empty() ? std::string_view()
                                      : std::string_view(model_->position_names[static_cast<std::size_t>(
                                            arm.turns.cuts().front().joint())]));
  } else {
    const IkAnswer snapped = arm_->position(X_world_carrier);
    said.push_back(fmt::format("At this pose the family has {}, {} at most.",
                               how_many(snapped.count, "branch", "branches"),
                               arm_->family() == "cartesian"                                  ? 2
                               : arm_->family() == "cylindrical" || arm_->family() == "scara" ? 4
                                                                                              : 8));
    if (!arm_->snaps().empty() && snapped.count > 0) {
      int settled = 0, regular = 0;
      for (IkBranch branch : snapped.branches()) {
        const bool is_settled = settle(X_world_tool, branch);
        settled += is_settled;
        regular += is_settled && least_factor(branch) > near_singular_factor;
      }
      said.push_back(fmt::format(
          "{} of them could be corrected onto the robot as described{}.", settled,
          regular == snapped.count || !described_
              ? ""
              : fmt::format(", {} near singular: the general form answered with {}",
                            how_many(snapped.count - regular, "is", "are"), how_many(answer.count, "solution"))));
    }
  }
  const auto inside = std::ranges::count_if(answer.branches(), [](const IkBranch& b) { return inside_limits(b); });
  if (answer.count > 0) said.push_back(fmt::format("{} of {} inside the limits.", inside, answer.count));
  return said;
}

}  // namespace torsor
