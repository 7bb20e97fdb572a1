#include "torsor/report/dh_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <unordered_map>

#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor {
namespace {

constexpr double per_radian = 180 / std::numbers::pi;

/// The rows, in order; nothing where some link has none.
std::optional<std::vector<DhRow>> rows_of(const Description& robot) {
  std::vector<DhRow> rows;
  for (const LinkDescription& link : robot.links) {
    const auto* dh = std::get_if<DhRow>(&link.geometry);
    if (!dh) return std::nullopt;
    rows.push_back(*dh);
  }
  if (robot.convention == Convention::placement || rows.empty()) return std::nullopt;
  return rows;
}

bool any_beta(const std::vector<DhRow>& rows) {
  return std::ranges::any_of(rows, [](const DhRow& r) { return r.beta != 0; });
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      out += fmt::format("\\{}{{}}", c);
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += '\\', out += c;
    else
      out += c;
  }
  return out;
}

bool slides(JointKind kind) { return kind == JointKind::prismatic; }

/// The coordinate a joint follows: its own, or through any chain of mimics another's, at ratio q_k + offset.
struct Variable {
  std::size_t k = 0;  // from 1; 0: none
  double ratio = 1, offset = 0;
  bool of_slide = false;  // q_k is a length
};

std::vector<Variable> variables_of(const Description& robot) {
  std::unordered_map<std::string_view, std::size_t> joint;
  std::vector<std::size_t> number;
  std::size_t count = 0;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& l = robot.links[i];
    joint.emplace(l.joint_name, i);
    number.push_back(l.mimic || l.kind == JointKind::fixed ? 0 : ++count);
  }
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    Variable v;
    std::size_t at = i;
    // a description not yet trusted may run in a circle
    for (std::size_t step = 0; robot.links[at].mimic && step < robot.links.size(); ++step) {
      const Mimic& mimic = *robot.links[at].mimic;
      const auto master = joint.find(mimic.joint);
      if (master == joint.end()) break;
      v.offset += v.ratio * mimic.offset;
      v.ratio *= mimic.ratio;
      at = master->second;
    }
    v.k = number[at];
    v.of_slide = slides(robot.links[at].kind);
    variables.push_back(v);
  }
  return variables;
}

/// How a sum is spelt: plain, or in LaTeX.
struct Spelling {
  int digits;
  bool latex;

  std::string number(double x) const {
    std::string text = format_number(x, digits);
    const std::size_t e = text.find('e');
    if (!latex || e == std::string::npos) return text;
    return fmt::format("{} \\times 10^{{{}}}", text.substr(0, e), text.substr(e + 1));
  }

  std::string unit(const char* name) const {
    if (*name == 0) return "";
    return latex ? fmt::format("\\,\\mathrm{{{}}}", name) : fmt::format(" {}", name);
  }

  /// `-2 q_1`, with the unit of the factor where it has one.
  std::string term(double factor, std::size_t k, const char* factor_unit) const {
    const std::string q = latex ? fmt::format("q_{{{}}}", k) : fmt::format("q_{}", k);
    if (*factor_unit == 0 && abs(factor) == 1) return factor < 0 ? "-" + q : q;
    return fmt::format("{}{}{}{}", number(factor), latex ? "\\," : " ", q, unit(factor_unit));
  }

  /// The second summand behind the first, its sign between them.
  static std::string sum(const std::string& first, const std::string& second) {
    if (first.empty() || second.empty()) return first + second;
    return second[0] == '-' ? fmt::format("{} - {}", first, second.substr(1)) : fmt::format("{} + {}", first, second);
  }
};

/// Unit of a factor that makes a length or an angle of q_k, empty where it is a mere ratio.
const char* factor_unit(bool length, bool of_slide, const char* angle) {
  if (length == of_slide) return "";
  if (length) return "m/rad";
  return std::string_view(angle) == "rad" ? "rad/m" : "deg/m";
}

