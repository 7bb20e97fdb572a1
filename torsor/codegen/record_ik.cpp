// Closed-form inverse kinematics on tape: the equations of regular arms (ik/regular_lanes.hpp), every branch, choices
// instead of cases. A branch out of reach, or nearer to a singular set than regular_factor, says so in its state.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/codegen/record_function.hpp"
#include "torsor/closed_form_ik/regular_lanes.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

const SixAxis& six_axis_of(const ArmSolver& solver) {
  return std::visit([](const auto& arm) -> const SixAxis& { return arm; }, solver.arm);
}

const RegularArm& regular_of(const ArmSolver& solver) {
  return std::visit([](const auto& arm) -> const RegularArm& { return arm.regular; }, solver.arm);
}

/// Rows of the results: shoulder, elbow, wrist, each + before -.
std::size_t branch_row(const BranchLabel& label) {
  return (label.shoulder < 0 ? 4U : 0U) + (label.elbow < 0 ? 2U : 0U) + (label.wrist < 0 ? 1U : 0U);
}

/// What generated code can compare with: limits that are there for every number.
double finite_limit(double limit) { return std::isfinite(limit) ? limit : std::copysign(1e9, limit); }

template <RegularArm::Kind kind>
void record_branches(const RegularArm& e, const Transform<Trace>& flange, std::span<Trace> results) {
  const Trace least(regular_factor), none(0);
  for (const int shoulder : {1, -1})
    for (const int elbow : {1, -1})
      for (const int wrist : {1, -1}) {
        const auto b = regular_branches<kind, Trace, Trace>(e, flange, Trace(shoulder), Trace(elbow), Trace(wrist));
        const TraceMask doubtful = (b.shoulder < least) | (b.elbow < least) | (b.wrist < least);
        const TraceMask found = b.reached & !doubtful;
        const std::size_t at = branch_row({shoulder, elbow, wrist, 0});
        for (std::size_t i = 0; i < 6; ++i) {
          const RegularCoordinate<Trace> x(atan2(b.s[i], b.c[i]), Trace(e.theta[i]), Trace(finite_limit(e.lower[i])),
                                           Trace(finite_limit(e.upper[i])));
          results[6 * at + i] = select(found, x.q, none);
        }
        results[48 + at] = select(found, Trace(1), select(b.reached, Trace(-1), none));
      }
}

}  // namespace

Faults refuse_ik(const CodeSubject& subject) {
  const auto refused = [](std::string what, std::string remedy) {
    return Faults{{{}, "function \"ik\"", "codegen-ik", std::move(what), std::move(remedy)}};
  };
  if (!subject.arm) return refused("the robot has no closed form", "torsor ik says why");
  if (regular_of(*subject.arm).kind == RegularArm::Kind::none)
    return refused(
        fmt::format("arms of the family \"{}\" are solved by cases that have no straight text", subject.arm->family()),
        "it is there for elbow arms with right-angled wrists and for arms with three parallel axes");
  if (subject.tool.name != subject.model->frames.back().name)
    return refused(fmt::format("\"{}\" is not the default tool", subject.tool.name), "leave --tool out");
  return {};
}

void record_ik(const CodeSubject& subject, std::span<const Trace> a, std::span<Trace> results) {
  const SixAxis& arm = six_axis_of(*subject.arm);
  const RegularArm& e = regular_of(*subject.arm);
  const auto trace = [](double x) { return Trace(x); };
  const Transform<Trace> X_world_tool{{{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}},
                                      {a[9], a[10], a[11]}};
  const Transform<Trace> X_world_0 = cast<Trace>(arm.X_world_0, trace);
  const Transform<Trace> flange = ~X_world_0 * (X_world_tool * cast<Trace>(e.X_tool_flange, trace));
  if (e.kind == RegularArm::Kind::elbow)
    record_branches<RegularArm::Kind::elbow>(e, flange, results);
  else
    record_branches<RegularArm::Kind::parallel>(e, flange, results);
}

CodeCase ik_case(const CodeSubject& subject, const CReal& real, std::uint64_t seed) {
  const Model<double>& model = *subject.model;
  std::mt19937_64 engine(seed);
  std::vector<Transform<double>> X(model.bodies.size());
  Configuration<double> configuration(model);
  // poses that are nowhere near a singular set, so that a float finds them, too
  for (int attempt = 0;; ++attempt) {
    configuration.set(model, random_position(model, engine));
    forward_kinematics<double>(model, configuration, X);
    const Transform<double> pose = frame_pose<double>(subject.tool, X);
    const IkAnswer answer = subject.arm->position(pose);
    bool is_clear = answer.status == PoseStatus::solved;
    for (const IkBranch& b : answer.branches())
      for (const double factor : b.factor) is_clear = is_clear && factor > 0.2;
    for (const IkBranch& b : answer.branches())
      for (const double q : b.q) is_clear = is_clear && std::abs(q) < std::numbers::pi - 1e-3;
    if (!is_clear && attempt < 1000) continue;

    const auto& [R, p] = pose;
    CodeCase one{{R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z},
                 std::vector<double>(56, 0)};
    if (real.is_float())
      for (double& x : one.arguments) x = static_cast<double>(static_cast<float>(x));
    for (const IkBranch& b : answer.branches()) {
      const std::size_t at = branch_row(b.label);
      for (std::size_t i = 0; i < 6; ++i) one.results[6 * at + i] = b.q[i];
      one.results[48 + at] = 1;
    }
    return one;
  }
}

}  // namespace torsor
