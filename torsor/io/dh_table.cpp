#include "torsor/io/dh_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace torsor {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

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

/// `q_2`, `q_2 + 90` or the constant.
std::string with_variable(double offset, bool variable, std::size_t i, int digits) {
  const std::string constant = format_number(offset, digits);
  if (!variable) return constant;
  if (offset == 0) return fmt::format("q_{{{}}}", i + 1);
  return fmt::format("q_{{{}}} {} {}", i + 1, offset < 0 ? "-" : "+", format_number(std::abs(offset), digits));
}

}  // namespace

std::optional<TextTable> dh_table(const Description& robot, int digits) {
  const auto rows = rows_of(robot);
  if (!rows) return std::nullopt;
  const bool beta = any_beta(*rows);
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
    TextTable::Row row{link.joint_name, r.theta * degrees, r.d, r.a, r.alpha * degrees, r.alpha};
    if (beta) row.emplace_back(r.beta);
    row.emplace_back(std::string(link.kind == JointKind::prismatic ? "d"
                                 : link.kind == JointKind::fixed   ? ""
                                                                   : "theta"));
    table.add(std::move(row));
  }
  return table;
}

std::optional<std::string> dh_table_latex(const Description& robot, int digits) {
  const auto rows = rows_of(robot);
  if (!rows) return std::nullopt;
  const bool beta = any_beta(*rows), standard = robot.convention == Convention::standard_dh;
  // the indices of the sources: a modified row has its twist and length before its joint
  std::string out = fmt::format("% {}, {} DH\n\\begin{{tabular}}{{l{}}}\n\\hline\n", robot.name,
                                standard ? "standard" : "modified", beta ? "ccccc" : "cccc");
  out +=
      fmt::format("joint & $\\theta_i$ ($^\\circ$) & $d_i$ (m) & $a_i$ (m) & $\\alpha_i$ ($^\\circ$){} \\\\\n\\hline\n",
                  beta ? " & $\\beta_i$ (rad)" : "");
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const DhRow& r = (*rows)[i];
    const LinkDescription& link = robot.links[i];
    const bool slides = link.kind == JointKind::prismatic, turns = !slides && link.kind != JointKind::fixed;
    out += fmt::format("{} & ${}$ & ${}$ & ${}$ & ${}${} \\\\\n", escaped(link.joint_name),
                       with_variable(r.theta * degrees, turns, i, digits), with_variable(r.d, slides, i, digits),
                       format_number(r.a, digits), format_number(r.alpha * degrees, digits),
                       beta ? fmt::format(" & ${}$", format_number(r.beta, digits)) : "");
  }
  return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace torsor
