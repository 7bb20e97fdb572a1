#include "torsor/scalar/trace_count.hpp"

#include <utility>

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
    case Operation::less: return {.comparisons = 1};
    case Operation::select: return {.selections = 1};
    case Operation::neg:
    case Operation::structural:
    case Operation::constant:
    case Operation::input: break;
  }
  return {};
}

/// What is known of a value before any run: enough to tell which operations are free.
enum class Known { zero, one, minus_one, constant, nothing };

bool is_unit(Known k) { return k == Known::one || k == Known::minus_one; }

Known negated(Known k) { return k == Known::one ? Known::minus_one : k == Known::minus_one ? Known::one : k; }

/// The value of an operation on a and b, and whether it is free.
std::pair<Known, bool> outcome(Operation op, Known a, Known b) {
  const bool off_line = a != Known::nothing && (b != Known::nothing || !is_binary(op));
  switch (op) {
    case Operation::neg: return {negated(a), true};
    case Operation::add:
      if (a == Known::zero) return {b, true};
      if (b == Known::zero) return {a, true};
      break;
    case Operation::sub:
      if (a == Known::zero) return {negated(b), true};
      if (b == Known::zero) return {a, true};
      break;
    case Operation::mul:
      if (a == Known::zero || b == Known::zero) return {Known::zero, true};
      if (is_unit(a)) return {a == Known::one ? b : negated(b), true};
      if (is_unit(b)) return {b == Known::one ? a : negated(a), true};
      break;
    case Operation::div:
      if (a == Known::zero) return {Known::zero, true};
      if (is_unit(b)) return {b == Known::one ? a : negated(a), true};
      break;
    default: break;
  }
  return {off_line ? Known::constant : Known::nothing, off_line};
}

/// The listing rule, node by node.
std::vector<StageCount> count_listing(const Tape& tape) {
  std::vector<StageCount> rows;
  for (const std::string& stage : tape.stages()) rows.push_back({stage, {}});
  std::vector<Known> known;
  std::vector<bool> run_time;  // some input enters, even if only times zero
  for (const Node& node : tape.nodes()) {
    const auto seen = [&](int operand) {
      if (operand < 0) return Known::nothing;
      const auto k = static_cast<std::size_t>(operand);
      return run_time[k] && tape.nodes()[k].stage != node.stage ? Known::nothing : known[k];
    };
    const auto depends = [&](int operand) { return operand >= 0 && run_time[static_cast<std::size_t>(operand)]; };
    run_time.push_back(node.operation == Operation::input || depends(node.a) || depends(node.b) || depends(node.c));
    if (is_leaf(node.operation)) {
      known.push_back(node.operation == Operation::input      ? Known::nothing
                      : node.operation == Operation::constant ? Known::constant
                      : node.value == 0                       ? Known::zero
                      : node.value == 1                       ? Known::one
                                                              : Known::minus_one);
      continue;
    }
    const auto [value, is_free] = outcome(node.operation, seen(node.a), seen(node.b));
    known.push_back(value);
    if (!is_free) rows[static_cast<std::size_t>(node.stage)].count += cost(node.operation);
  }
  return rows;
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
  comparisons += other.comparisons;
  selections += other.selections;
  return *this;
}

std::vector<StageCount> count_stages(const Tape& tape, Rule rule) {
  // the structured rule is what folding does
  if (rule == Rule::structured) return count_stages(fold(tape));
  if (rule == Rule::listing) return count_listing(tape);

  std::vector<StageCount> rows;
  for (const std::string& stage : tape.stages()) rows.push_back({stage, {}});

  std::vector<bool> is_run_time;
  const auto depends = [&](int operand) { return operand >= 0 && is_run_time[static_cast<std::size_t>(operand)]; };
  for (const Node& node : tape.nodes()) {
    is_run_time.push_back(node.operation == Operation::input || depends(node.a) || depends(node.b) || depends(node.c));
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
