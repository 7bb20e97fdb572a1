#include "torsor/codegen/c_self_test.hpp"

#include <fmt/format.h>

#include "torsor/codegen/c_general_ik.hpp"

namespace torsor {
namespace {

std::string number_list(const std::vector<double>& numbers, const CReal& real) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : k % 6 == 0 ? ",\n     " : ", ", real.literal(numbers[k]));
  return text;
}

/// Two digits, rounded up, are enough.
std::string allowance_list(const std::vector<double>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text += fmt::format("{}{:.1e}", k == 0 ? "" : k % 12 == 0 ? ",\n     " : ", ", 1.05 * numbers[k]);
  return text;
}

constexpr std::string_view comparison = R"(
#ifdef TORSOR_SELF_TEST
#include <stdio.h>

/* largest difference and largest number so far, and largest part of what rounding explains; what is not a number is as
 * different as can be */
static void torsor_compare(int n, const {0} *result, const double *expected, const double *allowed, double *off) {{
  for (int i = 0; i < n; ++i) {{
    const double e = expected[i] < 0 ? -expected[i] : expected[i], d = (double)result[i] - expected[i];
    const double a = d == d ? (d < 0 ? -d : d) : 1e300, part = a > 0 ? (allowed[i] > 0 ? a/allowed[i] : 1e300) : 0;
    if (a > off[0]) off[0] = a;
    if (e > off[1]) off[1] = e;
    if (part > off[2]) off[2] = part;
  }}
}}

static int torsor_report(const char *name, const char *result, const double *off) {{
  printf("%s %s: largest difference %.2e of the largest entry, %.2g of what rounding explains%s\n", name, result,
         off[1] > 0 ? off[0]/off[1] : off[0], off[2], off[2] <= 1 ? "" : ": FAILED");
  return !(off[2] <= 1);
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
    text += fmt::format("    static const double allowed[{}][{}] = {{\n", test.cases.size(), given);
    for (const CodeCase& one : test.cases) text += fmt::format("    {{{}}},\n", allowance_list(one.allowed));
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
      // of the elimination: that there may be more is no difference where there is none
      if (a.name == "state" && a.size() == general_ik_rows)
        compare += fmt::format(
            "      for (int i = 0; i < {}; ++i) state[i] = state[i] < 0 && expected[k][{} + i] == 0 ? 0 : state[i];\n",
            a.size(), result);
      compare += fmt::format("      torsor_compare({0}, {1}, expected[k] + {2}, allowed[k] + {2}, off[{3}]);\n",
                             a.size(), a.name, result, arrays);
      report += fmt::format("    failures += torsor_report(\"{0}\", \"{1}\", off[{2}]);\n", test.function->name, a.name,
                            arrays);
      result += size;
      ++arrays;
    }
    text += fmt::format("    double off[{}][3] = {{{{0}}}};\n", arrays);
    text += fmt::format("    for (int k = 0; k < {}; ++k) {{\n      {}({});\n{}    }}\n{}  }}\n", test.cases.size(),
                        test.function->name, call, compare, report);
  }
  return text + "  return failures != 0;\n}\n#endif\n";
}

}  // namespace torsor
