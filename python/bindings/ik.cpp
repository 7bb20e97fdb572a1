// Inverse kinematics in Python: the labelled branches of closed forms, and the general solver.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/loops/assembly_result.hpp"
#include "torsor/numeric_ik/parallel_result.hpp"
#include "torsor/numeric_ik/ik_batch.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

/// For the default tool; Error where it has no closed form. One per call and thread, its arm analysed once.
auto closed_form(const Robot& robot) {
  return robot.work<InverseKinematics>(nullptr, [&robot] {
    if (robot.model().frames.empty()) throw_error(arm_solver(robot.description()).faults());
    auto made = std::make_unique<InverseKinematics>(robot.model(), robot.description(), robot.model().frames.back());
    if (!made->closed()) throw_error(made->refusal());
    return made;
  });
}

/// For the default tool of a robot of any number of joints. One per call, task (a number below five) and thread.
auto any_form(const Robot& robot, const char* function, const IkTask& task = {}, int number = 0) {
  if (robot.model().frames.empty()) refuse(function, "the robot has no tool");
  static constexpr char keys[5] = {};
  return robot.work<InverseKinematics>(&keys[number], [&robot, &task] {
    return std::make_unique<InverseKinematics>(robot.model(), robot.description(), robot.model().frames.back(), task);
  });
}

/// Why state k of a call with poses as its argument 0 has none.
Fault not_a_pose(const RowCall& call, std::int64_t k) {
  return {{},
          "state " + std::to_string(k),
          "not-a-pose",
          std::string("it is no pose: ") + pose_or_fault(call.row(0, k)).fault,
          "give a rotation and a finite position over the row 0 0 0 1"};
}

/// Many poses: positions with room for as many as a pose can have, and how many there are.
nb::object solutions_of_poses(const Robot& robot, nb::handle poses, std::optional<double> redundancy, int threads) {
  const char* const function = "inverse_kinematics";
  RowCall call(function, threads);
  IkChoice choice;
  choice.redundancy = redundancy;
  const int nq = robot.model().nq;
  int most = 0;
  {
    const auto solver = any_form(robot, function);
    if (redundancy && !solver->redundant()) throw_error(solver->redundant().faults());
    if (!redundancy && !solver->gives_all() && !solver->chooses_redundancy()) throw_error(solver->refusal());
    most = most_solutions(*solver);
  }
  call.take("pose", poses, {4, 4}).settle();
  call.give_all(nb::none(), {{most, nq}, {1}});
  call.may_leave_out();
  call.share([&](std::int64_t begin, std::int64_t count) {
    const auto solver = any_form(robot, function);
    for (std::int64_t k = begin; k < begin + count; ++k) {
      const std::span<double> q = call.answer(0, k), number = call.answer(1, k);
      std::fill(q.begin(), q.end(), std::nan(""));
      const auto [X, fault] = pose_or_fault(call.row(0, k));
      if (fault) {
        call.leave_out(k);
        continue;
      }
      number[0] = for_each_solution(*solver, X, choice, [&](int s, std::span<const double> found, bool, double) {
        if (s < most) std::copy(found.begin(), found.end(), q.begin() + static_cast<std::ptrdiff_t>(s) * nq);
      });
    }
  });
  call.tell(false, [&](std::int64_t k) { return not_a_pose(call, k); });
  const nb::object both = call.result();
  const nb::object counts = nb::module_::import_("numpy").attr("nan_to_num")(both[1]).attr("astype")("int64");
  return nb::make_tuple(both[0], counts.attr("squeeze")(-1));
}

nb::object inverse_kinematics(const Robot& robot, nb::handle pose, std::optional<double> redundancy, int threads) {
  if (!pose.is_none() && nb::cast<int>(nb::module_::import_("numpy").attr("ndim")(pose)) > 2)
    return solutions_of_poses(robot, pose, redundancy, threads);
  if (redundancy) refuse("inverse_kinematics", "redundancy is for many poses; ik_solutions takes it for one");
  const CartesianState tool{pose_of("inverse_kinematics", "pose", pose)};
  const auto solver = closed_form(robot);
  return answer_of(ik_result(*solver, tool, solver->solve(tool.X)));
}

