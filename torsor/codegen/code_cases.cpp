#include "torsor/codegen/code_cases.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/codegen/code_ik.hpp"

namespace torsor {

std::vector<CodeArgument> code_arguments(CodeFunction function, int nq, int nv, const CodeIk* ik) {
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
      if (name == "branch") argument = {name, ik ? ik->rows : 8, ik ? ik->joints : 6, is_result};
      if (name == "state") argument = {name, ik ? ik->rows : 8, 1, is_result};
      if (function == CodeFunction::ik && name == "R" && ik && ik->place_only) continue;
      if (name == "value") {
        if (!ik || ik->value.empty()) continue;
        argument = {ik->value, 1, 1, is_result};
      }
      out.push_back(argument);
    }
  return out;
}

namespace {

/// The largest over all arrays of the largest of `numbers(case, result)` in it, as a part of the largest entry of the array in
/// all cases; NaN stays NaN.
template <class Number>
double relative_to_arrays(const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases,
                          const Number& number) {
  double worst = 0;
  std::size_t first = 0;
  for (const CodeArgument& a : arguments) {
    if (!a.is_result) continue;
    const auto size = static_cast<std::size_t>(a.size());
    double largest = 0, most = 0;
    for (std::size_t k = 0; k < cases.size(); ++k)
      for (std::size_t i = first; i < first + size; ++i) {
        largest = std::max(largest, std::abs(cases[k].results[i]));
        if (const double each = number(k, i); !(each <= most)) most = each;
      }
    const double part = largest > 0 ? most / largest : most;
    if (!(part <= worst)) worst = part;
    first += size;
  }
  return worst;
}

}  // namespace

double largest_difference(const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases,
                          std::span<const double> results) {
  return relative_to_arrays(arguments, cases, [&](std::size_t k, std::size_t i) {
    return std::abs(results[k * cases[k].results.size() + i] - cases[k].results[i]);
  });
}

double largest_allowed(const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases) {
  return relative_to_arrays(arguments, cases, [&](std::size_t k, std::size_t i) { return cases[k].allowed[i]; });
}

double largest_share(const std::vector<CodeCase>& cases, std::span<const double> results) {
  double most = 0;
  std::size_t k = 0;
  for (const CodeCase& one : cases)
    for (std::size_t i = 0; i < one.results.size(); ++i, ++k)
      if (const double off = std::abs(results[k] - one.results[i]); off != 0 && !(off / one.allowed[i] <= most))
        most = off / one.allowed[i];
  return most;
}

}  // namespace torsor
