#include "torsor/symbolic/random_point.hpp"

#include <cmath>

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/scalar/poly.hpp"

namespace torsor {
namespace {

Modular modular_of(const Fraction& f) {
  const Modular size = Modular::of(static_cast<std::uint64_t>(std::llabs(f.numerator)));
  return (f.numerator < 0 ? -size : size) / Modular::of(static_cast<std::uint64_t>(f.denominator));
}

void keep_zeros(const std::vector<Modular>& values, std::vector<char>& zero) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != Modular(0)) zero[k] = 0;
}

}  // namespace

RandomPoint::RandomPoint(const SymbolicRobot& robot, std::mt19937_64& engine) : values(Monomial::variables) {
  for (std::size_t k = 0; k < robot.symbols.angles.size(); ++k) {
    const CirclePoint point = random_circle_point(engine);
    values[2 * k] = point.c;
    values[2 * k + 1] = point.s;
  }
  for (std::size_t k = 0; k < robot.symbols.parameters.size(); ++k)
    values[Monomial::first_parameter + k] = random_modular(engine);
  const auto convert = [&](const Poly& p) { return evaluate<Modular>(p, values, modular_of); };
  forms = cast<Modular>(robot.forms, convert);
  for (const Poly& p : robot.qd) qd.push_back(convert(p));
  for (const Poly& p : robot.qdd) qdd.push_back(convert(p));
}

double RandomPoint::log2_error() { return rounds * (std::log2(degree) - 60); }

SymbolicZeros symbolic_zeros(const SymbolicRobot& robot, std::uint64_t seed) {
  const auto n = robot.joints.size();
  SymbolicZeros out{std::vector<char>(n * n, 1), std::vector<char>(n * n * n, 1), std::vector<char>(n, 1)};
  std::mt19937_64 engine(seed);
  for (int round = 0; round < RandomPoint::rounds; ++round) {
    const PrimeModulus modulus = random_prime(engine, 360);
    const ModulusScope scope(modulus);
    const RandomPoint point(robot, engine);
    std::vector<Modular> D(n * n), c(n * n * n), G(n);
    CoefficientsWork<Modular> work(point.forms.model);
    coefficients_composite_body<Modular>(point.forms.model, point.forms.configuration, work, D, c, G);
    keep_zeros(D, out.D);
    keep_zeros(c, out.c);
    keep_zeros(G, out.G);
  }
  return out;
}

}  // namespace torsor
