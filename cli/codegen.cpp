// torsor codegen ROBOT: C for the dynamics and kinematics of a robot, in one file without dependencies.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/codegen/generate.hpp"
#include "torsor/io/suggest.hpp"

namespace torsor {
namespace {

struct CodegenArguments {
  RobotArgument robot;
  std::optional<std::string> functions, precision, name, output, header;
  long long straight = 10;
  PrintArguments print;
};

/// The functions of a list such as `id,mass`, each once.
Result<std::vector<CodeFunction>> read_functions(const std::optional<std::string>& text) {
  std::vector<CodeFunction> out;
  std::vector<std::string_view> known;
  for (const CodeFunctionRow& each : code_functions) known.push_back(each.name);
  Errors errors;
  std::string_view rest = text ? std::string_view(*text) : "id";
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    if (word == "all") {
      for (const CodeFunctionRow& each : code_functions) out.push_back(each.function);
    } else if (const auto function = code_function(word)) {
      out.push_back(*function);
    } else {
      const std::string hint = did_you_mean(word, known);
      errors.push_back({{},
                        "--functions",
                        "option-value",
                        fmt::format("there is no function \"{}\"", word),
                        fmt::format("{}{}the functions are {}, or all", hint, hint.empty() ? "" : " ", fmt::join(known, ", "))});
    }
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (!errors.empty()) return errors;
  std::vector<CodeFunction> once;
  for (const CodeFunction function : out)
    if (std::find(once.begin(), once.end(), function) == once.end()) once.push_back(function);
  return once;
}

Result<CReal> read_precision(const std::optional<std::string>& text) {
  if (!text || *text == "double") return c_double;
  if (*text == "float") return c_float;
  return Error{{}, "--precision", "option-value", fmt::format("\"{}\" is not allowed", *text), "use double or float"};
}

/// Writes a file; nothing, or the exit code with the fault printed.
std::optional<int> write_code(const std::string& path, const std::string& text) {
  OutputFile file(path);
  if (file.errors().empty()) file.stream() << text;
  if (!file.finish()) return complain(file.errors(), exit_not_written);
  return std::nullopt;
}

Report codegen_report(const CodegenArguments& a, const Model<double>& model, const GeneratedCode& code) {
  Report report{fmt::format("{}: generated C", model.name), "", {}, {}, {}};
  ReportSection& section = report.section("");
  TextTable table{"", {{"function"}, {"*"}, {"+"}, {"/"}, {"angles"}, {"accuracy"}}, {}};
  for (const GeneratedFunction& f : code.functions)
    table.add({f.name, static_cast<long long>(f.count.multiplications), static_cast<long long>(f.count.additions),
               static_cast<long long>(f.count.divisions), static_cast<long long>(f.angles), f.tolerance});
  section.table(std::move(table));
  section.text(
      "Operations as printed; of each angle sine and cosine are taken. Accuracy: what the file's self-test allows, relative "
      "to the largest entry of a result.");
  section.text(fmt::format("source  {}", printable(*a.output)));
  if (a.header) section.text(fmt::format("header  {}", printable(*a.header)));
  return report;
}

int print_json(const CodegenArguments& a, const Model<double>& model, const GeneratedCode& code) {
  JsonWriter json(std::cout);
  json.begin_object().field("robot", model.name).field("output", *a.output);
  if (a.header) json.field("header", *a.header);
  json.key("functions").begin_array();
  for (const GeneratedFunction& f : code.functions)
    json.begin_object()
        .field("name", f.name)
        .field("multiplications", f.count.multiplications)
        .field("additions", f.count.additions)
        .field("divisions", f.count.divisions)
        .field("angles", f.angles)
        .field("tolerance", f.tolerance)
        .end_object();
  json.end_array().end_object();
  return finish_json(json);
}

}  // namespace

int codegen_verb(Arguments arguments) {
  CodegenArguments a;
  Options options("codegen",
                  "C99 for the dynamics and kinematics of a robot, in one file: no allocation, no recursion, no library "
                  "beyond a square root; with a self-test made of this program's own numbers (-DTORSOR_SELF_TEST).");
  a.robot.add_to(options);
  options
      .text("--functions", "LIST", a.functions,
            "id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives, with commas, or all; default id")
      .text("--precision", "P", a.precision, "double (default) or float")
      .whole("--straight", 0, 1000, a.straight,
             "up to so many velocity coordinates without loops; default 10")
      .text("--name", "NAME", a.name, "what the functions' names begin with; default the robot's")
      .text("-o,--output", "FILE", a.output, "the C file; default standard output")
      .text("--header", "FILE", a.header, "a header for it");
  a.robot.add_tool_to(options);
  a.print.add_to(options);
  options.example("puma560 --functions id,mass,fd -o puma560.c --header puma560.h", "torques, mass matrix, accelerations")
      .example("panda --functions all --precision float -o panda.c", "for a small computer");
  if (const auto code = options.parse(arguments)) return *code;

  Errors errors;
  const auto functions = read_functions(a.functions);
  collect(functions, errors);
  const auto precision = read_precision(a.precision);
  collect(precision, errors);
  refuse_if(a.print.json && (!a.output || a.output == "-"), "--json", "without --output FILE", errors);
  if (a.output)
    for (const Error& same : check_different(a.robot.name, *a.output)) errors.push_back(same);
  if (a.output && a.header)
    for (const Error& same : check_distinct(*a.output, *a.header)) errors.push_back(same);
  const auto robot = read_robot(a.robot.name);
  collect(robot, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto tool = find_tool(robot->model, a.robot.tool);
  if (!tool) return complain(tool.errors(), exit_bad_input);

  CodeOptions wanted;
  wanted.functions = *functions;
  wanted.real = *precision;
  wanted.straight_up_to = static_cast<int>(a.straight);
  wanted.name = a.name.value_or(std::filesystem::path(a.robot.name).stem().string());
  const auto code = generate_code(robot->model, *tool, wanted);
  if (!code) return complain(code.errors(), exit_impossible);
  if (const auto failed = write_code(a.output.value_or("-"), code->source)) return *failed;
  if (a.header)
    if (const auto failed = write_code(*a.header, code->header)) return *failed;
  if (!a.output || a.output == "-") return exit_done;
  if (a.print.json) return print_json(a, robot->model, *code);
  print_report(codegen_report(a, robot->model, *code), std::cout);
  return finish_standard_output();
}

}  // namespace torsor
