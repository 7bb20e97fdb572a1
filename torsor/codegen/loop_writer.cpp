#include "torsor/codegen/loop_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/expect.hpp"
#include "torsor/fast/canonical_chain.hpp"

namespace torsor {
namespace {

bool has_word(const std::string& text, std::string_view word) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += word.size())
    if (!(at > 0 && is_letter(text[at - 1])) && !(at + word.size() < text.size() && is_letter(text[at + word.size()])))
      return true;
  return false;
}

std::string int_table(const char* name, const std::vector<int>& numbers) {
  return fmt::format("static const int {}[{}] = {{{}}};\n", name, numbers.size(), fmt::join(numbers, ", "));
}

void add_times(OperationCount& total, const OperationCount& one, int times) {
  for (int k = 0; k < times; ++k) total += one;
}

/// The chain as a model of the same coordinates, one body per link, its zero angles as offsets. Friction, whose laws may
/// ask for positions, is left out.
Model<double> canonical_model(const Model<double>& from, const CanonicalChain& chain) {
  Model<double> to = from;
  to.friction.clear();
  to.bodies.clear();
  to.base = chain.X_world_0;
  for (int i = 0; i < chain.n(); ++i) {
    const CanonicalLink<double>& l = chain.links[static_cast<std::size_t>(i)];
    Body<double> body;
    body.parent = i - 1;
    body.kind = l.prismatic ? JointKind::prismatic : JointKind::revolute;
    body.q = body.v = body.column = i;
    body.nv = 1;
    body.placement.R = {{1, 0, 0}, {0, l.ca, l.sa}, {0, -l.sa, l.ca}};
    if (i > 0) {
      const CanonicalLink<double>& before = chain.links[static_cast<std::size_t>(i - 1)];
      body.placement.p = {before.a, before.b, before.d};
    }
    body.inertia = {l.m, {l.hx, l.hy, l.hz}, {}};
    if (l.prismatic) {
      body.placement.R = times_rotation_z(body.placement.R, l.c0, l.s0);
    } else {
      body.offset = l.theta0;
      body.inertia.I = {l.oyy, l.oxx, l.oxx + l.oyy, -l.oxy, -l.oxz, -l.oyz};
    }
    to.bodies.push_back(body);
  }
  to.frames.clear();
  return to;
}

/// The model of a serial arm's canonical chain, the tool moved to its links.
std::optional<Model<double>> canonical_with_tool(const Model<double>& model, Frame<double>& tool) {
  const auto chain = canonical_chain(model);
  if (!chain) return std::nullopt;
  const auto body = static_cast<std::size_t>(tool.body);
  tool.X_body_frame = chain->X_link_body[body] * tool.X_body_frame;
  tool.body = chain->link_of_body[body];
  return canonical_model(model, *chain);
}

}  // namespace

LoopWriter::LoopWriter(const Model<double>& model, const Frame<double>& tool, const CReal& real, std::string name)
    : given_(model),
      tool_(tool),
      canonical_(canonical_with_tool(model, tool_)),
      model_(canonical_ ? *canonical_ : given_),
      real_(real),
      name_(std::move(name)),
      joints_(model_) {
  for (const JointClass& c : joints_.classes) kept_.emplace_back(c);
}

std::string LoopWriter::tables(const std::string& functions) const {
  std::vector<int> parent, first_q, first_v, first_column, columns;
  for (const Body<double>& b : model_.bodies) {
    parent.push_back(b.parent + 1);
    first_q.push_back(b.q);
    first_v.push_back(b.v);
    first_column.push_back(b.column);
    columns.push_back(b.nv);
  }
  std::string text =
      "\n/* bodies, after their parents: parent (0 is the base), coordinates, kind of joint, angle, and the numbers of "
      "the link */\n";
  std::vector<int> turn = joints_.turn;
  for (int& t : turn) t = std::max(t, 0);
  for (const auto& [name, numbers] :
       {std::pair("torsor_parent", parent), std::pair("torsor_first_q", first_q), std::pair("torsor_first_v", first_v),
        std::pair("torsor_first_column", first_column), std::pair("torsor_kind", joints_.class_of),
        std::pair("torsor_columns", columns), std::pair("torsor_turn", turn)})
    if (has_word(functions, name)) text += int_table(name, numbers);
  if (!has_word(functions, "torsor_link")) return text;
  text += fmt::format("static const {} torsor_link[{}][{}] = {{\n", real_.type, bodies(), joints_.columns);
  for (const std::vector<double>& row : joints_.table) {
    text += "  {";
    for (std::size_t k = 0; k < row.size(); ++k)
      text += (k == 0 ? "" : k % 6 == 0 ? ",\n   " : ", ") + real_.literal(row[k]);
    text += "},\n";
  }
  return text + "};\n";
}

std::vector<CodeFunction> LoopWriter::needs(CodeFunction function) {
  if (function == CodeFunction::fd) return {CodeFunction::bias, CodeFunction::mass};
  return {};
}