/// What the joint adds to its row: `theta + q_1`, `theta - 2 q_1 + 0.3 rad`, `d + q_2`, of a helix both.
std::string added(const LinkDescription& link, const Variable& v, int digits) {
  if (v.k == 0) return "";
  const Spelling plain{digits, false};
  const bool slide = slides(link.kind);
  const auto constant = [&](double x, const char* unit) { return x == 0 ? "" : plain.number(x) + plain.unit(unit); };
  const auto variable = [&](const char* name, double scale, bool length) {
    return plain.sum(plain.sum(name, plain.term(scale * v.ratio, v.k, factor_unit(length, v.of_slide, "rad"))),
                     constant(scale * v.offset, length ? "m" : "rad"));
  };
  std::string text = variable(slide ? "d" : "theta", 1, slide);
  if (link.kind == JointKind::helical) text += ", " + variable("d", link.pitch, true);
  return text;
}

/// A cell of theta (in degrees) or d as LaTeX: the constant and what moves it, the latter zero where nothing does.
std::string latex_cell(double constant, double scale, bool length, const Variable& v, int digits) {
  const Spelling latex{digits, true};
  if (v.k == 0 || scale == 0) return latex.number(constant);
  // q_k counts in degrees where theta does, so that a mere ratio is the same
  const double degree = length || !v.of_slide ? 1 : per_radian;
  const double total = constant + scale * v.offset * (length ? 1 : per_radian);
  const std::string q = latex.term(scale * v.ratio * degree, v.k, factor_unit(length, v.of_slide, "deg"));
  return total == 0 ? q : latex.sum(q, latex.number(total));
}

bool is_identity(const Transform<double>& X) {
  constexpr double rounding = 1e-12;
  const Mat3<double> I = Mat3<double>::identity();
  return norm(X.p) <= rounding && norm(X.R.x - I.x) <= rounding && norm(X.R.y - I.y) <= rounding &&
         norm(X.R.z - I.z) <= rounding;
}

/// Position (m) and roll, pitch, yaw (degrees), each as a list; what is rounding is zero.
std::pair<std::string, std::string> spelt(const Transform<double>& X, const Spelling& spelling) {
  const RollPitchYaw rpy = roll_pitch_yaw(X.R);
  const auto list = [&](double x, double y, double z) {
    const auto number = [&](double value) { return spelling.number(abs(value) < 1e-13 ? 0 : value); };
    return fmt::format("({}, {}, {})", number(x), number(y), number(z));
  };
  return {list(X.p.x, X.p.y, X.p.z), list(rpy.roll * per_radian, rpy.pitch * per_radian, rpy.yaw * per_radian)};
}

}  // namespace

std::optional<TextTable> dh_table(const Description& robot, int digits) {
  const auto rows = rows_of(robot);
  if (!rows) return std::nullopt;
  const bool beta = any_beta(*rows);
  const std::vector<Variable> variables = variables_of(robot);
  const char* turn = beta ? " Ry(beta)" : "";
  TextTable table;
  table.caption = robot.convention == Convention::standard_dh
                      ? fmt::format("standard DH: A = Rz(theta) Tz(d) Tx(a) Rx(alpha){}", turn)
                      : fmt::format("modified DH: A = Tx(a) Rx(alpha){} Rz(theta) Tz(d)", turn);
  table.columns = {{"joint"}, {"theta", "deg"}, {"d", "m"}, {"a", "m"}, {"alpha", "deg"}, {"alpha", "rad"}};
  if (beta) table.columns.push_back({"beta", "rad"});
  table.columns.push_back({"variable"});
  for (TextTable::Column& column : table.columns) column.digits = digits;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const DhRow& r = (*rows)[i];
    const LinkDescription& link = robot.links[i];
    TextTable::Row row{link.joint_name, r.theta * per_radian, r.d, r.a, r.alpha * per_radian, r.alpha};
    if (beta) row.emplace_back(r.beta);
    row.emplace_back(added(link, variables[i], digits));
    table.add(std::move(row));
  }
  return table;
}

