#include "torsor/dynamics/torque_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "torsor/dynamics/measured_record.hpp"
#include "torsor/numeric/qr.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// A candidate: one or two rows of the table in one variant each.
struct Candidate {
  std::vector<std::pair<const TorqueSlip*, const SlipVariant*>> parts;
  std::size_t order = 0;  // of the table
};

/// What is left of the record after a candidate, its unknown sizes fitted; empty if it cannot be tried.
struct Trial {
  Numbers difference, p;
  std::vector<FittedSize> sizes;
};

Trial fit(const MeasuredRecord& record, const OtherEfforts& efforts) {
  const int m = static_cast<int>(record.tau.size());
  Numbers b(record.tau.size());
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = (record.tau[k] - efforts.tau[k]) / record.size[k % record.n];
  Trial trial{{}, Numbers(efforts.columns.size(), 0.0), {}};
  // sizes that no effort depends on, but by its rounding, are not fitted
  constexpr double rounding = 1e-12;
  std::vector<std::size_t> live;
  for (std::size_t j = 0; j < efforts.columns.size(); ++j) {
    const Numbers largest = record.worst(efforts.columns[j]);
    for (std::size_t i = 0; i < record.n; ++i)
      if (largest[i] > rounding * record.size[i]) {
        live.push_back(j);
        break;
      }
  }
  const int n = static_cast<int>(live.size());
  constexpr int numbers_per_size = 3;
  if (n > 0) {
    if (m < numbers_per_size * n || record.samples.size() < 4) return {};
    // columns of unit length, so that the rank does not depend on units
    Numbers A(static_cast<std::size_t>(m * n)), RD(static_cast<std::size_t>(n * n)), x(static_cast<std::size_t>(n));
    Numbers length(static_cast<std::size_t>(n), 0.0);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < m; ++k) {
        const double y = efforts.columns[live[j]][k] / record.size[static_cast<std::size_t>(k) % record.n];
        A[k * n + j] = y;
        length[j] += y * y;
      }
      length[j] = length[j] > 0 ? std::sqrt(length[j]) : 1;
      for (int k = 0; k < m; ++k) A[k * n + j] /= length[j];
    }
    std::vector<int> permutation(static_cast<std::size_t>(n));
    constexpr double independent = 1e-9;
    const int rank = qr_factor_pivoted<double>(A, m, n, RD, permutation, independent);
    qr_solve<double>(A, RD, m, n, permutation, rank, b, x);
    for (int j = 0; j < n; ++j) trial.p[live[j]] = x[j] / length[j];
    // nor are those told that the record does not tell from the others
    std::sort(permutation.begin(), permutation.begin() + rank);
    for (int j = 0; j < rank; ++j) {
      const std::size_t k = live[permutation[j]];
      trial.sizes.push_back(efforts.at_zero[k]);
      trial.sizes.back().value += efforts.per_unit[k] * trial.p[k];
    }
  }
  for (std::size_t k = 0; k < b.size(); ++k) b[k] *= record.size[k % record.n];
  trial.difference = std::move(b);
  return trial;
}

OtherTool tool_of(const Description& robot, const Candidate& candidate) {
  OtherTool tool;
  tool.robot = robot;
  for (const auto& [slip, variant] : candidate.parts) variant->apply(tool);
  return tool;
}

constexpr double clear = 4;  // an explanation takes this much off the difference at least

/// The candidate on a record; nothing where it cannot be tried.
std::optional<SlipGuess> judge(const Description& robot, const MeasuredRecord& record, const Candidate& candidate,
                               double before) {
  const OtherTool tool = tool_of(robot, candidate);
  const auto efforts = other_efforts(tool, record.samples);
  if (!efforts) return std::nullopt;
  Trial trial = fit(record, *efforts);
  if (trial.difference.empty()) return std::nullopt;
  SlipGuess guess;
  for (const auto& [slip, variant] : candidate.parts)
    guess.slips.push_back({slip->name, slip->sentence, variant->detail});
  guess.sizes = std::move(trial.sizes);
  const Numbers worst = record.worst(trial.difference);
  for (std::size_t i = 0; i < record.n; ++i) {
    guess.joints.push_back(worst[i] / record.size[i]);
    guess.remains = std::max(guess.remains, guess.joints.back());
  }
  guess.explains = guess.remains <= before / clear && record.within_bounds(worst, tool, trial.p);
  return guess;
}

