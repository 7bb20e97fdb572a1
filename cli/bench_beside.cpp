#include "cli/bench_beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "cli/robot_argument.hpp"
#include "torsor/codegen/work_folder.hpp"
#include "torsor/text/number.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

constexpr double turn_ns = 2e5;

std::string states_text(const BenchRobot& robot) {
  std::string text = fmt::format("{} {} {}\n", robot.states.count, robot.model.nq, robot.model.nv);
  const auto append = [&](const std::vector<double>& all, int size, std::size_t state) {
    for (std::size_t k = state * static_cast<std::size_t>(size); k < (state + 1) * static_cast<std::size_t>(size);
         ++k) {
      append_number(text, all[k]);
      text += ' ';
    }
  };
  for (std::size_t k = 0; k < robot.states.count; ++k) {
    append(robot.states.q, robot.model.nq, k);
    append(robot.states.qd, robot.model.nv, k);
    append(robot.states.qdd, robot.model.nv, k);
    append(robot.states.tau, robot.model.nv, k);
    text += '\n';
  }
  return text;
}

/// One that answers: its results for comparison, and a turn of so many calls, in nanoseconds each.
struct Contestant {
  std::string who;
  std::function<Result<std::vector<double>>()> results;
  std::function<Result<double>(long calls)> turn;
  Nanoseconds* time = nullptr;
};

double nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// So many additions, each waiting for the one before; written out, so that no loop takes cycles of its own. Of numbers in
/// registers: some machines add constants without taking a cycle.
template <std::size_t... step>
unsigned long add_in_turn(unsigned long x, std::index_sequence<step...>) {
  const auto add = [&x](std::size_t) __attribute__((always_inline)) {
    x += x;
    asm volatile("" : "+r"(x));  // or all would become one addition
  };
  (add(step), ...);
  return x;
}

std::vector<double> all_states(const BenchRobot& robot, const std::function<std::vector<double>(int)>& result) {
  std::vector<double> all;
  for (int k = 0; k < static_cast<int>(robot.states.count); ++k) {
    const std::vector<double> one = result(k);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// Largest difference in a state over the largest number of that state, the worst state; infinite for other sizes.
double difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t states) {
  if (a.size() != b.size() || a.size() % states != 0 || a.empty()) return infinity;
  const std::size_t each = a.size() / states;
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); k += each) {
    double size = 0, apart = 0;
    for (std::size_t i = k; i < k + each; ++i) {
      size = std::max(size, std::abs(a[i]));
      const double d = std::abs(a[i] - b[i]);
      apart = d <= apart ? apart : std::isnan(d) ? infinity : d;
    }
    worst = std::max(worst, size > 0 ? apart / size : apart);
  }
  return worst;
}

/// Who is compared with whom: all with the first.
Result<double> largest_disagreement(const BenchRobot& robot, const std::string& function,
                                    const std::vector<Contestant>& all) {
  double worst = 0;
  std::vector<double> first;
  for (const Contestant& each : all) {
    auto results = each.results();
    if (!results) return results.faults();
    if (&each == &all.front()) {
      first = *std::move(results);
      continue;
    }
    const double apart = difference(first, *results, robot.states.count);
    if (!(apart <= agreement_tolerance))
      return fault_of(
          robot.name, "peers-disagree",
          fmt::format("{}: {} and {} differ by {:.2g} of its size, and times of different results say nothing",
                      bench_title(function), all.front().who, each.who, apart),
          fmt::format("at most {:.0e} is allowed", agreement_tolerance));
    worst = std::max(worst, apart);
  }
  return worst;
}

Faults run_rounds(std::vector<Contestant>& all, double seconds_each) {
  std::vector<long> calls;
  for (const Contestant& each : all) {
    const auto guess = each.turn(16);
    if (!guess) return guess.faults();
    calls.push_back(std::clamp(static_cast<long>(turn_ns / *guess), 1L, 1000000L));
  }
  constexpr std::size_t fewest = 5;
  std::vector<std::vector<double>> times(all.size());
  std::vector<double> spent(all.size(), 0);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      // long turns end earlier
      if (spent[k] >= seconds_each && times[k].size() >= fewest) continue;
      const auto start = std::chrono::steady_clock::now();
      const auto time = all[k].turn(calls[k]);
      if (!time) return time.faults();
      spent[k] += nanoseconds_since(start) * 1e-9;
      times[k].push_back(*time);
      again = true;
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::sort(times[k].begin(), times[k].end());
    *all[k].time = {times[k].front(), times[k][times[k].size() / 2]};
  }
  return {};
}

/// Our rows of a function, prepared.
std::vector<std::pair<const BenchRow*, BenchCall>> own_calls(const BenchRobot& robot, std::string_view function) {
  std::vector<std::pair<const BenchRow*, BenchCall>> calls;
  for (const BenchRow& row : bench_rows())
    if (row.function == function)
      if (auto call = row.prepare(robot)) calls.emplace_back(&row, *std::move(call));
  return calls;
}