nb::object ik_branches(const Robot& robot, nb::handle poses, nb::handle out, int threads, bool return_valid) {
  constexpr int joints = 6;
  RowCall call("ik_branches", threads);
  const int most = most_solutions(*closed_form(robot));  // a robot without one is refused before its poses are read
  call.take("poses", poses, {4, 4}).settle();
  if (call.single() && !return_valid) pose_of(call.function(), "poses", call.row(0, 0));
  call.give_all(out, {{most, joints}, {most, 4}});
  call.may_leave_out();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto solver = closed_form(robot);
    for (std::int64_t k = first; k < first + count; ++k) {
      const auto [X, fault] = pose_or_fault(call.row(0, k));
      if (fault) {
        call.leave_out(k);
        continue;
      }
      const IkAnswer found = solver->branches(X);
      const std::span<double> q = call.answer(0, k), label = call.answer(1, k);
      std::fill(q.begin(), q.end(), std::nan(""));
      std::fill(label.begin(), label.end(), 0.0);
      for (std::size_t b = 0; b < static_cast<std::size_t>(std::min(found.count, most)); ++b) {
        const IkBranch& branch = found.branch[b];
        std::copy(branch.q.begin(), branch.q.end(), q.begin() + static_cast<std::ptrdiff_t>(joints * b));
        const auto& [shoulder, elbow, wrist, root, determinant] = branch.label;
        const double signs[] = {double(shoulder), double(elbow), double(wrist != 0 ? wrist : determinant),
                                double(root)};
        std::copy(signs, signs + 4, label.begin() + static_cast<std::ptrdiff_t>(4 * b));
      }
    }
  });
  call.tell(return_valid, [&](std::int64_t k) { return not_a_pose(call, k); });
  return call.with_valid(call.result(), return_valid);
}

nb::object solve_pose(const Robot& robot, nb::handle pose, nb::handle start, nb::handle frame, nb::handle weights,
                      bool limits, std::optional<std::string> aim, int restarts, std::uint64_t seed) {
  const char* const function = "solve_pose";
  const Transform<double> X = pose_of(function, "pose", pose);
  const Frame<double> at = robot.frame(function, frame);
  const std::vector<double> from =
      start.is_none() ? neutral_position(robot.model()) : vector_of(function, "start", start, robot.model().nq);
  GeneralOptions options;
  options.limits = limits;
  options.restarts = restarts;
  options.seed = seed;
  if (restarts < 0) refuse(function, "restarts is negative; expected 0 or more");
  if (!weights.is_none()) {
    const std::vector<double> w = vector_of(function, "weights", weights, 6);
    options.weights = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    if (!is_task(options.weights))
      refuse(function,
             "weights are no task; expected six numbers (turns, then shifts), none negative, not all zero and not "
             "exactly two rotations free");
  }
  if (aim && !(options.aim = find_aim(*aim))) {
    std::string all;
    for (const SecondaryAim& each : secondary_aims()) (all += all.empty() ? "" : ", ") += each.name;
    refuse(function, "aim is \"" + printable(*aim) + "\"; expected one of " + all);
  }
  PoseSolution found;
  {
    nb::gil_scoped_release release;
    GeneralSolver solver(robot.model(), at);
    found = pose_solution(solver.solve(X, from, options));
  }
  found.question = ik_question(robot.model(), at, "general", X);
  return answer_of(found);
}

/// The number, from 0, of a joint on the way to the tool; none where none is named.
std::optional<int> joint_of(const InverseKinematics& solver, const char* function,
                            const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const auto chain = joint_chain(solver.model(), solver.tool());
  for (int k = 0; chain && k < chain->joints(); ++k)
    if (solver.model().position_names[static_cast<std::size_t>(chain->coordinate[static_cast<std::size_t>(k)])] ==
        *name)
      return k;
  refuse(function, "redundant_joint is \"" + printable(*name) + "\"; no joint of that name moves the tool");
}

nb::object parallel_solutions(const Robot& robot, nb::handle pose, nb::handle tool, bool position_only) {
  const char* const function = "parallel_solutions";
  if (!robot.loops()) refuse(function, "the robot has no loops; ik_solutions serves arms");
  const Transform<double> X = pose_of(function, "pose", pose);
  const auto solver = ParallelInverseKinematics::make(robot, robot.frame(function, tool),
                                                      position_only ? TaskWeights::position() : TaskWeights{});
  if (!solver) throw_error(solver.faults());
  return answer_of(solver->solve(X));
}

