#include "torsor/codegen/code_cases.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {

std::vector<CodeArgument> code_arguments(CodeFunction function, int nq, int nv) {
  std::vector<CodeArgument> out;
  const CodeFunctionRow& asked = row(function);
  for (const auto* names : {&asked.arguments, &asked.results})
    for (const std::string_view name : *names) {
      if (name.empty()) continue;
      const bool is_result = names == &asked.results;
      CodeArgument argument{name, nv, 1, is_result};
      if (name == "q") argument.rows = nq;
      if (name == "M" || name == "C" || name == "tau_q" || name == "tau_qd") argument.columns = nv;
      if (name == "J") argument = {name, 6, nv, is_result};
      if (name == "R") argument = {name, 3, 3, is_result};
      if (name == "p") argument = {name, 3, 1, is_result};
      if (name == "branch") argument = {name, 8, 6, is_result};
      if (name == "state") argument = {name, 8, 1, is_result};
      out.push_back(argument);
    }
  return out;
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
