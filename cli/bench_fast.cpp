// Dynamics beside the peers: single calls, and batches on one thread and on several; for the widest registers there are
// and, where those have 64 bytes, for those of 32 that most machines have.
#include <algorithm>

#include "cli/bench_calls.hpp"
#include "c/torsor.h"
#include "torsor/dynamics.hpp"
#include "torsor/fast/chain_tape.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor {
namespace {

struct FastWork {
  FastWork(const Model<double>& model, InstructionSet set, std::size_t size)
      : dynamics(model, {.instruction_set = set}), out(size) {}

  Dynamics dynamics;
  std::vector<double> out;
};

struct FastInverse : FastWork {
  using FastWork::FastWork;
  void run(const BenchState& x) { dynamics.inverse(x.q, x.qd, x.qdd, out); }
};

/// The same through torsor.h, which checks every number that it is given and copies what it answers.
struct InverseInC {
  explicit InverseInC(const BenchRobot& of) : out(static_cast<std::size_t>(of.model.nv)) {
    torsor_load_text(of.urdf.data(), of.urdf.size(), &robot);
  }
  InverseInC(const InverseInC&) = delete;
  InverseInC& operator=(const InverseInC&) = delete;
  ~InverseInC() { torsor_free(robot); }
  void run(const BenchState& x) { torsor_inverse(robot, x.q.data(), x.qd.data(), x.qdd.data(), out.data()); }

  torsor_robot* robot = nullptr;
  std::vector<double> out;
};

struct FastMass : FastWork {
  using FastWork::FastWork;
  void run(const BenchState& x) { dynamics.mass(x.q, out); }
};

struct FastForward : FastWork {
  using FastWork::FastWork;
  void run(const BenchState& x) { dynamics.forward(x.q, x.qd, x.tau, out); }
};

struct FastJacobian : FastWork {
  using FastWork::FastWork;
  void run(const BenchState& x) { dynamics.tool(x.q, pose, out); }
  Transform<double> pose;
};

/// A batch, on one thread or on several, with its answers in rows: as many states as take 1 MB with their answers, so
/// that memory is not what is timed.
struct BatchWork {
  BatchWork(const BenchRobot& the_robot, InstructionSet set, std::size_t answer)
      : robot(the_robot),
        one(robot.model, {.instruction_set = set}),
        several(robot.model, {.threads = bench_threads, .instruction_set = set}),
        size(answer) {
    const auto numbers = static_cast<std::size_t>(robot.model.nq + 2 * robot.model.nv) + size;
    states = std::clamp((std::size_t{1} << 20U) / (sizeof(double) * numbers), robot.states.count, robot.batch.count);
    out.resize(states * size);
    poses.resize(states * 12);
  }

  std::int64_t count() const { return static_cast<std::int64_t>(states); }

  StateRows<const double> rows(const std::vector<double>& of, int columns) const { return {of.data(), columns}; }
  StateRows<double> answers() { return {out.data(), static_cast<std::ptrdiff_t>(size)}; }

  const BenchRobot& robot;
  Dynamics one, several;
  std::size_t size, states = 0;
  std::vector<double> out, poses;
};

using BatchQuestion = void (*)(BatchWork&, Dynamics&);

using ChainRecord = Tape (*)(const CanonicalChain&);

/// What the recursion of the canonical chain executes; 0 where the robot has none.
long chain_operations(const BenchRobot& robot, ChainRecord record) {
  const auto chain = canonical_chain(robot.model);
  if (!chain || !record) return 0;
  const OperationCount executed = count(live(fold(record(*chain))), Rule::dense);
  return executed.multiplications + executed.additions;
}

template <class Single>
std::optional<BenchCall> fast_call(const BenchRobot& robot, InstructionSet set, std::size_t size,
                                   BatchQuestion question, ChainRecord record = nullptr) {
  BenchCall call =
      single_call(robot, std::make_shared<Single>(robot.model, set, size), chain_operations(robot, record));
  auto batch = std::make_shared<BatchWork>(robot, set, size);
  call.batch_states = batch->states;
  call.batch = [batch, question](int threads) { question(*batch, threads == 1 ? batch->one : batch->several); };
  call.batch_result = [batch](int state) {
    const auto first = batch->out.begin() + state * static_cast<std::ptrdiff_t>(batch->size);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(batch->size));
  };
  return call;
}

