// Once models and workspaces are set up, no algorithm allocates: every operator new of this program is counted.
#include <doctest/doctest.h>

#include "tests/support/all_dynamics.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
#include "torsor/closed_form_ik/six_turns.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/circle_conic.hpp"
#include "torsor/closed_form_ik/dense_rates.hpp"
#include "torsor/closed_form_ik/describe_branch.hpp"
#include "torsor/closed_form_ik/det_jacobian.hpp"
#include "torsor/closed_form_ik/end_effector_motion.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/polar_velocity.hpp"
#include "torsor/closed_form_ik/quoted_rates.hpp"
#include "torsor/closed_form_ik/record_rates.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/representatives.hpp"
#include "torsor/closed_form_ik/rotary_acceleration.hpp"
#include "torsor/closed_form_ik/rotary_position.hpp"
#include "torsor/closed_form_ik/rotary_velocity.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"
#include "torsor/closed_form_ik/tool_census.hpp"
#include "torsor/closed_form_ik/tool_driven_robot.hpp"
#include "torsor/closed_form_ik/tool_to_torques.hpp"
#include "torsor/closed_form_ik/tool_to_torques_offset.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"
#include "torsor/control.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/robot.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/kinematics/base_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/kinematics/row_jump.hpp"
#include "torsor/numeric_ik/bounded_descent.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/numeric_ik/frame_rates.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/numeric_ik/null_space_aim.hpp"
#include "torsor/numeric_ik/pose_task.hpp"
#include "torsor/numeric_ik/scale_path.hpp"
#include "torsor/numeric_ik/secondary_aim.hpp"
#include "torsor/numeric_ik/settle_branch.hpp"
#include "torsor/numeric_ik/singular_valley.hpp"
#include "torsor/numeric_ik/task_rates.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Allocations while `run` runs, after it has run once.
template <class Run>
long allocations_in(const Run& run) {
  run();
  const long before = allocations;
  run();
  return allocations - before;
}

/// A random robot with every feature; half of them can be done by the articulated-body algorithm.
Model<double> random_model(Random& random, int k) {
  const bool coupled = k % 2 == 1;
  return built(random_robot(random, {.links = 12,
                                     .floating = k % 4 < 2,
                                     .rotors = true,
                                     .rotor_bodies = coupled,
                                     .friction = true,
                                     .mimics = coupled,
                                     .transmission = coupled})
                   .description);
}

template <class T>
std::vector<T> over(View x) {
  return std::vector<T>(x.begin(), x.end());
}

template <class T>
void check_everything(const Model<double>& given, Random& random) {
  const Model<T> model = cast<T>(given);
  const State state = random_state(random, given);
  const std::vector<T> q = over<T>(state.q), qd = over<T>(state.qd), qdd = over<T>(state.qdd);
  const std::size_t bodies = model.bodies.size(), n = qd.size();
  std::vector<T> out(n, T(0)), rate(q.size(), T(0)), M(n * n, T(0)), J(6 * n, T(0));
  std::vector<Force<T>> external(bodies);
  const BodyLoads<T> loads{{}, external};
  Configuration<T> configuration(model);
  std::vector<Transform<T>> X(bodies);
  std::vector<Motion<T>> scratch(bodies);
  BodyMotions<T> motions(model);
  ForwardWork<T> work(model);
  CoriolisWork<T> coriolis(model);
  EnergyWork<T> energies(model);
  const int last = model.size() - 1;
  const Vec3<T> point;

  CHECK(allocations_in([&] { configuration.set(model, q); }) == 0);
  CHECK(allocations_in([&] { configuration_rate<T>(model, q, qd, rate); }) == 0);
  CHECK(allocations_in([&] { forward_kinematics<T>(model, configuration, X); }) == 0);
  CHECK(allocations_in([&] { body_motions<T>(model, configuration, qd, qdd, {}, {}, motions); }) == 0);
  CHECK(allocations_in([&] { jacobian<T>(model, X, last, point, J); }) == 0);
  CHECK(allocations_in([&] { jacobian_rate<T>(model, X, qd, last, point, scratch, J); }) == 0);
  CHECK(allocations_in([&] {
          inverse_newton_euler<T>(model, configuration, qd, qdd, loads, work.mass_matrix.newton_euler, out);
        }) == 0);
  CHECK(allocations_in([&] { inertia_composite_body<T>(model, configuration, work.mass_matrix.composite, M); }) == 0);
  for (const auto& row : forward_formulations<T>)
    if (row.coupled || !model.coupled())
      CHECK(allocations_in([&] { row.run(model, configuration, qd, qdd, loads, work, out); }) == 0);
  CHECK(allocations_in([&] { coriolis_matrix<T>(model, configuration, qd, coriolis, M); }) == 0);
  CHECK(allocations_in([&] { energy<T>(model, configuration, qd, energies); }) == 0);
  CHECK(allocations_in([&] { add_joint_friction<T>(model, q, qd, T(1), out); }) == 0);

  TreeDynamics<T> dynamics(model);
  dynamics.loads = loads;
  CHECK(allocations_in([&] { dynamics.inverse(q, qd, qdd, out); }) == 0);
  CHECK(allocations_in([&] { dynamics.bias(q, qd, out); }) == 0);
  CHECK(allocations_in([&] { dynamics.gravity(q, out); }) == 0);
  CHECK(allocations_in([&] { dynamics.mass(q, M); }) == 0);
  CHECK(allocations_in([&] { dynamics.forward(q, qd, qdd, out); }) == 0);
}

}  // namespace

