#include "torsor/structure/exact_structure.hpp"

#include "torsor/structure/exact_round.hpp"

namespace torsor {
namespace {

CoefficientCounts count_where(const ExactStructure& s, bool only_constant) {
  CoefficientCounts counts{};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e)
    if (s.nonzero[e] && (!only_constant || s.constant(e))) ++counts[static_cast<std::size_t>(s.coefficients[e].kind)];
  return counts;
}

}  // namespace

bool ExactStructure::constant(std::size_t coefficient) const {
  for (int l = 0; l < n; ++l)
    if (depends_on(coefficient, l)) return false;
  return true;
}

CoefficientCounts ExactStructure::nonzero_counts() const { return count_where(*this, false); }
CoefficientCounts ExactStructure::constant_counts() const { return count_where(*this, true); }

ExactStructure exact_structure(const ExactRobot& robot, Level level, const ExactOptions& options) {
  ExactStructure out;
  out.level = level;
  out.n = robot.model.nv;
  out.seed = options.seed;
  out.coefficients = independent_coefficients(out.n, robot.model.S.size() != static_cast<std::size_t>(robot.model.nv));
  out.error = exact_error(robot, level, options);
  const std::size_t count = out.coefficients.size(), n = static_cast<std::size_t>(out.n);
  out.nonzero.assign(count, 0);
  out.depends.assign(count * n, 0);

  std::mt19937_64 engine(options.seed);
  std::vector<Modular> here(count), there(count);
  for (int k = 0; k < out.error.rounds; ++k) {
    ExactRound round(robot, level, engine);
    out.primes.push_back(round.prime());
    round.evaluate();
    round.values(out.coefficients, here);
    for (std::size_t e = 0; e < count; ++e)
      if (!is_zero(here[e])) out.nonzero[e] = 1;
    const Configuration<Modular> position = round.position();
    for (int l = 0; l < out.n; ++l) {
      round.draw(l);
      round.evaluate();
      round.values(out.coefficients, there);
      round.restore(position);
      for (std::size_t e = 0; e < count; ++e)
        if (!(here[e] == there[e])) out.depends[e * n + static_cast<std::size_t>(l)] = 1;
    }
  }
  return out;
}

}  // namespace torsor
