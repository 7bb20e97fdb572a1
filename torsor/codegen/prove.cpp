#include "torsor/codegen/prove.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/code_rounding.hpp"
#include "torsor/codegen/polynomial_results.hpp"
#include "torsor/codegen/record_function.hpp"
#include "torsor/codegen/work_folder.hpp"

namespace torsor {
namespace {

/// For the shell, whatever is in it.
std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool run(const std::string& command) { return std::system(command.c_str()) == 0; }

/// Why no process can be started, where that is so: std::system() takes it for a program that is not there.
std::string no_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) return std::generic_category().message(errno);
  waitpid(child, nullptr, 0);
  return "";
}

std::string find_compiler() {
  std::vector<std::string> names;
  if (const char* given = std::getenv("CC"); given && *given) names.emplace_back(given);
  names.insert(names.end(), {"cc", "gcc", "clang"});
  for (const std::string& name : names)
    if (run(fmt::format("command -v {} >/dev/null 2>&1", shell_word(name)))) return name;
  return "";
}

/// A program that reads arguments and writes results, all calls of all functions in turn.
std::string driver(const GeneratedCode& code, const std::vector<std::vector<CodeArgument>>& arguments, int states,
                   const CReal& real) {
  std::string text = "#include <stdio.h>\n#include \"code.h\"\nint main(int argc, char **argv) {\n";
  text +=
      "  FILE *in = fopen(argv[1], \"rb\"), *out = fopen(argv[2], \"wb\");\n  if (argc != 3 || !in || !out) return "
      "1;\n";
  for (std::size_t k = 0; k < code.functions.size(); ++k) {
    std::string call;
    int taken = 0, given = 0;
    for (const CodeArgument& a : arguments[k]) {
      call += fmt::format("{}{} + {}", call.empty() ? "" : ", ", a.is_result ? "y" : "x", a.is_result ? given : taken);
      (a.is_result ? given : taken) += a.size();
    }
    text += fmt::format(
        "  for (int i = 0; i < {0}; ++i) {{\n    static {1} x[{2}], y[{3}];\n    if (fread(x, sizeof x, 1, in) != 1) "
        "return 1;\n"
        "    {4}({5});\n    if (fwrite(y, sizeof y, 1, out) != 1) return 1;\n  }}\n",
        states, real.type, taken, given, code.functions[k].name, call);
  }
  return text + "  return fclose(out) != 0;\n}\n";
}