TEST_CASE("the counter counts") {
  CHECK(allocations_in([] { std::vector<int>(3).push_back(1); }) >= 1);
  CHECK(allocations_in([] {}) == 0);
}

TEST_CASE("no algorithm allocates after set-up, over double, float and Dual") {
  Random random(300);
  for (int k = 0; k < 4; ++k) {
    const Model<double> model = random_model(random, k);
    check_everything<double>(model, random);
    check_everything<float>(model, random);
    check_everything<Dual<double>>(model, random);
  }
}

TEST_CASE("neither the very first call, nor the table of a worked example, nor the motors' side allocates") {
  Random random(301);
  const Model<double> model = random_model(random, 1);
  const State state = random_state(random, model);
  Numbers tau(state.qd.size()), motor(tau.size());
  TreeDynamics<double> dynamics(model);
  Configuration<double> configuration(model);
  NewtonEulerWork<double> work(model);
  const long before = allocations;
  dynamics.inverse(state.q, state.qd, state.qdd, tau);
  dynamics.forward(state.q, state.qd, tau, motor);
  configuration.set(model, state.q);
  inverse_newton_euler<double>(model, configuration, state.qd, state.qdd, {}, work, tau);
  for (int i = 0; i < model.size(); ++i) link_trace(model, work, i);
  motor_torques(model, tau, motor);
  CHECK(allocations == before);
}

TEST_CASE("no formulation of the catalogues allocates once it is prepared") {
  Random random(302);
  for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
    const int n = 5;
    auto forms = robot_forms(random_dh_arm(random, n, convention, 0.3));
    REQUIRE(forms);
    REQUIRE(forms->standard);
    forms->set(random.numbers(n, 1));
    const Numbers qd = random.numbers(n, 1), qdd = random.numbers(n, 1);
    Numbers tau(n), h(n), c(n), D(n * n), h_ikm(n * n * n);
    const auto check = [&](const auto& rows, const auto& call) {
      for (const auto& row : rows) {
        if (!refusal(row, *forms).empty()) continue;
        CAPTURE(row.name);
        auto run = row.prepare(*forms);
        const long before = allocations;
        call(run);
        CHECK(allocations == before);
      }
    };
    check(inverse_formulations<double>(), [&](auto& run) { run(*forms, qd, qdd, tau); });
    check(coefficients_formulations<double>(), [&](auto& run) { run(*forms, qd, D, h, c); });
    check(christoffel_formulations<double>(), [&](auto& run) { run(*forms, h_ikm); });
    check(mass_formulations<double>(), [&](auto& run) { run(*forms, D); });
    check(gravity_formulations<double>(), [&](auto& run) { run(*forms, c); });
  }
}

