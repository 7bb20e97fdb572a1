// torsor codegen ROBOT: C for the dynamics and kinematics of a robot, in one file without dependencies.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/reduced_argument.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/polynomial_results.hpp"
#include "torsor/codegen/prove.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct CodegenArguments {
  RobotArgument robot;
  std::optional<std::string> functions, precision, name, output, header, reduced;
  bool prove = false, place_only = false;
  long long straight = 10;
  PrintArguments print;
};

/// The functions of a list such as `id,mass`, each once.
Result<std::vector<CodeFunction>> read_functions(const std::optional<std::string>& text) {
  std::vector<CodeFunction> out;
  std::vector<std::string_view> known;
  for (const CodeFunctionRow& each : code_functions) known.push_back(each.name);
  Faults errors;
  std::string_view rest = text ? std::string_view(*text) : "id";
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    if (word == "all") {
      // inverse kinematics is for some arms only, and asked for by its name
      for (const CodeFunctionRow& each : code_functions)
        if (each.function != CodeFunction::ik) out.push_back(each.function);
    } else if (const auto function = code_function(word)) {
      out.push_back(*function);
    } else {
      const std::string hint = did_you_mean(word, known);
      errors.push_back(fault_of("--functions", "option-value", fmt::format("there is no function \"{}\"", word),
                                fmt::format("{}{}the functions are {}, or all", hint, hint.empty() ? "" : " ",
                                    fmt::join(known, ", "))));
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
  return Fault{{}, "--precision", "option-value", fmt::format("\"{}\" is not allowed", *text), "use double or float"};
}

/// Writes a file; nothing, or the exit code with the fault printed.
std::optional<int> write_code(const std::string& path, const std::string& text) {
  OutputFile file(path);
  if (file.faults().empty()) file.stream() << text;
  if (!file.finish()) return complain(file.faults(), exit_not_written);
  return std::nullopt;
}

void add_proof(Report& report, const CodeProof& proof) {
  ReportSection& section = report.section("Compiled and compared");
  TextTable table{"largest differences from this program's results, relative to the largest entry of a result",
                  {{"function"}, {"generated"}, {"of rounding"}, {"polynomials"}}};
  for (const ProvedFunction& f : proof.functions) {
    TextTable::Row row{f.name, fmt::format("{:.2e}", f.generated), fmt::format("{:.2g}", f.share)};
    row.emplace_back(f.polynomial ? fmt::format("{:.2e}", *f.polynomial) : std::string("-"));
    table.add(std::move(row));
  }
  section.table(std::move(table));
  section.text(fmt::format("{} states each; {} {} took {} s.", proof.states, proof.compiler, proof.flags,
                           format_number(proof.compile_seconds, 2)));
  section.text(
      "Of rounding: the largest difference as a part of what rounding explains in its state, from the operations of "
      "the "
      "function and their precision.");
  section.text(proof.holds() ? fmt::format("The code agrees at all {} states.", proof.states) : "The code DIFFERS.");
}

Report codegen_report(const CodegenArguments& a, const Model<double>& model, const GeneratedCode& code) {
  Report report{fmt::format("{}: generated C", model.name), ""};
  ReportSection& section = report.section("");
  TextTable table{"", {{"function"}, {"*"}, {"+"}, {"/"}, {"angles"}, {"accuracy"}}};
  for (const GeneratedFunction& f : code.functions)
    table.add({f.name, static_cast<long long>(f.count.multiplications), static_cast<long long>(f.count.additions),
               static_cast<long long>(f.count.divisions), static_cast<long long>(f.angles), f.tolerance});
  section.table(std::move(table));
  section.text(
      "Operations as printed; of each angle sine and cosine are taken. Accuracy: what rounding may leave, and the "
      "file's self-test allows, relative to the largest entry of a result.");
  if (a.output) section.text(fmt::format("source  {}", printable(*a.output)));
  if (a.header) section.text(fmt::format("header  {}", printable(*a.header)));
  return report;
}

int codegen_json(const CodegenArguments& a, const Model<double>& model, const GeneratedCode& code,
                 const CodeProof* proof) {
  JsonWriter json(std::cout);
  json.begin_object().field("robot", model.name);
  if (a.output) json.field("output", *a.output);
  if (a.header) json.field("header", *a.header);
  write_json(json.key("functions"), code.functions);
  if (proof) write_json(json.key("proof"), *proof);
  json.end_object();
  return finish_json(json);
}

}  // namespace

