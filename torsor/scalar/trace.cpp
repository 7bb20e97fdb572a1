#include "torsor/scalar/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_text.hpp"

namespace torsor {

Trace Trace::record(Operation op, Trace a, Trace b, Trace mask) {
  if (Tape* tape = Recording::current()) return tape->record(op, a, b, mask);
  // with no recording there is nothing to remember: arithmetic among constants is done off-line, here and now
  TORSOR_EXPECT(a.is_literal() && b.is_literal() && mask.is_literal());
  return detail::apply(op, a.literal_, b.literal_, mask.literal_);
}

Tape::Tape(std::vector<std::string> stages) : stages_(std::move(stages)) {
  TORSOR_EXPECT(!stages_.empty());
  for (const double value : {0.0, 1.0, -1.0}) nodes_.push_back({.operation = Operation::structural, .value = value});
}

Trace Tape::input(std::string name) {
  return Trace::recorded(append({.operation = Operation::input, .name = std::move(name)}));
}

Trace Tape::constant(double value, std::string name) {
  return Trace::recorded(append({.operation = Operation::constant, .value = value, .name = std::move(name)}));
}

void Tape::output(Trace result, std::string name) { append(Output{node_of(result), std::move(name)}); }

void Tape::stage(std::string_view name) {
  const auto found = std::find(stages_.begin(), stages_.end(), name);
  current_stage_ = static_cast<int>(std::distance(stages_.begin(), found));
  if (found == stages_.end()) stages_.emplace_back(name);
}

Trace Tape::record(Operation op, Trace a, Trace b, Trace mask) {
  const int node_a = node_of(a), node_b = is_binary(op) ? node_of(b) : -1;
  const int node_c = op == Operation::select ? node_of(mask) : -1;
  return Trace::recorded(append({.operation = op, .a = node_a, .b = node_b, .stage = current_stage_, .c = node_c}));
}

int Tape::append(Node node) {
  const int index = static_cast<int>(nodes_.size());
  TORSOR_EXPECT(is_leaf(node.operation) || (0 <= node.a && node.a < index));
  TORSOR_EXPECT(!is_binary(node.operation) || (0 <= node.b && node.b < index));
  TORSOR_EXPECT(node.operation != Operation::select || (0 <= node.c && node.c < index));
  TORSOR_EXPECT(0 <= node.stage && node.stage < static_cast<int>(stages_.size()));

  // leaves that say the same are the same
  if (node.operation == Operation::structural) {
    TORSOR_EXPECT(node.value == 0.0 || node.value == 1.0 || node.value == -1.0);
    return node.value == 0.0 ? zero : node.value > 0.0 ? one : minus_one;
  }
  if (node.operation == Operation::constant && node.name.empty()) {
    const auto [known, is_new] = unnamed_constants_.try_emplace(std::bit_cast<std::uint64_t>(node.value), index);
    if (!is_new) return known->second;
  }

  if (node.operation == Operation::input) inputs_.push_back(index);
  nodes_.push_back(std::move(node));
  return index;
}

void Tape::append(Output output) {
  TORSOR_EXPECT(0 <= output.node && output.node < static_cast<int>(nodes_.size()));
  outputs_.push_back(std::move(output));
}

int Tape::node_of(Trace trace) {
  if (!trace.is_literal()) return trace.node_;
  const double x = trace.literal_;
  const bool is_structural = x == 0.0 || x == 1.0 || x == -1.0;
  return append({.operation = is_structural ? Operation::structural : Operation::constant, .value = x});
}

std::string to_text(const Tape& tape) {
  // operations are numbered apart from leaves, so that the text does not show which constants came when
  std::vector<int> number;
  int last = 0;
  for (const Node& node : tape.nodes()) number.push_back(is_leaf(node.operation) ? 0 : ++last);

  const auto term = [&](int index) -> std::string {
    const Node& node = tape.nodes()[static_cast<std::size_t>(index)];
    if (!node.name.empty()) return node.name;
    if (node.operation == Operation::input) return fmt::format("x{}", index);
    if (!is_leaf(node.operation)) return fmt::format("t{}", number[static_cast<std::size_t>(index)]);
    return node.value < 0.0 ? fmt::format("({})", node.value) : fmt::format("{}", node.value);
  };
  const auto expression = [&](const Node& node) -> std::string {
    switch (node.operation) {
      case Operation::sqrt: return "sqrt(" + term(node.a) + ")";
      case Operation::sin: return "sin(" + term(node.a) + ")";
      case Operation::cos: return "cos(" + term(node.a) + ")";
      case Operation::exp: return "exp(" + term(node.a) + ")";
      case Operation::abs: return "abs(" + term(node.a) + ")";
      case Operation::atan2: return "atan2(" + term(node.a) + ", " + term(node.b) + ")";
      case Operation::less: return term(node.a) + " < " + term(node.b);
      case Operation::select: return term(node.c) + " ? " + term(node.a) + " : " + term(node.b);
      default: return arithmetic_text(node, term);
    }
  };

  std::string text;
  int stage = 0;
  for (std::size_t i = 0; i < tape.nodes().size(); ++i) {
    const Node& node = tape.nodes()[i];
    if (is_leaf(node.operation)) continue;
    if (std::exchange(stage, node.stage) != node.stage)
      text += fmt::format("[{}]\n", tape.stages()[static_cast<std::size_t>(stage)]);
    text += fmt::format("t{} = {}\n", number[i], expression(node));
  }
  for (const Output& output : tape.outputs()) text += fmt::format("{} = {}\n", output.name, term(output.node));
  return text;
}

}  // namespace torsor