std::string LoopWriter::write(CodeFunction function) {
  called_ = {};
  count_ = {};
  switch (function) {
    case CodeFunction::id: return inverse(Rates::both);
    case CodeFunction::bias: return inverse(Rates::velocity);
    case CodeFunction::gravity: return inverse(Rates::none);
    case CodeFunction::mass: return mass();
    case CodeFunction::coriolis: return coriolis();
    case CodeFunction::fd: return forward();
    case CodeFunction::fk: return pose(false);
    case CodeFunction::jacobian: return pose(true);
    case CodeFunction::derivatives: return derivatives();
    case CodeFunction::ik: break;
  }
  return "";
}

std::string LoopWriter::block(const Tape& tape, int indent, int times, bool stores_last) {
  const Tape tidy = tidy_for_code(tape);
  CBlock statements = c_statements(tidy, real_, {.indent = indent, .stores_last = stores_last});
  add_times(count_, torsor::count(tidy), times);
  std::string text = std::exchange(statements.text, "");
  called_ += statements;
  return text;
}

std::string LoopWriter::scope(const Tape& tape, bool stores_last) {
  const std::string text = block(tape, 4, 1, stores_last);
  return text.empty() ? "" : "  {\n" + text + "  }\n";
}

std::string LoopWriter::with_pointers(const std::string& index, const std::string& text, int indent) const {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  const auto declare = [&](std::string_view word, const std::string& value, bool is_const = true) {
    if (has_word(text, word))
      out += fmt::format("{}{}{} *{} = {};\n", margin, is_const ? "const " : "", real_.type, word, value);
  };
  declare("k", fmt::format("torsor_link[{}]", index));
  declare("x", fmt::format("q + torsor_first_q[{}]", index));
  declare("u", fmt::format("qd + torsor_first_v[{}]", index));
  declare("ud", fmt::format("qdd + torsor_first_v[{}]", index));
  declare("from", fmt::format("motion[torsor_parent[{}]]", index));
  declare("to", fmt::format("motion[{} + 1]", index), false);
  declare("f", fmt::format("force[{} + 1]", index), false);
  declare("fp", fmt::format("force[torsor_parent[{}]]", index), false);
  declare("e", fmt::format("tau + torsor_first_v[{}]", index), false);
  declare("X", fmt::format("kept[{}]", index), false);
  declare("B", fmt::format("composite[{} + 1]", index), false);
  declare("Bp", fmt::format("composite[torsor_parent[{}]]", index), false);
  declare("Wp", fmt::format("world[torsor_parent[{}]]", index));
  declare("term", fmt::format("terms + torsor_first_column[{}]", index), false);
  declare("W", fmt::format("world[{} + 1]", index), false);
  if (has_word(text, "j")) out += fmt::format("{}const int j = torsor_turn[{}];\n", margin, index);
  return out + text;
}

std::string LoopWriter::loop(const std::string& head, const std::string& body, int indent) const {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  return fmt::format("{0}for ({1}) {{\n{2}{0}}}\n", margin, head, body);
}

std::vector<int> LoopWriter::per_body() const {
  std::vector<int> times;
  for (const JointClass& c : joints_.classes) times.push_back(static_cast<int>(c.bodies.size()));
  return times;
}

int LoopWriter::kept_entries() const {
  int most = 1;
  for (const KeptPose& pose : kept_) most = std::max(most, pose.size());
  return most;
}

std::string LoopWriter::angles() {
  if (joints_.angles == 0) return "";
  called_.sincos = true;
  called_.angles = joints_.angles;
  // coordinates in a row are taken where they are; the offsets of canonical frames are left to those who add them with care
  std::vector<std::string> each, offsets;
  int first = -1;
  bool in_a_row = true, has_offsets = false;
  for (int i = 0; i < bodies(); ++i) {
    if (joints_.turn[static_cast<std::size_t>(i)] < 0) continue;
    const Body<double>& b = model_[i];
    if (first < 0) first = b.q;
    in_a_row =
        in_a_row && b.ratio == 1 && (canonical_ || b.offset == 0) && b.q == first + static_cast<int>(each.size());
    has_offsets = has_offsets || (canonical_ && b.offset != 0);
    std::string angle = b.ratio == 1 ? fmt::format("q[{}]", b.q) : fmt::format("{}*q[{}]", real_.literal(b.ratio), b.q);
    if (!canonical_ && b.offset != 0) angle += " + " + real_.literal(b.offset);
    each.push_back(std::move(angle));
    offsets.push_back(real_.literal(b.offset));
  }
  const auto list = [&](const char* kind, const char* name, const std::vector<std::string>& entries) {
    std::string text = fmt::format("  {} {} {}[{}] = {{\n    ", kind, real_.type, name, entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) text += (k == 0 ? "" : k % 8 == 0 ? ",\n    " : ", ") + entries[k];
    return text + "};\n";
  };
  std::string text;
  if (!in_a_row) text = list("const", "angle", each);
  const std::string from = !in_a_row ? "angle" : first == 0 ? "q" : fmt::format("q + {}", first);
  if (!has_offsets)
    return text + fmt::format("  {0} sine[{1}], cosine[{1}];\n  torsor_sincos({1}, {2}, sine, cosine);\n", real_.type,
                              each.size(), from);
  called_.sincos_sum = true;
  return text + list("static const", "offset", offsets) +
         fmt::format(
             "  {0} sum[{1}], sine[{1}], cosine[{1}];\n  torsor_sincos_sum({1}, {2}, offset, sum, sine, cosine);\n",
             real_.type, each.size(), from);
}

}  // namespace torsor
