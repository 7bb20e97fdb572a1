// What the library is timed at beside its peers: a row per function and way of computing it. A new way is a row in
// bench_calls.cpp; agreement, times, tables and pages follow.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "torsor/model/description.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// States one after the other: q (nq each), qd, qdd, tau (nv each), where tau is what the motion takes.
struct BenchStates {
  std::size_t count = 0;
  std::vector<double> q, qd, qdd, tau;
};

/// A robot as it goes to the peers: read back from its URDF. The first states of the batch are those of the calls.
struct BenchRobot {
  std::string name, urdf;
  Description description;
  Model<double> model;
  BenchStates states, batch;
};

/// The state of number k, as views.
struct BenchState {
  BenchState(const BenchRobot& robot, const BenchStates& states, std::size_t k) {
    const auto nq = static_cast<std::size_t>(robot.model.nq), nv = static_cast<std::size_t>(robot.model.nv);
    q = std::span(states.q).subspan(k * nq, nq);
    qd = std::span(states.qd).subspan(k * nv, nv);
    qdd = std::span(states.qdd).subspan(k * nv, nv);
    tau = std::span(states.tau).subspan(k * nv, nv);
  }

  std::span<const double> q, qd, qdd, tau;
};

/// The robot of that name or file, with so many random states inside its limits (a fixed seed).
Result<BenchRobot> compared_robot(const std::string& name_or_path, std::size_t states, std::size_t batch);
/// The same for a robot in memory.
Result<BenchRobot> compared_robot(std::string name, const Description&, std::size_t states, std::size_t batch);

/// Batches run on one thread, and on so many.
inline constexpr int bench_threads = 2;

/// A row prepared for a robot.
struct BenchCall {
  std::function<void(long calls)> loop;                  // single calls over the states in turn
  std::function<std::vector<double>(int)> result;        // of a single call in a state, as bench/peer.hpp orders it
  std::function<void(int threads)> batch;                // many states at once; none: it has no batches
  std::function<std::vector<double>(int)> batch_result;  // the batch's answer in a state
  std::size_t batch_states = 0;                          // so many: the first of the robot's batch
  long operations = 0;                                   // multiplications and additions of a call; 0: not counted
};

/// Single calls of a work object that has `run(BenchState)` and leaves its numbers in `out`.
template <class Work>
BenchCall single_call(const BenchRobot& robot, std::shared_ptr<Work> work, long operations = 0) {
  BenchCall call;
  call.operations = operations;
  call.loop = [&robot, work](long calls) {
    for (std::size_t state = 0; calls > 0; --calls) {
      work->run(BenchState(robot, robot.states, state));
      state = state + 1 == robot.states.count ? 0 : state + 1;
    }
  };
  call.result = [&robot, work](int state) {
    work->run(BenchState(robot, robot.states, static_cast<std::size_t>(state)));
    return work->out;
  };
  return call;
}

struct BenchRow {
  std::string_view function, way;
  /// Nothing where it does not serve the robot.
  std::optional<BenchCall> (*prepare)(const BenchRobot&);
};

/// All rows; the first of a function is what the others are compared with.
std::span<const BenchRow> bench_rows();

// its parts
std::span<const BenchRow> tree_bench_rows();
std::span<const BenchRow> fast_bench_rows();
std::span<const BenchRow> derivative_bench_rows();
std::span<const BenchRow> generated_bench_rows();

/// What the functions are called in tables: id -> inverse dynamics.
std::string_view bench_title(std::string_view function);

}  // namespace torsor
