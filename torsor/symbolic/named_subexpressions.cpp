#include "torsor/symbolic/named_subexpressions.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {
namespace {

/// The tree of a symbolic robot, recorded: each letter is an input.
struct RecordedRobot {
  RecordedRobot(const SymbolicRobot& robot, SymbolicTape& to) : values(Monomial::variables) {
    const auto letter = [&](int variable) {
      to.variables.push_back(variable);
      values[static_cast<std::size_t>(variable)] = to.tape.input(robot.symbols.text(variable));
    };
    for (int v = 0; v < 2 * static_cast<int>(robot.symbols.angles.size()); ++v) letter(v);
    for (int k = 0; k < static_cast<int>(robot.symbols.parameters.size()); ++k) letter(Monomial::first_parameter + k);

    const auto convert = [&](const Poly& p) { return evaluate<Trace>(p, values, to_double); };
    model = cast<Trace>(robot.forms.model, convert);
    configuration = cast<Trace>(robot.forms.configuration, convert);
  }

  std::vector<Trace> values;  // of all variables
  Model<Trace> model;
  Configuration<Trace> configuration{model};
};

/// Differences of one and the same node: zero, which sharing alone brings to light.
bool cancels(const Node& node) { return node.operation == Operation::sub && node.a == node.b; }

/// The tape with these zeros, and all that follows from them, folded away.
Tape without_cancelled(Tape tape) {
  while (std::ranges::any_of(tape.nodes(), cancels)) {
    Tape zeroed(tape.stages());
    for (std::size_t k = zeroed.nodes().size(); k < tape.nodes().size(); ++k) {
      Node node = tape.nodes()[k];
      if (cancels(node)) node = {.operation = Operation::mul, .a = node.a, .b = Tape::zero, .stage = node.stage};
      zeroed.append(std::move(node));
    }
    for (const Output& output : tape.outputs()) zeroed.append(output);
    tape = share(fold(zeroed));
  }
  return tape;
}

/// Runs what is to be recorded on the recorded robot, and leaves what one would write by hand.
template <class Run>
SymbolicTape record(const SymbolicRobot& robot, const Run& run) {
  SymbolicTape out;
  {
    const Recording recording(out.tape);
    RecordedRobot recorded(robot, out);
    run(recorded, out.tape);
  }
  out.tape = live(without_cancelled(share(fold(out.tape))));
  return out;
}

/// The simplest fraction that is this number: constants of the equations are such.
Fraction fraction_of(double x) {
  // convergents of the continued fraction
  double rest = std::abs(x);
  long long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  for (int k = 0; k < 40; ++k) {
    const double whole = std::floor(rest);
    if (whole > 1e15) break;
    const auto a = static_cast<long long>(whole);
    long long p2 = 0, q2 = 0;
    if (__builtin_mul_overflow(a, p1, &p2) || __builtin_add_overflow(p2, p0, &p2) ||
        __builtin_mul_overflow(a, q1, &q2) || __builtin_add_overflow(q2, q0, &q2))
      break;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (static_cast<double>(p1) / static_cast<double>(q1) == std::abs(x)) return {x < 0 ? -p1 : p1, q1};
    rest = 1 / (rest - whole);
  }
  throw PolyOverflow("a constant does not fit a fraction of 64 bits");
}

}  // namespace

SymbolicTape record_equations(const SymbolicRobot& robot) {
  return record(robot, [](RecordedRobot& r, Tape& tape) {
    const auto n = static_cast<std::size_t>(r.model.nv);
    std::vector<Trace> D(n * n), c(n * n * n), G(n);
    CompositeBodyWork<Trace> work(r.model);
    inertia_composite_body<Trace>(r.model, r.configuration, work, D);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) tape.output(D[i * n + j], "d");

    CoefficientsWork<Trace> coefficients(r.model);
    coefficients_in_link_frames<Trace>(r.model, r.configuration, coefficients, c, G);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t m = j; m < n; ++m) tape.output(c[(i * n + j) * n + m], "c");
    for (const Trace& g : G) tape.output(g, "G");
  });
}

SubexpressionNames::SubexpressionNames(SymbolicTape recorded, std::span<const std::size_t> outputs)
    : recorded_(std::move(recorded)),
      uses_(recorded_.tape.nodes().size(), 0),
      values_(uses_.size()),
      written_(uses_.size(), 0) {
  const std::vector<Node>& nodes = recorded_.tape.nodes();
  for (const std::size_t output : outputs) ++uses_[static_cast<std::size_t>(recorded_.tape.outputs()[output].node)];
  // a sign is no use: it passes the uses on
  for (std::size_t k = nodes.size(); k-- > 0;) {
    if (is_leaf(nodes[k].operation) || uses_[k] == 0) continue;
    const int passed = nodes[k].operation == Operation::neg ? uses_[k] : 1;
    uses_[static_cast<std::size_t>(nodes[k].a)] += passed;
    if (is_binary(nodes[k].operation)) uses_[static_cast<std::size_t>(nodes[k].b)] += passed;
  }
  std::size_t input = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].operation != Operation::input) continue;
    values_[k] = Expression::variable(recorded_.variables[input++]);
    written_[k] = 1;
  }
}

std::vector<Expression> SubexpressionNames::write(std::span<const std::size_t> outputs,
                                                  std::vector<Definition>& definitions) {
  // all that these depend on, in the order of the recording
  const std::vector<Node>& nodes = recorded_.tape.nodes();
  std::vector<char> needed(nodes.size(), 0);
  for (const std::size_t output : outputs) needed[static_cast<std::size_t>(recorded_.tape.outputs()[output].node)] = 1;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    if (needed[k] == 0 || is_leaf(nodes[k].operation)) continue;
    needed[static_cast<std::size_t>(nodes[k].a)] = 1;
    if (is_binary(nodes[k].operation)) needed[static_cast<std::size_t>(nodes[k].b)] = 1;
  }
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (needed[k] != 0 && written_[k] == 0) write_node(k, definitions);

  std::vector<Expression> results;
  for (const std::size_t output : outputs)
    results.push_back(values_[static_cast<std::size_t>(recorded_.tape.outputs()[output].node)]);
  return results;
}

void SubexpressionNames::write_node(std::size_t k, std::vector<Definition>& definitions) {
  const Node& node = recorded_.tape.nodes()[k];
  const auto at = [&](int which) -> const Expression& { return values_[static_cast<std::size_t>(which)]; };
  written_[k] = 1;
  switch (node.operation) {
    case Operation::structural:
    case Operation::constant: values_[k] = Expression::of(fraction_of(node.value)); return;
    case Operation::neg: values_[k] = Expression::negative(at(node.a)); return;
    case Operation::add: values_[k] = Expression::sum({at(node.a), at(node.b)}); break;
    case Operation::sub: values_[k] = Expression::sum({at(node.a), Expression::negative(at(node.b))}); break;
    case Operation::mul: values_[k] = Expression::product({at(node.a), at(node.b)}); break;
    default: TORSOR_EXPECT(false); return;  // recursions of mechanics are of a ring
  }
  if (uses_[k] < 2) return;
  definitions.push_back({"t", std::to_string(next_++), "", std::move(values_[k])});
  values_[k] = Expression::named(static_cast<int>(definitions.size()) - 1);
}

}  // namespace torsor
