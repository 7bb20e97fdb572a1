#include "torsor/scalar/trace_count.hpp"

#include "torsor/scalar/trace_passes.hpp"

namespace torsor {
namespace {

OperationCount cost(Operation op) {
  switch (op) {
    case Operation::add:
    case Operation::sub: return {.additions = 1};
    case Operation::mul: return {.multiplications = 1};
    case Operation::div: return {.divisions = 1};
    case Operation::sqrt: return {.square_roots = 1};
    case Operation::sin:
    case Operation::cos: return {.trigonometric = 1};
    case Operation::atan2: return {.arctangents = 1};
    case Operation::exp: return {.exponentials = 1};
    case Operation::abs: return {.absolute_values = 1};
    case Operation::neg:
    case Operation::structural:
    case Operation::constant:
    case Operation::input: break;
  }
  return {};
}

}  // namespace

OperationCount& OperationCount::operator+=(const OperationCount& other) {
  multiplications += other.multiplications;
  additions += other.additions;
  divisions += other.divisions;
  square_roots += other.square_roots;
  trigonometric += other.trigonometric;
  arctangents += other.arctangents;
  exponentials += other.exponentials;
  absolute_values += other.absolute_values;
  return *this;
}

std::vector<StageCount> count_stages(const Tape& tape, Rule rule) {
  // the structured rule is what folding does
  if (rule == Rule::structured) return count_stages(fold(tape));

  std::vector<StageCount> rows;
  for (const std::string& stage : tape.stages()) rows.push_back({stage, {}});

  std::vector<bool> is_run_time;
  const auto depends = [&](int operand) { return operand >= 0 && is_run_time[static_cast<std::size_t>(operand)]; };
  for (const Node& node : tape.nodes()) {
    is_run_time.push_back(node.operation == Operation::input || depends(node.a) || depends(node.b));
    if (rule == Rule::dense && !is_run_time.back()) continue;
    rows[static_cast<std::size_t>(node.stage)].count += cost(node.operation);
  }
  return rows;
}

OperationCount count(const Tape& tape, Rule rule) {
  OperationCount total;
  for (const StageCount& row : count_stages(tape, rule)) total += row.count;
  return total;
}

}  // namespace torsor