TEST_CASE("the general solver of inverse kinematics does not allocate, whether it succeeds, pursues an aim or fails") {
  Random random(303);
  for (const int n : {3, 7, 12}) {
    Description arm = random_dh_arm(random, n, Convention::standard_dh, 0.2);
    for (LinkDescription& link : arm.links) link.limits = {-1.5, 2};
    const Model<double> model = built(arm);
    GeneralSolver solver(model, model.frames.back());
    Configuration<double> configuration(model);
    std::vector<Transform<double>> X(model.bodies.size());
    configuration.set(model, random.numbers(n, 1));
    forward_kinematics<double>(model, configuration, X);
    const Transform<double> near = frame_pose<double>(model.frames.back(), X),
                            far = Transform<double>::translation({9, 0, 0});
    const Numbers start = random.numbers(n, 1);
    CHECK(allocations_in([&] { solver.solve(near, start); }) == 0);
    CHECK(allocations_in([&] { solver.solve(far, start); }) == 0);
    for (const SecondaryAim& aim : secondary_aims()) {
      GeneralOptions options;
      options.aim = &aim;
      CHECK(allocations_in([&] { solver.solve(near, start, options); }) == 0);
    }
    TaskRates rates(solver.task());
    Numbers qd(start.size()), qdd(start.size());
    CHECK(allocations_in([&] { rates.solve(solver.task(), start, {}, {}, {}, qd, qdd); }) == 0);
  }
}

TEST_CASE("positions, velocities, accelerations and what is lost are found without allocating") {
  for (const char* name : {"rotary_hollerbach", "puma560", "stanford", "ur5"}) {
    CAPTURE(name);
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    REQUIRE(solver);
    const ToolMotion motion{{{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}}, {{0.3, 0.2, 0.1}, {0, 0.1, 0.2}}, {0.1, 0, 0}};
    for (const double five : {0.5, 0.0}) {
      const Transform<double> X = solver->tool_pose({0.1, -0.6, 0.4, 0.3, five, 0.2});
      IkAnswer answer;
      CHECK(allocations_in([&] { answer = solver->position(X); }) == 0);
      REQUIRE(answer.count > 0);
      for (const IkBranch& b : answer.branches()) {
        CHECK(allocations_in([&] { solver->rates(b, motion); }) == 0);
        CHECK(allocations_in([&] { solver->lost_motions(b); }) == 0);
      }
      if (const auto* wrist = std::get_if<WristArm>(&solver->arm))
        CHECK(allocations_in([&] { det_jacobian(*wrist, answer.branch[0]); }) == 0);
    }
    // out of reach
    Transform<double> far = solver->tool_pose({});
    far.p.x += 5;
    CHECK(allocations_in([&] { solver->position(far); }) == 0);
  }
}

TEST_CASE(
    "the general form of six revolute joints solves without allocating, singular poses and poses out of reach too") {
  std::array<Transform<double>, 7> B;
  for (std::size_t k = 0; k < 7; ++k)
    B[k] = {rotation_x(k % 2 == 0 ? 1.5 : -0.4 * static_cast<double>(k)), {0.2, 0.05 * static_cast<double>(k), 0.1}};
  const SixTurns arm(B);
  REQUIRE(!arm.cuts().empty());
  TurningSolutions found;
  for (const SixAngles& q : {SixAngles{0.1, -0.6, 0.4, 0.3, 0.5, 0.2}, SixAngles{}, SixAngles{3, 1.5, 0, 0, -1.5, 3}}) {
    Transform<double> X = arm.tool_pose(q);
    arm.solve(X, found);
    CHECK(allocations_in([&] { arm.solve(X, found); }) == 0);
    X.p.x += 5;
    CHECK(allocations_in([&] { arm.solve(X, found); }) == 0);
  }
}

