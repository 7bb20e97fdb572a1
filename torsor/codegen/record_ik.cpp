// Closed-form inverse kinematics on tape: the equations of regular arms (ik/regular_lanes.hpp), every branch, choices
// instead of cases. A branch out of reach, or nearer to a singular set than regular_factor, says so in its state.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/record_function.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/regular_chain_lanes.hpp"
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

/// Where a pose asks for more than the joints can do, a branch is one if it meets the pose to that: of lengths of the
/// arm, rad.
constexpr double meets_pose = 1e-5;

struct PoseArguments {
  Transform<Trace> X;
  HeldJoint<Trace> value;
};

/// The pose from the arguments of the function, the value beside it if there is one.
PoseArguments pose_of(const CodeIk& ik, std::span<const Trace> a) {
  PoseArguments out;
  if (!ik.place_only) {
    out.X.R = {{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}};
    a = a.subspan(9);
  }
  out.X.p = {a[0], a[1], a[2]};
  if (ik.value.empty()) return out;
  const bool slides = ik.chain->held >= 0 && ik.chain->slides[static_cast<std::size_t>(ik.chain->held)];
  if (slides)
    out.value.d = a[3];
  else
    out.value.c = cos(a[3]), out.value.s = sin(a[3]);
  return out;
}

template <class T>
std::array<T, 3> signs_of(std::size_t row) {
  const auto sign = [row](std::size_t bit) { return T(row >> bit & 1U ? -1.0 : 1.0); };
  return {sign(0), sign(1), sign(2)};
}

void record_chain_branches(const CodeIk& ik, std::span<const Trace> a, std::span<Trace> results) {
  const RegularChain& arm = *ik.chain;
  const auto& [X, value] = pose_of(ik, a);
  const Trace none(0), least(turns_edge);
  const auto n = static_cast<std::size_t>(ik.joints), rows = static_cast<std::size_t>(ik.rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const ChainBranch<Trace> b = chain_branch<Trace>(arm, X, value, signs_of<Trace>(row));
    // what is not a number is not found, nor is it certainly out of reach
    TraceMask found = b.reached & (least < b.clear) & !b.blind, is_out = b.clear < -least;
    if (arm.is_overdetermined()) {
      const ChainMeasure<Trace> measure(arm, b, X);
      const double off = meets_pose * arm.size;
      const TraceMask meets = (measure.position < Trace(off * off)) & (measure.angle < Trace(meets_pose * meets_pose));
      is_out = is_out | (found & !meets);
      found = found & meets;
    }
    for (std::size_t i = 0; i < n; ++i) {
      Trace q = b.d[i];
      if (static_cast<int>(i) == arm.held)
        q = a[static_cast<std::size_t>(ik.arguments() - 1)];
      else if (!arm.slides[i])
        q = RegularCoordinate<Trace>(atan2(b.s[i], b.c[i]), none, Trace(finite_limit(arm.lower[i])),
                                     Trace(finite_limit(arm.upper[i])))
                .q;
      results[n * row + i] = select(found, q, none);
    }
    results[n * rows + row] = select(found, Trace(1), select(is_out, none, Trace(-1)));
  }
}

