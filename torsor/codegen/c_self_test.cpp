#include "torsor/codegen/c_self_test.hpp"

#include <fmt/format.h>

namespace torsor {
namespace {

std::string number_list(const std::vector<double>& numbers, const CReal& real) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : k % 6 == 0 ? ",\n     " : ", ", real.literal(numbers[k]));
  return text;
}

constexpr std::string_view comparison = R"(
#ifdef TORSOR_SELF_TEST
#include <stdio.h>

/* largest difference and largest number so far; what is not a number is as different as can be */
static void torsor_compare(int n, const {0} *result, const double *expected, double *difference, double *largest) {{
  for (int i = 0; i < n; ++i) {{
    const double e = expected[i] < 0 ? -expected[i] : expected[i], d = (double)result[i] - expected[i];
    if (e > *largest) *largest = e;
    if (!((d < 0 ? -d : d) <= *difference)) *difference = d == d ? (d < 0 ? -d : d) : 1e300;
  }}
}}

static int torsor_report(const char *name, const char *result, double difference, double largest, double allowed) {{
  const double part = largest > 0 ? difference/largest : difference;
  printf("%s %s: largest difference %.2e of the largest entry, allowed %.2e%s\n", name, result, part, allowed,
         part <= allowed ? "" : ": FAILED");
  return !(part <= allowed);
}}

int main(void) {{
  int failures = 0;
)";

}  // namespace

std::string c_self_test(const std::vector<SelfTest>& tests, const CReal& real) {
  std::string text = fmt::format(comparison, real.type);
  for (const SelfTest& test : tests) {
    const std::size_t taken = test.cases[0].arguments.size(), given = test.cases[0].results.size();
    text += fmt::format("  {{\n    static const {} arguments[{}][{}] = {{\n", real.type, test.cases.size(), taken);
    for (const CodeCase& one : test.cases) text += fmt::format("    {{{}}},\n", number_list(one.arguments, real));
    text += fmt::format("    }};\n    static const double expected[{}][{}] = {{\n", test.cases.size(), given);
    for (const CodeCase& one : test.cases) text += fmt::format("    {{{}}},\n", number_list(one.results, c_double));
    text += "    };\n";

    // call, and compare each result
    std::string call, compare, report;
    std::size_t from = 0, result = 0;
    int arrays = 0;
    for (const CodeArgument& a : test.arguments) {
      const auto size = static_cast<std::size_t>(a.size());
      call += call.empty() ? "" : ", ";
      if (!a.is_result) {
        call += fmt::format("arguments[k] + {}", from);
        from += size;
        continue;
      }
      text += fmt::format("    {} {}[{}];\n", real.type, a.name, a.size());
      call += a.name;
      compare += fmt::format("      torsor_compare({0}, {1}, expected[k] + {2}, &difference[{3}], &largest[{3}]);\n", a.size(), a.name, result, arrays);
      report += fmt::format("    failures += torsor_report(\"{0}\", \"{1}\", difference[{2}], largest[{2}], {3});\n", test.function->name,
                            a.name, arrays, c_double.literal(test.function->tolerance));
      result += size;
      ++arrays;
    }
    text += fmt::format("    double difference[{0}] = {{0}}, largest[{0}] = {{0}};\n", arrays);
    text += fmt::format("    for (int k = 0; k < {}; ++k) {{\n      {}({});\n{}    }}\n{}  }}\n", test.cases.size(), test.function->name, call,
                        compare, report);
  }
  return text + "  return failures != 0;\n}\n#endif\n";
}

}  // namespace torsor
