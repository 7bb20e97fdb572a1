#include "cli/equations_json.hpp"

#include <iostream>

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"

#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {
namespace {

const char* part_name(EquationPart part) {
  switch (part) {
    case EquationPart::subexpression: return "subexpression";
    case EquationPart::inertia: return "D";
    case EquationPart::christoffel: return "c";
    case EquationPart::velocity: return "h";
    case EquationPart::gravity: break;
  }
  return "G";
}

}  // namespace

int print_equations_json(const SymbolicRobot& robot, const Equations& e, bool numeric) {
  const NumberStyle style{numeric ? 17 : 0};
  JsonWriter json(std::cout);
  json.begin_object().field("robot", robot.name).field("rounded", e.rounded);
  if (!e.limit.empty()) json.field("not_multiplied_out", e.limit);
  snap_fields(json, robot.forms.snaps, robot.snap_effect);
  json.key("joints").begin_array();
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const SymbolicJoint& joint = robot.joints[i];
    json.begin_object().field("name", robot.forms.model.velocity_names[i]).field("prismatic", joint.prismatic);
    json.field("offset", joint.offset).end_object();
  }
  json.end_array().key("letters").begin_array();
  for (const Symbol& symbol : e.symbols.parameters) {
    if (symbol.kind >= SymbolKind::displacement) continue;
    json.begin_object().field("text", symbol.text()).field("latex", symbol.latex()).field("value", symbol.value);
    json.end_object();
  }
  json.end_array().key("angles").begin_array();
  for (std::size_t k = 0; k < e.symbols.angles.size(); ++k) {
    const AngleSymbol& angle = e.symbols.angles[k];
    json.begin_object().field("cos", angle.text(false)).field("sin", angle.text(true));
    if (!angle.letter.empty()) json.field("value", angle.value);
    json.key("sum_of").begin_array();
    for (const int part : angle.sum_of) json.value(e.symbols.angles[static_cast<std::size_t>(part)].text(false));
    json.end_array().end_object();
  }
  json.end_array().key("equations").begin_array();
  for (const EquationLine& line : e.lines) {
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    json.begin_object().field("part", part_name(line.part)).field("name", d.text());
    json.field("text", to_text(d.value, e.symbols, e.definitions, style));
    json.field("latex_name", d.latex()).field("latex", to_latex(d.value, e.symbols, e.definitions, style)).end_object();
  }
  json.end_array().field("multiplications", static_cast<long long>(e.cost.multiplications));
  json.field("additions", static_cast<long long>(e.cost.additions)).end_object();
  return finish_json(json);
}

}  // namespace torsor
