#include "torsor/codegen/code_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "torsor/codegen/loop_writer.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

namespace torsor {
namespace {

constexpr int draws = 16;
using Noisy = Dual<double, draws>;

/// Units of the last digit by which an operation may be off, in halves: sines, cosines and the like are not as good as sums.
double half_units(const Node& node, double epsilon) {
  switch (node.operation) {
    case Operation::constant:
      // numbers of few digits, as 2 or 0.5, are held exactly; in double others have been computed beforehand, with some
      // roundings of their own
      if (static_cast<double>(static_cast<float>(node.value)) == node.value) return 0;
      return epsilon > std::numeric_limits<double>::epsilon() ? 1 : 4;
    case Operation::add:
    case Operation::sub:
    case Operation::mul:
    case Operation::div:
    case Operation::sqrt: return 1;
    case Operation::sin:
    case Operation::cos:
    case Operation::exp:
    case Operation::atan2: return 5;
    default: return 0;
  }
}

/// The standard deviation of every output, for inputs that are exact.
class RoundingRun {
 public:
  RoundingRun(const Tape& tape, double epsilon) : tape_(tape), engine_(1993) {
    // a number between -1 and 1 and one of -1, 1 times this have the same deviation
    const double unit = epsilon / 2 / std::numbers::sqrt3;
    for (const Node& node : tape.nodes()) units_.push_back(unit * half_units(node, epsilon));
  }

  void run(const std::vector<double>& inputs, std::vector<double>& deviation) {
    values_.clear();
    std::size_t next = 0;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      const Node& node = tape_.nodes()[k];
      const auto value = [&](int from) -> const Noisy& { return values_[static_cast<std::size_t>(from)]; };
      Noisy result = node.operation == Operation::input ? Noisy(inputs[next++])
                     : is_leaf(node.operation)
                         ? Noisy(node.value)
                         : detail::apply<Noisy>(node.operation, value(node.a),
                                                value(is_binary(node.operation) ? node.b : node.a),
                                                value(node.c >= 0 ? node.c : node.a));
      if (units_[k] > 0) {
        const double off = units_[k] * std::abs(result.value);
        std::uint64_t signs = engine_();
        for (double& e : result.tangent) {
          e += (signs & 1U) != 0 ? off : -off;
          signs >>= 1U;
        }
      }
      values_.push_back(result);
    }
    for (std::size_t k = 0; k < tape_.outputs().size(); ++k) {
      double sum = 0;
      for (const double e : values_[static_cast<std::size_t>(tape_.outputs()[k].node)].tangent) sum += e * e;
      deviation[k] = std::sqrt(sum / draws);
    }
  }

 private:
  const Tape& tape_;
  std::mt19937_64 engine_;
  std::vector<double> units_;
  std::vector<Noisy> values_;
};

}  // namespace

std::vector<Tape> printed_operations(const CodeSubject& subject, CodeFunction function, bool in_loops, Tape straight) {
  std::vector<Tape> all;
  all.push_back(std::move(straight));
  if (in_loops) all.push_back(LoopWriter(*subject.model, subject.tool, c_double, "").unrolled(function));
  return all;
}

void allow_rounding(const CodeSubject& subject, CodeFunction function, const std::vector<Tape>& code, const CReal& real,
                    std::vector<CodeCase>& cases) {
  const double of_type = real.is_float() ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                         : std::numeric_limits<double>::epsilon();
  const Tape library = record_library(subject, function);
  RoundingRun there(library, std::numeric_limits<double>::epsilon());
  std::vector<RoundingRun> here;
  for (const Tape& tape : code) here.emplace_back(tape, of_type);
  for (CodeCase& one : cases) {
    std::vector<double> deviation(one.results.size(), 0.0), other(deviation);
    for (RoundingRun& run : here) {
      run.run(one.arguments, other);
      for (std::size_t k = 0; k < other.size(); ++k) deviation[k] = std::max(deviation[k], other[k]);
    }
    there.run(one.arguments, other);
    one.allowed.clear();
    for (std::size_t k = 0; k < other.size(); ++k) one.allowed.push_back(rounding_margin * (deviation[k] + other[k]));
  }
}

}  // namespace torsor