nb::object assembly_modes(const Robot& robot, nb::handle q, nb::handle frame, bool links, std::uint64_t seed) {
  const char* const function = "assembly_modes";
  if (!robot.loops()) refuse(function, "the robot has no loops; it has one way to be put together");
  const std::vector<double> at = vector_of(function, "q", q, robot.nq());
  AssemblyModeOptions options;
  options.seed = seed;
  if (!links) options.frame = robot.frame(function, frame);
  std::optional<Result<AssemblyModes>> found;
  {
    const nb::gil_scoped_release release;
    found.emplace(find_assembly_modes(robot, at, options));
  }
  return answer_of(value_of(*std::move(found)));
}

nb::object ik_solutions(const Robot& robot, nb::handle pose, std::optional<double> redundancy,
                        std::optional<std::string> redundant_joint, std::optional<double> swivel, bool prove,
                        bool position_only, std::optional<std::string> free_turn) {
  const char* const function = "ik_solutions";
  const CartesianState tool{pose_of(function, "pose", pose)};
  IkTask task;
  if (position_only) task.weights = TaskWeights::position();
  if (free_turn) {
    Vec3<double>& turn = task.weights.turn;
    if (position_only) refuse(function, "position_only and free_turn are given; expected one of them");
    if (*free_turn != "x" && *free_turn != "y" && *free_turn != "z")
      refuse(function, "free_turn is \"" + printable(*free_turn) + "\"; expected x, y or z");
    (*free_turn == "x" ? turn.x : *free_turn == "y" ? turn.y : turn.z) = 0;
  }
  const auto solver = any_form(robot, function, task, position_only ? 1 : free_turn ? 2 + ((*free_turn)[0] - 'x') : 0);
  IkChoice choice;
  choice.redundancy = redundancy;
  choice.swivel = swivel;
  choice.redundant_joint = joint_of(*solver, function, redundant_joint);
  if (redundancy && swivel) refuse(function, "redundancy and swivel are given; expected one of them");
  if (redundancy || swivel) {
    const Result<RedundantArm>& arm = solver->redundant(choice.redundant_joint);
    if (!arm) throw_error(arm.faults());
    if (swivel && !arm->swivel()) throw_error(solver->feasible_swivel(tool.X).faults());
  } else if (!solver->gives_all() && !solver->chooses_redundancy(choice)) {
    throw_error(solver->refusal());
  }
  const IkSolutions solutions = solver->solve_all(tool.X, choice);
  PoseSolutions found = pose_solutions(*solver, tool, solutions, false);
  if (found.solutions.empty()) found.status = PoseStatus::unreachable;
  found.redundancy = solutions.redundancy;
  if (solutions.redundancy) {
    const RedundantArm& arm = *solver->redundant(choice.redundant_joint);
    found.redundant_joint = robot.model().position_names[static_cast<std::size_t>(
        arm.chain().coordinate[static_cast<std::size_t>(arm.held())])];
  }
  found.swivel = swivel;
  if (prove) found.question.proof = solver->prove(tool.X, choice);
  return answer_of(found);
}

nb::object feasible_redundancy(const Robot& robot, nb::handle pose, std::optional<std::string> redundant_joint,
                               bool limits, bool swivel) {
  const char* const function = "feasible_redundancy";
  const Transform<double> X = pose_of(function, "pose", pose);
  const auto solver = any_form(robot, function);
  const auto found =
      swivel ? solver->feasible_swivel(X) : solver->feasible(X, limits, joint_of(*solver, function, redundant_joint));
  if (!found) throw_error(found.faults());
  nb::list out;
  for (const FeasibleInterval& each : *found) out.append(nb::make_tuple(each.from, each.to));
  return out;
}

nb::object best_solution(const Robot& robot, nb::handle pose, const std::string& objective, nb::handle near,
                         std::optional<std::string> redundant_joint) {
  const char* const function = "best_solution";
  const CartesianState tool{pose_of(function, "pose", pose)};
  const auto solver = any_form(robot, function);
  const std::vector<double> posture =
      near.is_none() ? std::vector<double>() : vector_of(function, "near", near, robot.model().nq);
  const auto best = solver->best(tool.X, objective, posture, joint_of(*solver, function, redundant_joint));
  if (!best) throw_error(best.faults());
  IkSolutions found;
  if (*best)
    found.found.push_back(**best);
  else
    found.status = PoseStatus::unreachable;
  found.count = static_cast<int>(found.size());
  return answer_of(pose_solutions(*solver, tool, found, false));
}

}  // namespace

