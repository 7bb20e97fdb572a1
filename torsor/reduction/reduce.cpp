#include "torsor/reduction/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "torsor/dynamics.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/reduction/at.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/reduction/reduced_tapes.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/reduction/torque_terms.hpp"
#include "torsor/symbolic/meant_robot.hpp"
#include "torsor/reduction/proven_error.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_states = 400;       // of the motion that selection looks at; the error is measured on all
constexpr int most_rounds = 40;                // of looking for a worse state and selecting again
constexpr double search_margin = 1.05;         // a search may miss the last few hundredths
constexpr double coefficient_rounding = 1e-7;  // of a torque, where its terms are the smallest of the robot
constexpr std::size_t most_counted = 1500;     // terms of the full model that are factored to be counted

using detail::at;

/// What has been dropped so far, and whether more can be.
class Selection {
 public:
  Selection(const ReducedModel& frame, std::vector<double> scale) : frame_(frame), scale_(std::move(scale)) {}

  void add_state(const JointState& s) {
    states_.emplace_back(frame_, s.q, s.qd, s.qdd);
    residual_.insert(residual_.end(), scale_.size(), 0.0);
  }

  /// The largest part of any joint's scale that the term takes.
  double share(const TorqueTerm& term, bool with_velocity) {
    double most = 0;
    for (const TermState& x : states_)
      for (const double part : effort(term, x, with_velocity)) most = std::max(most, std::abs(part));
    return most;
  }

  /// Drops terms, the least important first, as long as all errors stay within the tolerance; those that are kept.
  std::vector<TorqueTerm> keep(const std::vector<TorqueTerm>& terms, bool with_velocity, double tolerance) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < terms.size(); ++k) order.emplace_back(share(terms[k], with_velocity), k);
    std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
    std::vector<bool> kept(terms.size(), true);
    for (const auto& [size, k] : order) {
      if (size > 2 * tolerance) break;  // it cannot lead from one error within the tolerance to another
      kept[k] = !drop(terms[k], with_velocity, tolerance);
    }
    std::vector<TorqueTerm> out;
    for (std::size_t k = 0; k < terms.size(); ++k)
      if (kept[k]) out.push_back(terms[k]);
    return out;
  }

 private:
  const std::vector<double>& effort(const TorqueTerm& term, const TermState& x, bool with_velocity) {
    torque_.assign(scale_.size(), 0.0);
    add_torque(frame_, term, x, with_velocity, torque_);
    for (std::size_t i = 0; i < scale_.size(); ++i) torque_[i] /= scale_[i];
    return torque_;
  }

  bool drop(const TorqueTerm& term, bool with_velocity, double tolerance) {
    after_ = residual_;
    std::size_t k = 0;
    for (const TermState& x : states_)
      for (const double part : effort(term, x, with_velocity))
        if (std::abs(after_[k++] += part) > tolerance) return false;
    residual_.swap(after_);
    return true;
  }

  const ReducedModel& frame_;
  std::vector<double> scale_;
  std::vector<TermState> states_;
  std::vector<double> residual_, after_, torque_;  // state by state, relative to the scales
};

/// Full less kept, like terms together.
std::vector<TorqueTerm> difference(const std::vector<TorqueTerm>& full, const std::vector<TorqueTerm>& kept) {
  std::map<std::tuple<TermPart, int, int, int, std::vector<TermFactor>>, double> sum;
  const auto add = [&](const std::vector<TorqueTerm>& terms, double sign) {
    for (const TorqueTerm& t : terms) sum[{t.part, t.i, t.j, t.m, t.factors}] += sign * t.coefficient;
  };
  add(full, 1);
  add(kept, -1);
  std::vector<TorqueTerm> out;
  for (const auto& [place, coefficient] : sum) {
    const auto& [part, i, j, m, factors] = place;
    if (coefficient != 0) out.push_back({part, i, j, m, coefficient, factors});
  }
  return out;
}

