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
  const double some = 0.7;
  const auto six = std::make_shared<SixTurns>(six_of(chain, held, some), slides_of(chain, held));
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
    } else if (std::ranges::none_of(chain->slides, [](bool s) { return s; })) {
      std::array<Transform<double>, 7> B;
      std::copy(chain->B.begin(), chain->B.end(), B.begin());
      std::copy(chain->limits.begin(), chain->limits.end(), out.limits.begin());
      out.general.emplace(B);
      out.rows = 16;
      if (out.general->cuts().empty())
        return refused("its six joints do not move the tool every way", "torsor ik says why");
      return out;
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
  }
  if (!out.chain)
    return refused("its regular positions are not solved without cases, and these have no straight text",
                   "it is there for six revolute joints, two to four, and seven with a spherical shoulder; "
                   "torsor ik has all others");
  out.rows = out.chain->rows();
  return out;
}

}  // namespace torsor