void bind_ik(nb::module_& m) {
  m.def("inverse_kinematics", inverse_kinematics, "robot"_a, "pose"_a.none(), "redundancy"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def inverse_kinematics(robot: Robot, pose: " TORSOR_STATE
                ", redundancy: float | None = None, threads: int = 0) -> "
                "torsor._results.IkAnswer"),
        R"(All joint positions that put the default tool at a pose, each with its branch and its status.

pose: 4 x 4, in the world. For arms of six joints; Error with the reason for others: ik_solutions and solve_pose serve those.

Many poses, (..., 4, 4), are answered by arrays: q (..., most, nq), nan behind the last solution of a pose, and counts (...).
Arms of any number of joints up to seven; of seven those with the redundancy held at a value, or where it suits each pose.
Limits are not looked at. What is no pose (NaN, no rotation) has no solution. threads: 0 for as many as are worth it.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> answer = ts.inverse_kinematics(robot, ts.frame_pose(robot, [0.1, 0.8, -2.6, 0.2, 0.5, 0.3]))
>>> len(answer), answer[0].label
(8, 'shoulder +, elbow +, wrist +')
>>> import numpy as np
>>> q, counts = ts.inverse_kinematics(robot, ts.frame_pose(robot, np.full((5, 6), 0.5)))
>>> q.shape, counts.tolist()
((5, 8, 6), [8, 8, 8, 8, 8])
)");
  m.def("ik_branches", ik_branches, "robot"_a, "poses"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        "return_valid"_a = false,
        nb::sig("def ik_branches(robot: Robot, poses: " TORSOR_STATE ", out: " TORSOR_TUPLE2
                " | None = None, threads: int = 0, " TORSOR_VALID(TORSOR_TUPLE2)),
        R"(The branches of many poses as arrays.

poses: (..., 4, 4). Answers: q (..., 8, 6), NaN where a pose has fewer branches, and labels (..., 8, 4): shoulder, elbow
and wrist +1, -1 or 0, and the root where the arm numbers its solutions. Of an arm of the general form, without special
geometry or nearly special, there are 16 for 8, and the sign of det J stands for the wrist. Limits are not looked at. What is no pose (NaN, no
rotation) is NaN in both and no fault of its neighbours; a :class:`RowWarning` counts those that are finite. With
return_valid=True the answer is a pair ((q, labels), valid), valid a bool for each pose: whether it was one.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("puma560")
>>> q, labels = ts.ik_branches(robot, ts.frame_pose(robot, np.full((10, 6), 0.5)))
>>> q.shape, labels.shape
((10, 8, 6), (10, 8, 4))
)");
  m.def("ik_solutions", ik_solutions, "robot"_a, "pose"_a.none(), "redundancy"_a = nb::none(),
        "redundant_joint"_a = nb::none(), "swivel"_a = nb::none(), "prove"_a = false, "position_only"_a = false,
        "free_turn"_a = nb::none(),
        nb::sig("def ik_solutions(robot: Robot, pose: " TORSOR_STATE
                ", redundancy: float | None = None, redundant_joint: str | None = None, "
                "swivel: float | None = None, prove: bool = False, position_only: bool = False, free_turn: str | None "
                "= None) -> "
                "torsor._results.PoseSolutions"),
        R"(All joint positions that put the default tool at a pose, of any number of joints up to seven.

One to six joints: every solution. Seven: every solution with one joint held, by default one that suits the arm, at
`redundancy` (rad, m), by default the value next to the neutral one that has solutions inside the limits; or at a `swivel`
angle of an arm with spherical shoulder, elbow and wrist. Limits are not looked at: `inside_limits` says which solutions
keep them. prove: `proof` says whether there are exactly so many, by interval arithmetic. position_only, free_turn: for arms of
one to five joints, only the place counts, or all but the turn about that axis of the tool ("x", "y" or "z").

>>> import torsor as ts
>>> robot = ts.load("panda")
>>> found = ts.ik_solutions(robot, ts.frame_pose(robot, [0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2]), redundancy=0.2)
>>> found.status, found.solution_count % 2
('solved', 0)
>>> ts.ik_solutions(robot, found.pose, redundancy=0.2, prove=True).proof.proven
True
)");
  m.def("assembly_modes", assembly_modes, "robot"_a, "q"_a.none(), "frame"_a = nb::none(), "links"_a = false,
        "seed"_a = 1,
        nb::sig("def assembly_modes(robot: Robot, q: " TORSOR_STATE
                ", frame: str | None = None, links: bool = False, seed: int = 1) -> torsor._results.AssemblyModes"),
        R"(All ways to put the loops of a robot together at one position of its independent joints: its forward kinematics.

Modes are distinguished by where the tool is, or another frame; with links=True by where all links are. They are looked for from
random starts (seed) until each was found several times: a search, no proof; `missing` estimates how many were not found.

>>> import torsor as ts
>>> found = ts.assembly_modes(ts.load("five_bar"), [2.0, 1.0])
>>> [mode.assembled for mode in found.modes], found.settled
([True, False], True)
)");
  m.def("parallel_solutions", parallel_solutions, "robot"_a, "pose"_a.none(), "tool"_a = nb::none(),
        "position_only"_a = false,
        nb::sig("def parallel_solutions(robot: Robot, pose: " TORSOR_STATE
                ", tool: str | None = None, position_only: bool = False) -> torsor._results.ParallelSolutions"),
        R"(All positions of the actuators of a parallel robot that put its platform at a pose, leg by leg in closed form.

Each combination of what the legs have is a solution; `assembled` says which of them the robot takes, since its loops keep the mode in
which they were assembled. position_only: only the place counts, for platforms that do not turn freely. Error
(parallel-leg) where a loop is no leg of the platform, as in a palletising arm.

>>> import torsor as ts
>>> delta = ts.load("delta")
>>> found = ts.parallel_solutions(delta, ts.frame_pose(delta, [0.3, 0.4, 0.2]), position_only=True)
>>> len(found.solutions), found.solutions[0].q.round(6).tolist()
(8, [0.3, 0.4, 0.2])
)");
  m.def("feasible_redundancy", feasible_redundancy, "robot"_a, "pose"_a.none(), "redundant_joint"_a = nb::none(),
        "limits"_a = true, "swivel"_a = false,
        nb::sig("def feasible_redundancy(robot: Robot, pose: " TORSOR_STATE
                ", redundant_joint: str | None = None, limits: bool = True, "
                "swivel: bool = False) -> list[tuple[float, float]]"),
        R"(The values of the held joint of an arm of seven, or its swivel angles, at which a pose has solutions.

A list of (from, to); with limits: solutions inside the joint limits, which swivel angles always are.

>>> import torsor as ts
>>> robot = ts.load("panda")
>>> ranges = ts.feasible_redundancy(robot, ts.frame_pose(robot, [0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2]))
>>> any(a <= 0.2 <= b for a, b in ranges)
True
)");
  m.def("best_solution", best_solution, "robot"_a, "pose"_a.none(), "objective"_a, "near"_a = nb::none(),
        "redundant_joint"_a = nb::none(),
        nb::sig("def best_solution(robot: Robot, pose: " TORSOR_STATE ", objective: str, near: " TORSOR_OPTIONAL_STATE
                ", redundant_joint: str | None = None) -> torsor._results.PoseSolutions"),
        R"(The best of all solutions of an arm of seven joints inside its limits, over the whole redundancy.

objective: "limits", "distance" (from near, (nq,)), "manipulability" or "torque" (against gravity). No solutions where
there is none.

>>> import torsor as ts
>>> robot = ts.load("panda")
>>> best = ts.best_solution(robot, ts.frame_pose(robot, [0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2]), "manipulability")
>>> best.solutions[0].inside_limits
True
)");
  m.def("solve_pose", solve_pose, "robot"_a, "pose"_a.none(), "start"_a = nb::none(), "frame"_a = nb::none(),
        "weights"_a = nb::none(), "limits"_a = true, "aim"_a = nb::none(), "restarts"_a = 300, "seed"_a = 1,
        nb::sig("def solve_pose(robot: Robot, pose: " TORSOR_STATE ", start: " TORSOR_OPTIONAL_STATE
                ", frame: str | None = None, weights: " TORSOR_OPTIONAL_STATE
                ", limits: bool = True, aim: str | None = None, restarts: int = 300, seed: int = 1) -> "
                "torsor._results.PoseSolution"),
        R"(A joint position that puts a frame of any robot at a pose, by descents from a start and from drawn ones.

pose: 4 x 4, in the world; start: (nq,), by default zero; frame: a tool or link, by default the tool. weights: how much
turns about and shifts along the axes of the pose count, six numbers, 0 for free. limits: answers inside the joint
limits. aim: what a redundant arm strives for besides: "near", "centre" or "manipulability". The same question has the
same answer; seed draws other starts.

>>> import torsor as ts
>>> robot = ts.load("panda")
>>> found = ts.solve_pose(robot, ts.frame_pose(robot, [0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2]), start=[0, 0, 0, -1, 0, 1, 0])
>>> found.status, found.position_residual < 1e-9
('converged', True)
)");
}

}  // namespace torsor::python