Result<FunctionTimes> time_function(const BenchRobot& robot, const std::string& function, std::vector<Peer>& peers,
                                    double seconds_each) {
  FunctionTimes times{function, {}, {}, 0};
  const auto calls = own_calls(robot, function);
  // addresses are kept: no growing below
  times.own.reserve(calls.size());
  std::size_t offered = 0;
  for (const Peer& peer : peers) offered += peer.calls.size();
  times.peers.reserve(offered);

  std::vector<Contestant> all;
  const auto own = [&](std::string who, const std::function<std::vector<double>(int)>& result,
                       std::function<Result<double>(long)> turn, Nanoseconds& time) {
    all.push_back({std::move(who),
                   [&robot, result]() -> Result<std::vector<double>> { return all_states(robot, result); },
                   std::move(turn), &time});
  };
  for (const auto& prepared : calls) {
    const std::string_view way = prepared.first->way;
    const BenchCall& call = prepared.second;
    OwnTime& time = times.own.emplace_back(OwnTime{way, {}, {}, {}, call.operations});
    own(
        fmt::format("Torsor ({})", way), call.result,
        [&call, &robot](long count) -> Result<double> {
          call.loop(std::min(count, static_cast<long>(robot.states.count)));  // warm again after the others' turns
          const auto start = std::chrono::steady_clock::now();
          call.loop(count);
          return nanoseconds_since(start) / static_cast<double>(count);
        },
        time.call);
    if (!call.batch) continue;
    const auto batch = [&](int threads, std::optional<Nanoseconds>& into) {
      own(
          fmt::format("Torsor ({}, batch on {})", way, threads),
          [&call, threads](int state) {
            if (state == 0) call.batch(threads);
            return call.batch_result(state);
          },
          [&call, threads](long) -> Result<double> {
            call.batch(threads);  // warm again after the others' turns
            const auto start = std::chrono::steady_clock::now();
            call.batch(threads);
            return nanoseconds_since(start) / static_cast<double>(call.batch_states);
          },
          into.emplace());
    };
    batch(1, time.batch);
    batch(bench_threads, time.batch_threads);
  }
  for (Peer& peer : peers)
    for (std::size_t k = 0; k < peer.calls.size(); ++k) {
      if (peer.calls[k].function != function) continue;
      PeerTime& time = times.peers.emplace_back(PeerTime{peer.name, peer.calls[k].variant, {}});
      all.push_back({fmt::format("{} ({})", peer.name, time.variant), [&peer, k] { return peer.check(k); },
                     [&peer, k](long count) { return peer.time(k, count); }, &time.call});
    }
  if (all.empty()) return times;

  const auto disagreement = largest_disagreement(robot, function, all);
  if (!disagreement) return disagreement.faults();
  times.disagreement = *disagreement;
  if (Faults faults = run_rounds(all, seconds_each); !faults.empty()) return faults;
  return times;
}

}  // namespace

const PeerTime* FunctionTimes::fastest_peer() const {
  const auto fastest = std::min_element(
      peers.begin(), peers.end(), [](const PeerTime& a, const PeerTime& b) { return a.call.least < b.call.least; });
  return fastest == peers.end() ? nullptr : &*fastest;
}

Faults refuse_debug(const std::string& who, bool optimised) {
  if (optimised) return {};
  return {fault_of(who, "debug-build", "it was built for debugging, and its times say nothing",
                   "build it optimised and without assertions (-O3 -DNDEBUG; the preset `release`)")};
}

bool is_optimised_build() {
#if defined(NDEBUG) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  return true;
#else
  return false;
#endif
}

Result<RobotTimes> time_beside(const BenchRobot& robot, std::span<const std::string> programs, double seconds_each,
                               std::vector<PeerBuild>& builds) {
  RobotTimes times{robot.name, joint_word(robot.model), {}, {}};
  const WorkFolder folder;
  const auto urdf = folder.write("robot.urdf", robot.urdf), states = folder.write("states", states_text(robot));
  if (!urdf) return urdf.faults();
  if (!states) return states.faults();
  std::vector<Peer> peers;
  for (const std::string& program : programs) {
    auto peer = Peer::start(program, *urdf, *states);
    if (!peer) return peer.faults();
    if (!peer->refusal.empty() || peer->calls.empty()) {
      times.refusals.push_back(
          fmt::format("{}: {}", std::filesystem::path(program).filename().string(), printable(peer->refusal)));
      continue;
    }
    if (Faults faults = refuse_debug(peer->name, peer->optimised); !faults.empty()) return faults;
    if (std::none_of(builds.begin(), builds.end(), [&](const PeerBuild& b) { return b.name == peer->name; }))
      builds.push_back({peer->name, peer->built});
    peers.push_back(*std::move(peer));
  }

  std::vector<std::string> functions;
  const auto add = [&](std::string_view function) {
    if (std::find(functions.begin(), functions.end(), function) == functions.end()) functions.emplace_back(function);
  };
  for (const BenchRow& row : bench_rows()) add(row.function);
  for (const Peer& peer : peers)
    for (const Peer::Call& call : peer.calls) add(call.function);
  for (const std::string& function : functions) {
    auto of_function = time_function(robot, function, peers, seconds_each);
    if (!of_function) return of_function.faults();
    if (!of_function->own.empty() || !of_function->peers.empty()) times.functions.push_back(*std::move(of_function));
  }
  return times;
}

double clock_gigahertz() {
  constexpr int repeats = 4000;
  using Chain = std::make_index_sequence<32>;
  double fastest = infinity;
  unsigned long x = 1;
  for (int round = 0; round < 50; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < repeats; ++k) x = add_in_turn(x, Chain());
    fastest = std::min(fastest, nanoseconds_since(start));
  }
  return Chain::size() * repeats / fastest;
}

}  // namespace torsor
