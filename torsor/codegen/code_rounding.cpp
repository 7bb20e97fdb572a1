#include "torsor/codegen/code_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "torsor/codegen/loop_writer.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/spatial/rotation.hpp"

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

/// Whether nothing is computed where something is turned by it: its axes are those of its parent.
bool has_exact_axes(const Mat3<double>& R) {
  for (const Vec3<double>& column : {R.x, R.y, R.z})
    for (const double entry : {column.x, column.y, column.z})
      if (entry != 0 && std::abs(entry) != 1) return false;
  return true;
}

/// The standard deviation of every result from frames that are composed in double before anything is recorded: code has
/// frames of its own, along the common normals. Where axes are not square the entries of a turn are off by roundings of one,
/// however small they are themselves. The frames of the robot are moved by random turns, small enough to be linear.
class FrameRun {
 public:
  FrameRun(const CodeSubject& subject, CodeFunction function, const Tape& library) : library_(library) {
    if (function == CodeFunction::ik || subject.reduced || subject.closed) return;
    std::mt19937_64 engine(1989);
    double length = norm(subject.tool.X_body_frame.p);
    for (const Body<double>& b : subject.model->bodies) length = std::max(length, norm(b.placement.p));
    bool any = false;
    const auto moved = [&](const Transform<double>& X) {
      if (has_exact_axes(X.R)) return X;
      any = true;
      const auto draw = [&] { return (engine() & 1U) != 0 ? turn : -turn; };
      const Vec3<double> w{draw(), draw(), draw()}, v{draw(), draw(), draw()};
      return Transform<double>{rotation_about(w * (1 / norm(w)), norm(w)) * X.R, X.p + v * length};
    };
    for (int k = 0; k < draws; ++k) {
      Model<double> model = *subject.model;
      CodeSubject near = subject;
      near.model = &model;
      model.base = moved(model.base);
      for (Body<double>& b : model.bodies) b.placement = moved(b.placement);
      near.tool.X_body_frame = moved(near.tool.X_body_frame);
      if (!any) return;
      moved_.push_back(record_library(near, function));
    }
  }

  void run(const std::vector<double>& inputs, std::vector<double>& deviation) const {
    std::ranges::fill(deviation, 0);
    if (moved_.empty()) return;
    const std::vector<double> at = evaluate<double>(library_, inputs);
    for (const Tape& tape : moved_) {
      const std::vector<double> there = evaluate<double>(tape, inputs);
      for (std::size_t k = 0; k < at.size(); ++k) deviation[k] += (there[k] - at[k]) * (there[k] - at[k]);
    }
    // as many roundings as a constant has
    const double rounding = 4 * std::numeric_limits<double>::epsilon() / 2 / std::numbers::sqrt3;
    for (double& d : deviation) d = rounding / turn * std::sqrt(d / draws);
  }

 private:
  static constexpr double turn = 1e-6;  // rad
  const Tape& library_;
  std::vector<Tape> moved_;
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
  const FrameRun frames(subject, function, library);
  std::vector<RoundingRun> here;
  for (const Tape& tape : code) here.emplace_back(tape, of_type);
  for (CodeCase& one : cases) {
    std::vector<double> deviation(one.results.size(), 0.0), other(deviation), turned(deviation);
    for (RoundingRun& run : here) {
      run.run(one.arguments, other);
      for (std::size_t k = 0; k < other.size(); ++k) deviation[k] = std::max(deviation[k], other[k]);
    }
    there.run(one.arguments, other);
    frames.run(one.arguments, turned);
    one.allowed.clear();
    for (std::size_t k = 0; k < other.size(); ++k)
      one.allowed.push_back(rounding_margin * (deviation[k] + other[k] + turned[k]));
  }
}

}  // namespace torsor
