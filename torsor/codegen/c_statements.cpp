#include "torsor/codegen/c_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/expect.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;

constexpr std::size_t line_width = 110;

/// A long sum or product goes on in the next line, behind a blank between its terms.
std::string broken_line(std::string line, std::size_t indent) {
  std::string out;
  while (line.size() > line_width) {
    std::size_t at = std::string::npos;
    for (const char* sign : {" + ", " - ", " ? ", " : ", ", "})
      if (const std::size_t found = line.rfind(sign, line_width); found != line.npos && (at == line.npos || found > at))
        at = found + (*sign == ',' ? 1 : 0);
    if (at == line.npos || at <= indent + 4) break;
    out += line.substr(0, at) + "\n";
    line = std::string(indent + 4, ' ') + line.substr(at + 1);
  }
  return out + line + "\n";
}

class Statements {
 public:
  Statements(const Tape& tape, const CReal& real, const CStatementOptions& options)
      : tape_(tape), real_(real), options_(options), uses_(count_uses(tape)), names_(tape.nodes().size()) {
    find_angles();
    is_inner_ = inner_values();
  }

  CBlock print() {
    std::vector<std::vector<std::string>> results(names_.size());
    for (const Output& output : tape_.outputs()) results[at(output.node)].push_back(output.name);
    const std::vector<bool> before_angles = behind(angles_);

    for (const bool first : {true, false}) {
      for (int i = 0; i < static_cast<int>(names_.size()); ++i) {
        const Node& node = node_at(tape_, i);
        if (is_leaf(node.operation) || is_inner_[at(i)] || before_angles[at(i)] != first) continue;
        if (node.operation != Operation::sin && node.operation != Operation::cos) place(i, results[at(i)]);
      }
      if (first && !angles_.empty()) call_sincos();
    }
    for (int i = 0; i < static_cast<int>(names_.size()); ++i)
      for (const std::string& result : results[at(i)])
        if (is_leaf(node_at(tape_, i).operation) || node_at(tape_, i).operation == Operation::sin ||
            node_at(tape_, i).operation == Operation::cos)
          store(result, term(i));
    block_.text += late_;
    return std::move(block_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// The arguments of sines and cosines, each once.
  void find_angles() {
    for (int i = 0; i < static_cast<int>(names_.size()); ++i) {
      const Node& node = node_at(tape_, i);
      if (node.operation != Operation::sin && node.operation != Operation::cos) continue;
      std::size_t k = 0;
      while (k < angles_.size() && angles_[k] != node.a) ++k;
      if (k == angles_.size()) angles_.push_back(node.a);
      names_[at(i)] = fmt::format("{}[{}]", node.operation == Operation::sin ? "sn" : "cs", k);
    }
  }

  /// What the nodes are computed from, themselves included.
  std::vector<bool> behind(const std::vector<int>& nodes) const {
    std::vector<bool> is_needed(names_.size(), false);
    for (const int node : nodes) is_needed[at(node)] = true;
    for (std::size_t i = names_.size(); i-- > 0;)
      if (is_needed[i])
        for (const int operand : {tape_.nodes()[i].a, tape_.nodes()[i].b, tape_.nodes()[i].c})
          if (operand >= 0) is_needed[at(operand)] = true;
    for (const int angle : angles_)
      TORSOR_EXPECT(node_at(tape_, angle).operation != Operation::sin && node_at(tape_, angle).operation != Operation::cos);
    return is_needed;
  }

  /// Values that are written where they are used: products and sums inside sums, comparisons inside choices.
  std::vector<bool> inner_values() const {
    std::vector<bool> is_inner(names_.size(), false);
    const auto is = [&](int i, auto... ops) { return ((node_at(tape_, i).operation == ops) || ...); };
    const auto take = [&](int i, bool fits) {
      if (fits && uses_[at(i)] == 1) is_inner[at(i)] = true;
    };
    for (const Node& node : tape_.nodes()) {
      if (node.operation == Operation::add || node.operation == Operation::sub) {
        take(node.a, is(node.a, Operation::mul, Operation::add, Operation::sub));
        take(node.b, is(node.b, Operation::mul));
      }
      if (node.operation == Operation::select) take(node.c, is(node.c, Operation::less));
    }
    // an angle is an entry of the list of angles
    for (const int angle : angles_) is_inner[at(angle)] = false;
    return is_inner;
  }

  /// Which entry of q an angle is, -1 where it is something else.
  int coordinate(int angle) const {
    const Node& node = node_at(tape_, angle);
    if (node.operation != Operation::input || node.name.rfind("q[", 0) != 0) return -1;
    return std::stoi(node.name.substr(2));
  }

  void call_sincos() {
    // entries of q are taken where they are, with those between them: copies would be waited for
    int low = std::numeric_limits<int>::max(), high = -1;
    bool is_part = true;
    for (const int angle : angles_) {
      const int k = coordinate(angle);
      is_part = is_part && k >= 0;
      low = std::min(low, k);
      high = std::max(high, k);
    }
    int count = static_cast<int>(angles_.size());
    is_part = is_part && high - low + 1 <= count + 1 + count / 4;
    std::string from = "angle";
    if (is_part) {
      count = high - low + 1;
      from = low == 0 ? "q" : fmt::format("q + {}", low);
      for (std::size_t i = 0; i < names_.size(); ++i)
        if (const Node& node = tape_.nodes()[i]; node.operation == Operation::sin || node.operation == Operation::cos)
          names_[i] = fmt::format("{}[{}]", node.operation == Operation::sin ? "sn" : "cs", coordinate(node.a) - low);
    } else {
      std::string list;
      for (const int angle : angles_) list += (list.empty() ? "" : ", ") + term(angle);
      line(fmt::format("const {} angle[{}] = {{{}}};", real_.type, count, list));
    }
    line(fmt::format("{0} sn[{1}], cs[{1}];", real_.type, count));
    line(fmt::format("torsor_sincos({}, {}, sn, cs);", count, from));
    block_.sincos = true;
    block_.angles = count;
  }

  void line(const std::string& text) { block_.text += indented(text); }
  std::string indented(const std::string& text) const {
    return broken_line(std::string(at(options_.indent), ' ') + text, at(options_.indent));
  }

  void store(const std::string& result, const std::string& value) {
    const std::string text = indented(result.empty() ? fmt::format("return {};", value) : fmt::format("{} = {};", result, value));
    (options_.stores_last || result.empty() ? late_ : block_.text) += text;
  }

  void place(int i, const std::vector<std::string>& results) {
    const std::string value = expression(i);
    if (results.size() == 1 && uses_[at(i)] == 1 && !options_.stores_last) return store(results[0], value);
    names_[at(i)] = fmt::format("t{}", ++last_);
    line(fmt::format("const {} {} = {};", real_.type, names_[at(i)], value));
    for (const std::string& result : results) store(result, names_[at(i)]);
  }

  /// An operand: its name, its number, or what it is where it is written in place.
  std::string term(int i) {
    const Node& node = node_at(tape_, i);
    if (node.operation == Operation::input) return node.name;
    if (node.operation <= Operation::constant) return real_.literal(node.value);
    return names_[at(i)].empty() ? expression(i) : names_[at(i)];
  }

  std::string expression(int i) {
    const Node& node = node_at(tape_, i);
    switch (node.operation) {
      case Operation::add: return term(node.a) + " + " + term(node.b);
      case Operation::sub: return term(node.a) + " - " + term(node.b);
      case Operation::mul: return term(node.a) + "*" + term(node.b);
      case Operation::div: return term(node.a) + "/" + term(node.b);
      case Operation::neg: return "-" + term(node.a);
      case Operation::abs: return fmt::format("{0} < {1} ? -{0} : {0}", term(node.a), real_.literal(0));
      case Operation::less:
        return is_inner_[at(i)]
                   ? term(node.a) + " < " + term(node.b)
                   : fmt::format("{} < {} ? {} : {}", term(node.a), term(node.b), real_.literal(1), real_.literal(0));
      case Operation::select: return mask(node.c) + " ? " + term(node.a) + " : " + term(node.b);
      case Operation::sqrt: block_.sqrt = true; return fmt::format("sqrt{}({})", real_.suffix, term(node.a));
      case Operation::exp: block_.exp = true; return fmt::format("torsor_exp({})", term(node.a));
      case Operation::atan2: block_.atan2 = true; return fmt::format("torsor_atan2({}, {})", term(node.a), term(node.b));
      default: return {};
    }
  }

  std::string mask(int i) {
    if (is_inner_[at(i)]) return expression(i);
    return fmt::format("{} > {}", term(i), real_.literal(0.5));
  }

  const Tape& tape_;
  const CReal& real_;
  CStatementOptions options_;
  std::vector<int> uses_, angles_;
  std::vector<bool> is_inner_;
  std::vector<std::string> names_;  // of values that have a statement of their own
  CBlock block_;
  std::string late_;
  int last_ = 0;
};

}  // namespace

std::string CReal::literal(double value) const {
  std::string text = is_float() ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text + std::string(suffix);
}

CBlock& CBlock::operator+=(const CBlock& other) {
  text += other.text;
  sincos |= other.sincos;
  exp |= other.exp;
  atan2 |= other.atan2;
  sqrt |= other.sqrt;
  return *this;
}

CBlock c_statements(const Tape& tape, const CReal& real, const CStatementOptions& options) {
  return Statements(tape, real, options).print();
}

}  // namespace torsor
