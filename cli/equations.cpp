// torsor equations ROBOT: the equations of motion themselves, with letters or with numbers,
//   tau_i = sum_j Dij qdd_j + h_i + G_i
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/equations_json.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/symbolic/random_point.hpp"

namespace torsor {
namespace {

struct EquationsArguments {
  RobotArgument robot;
  std::optional<std::string> joint, coefficients;
  bool symbolic = false, numeric = false, text = false, latex = false;
  bool first_moments = false, named = false, expanded = false;
  PrintArguments print;
};

/// The parts of a list such as D,C,G.
Result<SymbolicParts> read_parts(const std::optional<std::string>& list) {
  if (!list) return SymbolicParts{};
  SymbolicParts parts{false, false, false};
  Faults errors;
  std::string entry;
  for (const char letter : *list + ",") {
    if (letter != ',' && letter != ' ') {
      entry += letter;
      continue;
    }
    if (entry == "D" || entry == "M")
      parts.D = true;
    else if (entry == "C" || entry == "h")
      parts.c = true;
    else if (entry == "G" || entry == "g")
      parts.G = true;
    else if (!entry.empty())
      errors.push_back(fault_of("--coefficients", "option-value", fmt::format("\"{}\" is no coefficient", entry),
                                "use D (inertia), C (velocity), G (gravity), as in --coefficients D,G"));
    entry.clear();
  }
  if (errors.empty() && !parts.D && !parts.c && !parts.G)
    errors.push_back({{}, "--coefficients", "option-value", "it names none", "for example --coefficients D,C,G"});
  if (!errors.empty()) return errors;
  return parts;
}

/// A joint by its number, from 1, or by its name; -1 where none is asked for.
Result<int> read_joint(const std::optional<std::string>& joint, const Model<double>& model) {
  if (!joint) return -1;
  for (int k = 0; k < model.nv; ++k)
    if (*joint == std::to_string(k + 1) || *joint == model.velocity_names[static_cast<std::size_t>(k)]) return k;
  return Faults{fault_of(fmt::format("--joint {}", *joint), "option-value", "there is no such joint",
                         fmt::format("use 1 to {}, or a name: {}", model.nv, fmt::join(model.velocity_names, ", ")))};
}

Faults check_mode(const EquationsArguments& a) {
  Faults errors;
  refuse_if(a.symbolic && a.numeric, "--symbolic", "with --numeric", errors);
  refuse_if(a.text && (a.latex || a.print.json), "--text", a.latex ? "with --latex" : "with --json", errors);
  refuse_if(a.latex && a.print.json, "--latex", "with --json", errors);
  refuse_if(a.named && a.expanded, "--named", "with --expanded", errors);
  refuse_if(a.named && a.numeric, "--named", "with --numeric", errors);
  refuse_if(a.first_moments && a.numeric, "--first-moments", "with --numeric", errors);
  return errors;
}

const char* heading(EquationPart part) {
  switch (part) {
    case EquationPart::subexpression: return "Subexpressions";
    case EquationPart::inertia: return "Inertia D (symmetric)";
    case EquationPart::christoffel: return "Christoffel coefficients cjm(i) = cmj(i) that are not zero";
    case EquationPart::velocity: return "Centrifugal and Coriolis torques h";
    case EquationPart::gravity: break;
  }
  return "Gravity torques G";
}

/// What the letters of the angles mean.
std::string angle_legend(const SymbolicRobot& robot, const Symbols& symbols) {
  std::string text = "Ci = cos(qi), Si = sin(qi)";
  for (const AngleSymbol& angle : symbols.angles) {
    if (angle.sum_of.empty()) continue;
    std::string sum;
    for (const int k : angle.sum_of)
      sum += (sum.empty() ? "q" : " + q") + symbols.angles[static_cast<std::size_t>(k)].index;
    text += fmt::format(", {} = cos({})", angle.text(false), sum);
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const SymbolicJoint& joint = robot.joints[i];
    if (joint.offset == 0) continue;
    const char sign = joint.offset < 0 ? '-' : '+';
    text += joint.prismatic
                ? fmt::format("; d{0} = q{0} {1} {2:.6g} m", i + 1, sign, std::abs(joint.offset))
                : fmt::format("; in these, q{0} {1} {2:.6g} rad stands for q{0}", i + 1, sign, std::abs(joint.offset));
  }
  return text;
}

void print_text(const EquationsArguments& a, const SymbolicRobot& robot, const Equations& e) {
  const NumberStyle style{a.numeric ? a.print.significant() : 0};
  std::cout << robot.name << ": tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart\n"
            << angle_legend(robot, e.symbols) << '\n';
  if (a.numeric && e.rounded) std::cout << "numbers rounded to twelve digits before like terms were added\n";
  std::optional<EquationPart> part;
  for (const EquationLine& line : e.lines) {
    if (part != line.part) std::cout << '\n' << heading(line.part) << '\n';
    part = line.part;
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    std::cout << "  " << d.text() << " = " << to_text(d.value, e.symbols, e.definitions, style) << '\n';
  }
  if (!e.limit.empty())
    std::cout << fmt::format(
        "\nLong parts are not multiplied out: {}. Which of their coefficients are zero was found at {} random points "
        "of "
        "all letters modulo random primes; that a given one is wrongly called zero has a probability below 2^{:.0f}.\n",
        e.limit, RandomPoint::rounds, std::ceil(RandomPoint::log2_error()));
  if (a.numeric) return;
  std::cout << fmt::format("\nas written: multiplications {}, additions {}\n", e.cost.multiplications,
                           e.cost.additions);
  std::cout << "\nNumbers of the file\n";
  for (const Symbol& symbol : e.symbols.parameters)
    if (symbol.kind < SymbolKind::displacement)
      std::cout << fmt::format("  {} = {:.{}g}\n", symbol.text(), symbol.value, a.print.significant());
  for (const AngleSymbol& angle : e.symbols.angles)
    if (!angle.letter.empty())
      std::cout << fmt::format("  {}{} = {:.{}g}\n", angle.letter, angle.index, angle.value, a.print.significant());
}

void print_latex(const EquationsArguments& a, const Equations& e) {
  const NumberStyle style{a.numeric ? a.print.significant() : 0};
  std::cout << "\\begingroup\\allowdisplaybreaks\n\\begin{align}\n";
  for (const EquationLine& line : e.lines) {
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    std::cout << d.latex() << " &= "
              << fmt::format("{}", fmt::join(latex_lines(to_latex(d.value, e.symbols, e.definitions, style)),
                                             " \\notag \\\\\n &\\quad "))
              << (&line == &e.lines.back() ? "\n" : " \\\\\n");
  }
  std::cout << "\\end{align}\n\\endgroup\n";
}

}  // namespace

int equations_verb(Arguments arguments) {
  EquationsArguments a;
  Options options(
      "equations",
      "The equations of motion of a serial arm of revolute and prismatic joints, exactly: inertias D, velocity "
      "torques h and gravity G as polynomials in the letters of the DH table and in C2 = cos(q2), S23 = sin(q2 + "
      "q3). What is zero in the file stays zero; all else is a letter. Long results are written with named "
      "subexpressions.");
  a.robot.add_to(options);
  options.text("--joint", "I", a.joint, "the equation of one joint, by its number from 1 or its name")
      .text("--coefficients", "LIST", a.coefficients, "of D, C, G; default all")
      .flag("--symbolic", a.symbolic, "letters for the robot's numbers; the default")
      .flag("--numeric", a.numeric, "the numbers of the file, exactly combined")
      .flag("--first-moments", a.first_moments,
            "as letters mx = m x and the moments about the joint's frame, in which the equations are linear")
      .flag("--named", a.named, "named subexpressions, even for short results")
      .flag("--expanded", a.expanded, "no named subexpressions, even for long results");
  options.flag("--text", a.text, "plain text; the default")
      .flag("--latex", a.latex, "an align environment of LaTeX (amsmath), long lines broken");
  a.print.add_to(options);
  options.example("two_link", "the closed form of a textbook")
      .example("puma560 --coefficients G", "what holds the arm up")
      .example("puma560 --joint elbow --numeric --digits 4", "one equation, with numbers")
      .example("stanford --coefficients D --latex", "for a paper");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors = check_mode(a);
  const auto parts = read_parts(a.coefficients);
  collect(parts, errors);
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  collect(robot, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto joint = read_joint(a.joint, robot->model());
  if (!joint) return complain(joint.faults(), exit_bad_input);

  const auto symbolic = symbolic_robot(robot->description(), {.first_moments = a.first_moments});
  if (!symbolic) return complain(symbolic.faults(), exit_impossible);
  EquationOptions wanted{.parts = *parts, .joint = *joint, .numeric = a.numeric};
  wanted.form = a.named ? EquationForm::named : a.expanded ? EquationForm::expanded : EquationForm::automatic;
  const auto result = equations(*symbolic, wanted);
  if (!result) return complain(result.faults(), exit_impossible);
  note_special(symbolic->forms.snaps, symbolic->snap_effect);

  if (a.print.json) return print_equations_json(*symbolic, *result, a.numeric);
  if (a.latex)
    print_latex(a, *result);
  else
    print_text(a, *symbolic, *result);
  return finish_standard_output();
}

}  // namespace torsor