template <class Real>
void write_numbers(std::ofstream& file, const std::vector<double>& numbers) {
  for (const double x : numbers) {
    const auto number = static_cast<Real>(x);
    file.write(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

template <class Real>
std::vector<double> read_numbers(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<double> out;
  for (Real number; file.read(reinterpret_cast<char*>(&number), sizeof number);)
    out.push_back(static_cast<double>(number));
  return out;
}

/// What a compiler says, in one line; of much the first lines.
std::string in_one_line(const std::string& path) {
  std::ifstream said(path);
  std::string text, line;
  while (text.size() < 1000 && std::getline(said, line)) text += (text.empty() ? "" : " | ") + line;
  return text;
}

Fault fault(std::string what, std::string remedy) {
  return {{}, "--prove", "codegen-prove", std::move(what), std::move(remedy)};
}

}  // namespace

bool CodeProof::holds() const {
  return std::ranges::all_of(functions, [](const ProvedFunction& f) {
    return f.share <= 1 && f.allowed <= most_allowed && (!f.polynomial || *f.polynomial <= polynomial_tolerance);
  });
}

Result<CodeProof> prove_code(const GeneratedCode& code, const CodeSubject& subject, const CReal& real,
                             const PolynomialArm* polynomials, const CodeProofOptions& options) {
  CodeProof proof{.compiler = find_compiler(), .flags = options.flags, .states = options.states, .functions = {}};
  if (proof.compiler.empty())
    if (const std::string reason = no_process(); !reason.empty())
      return fault("the compiler cannot be run: no process can be started: " + reason,
                   "allow more processes (ulimit -u), or leave --prove out");
  if (proof.compiler.empty())
    return fault("there is no C compiler: neither $CC nor cc, gcc or clang is found",
                 "install one, or leave --prove out");
  const WorkFolder folder;
  if (!folder.is_there())
    return Fault{
        {}, "the check", "file-write", "no temporary folder can be made", "set TMPDIR to a folder that can be written"};

  // the questions
  std::vector<std::vector<CodeArgument>> arguments;
  std::vector<std::vector<CodeCase>> cases;
  std::ofstream in(folder.file("in"), std::ios::binary);
  for (const GeneratedFunction& f : code.functions) {
    arguments.push_back(code_arguments(f.function, subject.model->nq, subject.model->nv, subject.ik));
    cases.push_back(code_cases(subject, f.function, real, options.states, options.seed));
    for (const CodeCase& one : cases.back())
      real.is_float() ? write_numbers<float>(in, one.arguments) : write_numbers<double>(in, one.arguments);
  }
  in.close();
  const auto no_space = [&folder](std::string what) {
    return Fault{
        {folder.file(""), 0}, "--prove", "file-write", std::move(what), "set TMPDIR to a folder with enough space"};
  };
  if (!in) return no_space("the states of the check cannot be written");
  for (const auto& [name, text] : {std::pair<const char*, std::string>{"code.c", code.source},
                                   {"code.h", code.header},
                                   {"driver.c", driver(code, arguments, options.states, real)}})
    if (std::ofstream file(folder.file(name)); !(file << text << std::flush))
      return no_space("the code cannot be written");

  const auto start = std::chrono::steady_clock::now();
  const std::string compile = fmt::format("{} {} -c {} -o {} >{} 2>&1", shell_word(proof.compiler), options.flags,
                                          shell_word(folder.file("code.c")), shell_word(folder.file("code.o")),
                                          shell_word(folder.file("said")));
  const bool compiled = run(compile);
  proof.compile_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string link = fmt::format("{} -std=c99 {} {} -lm -o {} >>{} 2>&1", shell_word(proof.compiler),
                                       shell_word(folder.file("driver.c")), shell_word(folder.file("code.o")),
                                       shell_word(folder.file("prove")), shell_word(folder.file("said")));
  if (!compiled || !run(link)) {
    const std::string said = in_one_line(folder.file("said"));
    for (const int error : {ENOSPC, EFBIG})
      if (said.empty() || said.find(std::generic_category().message(error)) != std::string::npos)
        return no_space(
            fmt::format("{} cannot write what it compiles{}{}", proof.compiler, said.empty() ? "" : ": ", said));
    return fault(fmt::format("{} refuses the code: {}", proof.compiler, said), "report this");
  }
  if (!run(fmt::format("{} {} {}", shell_word(folder.file("prove")), shell_word(folder.file("in")),
                       shell_word(folder.file("out")))))
    return fault("the compiled code does not run to its end", "report this");

  // the answers
  std::vector<double> out =
      real.is_float() ? read_numbers<float>(folder.file("out")) : read_numbers<double>(folder.file("out"));
  std::size_t first = 0;
  for (std::size_t k = 0; k < code.functions.size(); ++k) {
    const CodeFunction function = code.functions[k].function;
    const std::size_t count = cases[k].size() * cases[k][0].results.size();
    if (first + count > out.size()) return fault("the compiled code gives too few results", "report this");
    // of the elimination: that there may be more is no difference where there is none
    if (function == CodeFunction::ik && subject.ik && subject.ik->general)
      for (std::size_t k_case = 0, at = first; k_case < cases[k].size(); ++k_case)
        for (const double expected : cases[k][k_case].results) {
          if (expected == 0 && out[at] == -1) out[at] = 0;
          ++at;
        }
    ProvedFunction& proved = proof.functions.emplace_back();
    proved.name = code.functions[k].name;
    proved.generated = largest_difference(arguments[k], cases[k], std::span(out).subspan(first, count));
    if (function != CodeFunction::ik || !subject.ik || !subject.ik->general)
      allow_rounding(
          subject, function,
          printed_operations(subject, function, code.functions[k].in_loops, record_function(subject, function)), real,
          cases[k]);
    proved.allowed = largest_allowed(arguments[k], cases[k]);
    proved.share = largest_share(cases[k], std::span(out).subspan(first, count));
    first += count;

    if (!polynomials || subject.reduced) continue;
    std::vector<double> results;
    for (const CodeCase& one : cases[k])
      if (const auto each = polynomial_results(*polynomials, *subject.model, function, one.arguments))
        results.insert(results.end(), each->begin(), each->end());
    if (results.size() == count) proved.polynomial = largest_difference(arguments[k], cases[k], results);
  }
  return proof;
}

}  // namespace torsor