void ask_inverse(BatchWork& w, Dynamics& dynamics) {
  const BenchStates& x = w.robot.batch;
  const int nq = w.robot.model.nq, nv = w.robot.model.nv;
  dynamics.inverse(w.count(), w.rows(x.q, nq), w.rows(x.qd, nv), w.rows(x.qdd, nv), w.answers());
}

void ask_mass(BatchWork& w, Dynamics& dynamics) {
  dynamics.mass(w.count(), w.rows(w.robot.batch.q, w.robot.model.nq), w.answers());
}

void ask_forward(BatchWork& w, Dynamics& dynamics) {
  const BenchStates& x = w.robot.batch;
  const int nq = w.robot.model.nq, nv = w.robot.model.nv;
  dynamics.forward(w.count(), w.rows(x.q, nq), w.rows(x.qd, nv), w.rows(x.tau, nv), w.answers());
}

void ask_jacobian(BatchWork& w, Dynamics& dynamics) {
  dynamics.tool(w.count(), w.rows(w.robot.batch.q, w.robot.model.nq), {w.poses.data(), 12}, w.answers());
}

using Preparation = std::optional<BenchCall> (*)(const BenchRobot&, InstructionSet);

std::optional<BenchCall> fast_inverse(const BenchRobot& robot, InstructionSet set) {
  return fast_call<FastInverse>(robot, set, static_cast<std::size_t>(robot.model.nv), ask_inverse, chain_inverse_tape);
}

std::optional<BenchCall> inverse_in_c(const BenchRobot& robot) {
  auto work = std::make_shared<InverseInC>(robot);
  if (torsor_nv(work->robot) != robot.model.nv) return std::nullopt;
  return single_call(robot, std::move(work));
}

std::optional<BenchCall> fast_mass(const BenchRobot& robot, InstructionSet set) {
  return fast_call<FastMass>(robot, set, cells(robot.model.nv, robot.model.nv), ask_mass, chain_mass_tape);
}

std::optional<BenchCall> fast_forward(const BenchRobot& robot, InstructionSet set) {
  return fast_call<FastForward>(robot, set, static_cast<std::size_t>(robot.model.nv), ask_forward);
}

std::optional<BenchCall> fast_jacobian(const BenchRobot& robot, InstructionSet set) {
  return fast_call<FastJacobian>(robot, set, cells(6, robot.model.nv), ask_jacobian);
}

template <Preparation prepare>
std::optional<BenchCall> widest(const BenchRobot& robot) {
  return prepare(robot, widest_instruction_set());
}

/// Where it is not the widest anyway.
template <Preparation prepare>
std::optional<BenchCall> of_avx2(const BenchRobot& robot) {
  if (widest_instruction_set() != InstructionSet::avx512) return std::nullopt;
  return prepare(robot, InstructionSet::avx2);
}

}  // namespace

std::span<const BenchRow> fast_bench_rows() {
  static constexpr BenchRow all[] = {
      {"id", "fast", widest<fast_inverse>},         {"id", "fast, AVX2", of_avx2<fast_inverse>},
      {"id", "fast, from C", inverse_in_c},
      {"mass", "fast", widest<fast_mass>},          {"mass", "fast, AVX2", of_avx2<fast_mass>},
      {"fd", "fast", widest<fast_forward>},         {"fd", "fast, AVX2", of_avx2<fast_forward>},
      {"jacobian", "fast", widest<fast_jacobian>},  {"jacobian", "fast, AVX2", of_avx2<fast_jacobian>},
  };
  return all;
}

}  // namespace torsor
