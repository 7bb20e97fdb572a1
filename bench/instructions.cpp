// Calls every hot kernel a fixed number of times inside of torsor_counted(), where valgrind's callgrind counts
// instructions and nowhere else (tools/instructions). First it prints what the counts depend on, then a line for each:
//
//   # g++ 12.2.0, avx2, glibc 2.36
//   puma560 | inverse | 64               robot or mechanism, kernel, calls (of rows: states)
//
// All calls are made once before, so that what is made by the first is not counted. States are drawn at random, the same
// ones on every machine. Memory comes from lists of blocks of 2^k bytes: what malloc takes depends on all that was allocated
// before, here an allocation takes the same whenever it is.
#include <gnu/libc-version.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/identification/regressor_rows.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/row_dynamics.hpp"

namespace {

/// In front of what is handed out: the block it lies in.
struct BlockHead {
  void* block;
  std::size_t k;
};
void* spare_blocks[64];  // by k; each begins with the next one

void* take_block(std::size_t size, std::size_t alignment) {
  const auto k = static_cast<std::size_t>(std::bit_width(size + alignment + sizeof(BlockHead)));
  void* block = spare_blocks[k];
  if (block)
    spare_blocks[k] = *static_cast<void**>(block);
  else if (!(block = std::malloc(std::size_t{1} << k)))
    std::abort();
  const auto start = reinterpret_cast<std::uintptr_t>(block) + sizeof(BlockHead) + alignment - 1;
  auto* const given = reinterpret_cast<BlockHead*>(start / alignment * alignment);
  given[-1] = {block, k};
  return given;
}

void give_block(void* given) {
  if (!given) return;
  const auto [block, k] = static_cast<BlockHead*>(given)[-1];
  *static_cast<void**>(block) = spare_blocks[k];
  spare_blocks[k] = block;
}

}  // namespace

