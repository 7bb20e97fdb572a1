// torsor agree ROBOT --exact: the proof that the formulations of inverse dynamics are the same polynomials.
#pragma once

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"

namespace torsor {

struct ExactAgreeArguments {
  std::optional<long long> seed;  // of the finite-field proofs
  std::optional<std::string> page;
  PrintArguments print;
};

/// The verb's exit code: 0 where all are proven equal, 1 where one differs.
int agree_exactly(const Robot& robot, const ExactAgreeArguments&);

}  // namespace torsor
