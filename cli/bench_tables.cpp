#include "cli/bench_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "torsor/text/json.hpp"

namespace torsor {
namespace {

using Cell = TextTable::Cell;

Cell cell_or_blank(double number, bool known) { return known ? Cell(number) : Cell(std::string()); }

std::string compiler_of_this() {
#ifdef __clang__
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

std::string machine_sentence(const BesideReport& report) {
  return fmt::format("{} with {}, {} cores, {:.2f} GHz while this ran", report.processor, report.vectors, report.cores,
                     report.gigahertz);
}

std::string widest_vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "SSE2";
#else
  return "its own vectors";
#endif
}

std::string robot_heading(const RobotTimes& robot) { return fmt::format("{} ({})", robot.name, robot.joints); }

/// The fastest of a peer's calls of a function; null where it has none.
const PeerTime* best_of(const FunctionTimes& times, const std::string& peer) {
  const PeerTime* best = nullptr;
  for (const PeerTime& time : times.peers)
    if (time.peer == peer && (!best || time.call.least < best->call.least)) best = &time;
  return best;
}

double worst_disagreement(const RobotTimes& robot) {
  double worst = 0;
  for (const FunctionTimes& times : robot.functions) worst = std::max(worst, times.disagreement);
  return worst;
}

std::string agreement_sentence(const RobotTimes& robot) {
  return fmt::format("All results agree to {:.0e} of their size.", worst_disagreement(robot));
}

void json_time(JsonWriter& json, std::string_view name, const Nanoseconds& time) {
  json.key(name).begin_object().field("least_ns", time.least).field("median_ns", time.median).end_object();
}

}  // namespace

BesideReport machine_report() {
  BesideReport report{"an unnamed processor",
                      widest_vectors(),
                      static_cast<int>(std::thread::hardware_concurrency()),
                      clock_gigahertz(),
                      {},
                      {}};
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
      report.processor = line.substr(line.find(": ") + 2);
      break;
    }
  return report;
}

TextTable own_table(const BesideReport& report, const RobotTimes& robot) {
  TextTable table{"",
                  {{"function"},
                   {"way"},
                   {"one call", "ns", Align::decimal, 3},
                   {"median", "ns", Align::decimal, 3},
                   {"batch", "ns per state", Align::decimal, 3},
                   {fmt::format("{} threads", bench_threads), "ns per state", Align::decimal, 3},
                   {"operations", "", Align::decimal},
                   {"per cycle, call", "", Align::decimal, 2},
                   {"batch", "", Align::decimal, 2},
                   {"fastest peer", "ns", Align::decimal, 3},
                   {"ratio, call", "", Align::decimal, 3},
                   {"batch", "", Align::decimal, 3}}};
  for (const FunctionTimes& times : robot.functions)
    for (const OwnTime& own : times.own) {
      const PeerTime* peer = times.fastest_peer();
      const double fastest = peer ? peer->call.least : 0, batch = own.batch ? own.batch->least : 1,
                   threads = own.batch_threads ? own.batch_threads->least : 1,
                   operations = static_cast<double>(own.operations);
      table.add({std::string(bench_title(times.function)), std::string(own.way), own.call.least, own.call.median,
                 cell_or_blank(batch, own.batch.has_value()), cell_or_blank(threads, own.batch_threads.has_value()),
                 own.operations > 0 ? Cell(static_cast<long long>(own.operations)) : Cell(std::string()),
                 cell_or_blank(operations / own.call.least / report.gigahertz, own.operations > 0),
                 cell_or_blank(operations / batch / report.gigahertz, own.operations > 0 && own.batch),
                 cell_or_blank(fastest, peer), cell_or_blank(fastest / own.call.least, peer),
                 cell_or_blank(fastest / batch, peer && own.batch)});
    }
  return table;
}

TextTable peer_table(const BesideReport& report, const RobotTimes& robot) {
  TextTable table{"", {{"function"}}};
  const auto serves = [&](const std::string& peer) {
    return std::any_of(robot.functions.begin(), robot.functions.end(),
                       [&](const FunctionTimes& times) { return best_of(times, peer) != nullptr; });
  };
  for (const PeerBuild& peer : report.peers)
    if (serves(peer.name)) table.columns.push_back({peer.name, "ns", Align::decimal, 3});
  for (const FunctionTimes& times : robot.functions) {
    if (times.peers.empty()) continue;
    TextTable::Row row{std::string(bench_title(times.function))};
    for (const PeerBuild& peer : report.peers)
      if (serves(peer.name)) {
        const PeerTime* best = best_of(times, peer.name);
        row.push_back(cell_or_blank(best ? best->call.least : 0, best != nullptr));
      }
    table.add(std::move(row));
  }
  return table;
}

