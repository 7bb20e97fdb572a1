// The exact structure of the dynamic model: which coefficients vanish identically, which are constant, and on which
// coordinates each depends; decided by evaluation at random positions modulo random primes.
//
//   f(q) is not 0 modulo p                          f is not zero: certain, this is a witness
//   f(q) = 0 at r random q modulo r random p        f = 0 identically, but for the probability below
//   f(q) - f(q with q_l drawn again), likewise      f depends on q_l, or does not
//
// One answer of one round errs with a probability of at most deg / 2^60 + bad / primes. deg is the degree in the tangents
// of half the angles (Schwartz 1980, Zippel 1979): each joint angle enters a coefficient with cosine and sine to the
// second degree, so with 4 in its tangent; a slide with 2; general angles and inertias count alike. bad bounds how many
// primes of 61 bits can divide a coefficient that is not zero: by its largest magnitude (the same algorithm over
// Majorant), by the digits after the points, and by the degree of the number field of the constant angles. primes is
// half of what the theorem on primes in arithmetic progressions estimates. Rounds are independent; they are repeated until
// all answers together err with less than the probability asked for.
#pragma once

#include "torsor/structure/coefficient.hpp"
#include "torsor/structure/exact_robot.hpp"

namespace torsor {

/// Whose zeros are asked for: those of these numbers; of all robots with this geometry whose parts have the same equal
/// moments of inertia and zeros; only the same zeros; any inertias at all.
enum class Level { numbers, equal_moments, zeros, generic };
inline constexpr std::array<Level, 4> levels{Level::numbers, Level::equal_moments, Level::zeros, Level::generic};

struct ExactOptions {
  std::uint64_t seed = 1985;
  double log2_error = -100;  // of all answers together
  int rounds = 3;            // at least
};

/// Why an answer can be trusted: the probability that any of its zeros is wrong, and what it was computed from.
struct ExactError {
  double degree = 0;       // of the polynomials tested
  double bits = 0;         // of the largest numerator, over all conjugates
  double log2_primes = 0;  // of the number of primes drawn from
  double log2_round = 0;   // of the error of one answer in one round
  int rounds = 0;
  double log2_error = 0;  // of any error at all
};

struct ExactStructure {
  Level level = Level::numbers;
  int n = 0;                              // coordinates
  std::vector<Coefficient> coefficients;  // the independent ones
  std::vector<char> nonzero;              // per coefficient
  std::vector<char> depends;              // [coefficient * n + coordinate]
  ExactError error;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> primes;  // one per round

  bool depends_on(std::size_t coefficient, int l) const {
    return depends[coefficient * static_cast<std::size_t>(n) + static_cast<std::size_t>(l)] != 0;
  }
  bool constant(std::size_t coefficient) const;
  /// How many of each kind are not zero, and how many of these are constant.
  CoefficientCounts nonzero_counts() const;
  CoefficientCounts constant_counts() const;
};

/// The structure at one level. The same seed gives the same primes and positions.
ExactStructure exact_structure(const ExactRobot&, Level, const ExactOptions& = {});

/// The bound for a robot at a level, without deciding anything; rounds as many as the options ask for.
ExactError exact_error(const ExactRobot&, Level, const ExactOptions& = {});

}  // namespace torsor