std::vector<DhEnd> dh_ends(const Description& robot, const Transform<double>& base) {
  std::vector<DhEnd> ends;
  const auto add = [&](std::string from, std::string to, const Transform<double>& X) {
    if (!is_identity(X)) ends.push_back({std::move(from), std::move(to), X});
  };
  add("world", robot.base_name, base);
  add(robot.base_name, "frame 0", ~base * robot.base);
  if (!robot.tools.empty()) {
    const ToolDescription& tool = robot.tools.back();
    const auto link = std::ranges::find(robot.links, tool.link, &LinkDescription::name);
    add(fmt::format("frame {}", link - robot.links.begin() + (link != robot.links.end())), tool.name, tool.X_link_tool);
  }
  return ends;
}

std::string to_text(const DhEnd& end, int digits) {
  const auto [position, rpy] = spelt(end.X, {digits, false});
  return fmt::format("{} -> {}: position {} m, rpy {} deg", end.from, end.to, position, rpy);
}

std::optional<std::string> dh_table_latex(const Description& robot, int digits, const std::vector<DhEnd>& ends) {
  const auto rows = rows_of(robot);
  if (!rows) return std::nullopt;
  const bool beta = any_beta(*rows), standard = robot.convention == Convention::standard_dh;
  const std::vector<Variable> variables = variables_of(robot);
  // the indices of the sources: a modified row has its twist and length before its joint
  const std::string along = "R_z(\\theta_i)\\,T_z(d_i)", i_or_before = standard ? "i" : "{i-1}";
  const std::string across = fmt::format("T_x(a_{0})\\,R_x(\\alpha_{0}){1}", i_or_before,
                                         beta ? fmt::format("\\,R_y(\\beta_{})", i_or_before) : "");
  const auto line = [&](const std::string& text) {
    return fmt::format("\\multicolumn{{{}}}{{l}}{{{}}} \\\\\n", beta ? 6 : 5, text);
  };
  std::string out = fmt::format("% {}\n\\begin{{tabular}}{{l{}}}\n", robot.name, beta ? "ccccc" : "cccc");
  out += line(fmt::format("{} DH: $A_i = {}\\,{}$", standard ? "standard" : "modified", standard ? along : across,
                          standard ? across : along));
  out += fmt::format(
      "\\hline\njoint & $\\theta_i$ ($^\\circ$) & $d_i$ (m) & $a_{0}$ (m) & $\\alpha_{0}$ ($^\\circ$){1} "
      "\\\\\n\\hline\n",
      i_or_before, beta ? fmt::format(" & $\\beta_{}$ (rad)", i_or_before) : "");
  const Spelling latex{digits, true};
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const DhRow& r = (*rows)[i];
    const LinkDescription& link = robot.links[i];
    const double turns = slides(link.kind) ? 0 : 1;
    const double shifts = slides(link.kind) ? 1 : link.kind == JointKind::helical ? link.pitch : 0;
    out += fmt::format("{} & ${}$ & ${}$ & ${}$ & ${}${} \\\\\n", escaped(link.joint_name),
                       latex_cell(r.theta * per_radian, turns, false, variables[i], digits),
                       latex_cell(r.d, shifts, true, variables[i], digits), latex.number(r.a),
                       latex.number(r.alpha * per_radian), beta ? fmt::format(" & ${}$", latex.number(r.beta)) : "");
  }
  out += "\\hline\n";
  for (const DhEnd& end : ends) {
    const auto [position, rpy] = spelt(end.X, latex);
    out += line(fmt::format("{} $\\to$ {}: position ${}$ m, roll, pitch, yaw ${}^\\circ$", escaped(end.from),
                            escaped(end.to), position, rpy));
  }
  return out + "\\end{tabular}\n";
}

}  // namespace torsor