/// The rows that the search looks at: half of them spread evenly, half where the difference is largest.
std::vector<EffortSample> chosen(const MeasuredRecord& record, const Numbers& difference, std::size_t count) {
  const std::size_t rows = record.samples.size();
  if (rows <= count) return record.samples;
  std::vector<std::size_t> by_difference(rows), keep;
  std::iota(by_difference.begin(), by_difference.end(), 0);
  Numbers largest(rows, 0.0);
  for (std::size_t k = 0; k < difference.size(); ++k)
    largest[k / record.n] = std::max(largest[k / record.n], std::abs(difference[k]) / record.size[k % record.n]);
  std::stable_sort(by_difference.begin(), by_difference.end(),
                   [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  for (std::size_t k = 0; k < count / 2; ++k) {
    keep.push_back(k * (rows - 1) / (count / 2));
    keep.push_back(by_difference[k]);
  }
  std::sort(keep.begin(), keep.end());
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  std::vector<EffortSample> out;
  for (const std::size_t k : keep) out.push_back(record.samples[k]);
  return out;
}

struct Ranked {
  Candidate candidate;
  SlipGuess guess;

  bool before(const Ranked& b) const {
    if (guess.explains != b.guess.explains) return guess.explains;
    if (!guess.explains) return guess.remains < b.guess.remains;
    if (guess.slips.size() != b.guess.slips.size()) return guess.slips.size() < b.guess.slips.size();
    if (guess.sizes.size() != b.guess.sizes.size()) return guess.sizes.size() < b.guess.sizes.size();
    return candidate.order < b.candidate.order;
  }
};

class Search {
 public:
  Search(const Description& robot, const MeasuredRecord& record, double before)
      : robot_(robot), record_(record), before_(before), unchanged_(judge(robot, record, {}, before)->joints) {}

  /// Tries one candidate and keeps it, unless it leaves the record as it was or repeats one of the same rows.
  void add(Candidate candidate) {
    candidate.order = order_++;
    auto guess = judge(robot_, record_, candidate, before_);
    if (!guess || !std::isfinite(guess->remains) || guess->joints == unchanged_) return;
    for (const Ranked& r : ranked)
      if (r.guess.joints == guess->joints && r.guess.slips.size() == guess->slips.size() &&
          r.guess.slips.front().name == guess->slips.front().name &&
          r.guess.slips.back().name == guess->slips.back().name)
        return;
    ranked.push_back({std::move(candidate), *std::move(guess)});
  }

  /// Best first, after what explains the chosen rows, and the closest of the others, was held against all of them.
  /// Whether anything explains the record.
  bool rank(const MeasuredRecord& all, std::size_t closest) {
    const auto sort = [this] {
      std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.before(b); });
    };
    sort();
    for (std::size_t k = 0; k < ranked.size() && (ranked[k].guess.explains || k < closest); ++k)
      ranked[k].guess = judge(robot_, all, ranked[k].candidate, before_).value_or(ranked[k].guess);
    sort();
    return !ranked.empty() && ranked.front().guess.explains;
  }

  std::vector<Ranked> ranked;

 private:
  const Description& robot_;
  const MeasuredRecord& record_;
  double before_;
  Numbers unchanged_;  // what is left of each joint without any slip
  std::size_t order_ = 0;
};

/// Whether two variants may happen together: of one group only on different joints or links.
bool together(const std::pair<const TorqueSlip*, const SlipVariant*>& a,
              const std::pair<const TorqueSlip*, const SlipVariant*>& b) {
  if (a.second->alone || b.second->alone) return false;
  if (a.first->group != b.first->group) return true;
  return a.first == b.first && !a.second->detail.empty() && !b.second->detail.empty();
}

}  // namespace

Result<TorqueDiagnosis> diagnose_torques(const Description& robot, const std::vector<EffortSample>& samples,
                                         DiagnosisOptions options) {
  TORSOR_EXPECT(!samples.empty());
  const auto model = build(robot);
  if (!model) return model.errors();
  const MeasuredRecord all(samples, options.level);
  OtherTool none;
  none.robot = robot;
  const auto efforts = other_efforts(none, samples);
  if (!efforts) return efforts.errors();
  const Numbers difference = fit(all, *efforts).difference;

  // joint by joint
  TorqueDiagnosis out;
  const Numbers worst = all.worst(difference), bounds = all.bounds(none, {});
  out.joints.resize(all.n);
  for (std::size_t k = 0; k < difference.size(); ++k) {
    EffortDifference& joint = out.joints[k % all.n];
    joint.size = all.size[k % all.n];
    joint.rms += difference[k] * difference[k] / static_cast<double>(samples.size());
    if (k < all.n || !(std::abs(difference[k]) <= joint.worst)) {
      joint.worst = std::abs(difference[k]);
      joint.row = k / all.n;
      joint.ours = efforts->tau[k];
      joint.theirs = all.tau[k];
    }
  }
  out.agrees = true;
  for (std::size_t i = 0; i < all.n; ++i) {
    EffortDifference& joint = out.joints[i];
    joint.rms = std::sqrt(joint.rms);
    joint.differs = !(joint.worst <= bounds[i]);
    out.before = std::max(out.before, joint.worst / joint.size);
    if (joint.differs) out.agrees = false;
  }
  if (out.agrees) return out;

  // each slip alone
  const MeasuredRecord few(chosen(all, difference, options.rows), options.level);
  Search search(robot, few, out.before);
  std::vector<std::vector<SlipVariant>> variants;
  for (const TorqueSlip& slip : torque_slips()) variants.push_back(slip.variants(robot, *model));
  std::vector<std::pair<const TorqueSlip*, const SlipVariant*>> singles;
  for (std::size_t s = 0; s < variants.size(); ++s)
    for (const SlipVariant& variant : variants[s]) {
      singles.emplace_back(&torque_slips()[s], &variant);
      search.add({{singles.back()}});
      ++out.alone;
    }
  const bool explained = search.rank(all, options.guesses);

  // in pairs; on long robots only those of which one is on the whole robot
  constexpr int long_robot = 12;
  for (std::size_t a = 0; !explained && a < singles.size(); ++a)
    for (std::size_t b = a + 1; b < singles.size(); ++b) {
      const bool both_details = !singles[a].second->detail.empty() && !singles[b].second->detail.empty();
      if (!together(singles[a], singles[b]) || (both_details && model->nv > long_robot)) continue;
      search.add({{singles[a], singles[b]}});
      ++out.pairs;
    }
  if (!explained) search.rank(all, options.guesses);
  for (const Ranked& r : search.ranked) {
    if (out.guesses.size() == options.guesses) break;
    // beside an explanation, what explains nothing is of no interest
    if (out.guesses.empty() || r.guess.explains == out.guesses.front().explains) out.guesses.push_back(r.guess);
  }
  return out;
}

}  // namespace torsor
