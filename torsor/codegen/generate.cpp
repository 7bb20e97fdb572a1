#include "torsor/codegen/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "torsor/codegen/c_functions.hpp"
#include "torsor/codegen/c_general_ik.hpp"
#include "torsor/codegen/c_self_test.hpp"
#include "torsor/codegen/c_statements.hpp"
#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/code_rounding.hpp"
#include "torsor/codegen/loop_writer.hpp"
#include "torsor/codegen/record_function.hpp"

namespace torsor {
namespace {

/// Where the quaternions of a position begin.
std::vector<int> quaternion_places(const Model<double>& model) {
  std::vector<int> places;
  for (const Body<double>& b : model.bodies)
    if (row(b.kind).nq >= 4) places.push_back(b.q);
  return places;
}

/// Gives the quaternions of a case a length whose square the type cannot hold, which changes no result.
void stretch_quaternions(const std::vector<int>& places, const CReal& real, CodeCase& one) {
  const double length = std::ldexp(1.0, real.is_float() ? 80 : 530);
  for (const int first : places)
    for (int k = 0; k < 4; ++k) one.arguments[static_cast<std::size_t>(first + k)] *= length;
}

/// `given`: what the positions are called in a definition that makes its own q of them.
std::string prototype(const GeneratedFunction& function, const CodeSubject& subject, const CReal& real,
                      bool is_definition, std::string_view given = "q") {
  const Model<double>& model = *subject.model;
  std::string text = fmt::format("void {}(", function.name);
  bool is_first = true;
  for (const CodeArgument& a : code_arguments(function.function, model.nq, model.nv, subject.ik)) {
    text += fmt::format("{}{}{} {}[{}{}]", is_first ? "" : ", ", a.is_result ? "" : "const ", real.type,
                        a.name == "q" ? given : a.name,
                        is_definition && a.is_result ? "restrict " : "", a.size());
    is_first = false;
  }
  return text + ")";
}

/// Whether the name stands in the text as a word.
bool uses(const std::string& body, std::string_view name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = 0; (at = body.find(name, at)) != body.npos; at += name.size())
    if (!is_word(body[at - 1]) && !is_word(body[at + name.size()])) return true;
  return false;
}

/// Arguments on which nothing depends are named once, so that no compiler wonders.
std::string unused_arguments(const std::vector<CodeArgument>& arguments, const std::string& body) {
  std::string text;
  for (const CodeArgument& a : arguments)
    if (!uses(body, a.name)) text += fmt::format("  (void){};\n", a.name);
  return text;
}

std::string cost_text(const OperationCount& c, int angles) {
  std::string text = fmt::format("{} multiplications, {} additions", c.multiplications, c.additions);
  const auto also = [&](int count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  also(c.divisions, "divisions");
  also(c.square_roots, "square roots");
  also(c.exponentials, "exponentials");
  also(c.arctangents, "calls of atan2");
  also(c.comparisons, "comparisons");
  also(angles, "angles with sine and cosine");
  return text;
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  std::size_t width = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string entry = fmt::format("{}{}", k ? ", " : "", names[k]);
    if (width + entry.size() > 90) {
      text += ",\n *     " + names[k];
      width = names[k].size();
    } else {
      text += entry;
      width += entry.size();
    }
  }
  // a name of a file cannot end the comment
  for (const char* mark : {"*/", "/*"})
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;) text.replace(at, 2, "* ");
  return text;
}

/// Numbers that cannot be written: constants beyond a float, and results that are none, because something can move without
/// moving any mass.
Faults unwritable(const Tape& tape, const std::vector<CodeCase>& cases, CodeFunction function, const CReal& real) {
  Faults errors;
  const std::string offender = fmt::format("function \"{}\"", row(function).name);
  bool is_finite = std::ranges::all_of(tape.nodes(), [](const Node& node) { return std::isfinite(node.value); });
  for (const CodeCase& one : cases)
    is_finite = is_finite && std::ranges::all_of(one.results, [](double x) { return std::isfinite(x); });
  if (!is_finite)
    errors.push_back({{}, offender, "codegen-finite", "its results are not finite numbers inside the joint limits",
                      "torsor check may say why: a joint that moves no mass, for example"});
  else if (real.is_float() && !std::ranges::all_of(tape.nodes(), [](const Node& node) {
             return std::abs(node.value) <= static_cast<double>(std::numeric_limits<float>::max());
           }))
    errors.push_back(
        {{}, offender, "codegen-float", "a constant is beyond what a float can hold", "take --precision double"});
  return errors;
}

