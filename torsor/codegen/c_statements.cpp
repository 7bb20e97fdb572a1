#include "torsor/codegen/c_statements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/expect.hpp"
#include "torsor/scalar/trace_rebuild.hpp"
#include "torsor/scalar/trace_text.hpp"

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
    find_row();
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
        if (!is_turn(node)) place(i, results[at(i)]);
      }
      if (first && !angles_.empty()) call_sincos();
    }
    for (int i = 0; i < static_cast<int>(names_.size()); ++i)
      for (const std::string& result : results[at(i)])
        if (is_leaf(node_at(tape_, i).operation) || is_turn(node_at(tape_, i))) store(result, term(i));
    block_.text += late_;
    return std::move(block_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool is_turn(const Node& node) { return node.operation == Operation::sin || node.operation == Operation::cos; }

  /// The arguments of sines and cosines, each once.
  void find_angles() {
    for (int i = 0; i < static_cast<int>(names_.size()); ++i) {
      const Node& node = node_at(tape_, i);
      if (!is_turn(node)) continue;
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
    for ([[maybe_unused]] const int angle : angles_) TORSOR_EXPECT(!is_turn(node_at(tape_, angle)));
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
    // an angle is an entry of the list of angles, or the sum of a coordinate and a number that is made where its sine is
    std::vector<int> turned(names_.size(), 0);
    for (const Node& node : tape_.nodes())
      if (is_turn(node)) ++turned[at(node.a)];
    for (const int angle : angles_)
      is_inner[at(angle)] =
          are_coordinates_ && !is_leaf(node_at(tape_, angle).operation) && turned[at(angle)] == uses_[at(angle)];
    return is_inner;
  }

  /// An angle as an entry of q and what is added to it; an index of -1 where it is something else.
  std::pair<int, double> coordinate(int angle) const {
    const Node& node = node_at(tape_, angle);
    if (node.operation == Operation::input)
      return {node.name.rfind("q[", 0) == 0 ? std::stoi(node.name.substr(2)) : -1, 0};
    if (node.operation != Operation::add && node.operation != Operation::sub) return {-1, 0};
    const Node &a = node_at(tape_, node.a), &b = node_at(tape_, node.b);
    if (a.operation == Operation::input && b.operation <= Operation::constant)
      return {coordinate(node.a).first, node.operation == Operation::add ? b.value : -b.value};
    if (b.operation == Operation::input && a.operation <= Operation::constant && node.operation == Operation::add)
      return {coordinate(node.b).first, a.value};
    return {-1, 0};
  }

  /// Angles that are entries of q, each once, with numbers added. In a row they are taken where they are, with those between
  /// them: single copies would be waited for.
  void find_row() {
    std::vector<int> entries;
    for (const int angle : angles_) {
      entries.push_back(coordinate(angle).first);
      offsets_.push_back(coordinate(angle).second);
    }
    std::vector<int> sorted = entries;
    std::ranges::sort(sorted);
    are_coordinates_ = !sorted.empty() && sorted.front() >= 0 && std::ranges::adjacent_find(sorted) == sorted.end();
    if (!are_coordinates_) return;
    const auto count = static_cast<int>(angles_.size());
    row_low_ = sorted.front();
    const int width = sorted.back() - row_low_ + 1;
    in_a_row_ = width <= count + 1 + count / 4;
    if (!in_a_row_) return;
    std::vector<double> in_row(at(width), 0);
    for (std::size_t k = 0; k < entries.size(); ++k) in_row[at(entries[k] - row_low_)] = offsets_[k];
    offsets_ = std::move(in_row);
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (const Node& node = tape_.nodes()[i]; is_turn(node))
        names_[i] =
            fmt::format("{}[{}]", node.operation == Operation::sin ? "sn" : "cs", coordinate(node.a).first - row_low_);
  }

  void call_sincos() {
    const int count = static_cast<int>(offsets_.size());
    std::string from = "angle";
    if (in_a_row_) {
      from = row_low_ == 0 ? "q" : fmt::format("q + {}", row_low_);
    } else {
      std::string list;
      for (const int angle : angles_)
        list += (list.empty() ? "" : ", ") +
                (are_coordinates_ ? fmt::format("q[{}]", coordinate(angle).first) : term(angle));
      line(fmt::format("const {} angle[{}] = {{{}}};", real_.type, count, list));
    }
    block_.sincos = true;
    block_.angles = count;
    if (!are_coordinates_ || std::ranges::all_of(offsets_, [](double x) { return x == 0; })) {
      line(fmt::format("{0} sn[{1}], cs[{1}];", real_.type, count));
      line(fmt::format("torsor_sincos({}, {}, sn, cs);", count, from));
      return;
    }
    block_.sincos_sum = true;
    std::string list;
    for (const double offset : offsets_) list += (list.empty() ? "" : ", ") + real_.literal(offset);
    line(fmt::format("static const {} offset[{}] = {{{}}};", real_.type, count, list));
    line(fmt::format("{0} sum[{1}], sn[{1}], cs[{1}];", real_.type, count));
    line(fmt::format("torsor_sincos_sum({}, {}, offset, sum, sn, cs);", count, from));
  }

  void line(const std::string& text) { block_.text += indented(text); }
  std::string indented(const std::string& text) const {
    return broken_line(std::string(at(options_.indent), ' ') + text, at(options_.indent));
  }

  void store(const std::string& result, const std::string& value) {
    const std::string text =
        indented(result.empty() ? fmt::format("return {};", value) : fmt::format("{} = {};", result, value));
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
      case Operation::abs: return fmt::format("{0} < {1} ? -{0} : {0}", term(node.a), real_.literal(0));
      case Operation::less:
        return is_inner_[at(i)]
                   ? term(node.a) + " < " + term(node.b)
                   : fmt::format("{} < {} ? {} : {}", term(node.a), term(node.b), real_.literal(1), real_.literal(0));
      case Operation::select: return mask(node.c) + " ? " + term(node.a) + " : " + term(node.b);
      case Operation::sqrt: block_.sqrt = true; return fmt::format("sqrt{}({})", real_.suffix, term(node.a));
      case Operation::exp: block_.exp = true; return fmt::format("torsor_exp({})", term(node.a));
      case Operation::atan2:
        block_.atan2 = true;
        return fmt::format("torsor_atan2({}, {})", term(node.a), term(node.b));
      default: return arithmetic_text(node, [this](int k) { return term(k); });
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
  bool are_coordinates_ = false;  // all angles are entries of q with these numbers added
  bool in_a_row_ = false;         // from row_low_ on
  int row_low_ = 0;
  std::vector<double> offsets_;
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
  sincos_sum |= other.sincos_sum;
  exp |= other.exp;
  atan2 |= other.atan2;
  sqrt |= other.sqrt;
  return *this;
}

CBlock c_statements(const Tape& tape, const CReal& real, const CStatementOptions& options) {
  return Statements(tape, real, options).print();
}

}  // namespace torsor