void* operator new(std::size_t size) { return take_block(size, sizeof(BlockHead)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take_block(size, std::max(sizeof(BlockHead), static_cast<std::size_t>(alignment)));
}
void operator delete(void* given) noexcept { give_block(given); }
void operator delete(void* given, std::size_t) noexcept { give_block(given); }
void operator delete(void* given, std::align_val_t) noexcept { give_block(given); }
void operator delete(void* given, std::size_t, std::align_val_t) noexcept { give_block(given); }

/// What is counted: between its first instruction and its last.
extern "C" [[gnu::noinline]] void torsor_counted(void (*call)(void*, int), void* what, int calls) {
  for (int k = 0; k < calls; ++k) call(what, k);
}

namespace torsor {
namespace {

/// By way of this, so that no compiler makes a copy of it for some of the calls, under another name.
void (*volatile counted_calls)(void (*)(void*, int), void*, int) = torsor_counted;

using Numbers = std::vector<double>;

constexpr int single_states = 16, calls_of_one = 32, row_states = 256;

/// Ends the program: what cannot be called cannot be counted.
void expect(bool went_well, const std::string& robot, const std::string& kernel) {
  if (went_well) return;
  std::fprintf(stderr, "%s: %s has no answer\n", robot.c_str(), kernel.c_str());
  std::exit(1);
}

/// Counts work(k), k = 0 .. calls - 1, as calls of a kernel on so many states each; work reports whether it has an answer.
template <class Work>
void count(const std::string& of, const std::string& kernel, int calls, int states, Work work) {
  struct Counted {
    Work& work;
    bool went_well;
  } counted{work, true};
  for (int k = 0; k < calls; ++k) expect(work(k), of, kernel);
  counted_calls(
      [](void* what, int k) {
        Counted& c = *static_cast<Counted*>(what);
        c.went_well = c.work(k) && c.went_well;
      },
      &counted, calls);
  expect(counted.went_well, of, kernel);
  std::printf("%s | %s | %d\n", of.c_str(), kernel.c_str(), calls * states);
}

/// States of a robot one after the other, and room for answers.
template <class Real>
struct States {
  States(const Robot& robot, int count) : nq(robot.nq()), nv(robot.nv()) {
    std::mt19937_64 engine(1);
    const auto append = [&](std::vector<Real>& to, double size) {
      for (int k = 0; k < nv; ++k) to.push_back(static_cast<Real>(size * (2 * uniform(engine) - 1)));
    };
    for (int s = 0; s < count; ++s) {
      for (const double x : position(robot, engine)) q.push_back(static_cast<Real>(x));
      append(qd, 2), append(qdd, 5), append(tau, 20), append(along, 1);
    }
    for (std::vector<Real>* each : {&a, &b, &c}) each->resize(static_cast<std::size_t>(count * room()));
  }

  /// Inside the limits; with loops next to where they were assembled.
  static Numbers position(const Robot& robot, std::mt19937_64& engine) {
    if (!robot.loops()) return random_position(robot.model(), engine);
    Numbers q;
    for (const int k : robot.loops()->q)
      q.push_back(robot.loops()->reference[static_cast<std::size_t>(k)] + 0.1 * (2 * uniform(engine) - 1));
    return q;
  }

  int room() const { return std::max({nv * nv, 6 * nv, 12}); }
  std::span<const Real> of(const std::vector<Real>& x, int s, int columns) const {
    return std::span(x).subspan(static_cast<std::size_t>(s % single_states * columns),
                                static_cast<std::size_t>(columns));
  }
  std::span<Real> part(std::vector<Real>& x, int size) const {
    return std::span(x).first(static_cast<std::size_t>(size));
  }
  StateRows<const Real> rows(const std::vector<Real>& x) const { return {x.data(), &x == &q ? nq : nv}; }
  StateRows<Real> answers(std::vector<Real>& x, int columns) const { return {x.data(), columns}; }

  int nq, nv;
  std::vector<Real> q, qd, qdd, tau, along, a, b, c;
};

/// One state: all that Dynamics is asked; of loops what it answers.
void count_one(const std::string& name, const Robot& robot) {
  Dynamics dynamics(robot);
  States<double> x(robot, single_states);
  const int n = x.nv;
  const auto bodies = robot.tree().bodies.size();
  const auto q = [&](int k) { return x.of(x.q, k, x.nq); };
  const auto qd = [&](int k) { return x.of(x.qd, k, n); };
  const auto qdd = [&](int k) { return x.of(x.qdd, k, n); };
  const auto tau = [&](int k) { return x.of(x.tau, k, n); };
  const auto along = [&](int k) { return x.of(x.along, k, n); };
  const std::span<double> a = x.part(x.a, n), b = x.part(x.b, n), c = x.part(x.c, n), J = x.part(x.a, 6 * n);
  const std::span<double> A = x.part(x.a, n * n), B = x.part(x.b, n * n), C = x.part(x.c, n * n);
  Numbers torques(static_cast<std::size_t>(n));
  std::vector<Transform<double>> X(bodies);
  std::vector<Force<double>> forces(bodies);
  Transform<double> pose;
  Energy<double> energy;
  const Frame<double> last{"", static_cast<int>(bodies) - 1, {}};
  const auto one = [&](const std::string& kernel, auto work) {
    count(name, kernel, calls_of_one, 1, [&](int k) { return static_cast<bool>(work(k)); });
  };

  one("inverse", [&](int k) { return dynamics.inverse(q(k), qd(k), qdd(k), a); });
  one("inverse with derivatives", [&](int k) { return dynamics.inverse(q(k), qd(k), qdd(k), torques, {A, B, C}); });
  one("bias", [&](int k) { return dynamics.bias(q(k), qd(k), a); });
  one("gravity", [&](int k) { return dynamics.gravity(q(k), a); });
  one("coriolis", [&](int k) { return dynamics.coriolis(q(k), qd(k), a); });
  one("coriolis matrix", [&](int k) { return dynamics.coriolis_matrix(q(k), qd(k), A); });
  one("mass", [&](int k) { return dynamics.mass(q(k), A); });
  one("forward", [&](int k) { return dynamics.forward(q(k), qd(k), tau(k), a); });
  one("forward with derivatives", [&](int k) { return dynamics.forward(q(k), qd(k), tau(k), torques, {A, B, C}); });
  one("energy", [&](int k) { return dynamics.energy(q(k), qd(k), energy); });
  one("tool pose and Jacobian", [&](int k) { return dynamics.tool(q(k), pose, J); });
  one("frame pose and Jacobian", [&](int k) { return dynamics.frame(q(k), last, pose, J); });
  one("poses", [&](int k) { return dynamics.poses(q(k), X); });
  Numbers matrices(16 * bodies);
  one("link poses", [&](int k) { return dynamics.link_poses(q(k), matrices); });
  if (robot.loops()) return;
  one("inverse jvp",
      [&](int k) { return dynamics.inverse_jvp(q(k), qd(k), qdd(k), {along(k), along(k), along(k)}, a); });
  one("inverse vjp", [&](int k) { return dynamics.inverse_vjp(q(k), qd(k), qdd(k), along(k), {a, b, c}); });
  one("forward jvp",
      [&](int k) { return dynamics.forward_jvp(q(k), qd(k), tau(k), {along(k), along(k), along(k)}, a); });
  one("forward vjp", [&](int k) { return dynamics.forward_vjp(q(k), qd(k), tau(k), along(k), {a, b, c}); });
  one("reactions", [&](int k) { return dynamics.reactions(q(k), qd(k), qdd(k), a, forces); });
  Numbers t[4] = {torques, torques, torques, torques};
  one("terms", [&](int k) {
    return dynamics.terms(q(k), qd(k), qdd(k), {A, B, t[0], t[1], t[2], t[3], torques, forces, energy});
  });
  Regressor<double> regressor(robot.model(), dynamic_parameters(robot.model()));
  Numbers Y(cells(regressor.rows(), regressor.columns()));
  one("regressor", [&](int k) {
    regressor.at(q(k), qd(k), qdd(k), Y);
    return true;
  });
}

/// Rows of states, in registers; per state.
template <class Real>
void count_rows(const std::string& name, const Robot& robot) {
  Dynamics dynamics(robot);
  States<Real> x(robot, row_states);
  const int n = x.nv;
  const auto q = x.rows(x.q), qd = x.rows(x.qd), qdd = x.rows(x.qdd), tau = x.rows(x.tau), along = x.rows(x.along);
  const auto a = x.answers(x.a, n), b = x.answers(x.b, n), c = x.answers(x.c, n), M = x.answers(x.a, n * n);
  const auto rows = [&](const std::string& kernel, auto work) {
    count(name, std::string(sizeof(Real) == sizeof(double) ? "rows: " : "rows of floats: ") + kernel, 1, row_states,
          [&](int) { return static_cast<bool>(work()); });
  };
  rows("inverse", [&] { return dynamics.inverse(row_states, q, qd, qdd, a); });
  rows("coriolis", [&] { return dynamics.coriolis(row_states, q, qd, a); });
  rows("mass", [&] { return dynamics.mass(row_states, q, M); });
  rows("forward", [&] { return dynamics.forward(row_states, q, qd, tau, a); });
  rows("tool pose and Jacobian",
       [&] { return dynamics.tool(row_states, q, x.answers(x.b, 12), x.answers(x.a, 6 * n)); });
  if constexpr (std::is_same_v<Real, double>) {
    if (robot.loops()) return;
    rows("inverse jvp", [&] { return dynamics.inverse_jvp(row_states, q, qd, qdd, along, along, along, a); });
    rows("inverse vjp", [&] { return dynamics.inverse_vjp(row_states, q, qd, qdd, along, a, b, c); });
    rows("forward jvp", [&] { return dynamics.forward_jvp(row_states, q, qd, tau, along, along, along, a); });
    Numbers poses(row_states * 16 * robot.model().bodies.size());
    const auto links = static_cast<std::ptrdiff_t>(16 * robot.model().bodies.size());
    rows("poses", [&] { return dynamics.poses(row_states, q, {poses.data(), links}); });
    rows("link poses", [&] { return dynamics.link_poses(row_states, q, {poses.data(), links}); });
    rows("coriolis matrix", [&] { return dynamics.coriolis_matrix(row_states, q, qd, M); });
    RegressorRows regressor(robot.model(), dynamic_parameters(robot.model()));
    const std::size_t Y_size = cells(regressor.rows(), regressor.columns());
    Numbers Y(row_states * Y_size);
    rows("regressor", [&] {
      regressor.at(row_states, q, qd, qdd, {Y.data(), static_cast<std::ptrdiff_t>(Y_size)});
      return true;
    });
    rows("forward vjp", [&] { return dynamics.forward_vjp(row_states, q, qd, tau, along, a, b, c); });

    // robots and wrenches that differ from row to row, and rollouts
    RowDynamics varied(robot), alike(robot);
    std::vector<Inertia<double>> inertias;
    for (int k = 0; k < row_states; ++k)
      for (const Body<double>& body : robot.model().bodies) {
        const double scale = 1 + 1e-3 * k;
        inertias.push_back({body.inertia.m * scale, body.inertia.h * scale, body.inertia.I * scale});
      }
    expect(static_cast<bool>(varied.set_robots({.count = row_states, .inertias = inertias})), name, "robots of rows");
    const Numbers wrench(6 * row_states, 1.0);
    LoadsOfRows loads;
    loads.wrench = {wrench.data(), 6};
    loads.frame = robot.tool();
    rows("inverse of robots that differ", [&] { return varied.inverse(row_states, q, qd, qdd, a); });
    rows("mass of robots that differ", [&] { return varied.mass(row_states, q, M); });
    rows("forward of robots that differ", [&] { return varied.forward(row_states, q, qd, tau, a); });
    rows("inverse under wrenches that differ", [&] { return alike.inverse(row_states, q, qd, qdd, a, loads); });
    Numbers end_q(static_cast<std::size_t>(row_states * x.nq)), end_qd(static_cast<std::size_t>(row_states * n));
    for (const StepMethod method : {StepMethod::semi_implicit, StepMethod::runge_kutta_4})
      rows(method == StepMethod::semi_implicit ? "rollout, semi-implicit step" : "rollout, Runge-Kutta step", [&] {
        return alike.rollout(row_states, {.q = q, .qd = qd, .tau = {}, .periods = 1, .step = 1e-4, .method = method},
                             {{end_q.data(), x.nq}, {end_qd.data(), n}});
      });
  }
}

/// Rows of answers in several parts.
template <class Real>
void count_row_answers(const std::string& name, const Robot& robot) {
  RowDynamics dynamics(robot);
  const States<Real> x(robot, row_states);
  const int n = x.nv, links = 6 * robot.model().size();
  const auto q = x.rows(x.q), qd = x.rows(x.qd), qdd = x.rows(x.qdd), tau = x.rows(x.tau);
  std::vector<std::vector<Real>> answers;
  const auto room = [&](std::ptrdiff_t width) {
    answers.emplace_back(static_cast<std::size_t>(width) * row_states);
    return StateRows<Real>{answers.back().data(), width};
  };
  const auto rows = [&](const std::string& kernel, auto work) {
    count(name, std::string(sizeof(Real) == sizeof(double) ? "rows: " : "rows of floats: ") + kernel, 1, row_states,
          [&](int) { return static_cast<bool>(work()); });
  };
  const InverseDerivativesOfRows<Real> inverse{room(n), room(n * n), room(n * n), room(n * n)};
  rows("derivatives of inverse", [&] { return dynamics.inverse_derivatives(row_states, q, qd, qdd, inverse); });
  const ForwardDerivativesOfRows<Real> forward{room(n), room(n * n), room(n * n), room(n * n)};
  rows("derivatives of forward", [&] { return dynamics.forward_derivatives(row_states, q, qd, tau, forward); });
  const MomentumOfRows<Real> energies{.kinetic = room(1), .potential = room(1)};
  rows("energies", [&] { return dynamics.momentum(row_states, q, qd, energies); });
  const MomentumOfRows<Real> momentum{room(1), room(1), room(3), room(6), room(6), room(6 * n)};
  rows("momentum and its matrix", [&] { return dynamics.momentum(row_states, q, qd, momentum); });
  const FrameMotionOfRows<Real> motion{room(12), room(6), room(6), room(6 * n), room(6 * n)};
  const Frame<double> last{"", robot.model().size() - 1, {}};
  rows("motion of a frame", [&] { return dynamics.frame_motion(row_states, q, qd, qdd, last, motion); });
  const auto torques = room(n), forces = room(links);
  rows("reactions", [&] { return dynamics.reactions(row_states, q, qd, qdd, torques, forces); });
  const TermsOfRows<Real> terms{room(n * n), room(n * n), room(n), room(n), room(n), room(n),
                                room(n),     room(links), room(1), room(1), room(3), room(6)};
  rows("terms", [&] { return dynamics.terms(row_states, q, qd, qdd, terms); });
  if (x.nq != n) return;  // there are joints of several degrees of freedom
  const auto coefficients = room(n * n * n);
  rows("Christoffel coefficients", [&] { return dynamics.christoffel(row_states, q, coefficients); });
}

/// Poses that the tool has at random positions, and all joint positions of each.
void count_ik(const std::string& name) {
  const Robot robot = Robot::load(name);
  std::mt19937_64 engine(1);
  const Frame<double> tool = robot.tool();
  Dynamics dynamics(robot);
  std::vector<Transform<double>> poses(single_states);
  for (Transform<double>& X : poses)
    expect(static_cast<bool>(dynamics.frame(random_position(robot.model(), engine), tool, X)), name, "frame");
  const auto pose = [&](int k) -> const Transform<double>& {
    return poses[static_cast<std::size_t>(k % single_states)];
  };

  const InverseKinematics solver(robot);
  const int calls = robot.nv() == 6 ? calls_of_one : 2;  // of seven joints one solution takes a thousand times as long
  count(name, "inverse kinematics, all solutions", calls, 1, [&](int k) { return !solver.solve(pose(k)).empty(); });
  if (const Result<ArmSolver> arm = arm_solver(robot.description()); arm && !arm->is_general())
    count(name, "inverse kinematics, closed form alone", calls_of_one, 1,
          [&](int k) { return arm->position(pose(k)).count > 0; });
}

/// Steps of 1 ms with projection, and accelerations with all multipliers where the mechanism stands.
void count_mechanism(const std::string& name) {
  MechanismDescription description = *load_mechanism(name);
  for (const MechanismDriver& driver : description.drivers)
    if (driver.joint >= 0)
      description.joints[static_cast<std::size_t>(driver.joint)].kind = MechanismJointKind::free;
  description.drivers.clear();
  const Mechanism mechanism = *build(description);
  MechanismState start = described_state(mechanism);
  expect(Assembly(mechanism, EquationSet::all).positions(start).closed, name, "assembly");
  for (BodyState& body : start.bodies) body.v = body.w = {};

  const int steps = 20;
  ForwardRunRules rules;
  rules.integrator = "rk4";
  rules.time = steps * rules.step;
  count(name, "mechanism step, rk4 with projection", 1, steps, [&](int) {
    MechanismState state = start;
    return run_forward(mechanism, state, rules, [](const ForwardInstant&) { return true; }).finished;
  });
  MechanismForward forward(mechanism);
  forward.expect_redundancy(mobility(mechanism, start, EquationSet::all).redundant > 0);
  std::vector<Motion<double>> A(start.bodies.size());
  count(name, "mechanism accelerations", calls_of_one, 1, [&](int) { return forward.accelerations(start, A); });
}

void count_all() {
#if defined(__clang__)
  const std::string compiler = "clang " __clang_version__;
#else
  const std::string compiler = "g++ " __VERSION__;
#endif
  const std::string set(name(widest_instruction_set()));
  std::printf("# %s, %s, glibc %s\n", compiler.c_str(), set.c_str(), gnu_get_libc_version());
  for (const std::string robot_name : {"puma560", "iiwa14", "two_arm", "go2", "palletising_arm"}) {
    const Robot robot = Robot::load(robot_name);
    count_one(robot_name, robot);
    count_rows<double>(robot_name, robot);
    if (robot.loops()) continue;
    count_rows<float>(robot_name, robot);
    count_row_answers<double>(robot_name, robot);
    count_row_answers<float>(robot_name, robot);
  }
  for (const char* robot : {"puma560", "ur5e", "iiwa14"}) count_ik(robot);
  for (const char* mechanism : {"four_bar", "stewart_platform"}) count_mechanism(mechanism);
}

}  // namespace
}  // namespace torsor

int main() {
  try {
    torsor::count_all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