std::string top_comment(const Model<double>& model, const Frame<double>& tool, const CReal& real,
                        const std::vector<GeneratedFunction>& functions) {
  std::string text = fmt::format("/* Equations of the robot \"{}\", generated by torsor codegen: do not edit.\n *\n",
                                 names_of({model.name}));
  for (const GeneratedFunction& f : functions) {
    const bool by_elimination = f.count.multiplications == 0 && f.function == CodeFunction::ik;
    text += fmt::format(" * {}\n *     {}\n *     {}\n", f.name, row(f.function).what,
                        by_elimination ? "elimination of five joints, and Newton's method" : cost_text(f.count, f.angles));
  }
  text += fmt::format(" *\n * SI units, radians; matrices row-major; arrays of results overlap no other array. {}\n",
                      real.is_float() ? "Single precision." : "Double precision.");
  text += fmt::format(" *   q   {}\n", names_of(model.position_names));
  text +=
      fmt::format(" *   qd, qdd, tau   {}\n *   tool   {}\n", names_of(model.velocity_names), names_of({tool.name}));
  text += fmt::format(
      " *\n * C99; not for -ffast-math. Quickest: -O3 -march=native -ffp-contract=fast, with gcc also "
      "-fno-tree-slp-vectorize.\n * Self-test: -DTORSOR_SELF_TEST makes a program of it. */\n");
  return text;
}

}  // namespace

std::string c_identifier(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), is_digit = c >= '0' && c <= '9';
    if (is_letter || is_digit)
      name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || (name[0] >= '0' && name[0] <= '9') ? "robot" + (name.empty() ? "" : "_" + name) : name;
}