std::string beside_text(const BesideReport& report) {
  std::string text = machine_sentence(report) + '\n';
  for (const RobotTimes& robot : report.robots) {
    text += fmt::format("\n{}\n\n{}", robot_heading(robot), to_text(own_table(report, robot)));
    if (const TextTable peers = peer_table(report, robot); !peers.rows.empty())
      text += fmt::format("\n{}\n{}\n", to_text(peers), agreement_sentence(robot));
    for (const std::string& refusal : robot.refusals) text += fmt::format("not here: {}\n", refusal);
  }
  return text;
}

std::string beside_markdown(const BesideReport& report) {
  std::string text = fmt::format(R"(# Times beside the peers

Written by `./run bench --peers --markdown docs/benchmarks.md`, which also repeats it: it installs the peers, builds a
program for each ([bench/](../bench/)), checks that all agree on every result, and times them in turns. Without `--peers`
it takes those that are here.

Machine: {}. Torsor: {}, the preset `release`.

)",
                                 machine_sentence(report), compiler_of_this());
  TextTable builds{"", {{"peer"}, {"its program"}}};
  for (const PeerBuild& peer : report.peers) builds.add({peer.name, peer.built});
  text += builds.rows.empty() ? "No peer was installed.\n" : to_markdown(builds);
  text += fmt::format(R"(
Pinocchio's templates are compiled into its program; the other peers are libraries as they are shipped. Times are minima
over rounds in which each has its turn of 0.2 ms, on one thread but where it says {} threads. Of a peer with several ways
the fastest counts, and ratios are those to the fastest peer (above 1: Torsor is faster). The peers have single calls,
and threads to run them on: batches are set beside single calls. Operations are multiplications and additions as recorded,
zeros and ones left out, without sines and cosines. Times of another machine differ: what carries over is the ratio.
`fast, from C` is the same engine through [torsor.h](c.md). Simulation beside MuJoCo: `tools/beside-mujoco PYTHON puma560`,
with figures in [simulate.md](simulate.md#speed).
)",
                      bench_threads);
  for (const RobotTimes& robot : report.robots) {
    text += fmt::format("\n## {}\n\n{}", robot_heading(robot), to_markdown(own_table(report, robot)));
    if (const TextTable peers = peer_table(report, robot); !peers.rows.empty())
      text += fmt::format("\n{}\n{}\n", to_markdown(peers), agreement_sentence(robot));
    for (const std::string& refusal : robot.refusals) text += fmt::format("Not here: {}.\n", refusal);
  }
  return text;
}

void write_beside(const BesideReport& report, JsonWriter& json) {
  json.begin_object()
      .field("processor", report.processor)
      .field("vectors", report.vectors)
      .field("cores", report.cores);
  json.field("gigahertz", report.gigahertz).key("peers").begin_array();
  for (const PeerBuild& peer : report.peers)
    json.begin_object().field("name", peer.name).field("built", peer.built).end_object();
  json.end_array().key("robots").begin_array();
  for (const RobotTimes& robot : report.robots) {
    json.begin_object().field("name", robot.name).field("joints", robot.joints).key("functions").begin_array();
    for (const FunctionTimes& times : robot.functions) {
      json.begin_object().field("function", times.function).field("disagreement", times.disagreement);
      json.key("torsor").begin_array();
      for (const OwnTime& own : times.own) {
        json.begin_object().field("way", own.way);
        json_time(json, "call", own.call);
        if (own.batch) json_time(json, "batch", *own.batch);
        if (own.batch_threads) json_time(json, "batch_threads", *own.batch_threads);
        if (own.operations > 0) json.field("operations", static_cast<long long>(own.operations));
        if (const PeerTime* peer = times.fastest_peer()) json.field("ratio", peer->call.least / own.call.least);
        json.end_object();
      }
      json.end_array().key("peers").begin_array();
      for (const PeerTime& peer : times.peers) {
        json.begin_object().field("name", peer.peer).field("variant", peer.variant);
        json_time(json, "call", peer.call);
        json.end_object();
      }
      json.end_array().end_object();
    }
    json.end_array().key("not_here").begin_array();
    for (const std::string& refusal : robot.refusals) json.value(refusal);
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

}  // namespace torsor
