#include "torsor/reduction/proposals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "torsor/check/definiteness.hpp"
#include "torsor/structure/exact_round.hpp"

namespace torsor {
namespace {

/// The sum of peak torques after to before, of turning and of sliding joints apart and then their mean, by their numbers: what
/// the motors must be able to do together. A mean of the joints' own ratios would let a small wrist outweigh a shoulder.
double ratio_of_peaks(const MotionEffect& before, const MotionEffect& after, const AxisFacts& facts) {
  double mean = 0, joints = 0;
  for (const bool slides : {false, true}) {
    double was = 0, is = 0, count = 0;
    for (std::size_t i = 0; i < before.peak.size(); ++i) {
      if (facts.joints[i].slides != slides) continue;
      was += before.peak[i];
      is += after.peak[i];
      ++count;
    }
    if (!(was > 0)) continue;
    mean += count * is / was;
    joints += count;
  }
  return joints > 0 ? mean / joints : 1;
}

/// A number after to before; one where there is nothing to compare.
double ratio_of(double before, double after) { return before > 0 ? after / before : 1; }

/// No acceleration is left open: the mass matrix is positive definite, by the check that every robot file has to pass.
bool is_determined(const Description& robot) {
  const Result<Model<double>> model = build(robot);
  return model && std::ranges::none_of(definiteness(robot, *model),
                                       [](const Finding& finding) { return finding.severity == Severity::error; });
}

class Tries {
 public:
  Tries(const Description& robot, const DesignGuide& now, const Course& course, const StructureOptions& options)
      : before_(now.now.numbers()),
        effect_(now.effect),
        freedom_(now.freedom),
        facts_(now.now.facts),
        course_(course),
        options_(options),
        determined_(is_determined(robot)) {}

  /// The structure of the changed robot against the one before; nothing where it has none, removes none of the wanted, has not
  /// fewer coefficients, or leaves a robot that can move without moving any mass or whose tool can do less.
  std::optional<Proposal> structure_of(DesignChange change, const std::vector<char>& wanted) const {
    const Result<ExactRobot> robot = exact_robot(change.robot, options_.geometry);
    if (!robot || robot->model.nv != before_.n || removes_none(*robot, wanted)) return std::nullopt;
    if (determined_ && !is_determined(change.robot)) return std::nullopt;
    const Result<Model<double>> model = build(change.robot);
    if (!model) return std::nullopt;
    std::vector<ToolFreedom> freedom = change.moves_axes ? tool_freedom(*model) : freedom_;
    if (!keeps_freedom(freedom_, freedom)) return std::nullopt;
    Proposal out{std::move(change), exact_structure(*robot, Level::numbers, options_.exact), {}, {}, {}, {},
                 std::move(freedom)};
    for (std::size_t e = 0; e < before_.coefficients.size(); ++e) {
      const bool was = before_.nonzero[e] != 0, is = out.structure.nonzero[e] != 0;
      if (was && !is) out.removed.push_back(e);
      if (!was && is) out.brought.push_back(e);
      if (was && is && !before_.constant(e) && out.structure.constant(e)) out.steadied.push_back(e);
    }
    if (out.saved() <= 0) return std::nullopt;
    return out;
  }

  /// All proposals among the candidates, those without effect and doubles left out.
  std::vector<Proposal> all(std::vector<DesignChange> candidates) const {
    std::ranges::stable_sort(candidates, {}, &DesignChange::numbers);
    std::vector<Proposal> out;
    std::set<std::tuple<ChangeKind, std::string, std::vector<char>, std::vector<char>>> seen;
    for (DesignChange& candidate : candidates) {
      std::optional<Proposal> proposal = structure_of(std::move(candidate), before_.nonzero);
      if (!proposal || proposal->removed.empty()) continue;
      // counterbalances of several links are known by the innermost: one more that changes nothing is none
      const DesignChange& change = proposal->change;
      const std::string link = change.kind == ChangeKind::counterbalance ? "" : change.link;
      if (seen.insert({change.kind, link, proposal->structure.nonzero, proposal->structure.depends}).second)
        out.push_back(*std::move(proposal));
    }
    return out;
  }

  void measure(Proposal& proposal) const {
    const Result<Model<double>> model = build(proposal.change.robot);
    if (!model) return;
    proposal.effect = motion_effect(*model, course_);
    proposal.peak_ratio = ratio_of_peaks(effect_, proposal.effect, facts_);
    proposal.energy_ratio = ratio_of(effect_.energy, proposal.effect.energy);
    proposal.coupling_ratio = ratio_of(effect_.coupling_mean, proposal.effect.coupling_mean);
  }

 private:
  /// One position modulo one prime: where nothing that was there is zero, that is certain, and enough for most candidates.
  bool removes_none(const ExactRobot& robot, const std::vector<char>& wanted) const {
    std::mt19937_64 engine(options_.exact.seed);
    ExactRound round(robot, Level::numbers, engine);
    round.evaluate();
    std::vector<Modular> values;
    round.values(before_.coefficients, values);
    for (std::size_t e = 0; e < values.size(); ++e)
      if (wanted[e] != 0 && is_zero(values[e])) return false;
    return true;
  }

