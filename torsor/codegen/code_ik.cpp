#include "torsor/codegen/code_ik.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"

namespace torsor {
namespace {

const RegularArm& regular_form(const ArmSolver& solver) {
  return std::visit([](const auto& arm) -> const RegularArm& { return arm.regular; }, solver.arm);
}

Fault refused(std::string what, std::string remedy) {
  return {{}, "function \"ik\"", "codegen-ik", std::move(what), std::move(remedy)};
}

template <class Found, class Six>
std::vector<CodeIk::Angles> taken(const Found& found, std::size_t joints, const Six& angles_of) {
  std::vector<CodeIk::Angles> out;
  for (const auto& s : found.all()) {
    CodeIk::Angles& q = out.emplace_back();
    const auto& from = angles_of(s);
    std::copy_n(from.begin(), joints, q.begin());
  }
  return out;
}

constexpr double some_value = 0.7;  // of a joint that is held, where the cuts of the loop are chosen

/// The six that move by elimination, or seven with one of them held.
void compare_with_six(const JointChain& chain, CodeIk& out) {
  const auto angles = [](const TurningSolution& s) -> const SixAngles& { return s.q; };
  if (chain.joints() == 6) {
    std::array<Transform<double>, 7> B;
    std::array<bool, 6> slides{};
    std::copy(chain.B.begin(), chain.B.end(), B.begin());
    std::copy(chain.slides.begin(), chain.slides.end(), slides.begin());
    out.other = [six = std::make_shared<SixTurns>(B, slides), angles](const Transform<double>& X, double) {
      TurningSolutions found;
      six->solve(X, found);
      return taken(found, 6, angles);
    };
    return;
  }
  const int held = out.chain->held;
  const auto six = std::make_shared<SixTurns>(six_of(chain, held, some_value), slides_of(chain, held));
  out.other = [six, chain, held, angles](const Transform<double>& X, double value) {
    TurningSolutions found;
    six->with(six_of(chain, held, value)).solve(X, found);
    std::vector<CodeIk::Angles> all = taken(found, 6, angles);
    for (CodeIk::Angles& q : all) {
      std::copy_backward(q.begin() + held, q.begin() + 6, q.begin() + 7);
      q[static_cast<std::size_t>(held)] = value;
    }
    return all;
  };
}

/// The six of an arm, if elimination finds their positions and they all turn.
std::optional<EliminatedArm> eliminated(const JointChain& chain, const SixTurns& six, int held = -1) {
  if (six.cuts().empty() || !six.serves() || std::ranges::any_of(six.slides(), [](bool s) { return s; })) return {};
  return EliminatedArm{chain, six, held};
}

}  // namespace

Result<CodeIk> code_ik(const Robot& robot, const Frame<double>& tool, bool place_only) {
  using Rest = RegularChain::Rest;
  CodeIk out;
  const Model<double>& model = robot.model();
  if (!place_only && tool.name == model.frames.back().name) {
    if (auto arm = arm_solver(robot.description()); arm && regular_form(*arm).kind != RegularArm::Kind::none) {
      out.other = [solver = *arm](const Transform<double>& X, double) {
        const IkAnswer answer = solver.position(X);
        std::vector<CodeIk::Angles> all;
        for (const IkBranch& b : answer.branches()) std::copy(b.q.begin(), b.q.end(), all.emplace_back().begin());
        return all;
      };
      out.arm = *std::move(arm);
      return out;
    }
  }
  const auto chain = joint_chain(model, tool);
  if (!chain) return refused(chain.faults().front().what, "give a tool that joints in series move");
  const int n = out.joints = chain->joints();
  if (n > 7) return refused(fmt::format("{} joints move its tool: more than one is redundant", n), "hold some of them");
  if (n <= 5) {
    const ShortTask task = place_only ? ShortTask::place : ShortTask::pose;
    const auto arm = ShortArm::of(*chain, task);
    if (!arm) return refused(arm.faults().front().what, place_only ? "" : "ask for its place alone");
    if (arm->is_closed_form()) out.chain = RegularChain::of_few(*chain, place_only ? Rest::place : Rest::turn);
    else if (!place_only) out.general = eliminated(*chain, arm->six());
    out.other = [arm = *arm, n](const Transform<double>& X, double) {
      ShortSolutions found;
      arm.solve_general(X, found);
      return taken(found, static_cast<std::size_t>(n),
                   [](const ShortSolution& s) -> const std::array<double, 5>& { return s.q; });
    };
    out.place_only = place_only;
  } else if (place_only) {
    return refused(fmt::format("{} joints for a place leave a choice", n), "give the whole pose");
  } else if (n == 6) {
    out.chain = RegularChain::of_wrist(*chain);
    if (out.chain) {
      compare_with_six(*chain, out);
    } else {
      std::array<Transform<double>, 7> B;
      std::copy(chain->B.begin(), chain->B.end(), B.begin());
      out.general = eliminated(*chain, SixTurns(B, slides_of(*chain, 6)));
    }
  } else {
    if (const auto swivel = SwivelArm::of(*chain); swivel && swivel->regular()) {
      out.chain = swivel->regular();
      out.value = "psi";
      out.other = [swivel = *swivel](const Transform<double>& X, double psi) {
        SwivelSolutions found;
        swivel.solve_cases(X, psi, found);
        return taken(found, 7, [](const SevenAngles& q) -> const SevenAngles& { return q; });
      };
    }
    for (const int held : {redundant_joint(*chain), 6, 0}) {
      if (out.chain) break;
      out.chain = RegularChain::of_wrist(*chain, held);
      if (!out.chain) continue;
      out.value = "held";
      compare_with_six(*chain, out);
    }
    if (!out.chain)
      if (const auto arm = RedundantArm::of(*chain)) {
        out.general = eliminated(*chain, arm->six(some_value), arm->held());
        out.value = "held";
      }
  }
  if (out.general) {
    out.rows = general_ik_rows;
    return out;
  }
  if (!out.chain)
    return refused(
        place_only ? "its place is not found without cases, and these have no straight text"
                   : "it has prismatic joints beside others that no closed form without cases serves, or joints that do "
                     "not move the tool every way",
        place_only ? "ask for the whole pose, or torsor ik" : "torsor ik says why, and has all others");
  out.rows = out.chain->rows();
  return out;
}

}  // namespace torsor
