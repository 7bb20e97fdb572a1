// Torsor without Python, for bench_python.py: answers each line of standard input, `one` or `batch`, with the seconds that one
// call, or one batch of the states given, takes now: the best of a few runs.
//   core ROBOT STATES   (STATES: float64, in order q, qd, qdd of all states)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "torsor/dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

template <class Run>
double best_of(int runs, int calls, const Run& run) {
  double best = 1e9;
  for (int r = 0; r < runs; ++r) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / calls);
  }
  return best;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto description = torsor::load_robot(arguments[1]);
  if (!description) return 1;
  const auto model = torsor::build(*description);
  if (!model) return 1;
  const int nq = model->nq, nv = model->nv;
  std::ifstream file(arguments[2], std::ios::binary | std::ios::ate);
  std::vector<double> numbers(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0).read(reinterpret_cast<char*>(numbers.data()),
                     static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  const std::int64_t states = static_cast<std::int64_t>(numbers.size()) / (nq + 2 * nv);
  const double *q = numbers.data(), *qd = q + states * nq, *qdd = qd + states * nv;
  std::vector<double> tau(static_cast<std::size_t>(states * nv));

  torsor::Dynamics dynamics(*model);
  const auto n = static_cast<std::size_t>(nv);
  for (std::string line; std::getline(std::cin, line);) {
    const double seconds =
        line == "one"
            ? best_of(20, 200,
                      [&] {
                        dynamics.inverse({q, static_cast<std::size_t>(nq)}, {qd, n}, {qdd, n}, {tau.data(), n});
                      })
            : best_of(2, 1, [&] {
                dynamics.inverse(states, {q, nq}, {qd, nv}, {qdd, nv}, {tau.data(), nv});
              });
    std::printf("%.9g\n", seconds);
    std::fflush(stdout);
  }
}