/// Angles that no term has are left out.
void drop_unused_angles(ReducedModel& model) {
  std::vector<int> number(model.angles.size(), -1);
  std::vector<std::vector<int>> used;
  for (TorqueTerm& term : model.terms)
    for (TermFactor& factor : term.factors)
      if (factor.kind != TermFactor::Kind::slide) number[at(factor.index)] = 0;
  for (std::size_t a = 0; a < number.size(); ++a)
    if (number[a] == 0) {
      number[a] = static_cast<int>(used.size());
      used.push_back(model.angles[a]);
    }
  for (TorqueTerm& term : model.terms)
    for (TermFactor& factor : term.factors)
      if (factor.kind != TermFactor::Kind::slide) factor.index = number[at(factor.index)];
  model.angles = std::move(used);
}

struct TermGroup {
  std::vector<TorqueTerm> kept, full;
};

void append(std::vector<TorqueTerm>& to, const std::vector<TorqueTerm>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The velocity terms are those that the Christoffel symbols give for the inertias.
bool follows(TorqueTerms& all, const std::vector<TorqueTerm>& terms) {
  std::vector<TorqueTerm> D, h;
  for (const TorqueTerm& term : terms) {
    if (term.part == TermPart::inertia) D.push_back(term);
    if (term.part == TermPart::velocity) h.push_back(term);
  }
  return difference(all.velocity(D), h).empty();
}

TermGroup select(TorqueTerms& all, Selection selection, const ReduceOptions& options) {
  TermGroup out;
  for (const std::vector<TorqueTerm>& part : {all.inertia(), all.velocity(all.inertia()), all.gravity()})
    append(out.full, part);

  // terms of D with the velocity terms that follow from them, then single terms
  const double first = options.consistent ? options.tolerance : options.tolerance / 2;
  const std::vector<TorqueTerm> D = selection.keep(all.inertia(), true, first), h = all.velocity(D);
  std::vector<TorqueTerm> single;
  append(options.consistent ? out.kept : single, D);
  append(options.consistent ? out.kept : single, h);
  append(single, all.gravity());
  append(out.kept, selection.keep(single, false, options.tolerance));
  return out;
}

OperationCount cost_of(const ReducedModel& model) { return count(record_inverse(model), Rule::structured); }

std::vector<ModelCost> costs_of(const RobotForms<double>& forms) {
  const RobotForms<Trace> traced = cast<Trace>(forms, [](double x) { return Trace(x); });
  std::vector<ModelCost> costs;
  for (const InverseFormulation<Trace>& row : inverse_formulations<Trace>()) {
    // those of the fourth order are never the cheapest, and long to record
    if (row.complexity == "O(n^4)" || !refusal(row, traced).empty()) continue;
    const Tape tape = share(fold(record(row, forms)));
    costs.push_back({std::string(row.name), total(tally_stages(tape, Rule::structured)).live});
  }
  return costs;
}

void sort_costs(std::vector<ModelCost>& costs) {
  std::ranges::stable_sort(costs, [](const ModelCost& a, const ModelCost& b) {
    return std::pair(a.count.multiplications, a.count.additions) <
           std::pair(b.count.multiplications, b.count.additions);
  });
}

/// What taking special values for the numbers of a robot does to its torques: per joint the largest difference to the
/// robot as typed at these states, over its scale, and as much again for the states between.
std::vector<double> snap_errors(const Model<double>& typed, const Model<double>& meant,
                                const std::vector<std::vector<JointState>>& states, const std::vector<double>& scale) {
  Dynamics first(typed), second(meant);
  std::vector<double> a(scale.size()), b(scale.size()), most(scale.size(), 0.0);
  for (const std::vector<JointState>& some : states)
    for (const JointState& s : some) {
      first.inverse(s.q, s.qd, s.qdd, a);
      second.inverse(s.q, s.qd, s.qdd, b);
      for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], 2 * std::abs(a[i] - b[i]) / scale[i]);
    }
  return most;
}