/// A pose with its value, if all of its branches are nowhere near a singular set, so that a float finds them, too.
std::optional<CodeCase> chain_case(const CodeIk& ik, const Transform<double>& pose, double value, const CReal& real) {
  const RegularChain& arm = *ik.chain;
  const auto n = static_cast<std::size_t>(ik.joints), rows = static_cast<std::size_t>(ik.rows);
  const auto& [R, p] = pose;
  CodeCase one{{R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z},
               std::vector<double>((n + 1) * rows, 0)};
  if (ik.place_only) one.arguments.erase(one.arguments.begin(), one.arguments.begin() + 9);
  if (!ik.value.empty()) one.arguments.push_back(value);
  if (real.is_float())
    for (double& x : one.arguments) x = static_cast<double>(static_cast<float>(x));
  // of the numbers as the type holds them
  const double* given = one.arguments.data();
  Transform<double> typed = pose;
  if (!ik.place_only) {
    typed.R = {{given[0], given[3], given[6]}, {given[1], given[4], given[7]}, {given[2], given[5], given[8]}};
    given += 9;
  }
  typed.p = {given[0], given[1], given[2]};
  const double typed_value = ik.value.empty() ? value : given[3];
  const auto branch_at = [&](const Transform<double>& X, double at, std::size_t row) {
    return chain_branch<double>(arm, X, {std::cos(at), std::sin(at), at}, signs_of<double>(row));
  };
  const auto joints_of = [&](const ChainBranch<double>& b, double at) {
    CodeIk::Angles q{};
    for (std::size_t i = 0; i < n; ++i) q[i] = arm.slides[i] ? b.d[i] : std::atan2(b.s[i], b.c[i]);
    if (arm.held >= 0) q[static_cast<std::size_t>(arm.held)] = at;
    return q;
  };
  // as the other solver has them, too: its own last digits are those of another way
  std::vector<CodeIk::Angles> all = ik.other(pose, value);
  constexpr double clear_of_edges = 0.05, same = 1e-8;
  for (std::size_t row = 0; row < rows; ++row) {
    const ChainBranch<double> b = branch_at(pose, value, row);
    if (b.blind || !(std::abs(b.clear) > clear_of_edges)) return std::nullopt;
    if (!b.reached) continue;
    const CodeIk::Angles here = joints_of(b, value);
    if (arm.is_overdetermined()) {
      // what surely meets the pose, or surely not
      const ChainMeasure<double> m(arm, b, pose);
      const double off = std::max(std::sqrt(m.position) / arm.size, std::sqrt(m.angle));
      if (off > 0.1 * meets_pose && off < 0.01) return std::nullopt;
      if (off >= 0.01) continue;
    }
    const auto is_here = [&](const CodeIk::Angles& q) {
      for (std::size_t i = 0; i < n; ++i)
        if (const double by = q[i] - here[i];
            std::abs(arm.slides[i] ? by : std::remainder(by, 2 * std::numbers::pi)) > same)
          return false;
      return true;
    };
    const auto found = std::ranges::find_if(all, is_here);
    const CodeIk::Angles rounded = joints_of(branch_at(typed, typed_value, row), typed_value);
    for (std::size_t i = 0; i < n; ++i) {
      if (found == all.end()) continue;
      double q = rounded[i];
      if (!arm.slides[i] && static_cast<int>(i) != arm.held) {
        if (std::numbers::pi - std::abs(q) < 1e-3) return std::nullopt;
        q = RegularCoordinate<double>(q, 0, arm.lower[i], arm.upper[i]).q;
      }
      one.results[n * row + i] = q;
    }
    // a solution that the other has not is none
    one.results[n * rows + row] = found == all.end() ? 0 : 1;
    if (found != all.end()) all.erase(found);
  }
  // nor is one missing: no such state comes of the code
  if (!all.empty()) one.results.back() = 2;
  return one;
}

