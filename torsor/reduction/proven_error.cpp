#include "torsor/reduction/proven_error.hpp"

#include <algorithm>
#include <queue>

#include "torsor/reduction/reduced_tapes.hpp"
#include "torsor/scalar/interval.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {
namespace {

/// One torque of a reduced model over boxes of q, qd and qdd, one after the other; or less that torque.
class TorqueOnBoxes {
 public:
  TorqueOnBoxes(const ReducedModel& model, const Tape& tape, std::size_t joint, bool negated)
      : model_(model), tape_(tape), n_(model.joints.size()), negated_(negated), output_(tape.outputs()[joint].node) {
    // the operations that it takes
    std::vector<char> needed(tape.nodes().size(), 0);
    needed[at(output_)] = 1;
    for (std::size_t k = needed.size(); k-- > 0;) {
      const Node& node = tape.nodes()[k];
      if (needed[k] == 0 || is_leaf(node.operation)) continue;
      needed[at(node.a)] = 1;
      if (is_binary(node.operation)) needed[at(node.b)] = 1;
    }
    for (std::size_t k = 0; k < needed.size(); ++k)
      if (needed[k] != 0 && !is_leaf(tape.nodes()[k].operation)) order_.push_back(k);
    values_.resize(needed.size());
    slopes_.resize(needed.size());
    for (std::size_t k = 0; k < needed.size(); ++k) values_[k] = tape.nodes()[k].value;
  }

  std::size_t operations() const { return order_.size(); }

  /// All values that it takes on a box lie in this.
  Interval value(std::span<const Interval> x) {
    std::size_t input = 0;
    const auto give = [&](const Interval& given) { values_[at(tape_.inputs()[input++])] = given; };
    for (std::size_t k = 0; k < n_; ++k) {
      const Interval position = x[k] + Interval(model_.joints[k].offset);
      if (model_.joints[k].prismatic) {
        give(position);
      } else {
        give(cos(position));
        give(sin(position));
      }
    }
    for (std::size_t k = n_; k < 3 * n_; ++k) give(x[k]);
    for (const std::size_t k : order_) {
      const Node& node = tape_.nodes()[k];
      const Interval &a = values_[at(node.a)], &b = values_[at(is_binary(node.operation) ? node.b : node.a)];
      switch (node.operation) {
        case Operation::add: values_[k] = a + b; break;
        case Operation::sub: values_[k] = a - b; break;
        case Operation::neg: values_[k] = -a; break;
        default: values_[k] = node.a == node.b ? square(a) : a * b; break;
      }
    }
    return negated_ ? -values_[at(output_)] : values_[at(output_)];
  }

  /// Its slopes along all variables on the box that it was last evaluated for.
  void slopes(std::span<Interval> out) {
    std::ranges::fill(slopes_, Interval(0));
    slopes_[at(output_)] = negated_ ? -1 : 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const Node& node = tape_.nodes()[order_[i]];
      const Interval& slope = slopes_[order_[i]];
      switch (node.operation) {
        case Operation::add:
          slopes_[at(node.a)] += slope;
          slopes_[at(node.b)] += slope;
          break;
        case Operation::sub:
          slopes_[at(node.a)] += slope;
          slopes_[at(node.b)] -= slope;
          break;
        case Operation::neg: slopes_[at(node.a)] -= slope; break;
        default:
          slopes_[at(node.a)] += slope * values_[at(node.b)];
          slopes_[at(node.b)] += slope * values_[at(node.a)];
      }
    }
    std::size_t input = 0;
    const auto next = [&] { return at(tape_.inputs()[input++]); };
    for (std::size_t k = 0; k < 3 * n_; ++k) {
      if (k >= n_ || model_.joints[k].prismatic) {
        out[k] = slopes_[next()];
      } else {
        const std::size_t c = next(), s = next();
        out[k] = slopes_[s] * values_[c] - slopes_[c] * values_[s];
      }
    }
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static Interval square(const Interval& a) {
    const Interval both = a * a;
    return {std::max(0.0, a.low > 0 || a.high < 0 ? both.low : 0.0), both.high};
  }

