#include "torsor/codegen/code_cases.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/codegen/robot_functions.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

std::vector<CodeCase> code_cases(const Model<double>& model, const Frame<double>& tool, CodeFunction function,
                                 const CReal& real, int count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  RobotFunctions<double> library(model, tool);
  std::vector<CodeCase> cases;
  for (int k = 0; k < count; ++k) {
    CodeCase& one = cases.emplace_back();
    std::size_t results = 0;
    for (const CodeArgument& a : code_arguments(function, model.nq, model.nv)) {
      if (a.is_result) {
        results += static_cast<std::size_t>(a.size());
      } else if (a.name == "q") {
        one.arguments = random_position(model, engine);
      } else {
        for (int i = 0; i < a.size(); ++i) one.arguments.push_back(4 * uniform(engine) - 2);
      }
    }
    if (real.is_float())
      for (double& x : one.arguments) x = static_cast<double>(static_cast<float>(x));
    one.results.resize(results);
    library.run(function, one.arguments, one.results);
  }
  return cases;
}

double largest_difference(const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases,
                          std::span<const double> results) {
  double worst = 0;
  std::size_t first = 0;
  for (const CodeArgument& a : arguments) {
    if (!a.is_result) continue;
    const auto size = static_cast<std::size_t>(a.size());
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < cases.size(); ++k)
      for (std::size_t i = first; i < first + size; ++i) {
        const double expected = cases[k].results[i], off = std::abs(results[k * cases[k].results.size() + i] - expected);
        largest = std::max(largest, std::abs(expected));
        if (!(off <= difference)) difference = off;
      }
    const double part = largest > 0 ? difference / largest : difference;
    if (!(part <= worst)) worst = part;
    first += size;
  }
  return worst;
}

}  // namespace torsor
