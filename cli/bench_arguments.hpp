// What torsor bench is told, and its parts that have files of their own.
#pragma once

#include <iostream>
#include <optional>
#include <string>

#include "cli/bench_peers.hpp"
#include "cli/chain_arguments.hpp"
#include "cli/print.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {

struct BenchArguments {
  std::string robot;
  ChainArguments chain = {};
  std::optional<long long> joints;
  std::optional<std::string> page, beside, mechanism;
  PeerBenchArguments comparison;
  bool ik = false, equations = false, structure = false, simulate = false, derivatives = false;
  long long milliseconds = 50;
  PrintArguments print;
};

/// Mechanisms (--mechanism), and control in simulation (--simulate); beside the rows that a command prints (--beside).
int bench_mechanism(const BenchArguments&, double seconds_each);
int bench_simulation(const BenchArguments&, double seconds_each);

/// Rows of times as JSON on standard output, beside what they are of: {of: name, key: rows}. The verb's exit code.
template <class Rows>
int print_rows(const char* of, const std::string& name, const char* key, const Rows& rows) {
  JsonWriter json(std::cout);
  write_json(json.begin_object().field(of, name).key(key), rows);
  json.end_object();
  return finish_json(json);
}

}  // namespace torsor