/// By elimination: a pose whose first cut leaves the library no doubt, none of its solutions near singular. Both close
/// the loop to some units of rounding, so that angles agree to these by the least singular value.
std::optional<CodeCase> general_case(const CodeIk& ik, const Transform<double>& pose, double value) {
  constexpr double least_sigma = 0.02, closed = 1e-13, rounding = 1e-9, decides = 1e-5, clearly = 100;
  const EliminatedArm& arm = *ik.general;
  const SixTurns six = arm.at(value);
  const auto n = static_cast<std::size_t>(ik.joints), own = static_cast<std::size_t>(arm.own());
  TurningSolutions found;
  six.solve(pose, found);
  if (found.cuts != 1 || found.doubt || found.double_zeros > 0 || found.count > 16) return std::nullopt;
  // nor does the determinant come so near to zero anywhere that its rounding, another in the code, might decide
  Elimination first;
  CircleTouches touches;
  if (!eliminate(six.loop(pose), six.cuts().front(), first)) return std::nullopt;
  circle_touches(first.series, 1000 * first.error, touches);
  if (touches.count > 0) return std::nullopt;
  found.sort();
  const auto& [R, p] = pose;
  CodeCase one{{R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z},
               std::vector<double>((n + 1) * general_ik_rows, 0)};
  if (!ik.value.empty()) one.arguments.push_back(value);
  one.allowed.assign(one.results.size(), closed);
  const TurningSolution* before = nullptr;
  std::size_t k = 0;
  for (const TurningSolution& s : found.all()) {
    if (s.measure.sigma < least_sigma) return std::nullopt;
    double moved = 0;  // of the joints that are to stand
    for (std::size_t i = own; i < 6; ++i) moved = std::max(moved, std::abs(s.q[i]));
    if (moved > general_ik_stands / clearly && moved < general_ik_stands * clearly) return std::nullopt;
    if (moved > general_ik_stands) continue;
    for (std::size_t i = 0; i < own; ++i) {
      if (std::numbers::pi - std::abs(s.q[i]) < 1e-3) return std::nullopt;
      const std::size_t joint = arm.joint_of(static_cast<int>(i)), at = n * k + joint;
      const Limits& limits = arm.chain.limits[joint];
      one.results[at] = representative(s.q[i], limits);
      if (outside(one.results[at], limits) != 0) one.results[at] = s.q[i];
      one.allowed[at] = closed / s.measure.sigma;
    }
    if (arm.held >= 0) one.results[n * k + static_cast<std::size_t>(arm.held)] = value;
    one.results[n * general_ik_rows + k++] = 1;
    if (const TurningSolution* last = std::exchange(before, &s)) {
      // joints that are alike to rounding, or so little that the order is open
      std::size_t i = 0;
      const auto apart_by = [&](std::size_t j) { return std::abs(s.q[j] - last->q[j]); };
      while (i < 5 && apart_by(i) < rounding) ++i;
      if (apart_by(i) < decides) return std::nullopt;
    }
  }
  return one;
}

}  // namespace

Faults refuse_ik(const CodeSubject& subject) {
  if (subject.ik) return {};
  return {{{}, "function \"ik\"", "codegen-ik", "the robot has no closed form that has a text", "torsor ik says why"}};
}

void record_ik(const CodeSubject& subject, std::span<const Trace> a, std::span<Trace> results) {
  if (subject.ik->chain) return record_chain_branches(*subject.ik, a, results);
  const SixAxis& arm = six_axis_of(*subject.ik->arm);
  const RegularArm& e = regular_of(*subject.ik->arm);
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
    const std::vector<double> q = random_position(model, engine);
    configuration.set(model, q);
    forward_kinematics<double>(model, configuration, X);
    const Transform<double> pose = frame_pose<double>(subject.tool, X);
    if (subject.ik->general) {
      const int held = subject.ik->general->held;
      const double value = held < 0 ? 0 : q[static_cast<std::size_t>(held)];
      if (auto one = general_case(*subject.ik, pose, value)) return *std::move(one);
      if (attempt == 100000) return CodeCase{{}, {std::numeric_limits<double>::quiet_NaN()}};
      continue;
    }
    if (subject.ik->chain) {
      const int held = subject.ik->chain->held;
      const double value = held >= 0 ? q[static_cast<std::size_t>(held)] : std::numbers::pi * (2 * uniform(engine) - 1);
      if (auto one = chain_case(*subject.ik, pose, value, real)) return *std::move(one);
      if (attempt == 100000) return CodeCase{{}, {std::numeric_limits<double>::quiet_NaN()}};
      continue;
    }
    const IkAnswer answer = subject.ik->arm->position(pose);
    bool is_clear = answer.status == PoseStatus::solved;
    for (const IkBranch& b : answer.branches())
      for (const double factor : b.factor) is_clear = is_clear && factor > 0.2;
    for (const IkBranch& b : answer.branches())
      for (const double angle : b.q) is_clear = is_clear && std::abs(angle) < std::numbers::pi - 1e-3;
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