TEST_CASE("arms of fewer joints and of seven solve without allocating, singular poses and poses out of reach too") {
  const auto chain_of = [](const std::string& name) {
    const Robot robot = Robot::load(name);
    return *joint_chain(robot.model(), robot.tool());
  };
  const auto poses_of = [](const JointChain& chain) {
    const auto n = static_cast<std::size_t>(chain.joints());
    std::vector<double> q(n);
    std::vector<Transform<double>> out{chain.tool_pose(q)};
    for (std::size_t k = 0; k < n; ++k) q[k] = 0.4 - 0.3 * static_cast<double>(k % 3);
    out.push_back(chain.tool_pose(q));
    out.push_back(out.back());
    out.back().p.x += 9;
    return out;
  };
  for (const char* name : {"two_link", "scara", "articulated3"}) {
    CAPTURE(std::string(name));
    const JointChain chain = chain_of(name);
    const auto arm = ShortArm::of(chain, ShortTask::pose);
    REQUIRE(arm);
    ShortSolutions found;
    for (const Transform<double>& X : poses_of(chain)) {
      arm->solve(X, found);
      CHECK(allocations_in([&] { arm->solve(X, found); }) == 0);
    }
  }
  for (const auto& [its, held] : {std::pair{"panda", 6}, {"iiwa14", 2}, {"iiwa14", 6}, {"gen3", 2}}) {
    const std::string name = its;  // clang captures no structured binding
    CAPTURE(name);
    const JointChain chain = chain_of(name);
    const auto arm = RedundantArm::of(chain, held);
    REQUIRE(arm);
    CHECK(bool(arm->swivel()) == (name == "iiwa14"));
    SevenSolutions found;
    auto poses = poses_of(chain);
    // beside a singular position with a joint between held a closed form is made for that value, which allocates
    if (name == "iiwa14" && arm->held() == 2) poses.erase(poses.begin());
    for (const Transform<double>& X : poses) {
      arm->solve(X, 0.3, found);
      CHECK(allocations_in([&] { arm->solve(X, 0.3, found); }) == 0);
      if (arm->swivel()) CHECK(allocations_in([&] { arm->solve_swivel(X, 0.3, found); }) == 0);
    }
  }
}

TEST_CASE("a reduced model allocates nothing once it is set up") {
  ReducedModel model;
  model.joints = {{"a", false, 0, -1}, {"b", false, 0, 0}};
  model.angles = {{1}};
  model.terms = {{TermPart::inertia, 0, 0, 0, 2, {}},
                 {TermPart::inertia, 0, 1, 1, 0.5, {{TermFactor::Kind::cosine, 0, 1}}},
                 {TermPart::inertia, 1, 1, 1, 1, {}}};
  ReducedDynamics<double> dynamics(model);
  const std::vector<double> x{0.1, 0.2};
  std::vector<double> out(2), M(4);
  CHECK(allocations_in([&] {
          dynamics.inverse(x, x, x, out);
          dynamics.mass(x, M);
          dynamics.forward(x, x, x, out);
        }) == 0);
}

TEST_CASE("no control law allocates once it is made, whatever its model leaves out") {
  const auto description = load_robot("panda");
  REQUIRE(description);
  const Model<double> model = built(*description);
  Random random(305);
  const std::vector<double> q{0.1, -0.4, 0.2, -2, 0.1, 1.7, 0.3}, qd = random.numbers(7, 1),
                                                                  plan = random.numbers(7, 1);
  Numbers tau(7);
  for (const ControllerKind kind : {ControllerKind::full, ControllerKind::no_coriolis, ControllerKind::gravity})
    for (const ControlLawRow& row : control_laws()) {
      CAPTURE(row.name);
      const auto dynamics = make_controller_model(kind, model, q);
      const auto law = row.make({model, model.frames.back(), *dynamics, q, {}, {}, {{0, q}, {1, q}}});
      const long before = allocations;
      law->effort({0.5, q, qd, {}}, {plan, qd, qd, {}, {}}, tau);
      CHECK(allocations == before);
    }
}

TEST_CASE("derivatives and steps with their Jacobians allocate nothing once they are set up") {
  Random random(67);
  for (int k = 0; k < 6; ++k) {
    // a plain chain among them, which has a way of its own
    const Model<double> model =
        k == 0 ? built(random_dh_arm(random, 7, Convention::standard_dh)) : random_model(random, k);
    const State s = random_state(random, model);
    const std::size_t n = s.qd.size();
    Numbers tau(n), qdd(n), dq(n * n), dqd(n * n), last(n * n), q(s.q.size()), qd(n), A(4 * n * n), B(2 * n * n);
    TreeDerivatives<double> derivatives(model);
    CHECK(allocations_in([&] { derivatives.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, last}); }) == 0);
    CHECK(allocations_in([&] { derivatives.forward(s.q, s.qd, tau, qdd, {dq, dqd, last}); }) == 0);
    Dynamics fast(model);
    CHECK(allocations_in([&] { fast.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, last}); }) == 0);
    CHECK(allocations_in([&] { fast.forward(s.q, s.qd, tau, qdd, {dq, dqd, last}); }) == 0);
    for (const StepMethod method : {StepMethod::semi_implicit, StepMethod::runge_kutta_4}) {
      DiscreteStep<double> step(model, method);
      CHECK(allocations_in([&] { step.run(s.q, s.qd, tau, 1e-3, {q, qd, A, B}); }) == 0);
    }
  }
}