/// The reduction for these states; with a course the error is looked for between them as well.
Result<Reduction> reduced_on(const Description& robot, std::span<const JointState> motion, const Course* course,
                             const ReduceOptions& options) {
  TORSOR_EXPECT(!motion.empty());
  auto all = TorqueTerms::of(robot);
  if (!all) return all.faults();
  const Description meant = meant_robot(robot).description;
  const auto forms = robot_forms(meant, GeometryTolerance{});
  if (!forms) return forms.faults();
  const auto model = build(meant);
  if (!model) return model.faults();
  const int n = all->frame().size();

  // the scales, by the full model: on its tree, where the torque of a joint that needs none is exactly zero
  TreeDynamics<double> full(forms->model);
  std::vector<double> tau(at(n)), scale(at(n), 0.0);
  const auto joint = [&](std::size_t i) { return "joint \"" + all->frame().joints[i].name + "\""; };
  for (const JointState& s : motion) {
    full.inverse(s.q, s.qd, s.qdd, tau);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      if (!std::isfinite(tau[i])) return not_finite(joint(i), "its torque on this motion", tau[i]);
      scale[i] = std::max(scale[i], std::abs(tau[i]));
    }
  }
  Faults errors;
  for (std::size_t i = 0; i < scale.size(); ++i)
    if (!(scale[i] > 0))
      errors.push_back(
          {{},
           joint(i),
           "no-effort",
           "it has no torque other than zero on this motion, so that no error can be compared with it",
           "take a motion that needs a torque in every joint"});
  if (!errors.empty()) return errors;

  const StateRanges ranges = options.ranges.value_or(ranges_of(motion));
  Reduction out;
  // the robot as typed is another one where numbers were taken as special: that is an error, too, and part of the tolerance
  const auto as_typed = robot_forms(robot);
  if (!as_typed) return as_typed.faults();
  out.snaps = meant_robot(robot).snaps;
  out.snaps.insert(out.snaps.end(), forms->snaps.begin(), forms->snaps.end());
  std::vector<double> snapped(scale.size(), 0.0);
  if (!out.snaps.empty()) {
    out.snap_effect = compare_torques(as_typed->model, forms->model);
    snapped = snap_errors(
        as_typed->model, forms->model,
        {std::vector<JointState>(motion.begin(), motion.end()), random_states(ranges, options.search)}, scale);
  }
  const double most_snapped = *std::ranges::max_element(snapped);
  if (!out.snaps.empty() && !(most_snapped < options.tolerance))
    return Faults{
        {{},
         robot.name,
         "reduce-snapped",
         "taking special values for its numbers changes its torques by more than the tolerance",
         "give a larger tolerance, or write the special values into the file (torsor convert --to standard-dh)"}};
  Selection selection(all->frame(), scale);
  const std::size_t step = 1 + (motion.size() - 1) / most_states;
  for (std::size_t k = 0; k < motion.size(); k += step) selection.add_state(motion[k]);
  if (options.on_ranges)
    for (const JointState& state : random_states(ranges, options.search)) selection.add_state(state);
  TermGroup terms;
  // with some room below, or the search would find a slightly worse state for ever
  ReduceOptions inside = options;
  inside.tolerance -= most_snapped;
  if (options.on_ranges) inside.tolerance /= search_margin * search_margin;
  const double motion_margin = course != nullptr ? 1 + error_margin : 1;
  if (!options.on_ranges) inside.tolerance /= motion_margin * motion_margin;
  const auto on_motion = [&] {
    return course != nullptr ? worst_errors_on(out.dropped, *course, scale)
                             : worst_errors_at(out.dropped, motion, scale);
  };
  try {
    for (int round = 0; round < most_rounds; ++round) {
      terms = select(*all, selection, inside);
      out.dropped = all->frame();
      out.dropped.terms = difference(terms.full, terms.kept);
      // what selection did not look at may be worse
      bool within = true;
      const double allowed = options.tolerance - most_snapped;
      const double most = options.on_ranges ? allowed / search_margin : allowed * (1 + 1e-9) / motion_margin;
      for (const WorstState& worst : options.on_ranges ? worst_errors(out.dropped, ranges, scale, options.search)
                                                       : on_motion())
        if (worst.error > most) {
          within = false;
          selection.add_state(worst.state);
        }
      if (within) break;
    }
    out.found = worst_errors(out.dropped, ranges, scale, options.search);
  } catch (const PolyOverflow& overflow) {
    return Faults{{{}, robot.name, "too-large", overflow.what(), "its equations have too many terms to be reduced"}};
  }
  out.model = all->frame();
  out.model.terms = terms.kept;
  out.terms = terms.full.size();
  for (const TorqueTerm& term : out.model.terms) out.shares.push_back(selection.share(term, false));

  ReductionStatement& said = out.model.statement;
  said.tolerance = options.tolerance;
  said.q = ranges.q;
  said.qd = ranges.qd;
  said.qdd = ranges.qdd;
  said.scale = scale;
  said.consistent = options.consistent || follows(*all, terms.kept);

  out.model.reference = reference_torques(*model);

  ReducedModel whole = all->frame();
  whole.terms = terms.full;
  drop_unused_angles(out.model);
  ReducedDynamics<double> reduced(out.model);
  std::vector<double> approximate(at(n));
  said.on_motion.assign(at(n), 0.0);
  for (const JointState& s : motion) {
    full.inverse(s.q, s.qd, s.qdd, tau);
    reduced.inverse(s.q, s.qd, s.qdd, approximate);
    for (std::size_t i = 0; i < tau.size(); ++i)
      said.on_motion[i] = std::max(said.on_motion[i], std::abs(approximate[i] - tau[i]) / scale[i]);
  }
  if (course != nullptr) {
    const std::vector<WorstState> between = on_motion();
    for (std::size_t i = 0; i < scale.size(); ++i)
      said.on_motion[i] = motion_margin * std::max(said.on_motion[i], between[i].error + coefficient_rounding);
  }
  // the rounding of the coefficients comes on top
  said.proven = true;
  said.on_ranges = proven_errors(out.dropped, ranges, scale, out.found);
  for (std::size_t i = 0; i < scale.size(); ++i) {
    said.found.push_back(out.found[i].error);
    said.on_ranges[i] = std::max(said.on_ranges[i] + coefficient_rounding, said.on_motion[i]);
  }
  for (std::size_t i = 0; i < scale.size(); ++i) {
    said.on_motion[i] += snapped[i];
    said.on_ranges[i] += snapped[i];
  }
  // between the instants, and over the ranges
  for (std::size_t i = 0; i < scale.size(); ++i)
    for (const double error : {said.on_motion[i], said.found[i], said.on_ranges[i]})
      if (!std::isfinite(error)) return not_finite(joint(i), "the error of its torque", error);
  if (!out.snaps.empty()) said.proven = false;
  out.least_eigenvalue = least_eigenvalue(out.model, ranges.q, options.search);
  said.definite = out.least_eigenvalue > 0 && (n > 3 || is_proven_definite(out.model, ranges.q));

  out.cost = {"reduced", cost_of(out.model)};
  out.full = costs_of(*forms);
  if (whole.terms.size() <= most_counted) out.full.push_back({"all terms, factored", cost_of(whole)});
  sort_costs(out.full);
  return out;
}

}  // namespace

Result<Reduction> reduce(const Description& robot, const Course& motion, const ReduceOptions& options) {
  const auto model = build(robot);
  if (!model) return model.faults();
  const std::vector<JointState> states = telling_states(motion, model->nv);
  ReduceOptions wanted = options;
  if (!wanted.ranges) wanted.ranges = ranges_of(states);
  for (std::vector<StateRange>* part : {&wanted.ranges->q, &wanted.ranges->qd, &wanted.ranges->qdd})
    for (StateRange& range : *part) {
      const double more = range_margin * (range.high - range.low);
      range = {range.low - more, range.high + more};
    }
  return reduced_on(robot, states, &motion, wanted);
}

Result<Reduction> reduce(const Description& robot, std::span<const JointState> motion,
                               const ReduceOptions& options) {
  return reduced_on(robot, motion, nullptr, options);
}

}  // namespace torsor