  const ExactStructure& before_;
  const MotionEffect& effect_;
  const std::vector<ToolFreedom>& freedom_;
  const AxisFacts& facts_;
  const Course& course_;
  const StructureOptions& options_;
  const bool determined_;
};

/// Costs that differ by less than rounding, and a little more, are equal.
bool better(const Proposal& a, const Proposal& b) {
  const auto merit = [](const Proposal& p) {
    return std::tuple(!p.worth_it(), std::llround(p.cost() * 1e6), -p.saved(), -static_cast<int>(p.steadied.size()),
                      p.change.numbers);
  };
  return merit(a) < merit(b);
}

/// Changes of masses one after the other, the one that saves most first; nothing where one is all there is.
std::optional<Proposal> together(const Tries& tries, std::vector<Proposal> first) {
  constexpr int most_steps = 8;
  std::optional<Proposal> best;
  std::vector<Proposal> found = std::move(first);
  std::string texts;
  int numbers = 0, steps = 0;
  for (; steps < most_steps; ++steps) {
    std::erase_if(found, [](const Proposal& p) { return p.change.moves_axes; });
    const auto next =
        std::ranges::max_element(found, {}, [](const Proposal& p) { return std::pair(p.saved(), -p.change.numbers); });
    if (next == found.end() || next->saved() <= (best ? best->saved() : 0)) break;
    best = std::move(*next);
    texts += (texts.empty() ? "" : "; ") + best->change.text;
    numbers += best->change.numbers;
    const Result<Model<double>> model = build(best->change.robot);
    if (!model) break;
    found = tries.all(mass_changes(best->change.robot, *model));
  }
  if (!best || steps < 2) return std::nullopt;
  best->change.kind = ChangeKind::several;
  best->change.link.clear();
  best->change.text = texts;
  best->change.numbers = numbers;
  return best;
}

/// For each wanted coefficient the two changes that remove it and save most, if there are such.
std::vector<Proposal> pairs(const Tries& tries, const Description& robot, const Model<double>& model, bool keep_axes,
                            const std::vector<char>& wanted) {
  const auto changes = keep_axes ? mass_changes : design_changes;
  std::map<std::size_t, std::size_t> best;  // of a coefficient, by number in `found`
  std::vector<Proposal> found;
  for (const DesignChange& first : changes(robot, model)) {
    const Result<Model<double>> changed = build(first.robot);
    if (!changed) continue;
    for (DesignChange& second : changes(first.robot, *changed)) {
      DesignChange both{ChangeKind::several,
                        "",
                        first.text + "; " + second.text,
                        first.numbers + second.numbers,
                        first.moves_axes || second.moves_axes,
                        std::move(second.robot)};
      const std::optional<Proposal> proposal = tries.structure_of(std::move(both), wanted);
      if (!proposal) continue;
      const auto merit = [](const Proposal& p) { return std::pair(p.saved(), -p.change.numbers); };
      bool kept = false;
      for (const std::size_t e : proposal->removed) {
        if (wanted[e] == 0 || (best.contains(e) && merit(found[best[e]]) >= merit(*proposal))) continue;
        best[e] = found.size();
        kept = true;
      }
      if (kept) found.push_back(*proposal);
    }
  }
  std::set<std::size_t> used;
  for (const auto& [coefficient, number] : best) used.insert(number);
  std::vector<Proposal> out;
  for (const std::size_t k : used) out.push_back(std::move(found[k]));
  return out;
}

}  // namespace

std::vector<std::size_t> DesignGuide::removing(std::size_t coefficient, std::size_t most) const {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < proposals.size() && out.size() < most; ++k)
    if (std::ranges::binary_search(proposals[k].removed, coefficient)) out.push_back(k);
  return out;
}

Result<DesignGuide> guide(const Description& description, const Course& course, const GuideOptions& options) {
  const Result<Model<double>> model = build(description);
  if (!model) return model.faults();
  const auto refuse = [&](const char* rule, std::string what, std::string remedy) {
    return Fault{{description.file, 0}, "robot \"" + description.name + "\"", rule, std::move(what), std::move(remedy)};
  };
  if (model->nv > most_guided)
    return refuse("guide-size", "has " + std::to_string(model->nv) + " coordinates, and hundreds of changes to try",
                  "take a part of at most " + std::to_string(most_guided) + " coordinates");
  if (model->S.size() != static_cast<std::size_t>(model->nv))
    return refuse("guide-coordinates",
                  "has joints that share a coordinate, and the guidelines are about joints with one each",
                  "leave the mimic out");
  Result<StructureAnswer> now = analyse_structure(description, options.structure);
  if (!now) return now.faults();
  DesignGuide out;
  out.now = *std::move(now);
  out.guidelines = check_guidelines(out.now);
  out.effect = motion_effect(*model, course);
  if (!std::isfinite(out.effect.energy))
    return not_finite("robot \"" + description.name + "\"", "the energy of the motion", out.effect.energy);
  out.freedom = tool_freedom(*model);

  std::vector<DesignChange> candidates =
      options.keep_axes ? mass_changes(description, *model) : design_changes(description, *model);
  out.tried = static_cast<int>(candidates.size());
  const Tries tries(description, out, course, options.structure);
  out.proposals = tries.all(std::move(candidates));
  constexpr int most_together = 12;
  if (out.now.robot.model.nv <= most_together)
    if (auto several = together(tries, out.proposals)) out.proposals.push_back(*std::move(several));
  if (options.pairs && out.now.robot.model.nv <= most_paired) {
    std::vector<char> wanted = out.now.numbers().nonzero;
    for (const Proposal& proposal : out.proposals)
      for (const std::size_t e : proposal.removed) wanted[e] = 0;
    for (Proposal& pair : pairs(tries, description, *model, options.keep_axes, wanted))
      out.proposals.push_back(std::move(pair));
  }
  for (Proposal& proposal : out.proposals) tries.measure(proposal);
  std::ranges::stable_sort(out.proposals, better);
  for (int k = 0; Proposal& proposal : out.proposals) proposal.number = ++k;
  return out;
}

}  // namespace torsor