int codegen_verb(Arguments arguments) {
  CodegenArguments a;
  Options options(
      "codegen",
      "C99 for the dynamics and kinematics of a robot, in one file: no allocation, no recursion, no library "
      "beyond a square root; with a self-test made of this program's own numbers (-DTORSOR_SELF_TEST).");
  a.robot.loops = true;
  a.robot.add_to(options, ToolMeans::frame);
  options
      .text("--functions", "LIST", a.functions,
            "id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives, with commas, or all; ik; default id")
      .one_of({"id", "bias", "gravity", "mass", "coriolis", "fd", "fk", "jacobian", "derivatives", "ik", "all"})
      .text("--precision", "P", a.precision, "double (default) or float")
      .one_of({"double", "float"})
      .whole("--straight", 0, 1000, a.straight, "up to so many velocity coordinates without loops; default 10")
      .reads("--reduced", "FILE", a.reduced, "dynamics by a reduced model (torsor reduce), friction added")
      .flag("--position-only", a.place_only, "ik of the tool's place alone: arms of two and three joints")
      .flag("--prove", a.prove,
            "compile the code, run it at 100 random states and compare it with this program and with polynomials")
      .text("--name", "NAME", a.name, "what the functions' names begin with; default the robot's")
      .writes("-o,--output", "FILE", a.output, "the C file; default standard output")
      .writes("--header", "FILE", a.header, "a header for it");
  a.print.add_to(options);
  options
      .example("puma560 --functions id,mass,fd -o puma560.c --header puma560.h", "torques, mass matrix, accelerations")
      .example("panda --functions all --precision float -o panda.c", "for a small computer");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  const auto functions = read_functions(a.functions);
  collect(functions, errors);
  const auto precision = read_precision(a.precision);
  collect(precision, errors);
  refuse_if(a.print.json && (a.output == "-" || (!a.output && !a.prove)), "--json", "without --output FILE or --prove",
            errors);
  refuse_if(a.prove && a.output == "-", "--prove", "with --output -", errors);
  refuse_if(a.header == "-", "--header -", "at all: give a file", errors);
  refuse_if(a.place_only && functions && std::ranges::find(*functions, CodeFunction::ik) == functions->end(),
            "--position-only", "without --functions ik", errors);
  // poses need no masses
  const auto kinematic = [](CodeFunction each) {
    return each == CodeFunction::fk || each == CodeFunction::jacobian || each == CodeFunction::ik;
  };
  const bool poses = functions && std::ranges::all_of(*functions, kinematic);
  const auto robot = read_robot(a.robot, poses ? RobotUse::kinematics : RobotUse::dynamics);
  collect(robot, errors);
  if (robot) refuse_if(robot->loops() && a.reduced, "--reduced", "of a robot with loops: reduced models are of trees", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  const auto reduced = read_reduced(a.reduced, robot->description());
  collect(reduced, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  CodeOptions wanted;
  wanted.functions = *functions;
  wanted.real = *precision;
  wanted.straight_up_to = static_cast<int>(a.straight);
  wanted.name = a.name.value_or(std::filesystem::path(a.robot.name).stem().string());
  CodeSubject subject{.model = &robot->coordinates(), .tool = *tool, .closed = robot->loops() ? &*robot : nullptr};
  if (*reduced) subject.reduced = &**reduced;
  std::optional<CodeIk> ik;
  if (std::find(functions->begin(), functions->end(), CodeFunction::ik) != functions->end()) {
    if (!robot->loops()) {
      auto found = code_ik(*robot, *tool, a.place_only);
      if (!found) return complain(found.faults(), exit_impossible);
      subject.ik = &ik.emplace(*std::move(found));
    }
  }
  const auto code = codegen(subject, wanted);
  if (!code) return complain(code.faults(), exit_impossible);
  if (a.output || !a.prove)
    if (const auto failed = write_code(a.output.value_or("-"), code->source)) return *failed;
  if (a.header)
    if (const auto failed = write_code(*a.header, code->header)) return *failed;

  std::optional<CodeProof> proof;
  if (a.prove) {
    const auto polynomials = robot->loops() ? std::nullopt : polynomial_arm(robot->description());
    auto made = prove_code(*code, subject, *precision, polynomials ? &*polynomials : nullptr);
    if (!made)
      return complain(made.faults(), made.faults().front().rule == "file-write" ? exit_not_written : exit_impossible);
    proof = *std::move(made);
  }
  if (!proof && (!a.output || a.output == "-")) return exit_done;
  int done = exit_done;
  if (a.print.json) {
    done = codegen_json(a, robot->coordinates(), *code, proof ? &*proof : nullptr);
  } else {
    Report report = codegen_report(a, robot->coordinates(), *code);
    if (proof) add_proof(report, *proof);
    print_report(report, std::cout);
    done = finish_standard_output();
  }
  return done == exit_done && proof && !proof->holds() ? static_cast<int>(exit_impossible) : done;
}

}  // namespace torsor
