#include "bench/timing/ik_timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric_ik/ik_batch.hpp"

namespace torsor {
namespace {

constexpr std::size_t arguments = 65536, pose_count = 1024;

/// Keeps what is computed from being left out.
volatile double sink;

/// How many of the arguments there is time for: all where a call is quick, sixteen where it takes long, two where one alone takes
/// longer than there is time.
template <class Work>
std::size_t arguments_in(double seconds, std::size_t count, const Work& work) {
  sink = work(0);
  const auto start = std::chrono::steady_clock::now();
  sink = work(0);
  const double each = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (each < 1e-5 || each * static_cast<double>(count) <= seconds) return count;
  const std::size_t few = std::min<std::size_t>(each > seconds ? 2 : 16, count);
  return std::clamp(static_cast<std::size_t>(seconds / each), few, count);
}

/// Seconds per call of work(i), i = 0 .. count - 1, the least of many passes; work gives a number.
template <class Work>
double seconds_per_call(std::size_t count, double seconds, const Work& work) {
  count = arguments_in(seconds, count, work);
  double least = std::numeric_limits<double>::infinity();
  for (double spent = 0; spent < seconds || spent == 0;) {
    const auto start = std::chrono::steady_clock::now();
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += work(i);
    sink = sum;
    const double pass = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    spent += pass;
    least = std::min(least, pass / static_cast<double>(count));
  }
  return least;
}

const SixAxis& table_of(const ArmSolver& solver) {
  return std::visit([](const auto& arm) -> const SixAxis& { return arm; }, solver.arm);
}

std::array<double, 6> random_joints(const SixAxis& arm, std::mt19937_64& engine) {
  std::array<double, 6> q{};
  for (std::size_t i = 0; i < 6; ++i) {
    const bool slides = arm.joint[arm.backwards ? 5 - i : i].prismatic;
    q[i] = (2 * uniform(engine) - 1) * (slides ? arm.size : std::numbers::pi);
  }
  return q;
}

double arc_tangent_seconds(std::mt19937_64& engine, double seconds_each) {
  std::vector<double> y(arguments), x(arguments);
  for (double& value : y) value = 2 * uniform(engine) - 1;
  for (double& value : x) value = 2 * uniform(engine) - 1;
  return seconds_per_call(arguments, seconds_each, [&](std::size_t i) { return std::atan2(y[i], x[i]); });
}

}  // namespace

IkTimes time_ik(const ArmSolver& solver, double seconds_each) {
  std::mt19937_64 engine(1);
  const auto number = [&] { return 2 * uniform(engine) - 1; };
  IkTimes times;

  times.arc_tangent = arc_tangent_seconds(engine, seconds_each);
  // poses, and of each the branch to be followed and a motion
  const SixAxis& arm = table_of(solver);
  std::vector<Transform<double>> pose;
  std::vector<IkBranch> branch;
  std::vector<BranchLabel> label;
  ToolMotion motion;
  motion.twist = {{number(), number(), number()}, {number(), number(), number()}};
  motion.acceleration = {{number(), number(), number()}, {number(), number(), number()}};
  while (pose.size() < pose_count) {
    pose.push_back(solver.tool_pose(random_joints(arm, engine)));
    const IkAnswer answer = solver.position(pose.back());
    times.branches += answer.count / static_cast<double>(pose_count);
    branch.push_back(answer.count > 0 ? answer.branch[engine() % static_cast<std::uint64_t>(answer.count)]
                                      : IkBranch{});
    label.push_back(branch.back().label);
  }

  const auto add = [&](std::string_view name, const auto& work) {
    times.rows.push_back({name, seconds_per_call(pose_count, seconds_each, work)});
  };
  add("all positions", [&](std::size_t i) {
    const IkAnswer answer = solver.position(pose[i]);
    return answer.count > 0 ? answer.branch[static_cast<std::size_t>(answer.count - 1)].q[5] : 0;
  });
  IkBranch b;
  add("one branch", [&](std::size_t i) { return solver.position(pose[i], label[i], b) ? b.q[5] : 0; });
  const auto by_6x6 = [&](const IkBranch& at) { return solve_rates_6x6(tool_columns(arm, at), motion).qdd[5]; };
  const auto* const wrist = std::get_if<WristArm>(&solver.arm);
  const auto rates = [&](const IkBranch& at) {
    return wrist ? solve_rates(*wrist, at, motion).qdd[5] : solver.rates(at, motion).qdd[5];
  };
  add("one branch, velocity, acceleration",
      [&](std::size_t i) { return solver.position(pose[i], label[i], b) ? rates(b) : 0; });
  add("velocity, acceleration", [&](std::size_t i) { return rates(branch[i]); });
  if (wrist) add("velocity, acceleration by a 6x6 LU", [&](std::size_t i) { return by_6x6(branch[i]); });
  return times;
}

Result<IkTimes> time_chain_ik(const JointChain& chain, double seconds_each) {
  std::mt19937_64 engine(1);
  IkTimes times;
  times.arc_tangent = arc_tangent_seconds(engine, seconds_each);
  std::vector<Transform<double>> pose;
  std::vector<std::vector<double>> made;
  while (pose.size() < pose_count) {
    std::vector<double>& q = made.emplace_back();
    for (const bool slides : chain.slides)
      q.push_back((2 * uniform(engine) - 1) * (slides ? chain.size : std::numbers::pi));
    pose.push_back(chain.tool_pose(q));
  }
  const auto add = [&](std::string_view name, std::size_t count, const auto& work) {
    times.rows.push_back({name, seconds_per_call(count, seconds_each, work)});
  };
  if (chain.joints() == 7) {
    const auto arm = RedundantArm::of(chain);
    if (!arm) return arm.faults();
    SevenSolutions found;
    const auto held = static_cast<std::size_t>(arm->held());
    for (std::size_t i = 0; i < pose_count; ++i) {
      arm->solve(pose[i], made[i][held], found);
      times.branches += found.count / static_cast<double>(pose_count);
    }
    add("all positions, a joint held", pose_count, [&](std::size_t i) {
      arm->solve(pose[i], made[i][held], found);
      return static_cast<double>(found.count);
    });
    add("values of the held joint", 16,
        [&](std::size_t i) { return static_cast<double>(arm->feasible(pose[i], true).size()); });
    if (!arm->swivel()) return times;
    add("all positions, a swivel angle", pose_count, [&](std::size_t i) {
      arm->solve_swivel(pose[i], made[i][0], found);
      return static_cast<double>(found.count);
    });
    add("swivel angles inside the limits", pose_count,
        [&](std::size_t i) { return static_cast<double>(arm->swivel()->feasible(pose[i]).size()); });
    return times;
  }
  Faults faults;
  for (const auto& [task, name] : {std::pair{ShortTask::pose, "all positions of a pose"},
                                   {ShortTask::place_and_axis, "all positions of a place and an axis"},
                                   {ShortTask::place, "all positions of a place"}}) {
    const auto arm = ShortArm::of(chain, task);
    if (!arm) {
      if (faults.empty()) faults = arm.faults();
      continue;
    }
    ShortSolutions found;
    if (times.rows.empty())
      for (const Transform<double>& X : pose) {
        arm->solve(X, found);
        times.branches += found.count / static_cast<double>(pose_count);
      }
    add(name, pose_count, [&](std::size_t i) {
      arm->solve(pose[i], found);
      return static_cast<double>(found.count);
    });
  }
  if (times.rows.empty()) return faults;
  return times;
}

std::vector<IkTime> time_poses(const InverseKinematics& solver, double seconds_each) {
  const auto chain = joint_chain(solver.model(), solver.tool());
  if (!chain || (!solver.gives_all() && !solver.chooses_redundancy())) return {};
  std::mt19937_64 engine(1);
  IkChoice choice;
  if (!solver.gives_all()) choice.redundancy = 0.3;
  std::vector<Transform<double>> pose;
  while (pose.size() < pose_count) {
    std::vector<double> q;
    for (const int k : chain->coordinate) q.push_back(random_position(solver.model(), engine)[static_cast<std::size_t>(k)]);
    pose.push_back(chain->tool_pose(q));
  }
  std::vector<IkTime> rows;
  rows.push_back({"one call", seconds_per_call(pose_count, seconds_each, [&](std::size_t i) {
                    return static_cast<double>(solver.solve_all(pose[i], choice).count);
                  })});
  const auto batch = [&](int threads) {
    const double each = seconds_per_call(1, seconds_each, [&](std::size_t) {
      return static_cast<double>(solve_poses(solver, pose, choice, threads).count[0]);
    });
    return each / static_cast<double>(pose_count);
  };
  rows.push_back({"1024 poses in one call, per pose", batch(1)});
  rows.push_back({"likewise on two threads", batch(2)});
  return rows;
}

std::vector<IkTime> time_tool(const ToolDrivenRobot<double>& robot, double seconds_each) {
  std::mt19937_64 engine(1);
  const auto vector = [&]() -> Vec3<double> {
    const double x = 2 * uniform(engine) - 1, y = 2 * uniform(engine) - 1;
    return {x, y, 2 * uniform(engine) - 1};
  };
  std::vector<EndEffectorMotion<double>> end;
  std::vector<BranchLabel> label;
  while (end.size() < pose_count) {
    const FrameMotion tool{tool_pose(robot.wrist, random_joints(robot.wrist, engine)), vector(), vector(), vector(),
                           vector()};
    const IkAnswer answer = solve_position(robot.wrist, tool.X);
    if (answer.count == 0) continue;
    end.push_back(end_effector_motion(robot, tool));
    label.push_back(answer.branch[engine() % static_cast<std::uint64_t>(answer.count)].label);
  }
  std::vector<IkTime> rows;
  for (const ToolFormulation<double>& row : tool_formulations<double>()) {
    if (!row.premise(robot).empty()) continue;
    const ToolRun<double> run = row.prepare(robot);
    ToolTorques<double> out;
    rows.push_back({row.name, seconds_per_call(pose_count, seconds_each, [&](std::size_t i) {
                      return run(end[i], label[i], out) ? out.tau[5] : 0;
                    })});
  }
  return rows;
}

}  // namespace torsor
