// Tapes for tests: a given function recorded, and random arithmetic that is the same for every scalar.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "torsor/scalar/trace.hpp"

namespace torsor {

// random arithmetic, the same for every T: a double beside each number keeps the values tame
template <class T>
std::vector<T> random_arithmetic(unsigned seed, const std::vector<T>& inputs, const std::vector<double>& values,
                                 int steps) {
  using std::abs, std::atan2, std::cos, std::exp, std::sin, std::sqrt;
  struct Both {
    T x;
    double value;
  };
  std::mt19937_64 random(seed);
  std::vector<Both> pool;
  for (std::size_t i = 0; i < inputs.size(); ++i) pool.push_back({inputs[i], values[i]});
  for (const double c : {0.0, 1.0, -1.0, 0.75, -2.5, 0.0, 1.0}) pool.push_back({T(c), c});

  const auto pick = [&] { return pool[random() % pool.size()]; };
  for (int step = 0; step < steps; ++step) {
    const Both a = pick(), b = pick();
    Both c = a;
    const auto set = [&](auto f) { c = {f(a.x, b.x), f(a.value, b.value)}; };
    switch (random() % 14) {
      case 0:
      case 1:
      case 2: set([](auto x, auto y) { return x + y; }); break;
      case 3:
      case 4: set([](auto x, auto y) { return x - y; }); break;
      case 5:
      case 6:
      case 7: set([](auto x, auto y) { return x * y; }); break;
      case 8:
        if (abs(b.value) > 0.1) set([](auto x, auto y) { return x / y; });
        break;
      case 9: set([](auto x, auto) { return -x; }); break;
      case 10: set([](auto x, auto) { return cos(x); }); break;
      case 11:
        if (a.value > 0.0) set([](auto x, auto) { return sqrt(x); });
        break;
      case 12: set([](auto x, auto) { return exp(sin(x)); }); break;
      default:
        if (b.value > 0.1) set([](auto x, auto y) { return atan2(abs(x), y); });
        break;
    }
    if (abs(c.value) > 50.0) c = {sin(c.x), sin(c.value)};
    pool.push_back(c);
  }
  std::vector<T> results;
  for (std::size_t i = pool.size() - 4; i < pool.size(); ++i) results.push_back(pool[i].x);
  return results;
}

struct RandomTape {
  Tape tape;
  std::vector<double> values;
};

inline RandomTape random_tape(unsigned seed, int steps) {
  RandomTape result;
  std::mt19937_64 random(seed + 1000003u);
  std::uniform_real_distribution<double> draw(-2.0, 2.0);
  Recording recording(result.tape);
  std::vector<Trace> inputs;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(result.tape.input("x" + std::to_string(i)));
    result.values.push_back(draw(random));
  }
  for (const Trace& y : random_arithmetic<Trace>(seed, inputs, result.values, steps)) result.tape.output(y, "y");
  return result;
}

// records f of n inputs x0, x1, ...
template <class F>
Tape record(int n, F&& f) {
  Tape tape;
  Recording recording(tape);
  std::vector<Trace> x;
  for (int i = 0; i < n; ++i) x.push_back(tape.input("x" + std::to_string(i)));
  tape.output(f(x), "y");
  return tape;
}

}  // namespace torsor