  const ReducedModel& model_;
  const Tape& tape_;
  std::size_t n_;
  bool negated_;
  int output_;
  std::vector<std::size_t> order_;
  std::vector<Interval> values_, slopes_;
};

struct BoundedBox {
  std::vector<Interval> x;
  double bound = 0;
  std::size_t widest = 0;  // the variable that costs most
  bool is_point = false;

  friend bool operator<(const BoundedBox& a, const BoundedBox& b) { return a.bound < b.bound; }
};

/// The largest torque that was met, and where.
struct Met {
  double effort = 0;
  std::vector<Interval> x = {};  // points
};

/// The bound on a box, which gets smaller where a slope has one sign.
BoundedBox bounded(TorqueOnBoxes& effort, std::vector<Interval> x, Met& met) {
  BoundedBox box{std::move(x), 0, 0, true};
  std::vector<Interval> slope(box.x.size()), centre(box.x.size());
  box.bound = effort.value(box.x).high;
  effort.slopes(slope);
  double most = -1;
  for (std::size_t k = 0; k < slope.size(); ++k) {
    Interval& each = box.x[k];
    const Interval& g = slope[k];
    if (g.low >= 0) each = each.high;
    if (g.high <= 0) each = each.low;
    centre[k] = each.low;
    if (!(each.width() > 0)) continue;
    // where both ends cost the same
    const double share = g.high / (g.high - g.low);
    centre[k] = std::clamp(each.low + share * each.width(), each.low, each.high);
    if (const double cost = -g.low * share * each.width(); cost > most) {
      most = cost;
      box.widest = k;
      box.is_point = false;
    }
  }
  Interval sum = effort.value(centre);
  if (sum.low > met.effort) met = {sum.low, centre};
  for (std::size_t k = 0; k < slope.size(); ++k) {
    if (box.x[k].width() > 0) sum += Interval(0, (slope[k] * (box.x[k] - centre[k])).high);
  }
  box.bound = std::min(box.bound, sum.high);
  return box;
}

/// An upper bound of the torque on the whole box, no lower than `enough` times what is met where that costs work.
double bound_over(TorqueOnBoxes& effort, const std::vector<Interval>& whole, double enough, double work, Met& met) {
  const std::size_t linear = whole.size() / 3 * 2;  // accelerations
  std::priority_queue<BoundedBox> queue;
  queue.push(bounded(effort, whole, met));
  const double each = static_cast<double>(std::max<std::size_t>(1, effort.operations()));
  for (double done = 0; done < work && queue.top().bound > enough * met.effort && !queue.top().is_point;
       done += 2 * each) {
    const BoundedBox box = queue.top();
    queue.pop();
    std::vector<Interval> low = box.x, high = box.x;
    const Interval& side = box.x[box.widest];
    low[box.widest].high = box.widest < linear ? side.middle() : side.low;
    high[box.widest].low = box.widest < linear ? side.middle() : side.high;
    for (std::vector<Interval>* half : {&low, &high}) {
      BoundedBox part = bounded(effort, std::move(*half), met);
      part.bound = std::min(part.bound, box.bound);
      queue.push(std::move(part));
    }
  }
  return queue.top().bound;
}

}  // namespace

std::vector<double> proven_errors(const ReducedModel& dropped, const StateRanges& ranges, std::span<const double> scale,
                                  std::span<WorstState> found, const ProofOfErrorOptions& options) {
  const Tape tape = record_inverse(dropped);
  std::vector<Interval> whole;
  for (const std::vector<StateRange>* part : {&ranges.q, &ranges.qd, &ranges.qdd})
    for (const StateRange& range : *part) whole.emplace_back(range.low, range.high);
  std::vector<double> out;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    double most = 0;
    Met met{found[i].error * scale[i]};
    for (const bool negated : {false, true}) {
      TorqueOnBoxes effort(dropped, tape, i, negated);
      most = std::max(most, bound_over(effort, whole, options.sharpness, options.work, met));
    }
    if (!met.x.empty()) {
      const std::size_t n = scale.size();
      JointState state;
      for (std::size_t k = 0; k < 3 * n; ++k)
        (k < n ? state.q : k < 2 * n ? state.qd : state.qdd).push_back(met.x[k].low);
      found[i] = {met.effort / scale[i], std::move(state)};
    }
    out.push_back(Interval::outward(0, most / scale[i]).high);
  }
  return out;
}

}  // namespace torsor