Result<GeneratedCode> codegen(const CodeSubject& subject, const CodeOptions& options) {
  Faults errors;
  for (const CodeFunction function : options.functions)
    for (const Fault& error : refusals(subject, function))
      if (std::ranges::find(errors, to_string(error), [](const Fault& e) { return to_string(e); }) == errors.end())
        errors.push_back(error);
  if (!errors.empty()) return errors;
  const Model<double>& model = *subject.model;
  const Frame<double>& tool = subject.tool;
  const std::string name = c_identifier(options.name.empty() ? model.name : options.name);
  const CReal& real = options.real;

  // what the loops call comes first, hidden unless it is asked for
  const bool in_loops = model.nv > options.straight_up_to && !subject.reduced && !subject.closed;
  std::vector<CodeFunction> all;
  const auto take = [&](CodeFunction function) {
    if (std::ranges::find(all, function) == all.end()) all.push_back(function);
  };
  for (const CodeFunction asked : options.functions) {
    if (in_loops)
      for (const CodeFunction needed : LoopWriter::needs(asked)) take(needed);
    take(asked);
  }

  GeneratedCode code;
  CBlock called;
  std::string bodies, prototypes;
  std::vector<SelfTest> tests;
  const std::vector<int> quaternions = quaternion_places(model);
  bool any_tamed = false, uses_memory = false;
  std::optional<LoopWriter> loops;
  std::map<CodeFunction, OperationCount> costs;  // of loops, with what they call
  if (in_loops) loops.emplace(model, tool, real, name);
  for (const CodeFunction each : all) {
    GeneratedFunction function;
    function.function = each;
    function.name = fmt::format("{}_{}", name, row(each).name);
    const std::vector<CodeArgument> arguments = code_arguments(each, model.nq, model.nv, subject.ik);
    const bool by_elimination = each == CodeFunction::ik && subject.ik && subject.ik->general;
    if (by_elimination && real.is_float()) {
      errors.push_back({{}, "function \"ik\"", "codegen-ik", "the elimination of six joints loses more digits than a float has",
                        "take --precision double"});
      continue;
    }
    const Tape tape = by_elimination ? Tape() : record_function(subject, each);
    CBlock block;
    function.in_loops = in_loops && each != CodeFunction::ik;
    if (function.in_loops) {
      const std::string text = loops->write(each);
      block = loops->called();
      block.text = text;
      function.count = loops->count();
      for (const CodeFunction needed : LoopWriter::needs(each)) function.count += costs[needed];
      costs[each] = function.count;
    } else if (by_elimination) {
      block.text = c_general_ik_body(*subject.ik->general);
      bodies += c_general_ik(*subject.ik->general);
      uses_memory = true;
    } else {
      block = c_statements(tape, real);
      function.count = count(tape);
    }
    function.angles = block.angles;
    called += block;
    const bool is_hidden = std::ranges::find(options.functions, each) == options.functions.end();
    // quaternions are divided by their lengths, and those by their squares
    const bool tames = !quaternions.empty() && each != CodeFunction::ik && uses(block.text, "q");
    any_tamed = any_tamed || tames;
    bodies +=
        fmt::format("\n{}{} {{\n{}{}{}}}\n", is_hidden ? "static " : "",
                    prototype(function, subject, real, true, tames ? "q_given" : "q"),
                    tames ? fmt::format("  {0} q_tame[{1}];\n  const {0} *const q = torsor_tame(q_given, q_tame);\n",
                                        real.type, model.nq)
                          : "",
                    unused_arguments(arguments, block.text), block.text);
    if (is_hidden) continue;
    prototypes += prototype(function, subject, real, false) + ";\n";
    std::vector<CodeCase> cases = code_cases(subject, each, real, 3, options.seed);
    if (const Faults unheld = unwritable(tape, cases, each, real); !unheld.empty()) {
      errors.insert(errors.end(), unheld.begin(), unheld.end());
      continue;
    }
    if (!by_elimination)
      allow_rounding(subject, each, printed_operations(subject, each, function.in_loops, tape), real, cases);
    function.tolerance = largest_allowed(arguments, cases);
    if (!(function.tolerance <= most_allowed)) {
      errors.push_back({{},
                        fmt::format("function \"{}\"", row(each).name),
                        "codegen-accuracy",
                        fmt::format("rounding may change its results by {:.2g} of the largest", function.tolerance),
                        "nothing could be checked: see position limits and inertias, or take --precision double"});
      continue;
    }
    if (tames) stretch_quaternions(quaternions, real, cases.back());
    tests.push_back({nullptr, arguments, std::move(cases)});
    code.functions.push_back(std::move(function));
  }
  if (!errors.empty()) return errors;
  for (std::size_t k = 0; k < tests.size(); ++k) tests[k].function = &code.functions[k];

  if (in_loops) bodies = loops->tables(bodies) + bodies;

  const std::string comment = top_comment(model, tool, real, code.functions);
  code.source = comment;
  if (called.sqrt || uses_memory) code.source += "#include <math.h>\n";
  if (called.sincos) code.source += "#include <stdint.h>\n";
  if (called.sincos || uses_memory) code.source += "#include <string.h>\n";
  code.source += "\n" + prototypes;
  if (called.sincos) code.source += c_sincos(real);
  if (called.sincos_sum) code.source += c_sincos_sum(real);
  if (called.exp) code.source += c_exp(real);
  if (called.atan2) code.source += c_atan2(real);
  if (any_tamed) code.source += c_tame(real, model.nq, quaternions);
  code.source += bodies;
  code.source += c_self_test(tests, real);
  code.header = fmt::format(
      "{0}#ifndef TORSOR_{1}\n#define TORSOR_{1}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{2}\n"
      "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
      comment, name, prototypes);
  return code;
}

}  // namespace torsor
