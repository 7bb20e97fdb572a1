#include "torsor/check/torque_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "torsor/check/slip_chance.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

constexpr double clear = 4;  // an explanation takes this much off the difference at least
constexpr double least_share = 0.75;  // of the squares of a joint, for a slip beneath noise: it halves the rms there

/// Rows with a torque beyond the bound of its joint.
std::size_t rows_beyond(const MeasuredRecord& record, const Numbers& difference, const Numbers& bounds) {
  std::size_t count = 0;
  for (std::size_t first = 0; first < difference.size(); first += record.n) {
    bool beyond = false;
    for (std::size_t i = 0; i < record.n; ++i) beyond |= !(std::abs(difference[first + i]) <= bounds[i]);
    count += beyond ? 1 : 0;
  }
  return count;
}

/// A guess, and what it leaves as a mark: worst and rms of each joint, over its size.
struct Judged {
  SlipGuess guess;
  Numbers mark;
};

/// The candidate on a record; nothing where it cannot be tried.
std::optional<Judged> judge(const Description& robot, const MeasuredRecord& record, const SlipCandidate& candidate,
                            double before) {
  const OtherTool tool = tool_of(robot, candidate);
  const auto torques = other_torques(tool, record.samples);
  if (!torques) return std::nullopt;
  SlipTrial trial = fit_slip(record, *torques, record.size);
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
  guess.clear = guess.remains <= before / clear;
  guess.explains = guess.clear && record.within_bounds(worst, tool, trial.p);
  Numbers mark(record.n, 0.0);
  for (std::size_t k = 0; k < trial.difference.size(); ++k)
    mark[record.joint_of(k)] += std::pow(trial.difference[k], 2);
  for (std::size_t i = 0; i < record.n; ++i)
    mark[i] = std::sqrt(mark[i] / static_cast<double>(record.samples.size())) / record.size[i];
  mark.insert(mark.end(), guess.joints.begin(), guess.joints.end());
  return Judged{std::move(guess), std::move(mark)};
}

/// The rows that the search looks at: half of them spread evenly, half where the difference is largest.
std::vector<TorqueSample> chosen(const MeasuredRecord& record, const Numbers& difference, std::size_t count) {
  const std::size_t rows = record.samples.size();
  if (rows <= count) return record.samples;
  std::vector<std::size_t> by_difference(rows), keep;
  std::iota(by_difference.begin(), by_difference.end(), 0);
  Numbers largest(rows, 0.0);
  for (std::size_t k = 0; k < difference.size(); ++k)
    largest[k / record.n] = std::max(largest[k / record.n], std::abs(difference[k]) / record.size[record.joint_of(k)]);
  std::stable_sort(by_difference.begin(), by_difference.end(),
                   [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  for (std::size_t k = 0; k < count / 2; ++k) {
    keep.push_back(k * (rows - 1) / (count / 2));
    keep.push_back(by_difference[k]);
  }
  std::sort(keep.begin(), keep.end());
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  std::vector<TorqueSample> out;
  for (const std::size_t k : keep) out.push_back(record.samples[k]);
  return out;
}

/// All rows side by side with the tool's, and those that are kept.
struct Compared {
  RecordScale scale = RecordScale(0);
  std::vector<TorqueMismatch> joints;  // without what needs their sizes
  std::vector<TorqueSample> kept;
};

Result<Compared> compare(const OtherTool& tool, TorqueRows& rows, std::size_t count, std::size_t joints,
                         std::size_t most) {
  constexpr std::size_t block_rows = 1024;
  Compared out{RecordScale(joints), std::vector<TorqueMismatch>(joints), {}};
  std::map<std::size_t, TorqueSample> even;
  std::vector<TorqueSample> block, worst(joints);
  Numbers times;
  rows.rewind();
  for (std::size_t first = 0;; first += block.size()) {
    block.clear(), times.clear();
    for (const TorqueSample* sample; block.size() < block_rows && (sample = rows.next());) {
      block.push_back(*sample);
      times.push_back(rows.t());
    }
    if (block.empty()) break;
    const auto torques = other_torques(tool, block);
    if (!torques) return torques.faults();
    for (std::size_t r = 0; r < block.size(); ++r) {
      const std::size_t row = first + r;
      out.scale.add(block[r]);
      if (count <= most || row == even.size() * (count - 1) / (most - 1)) even.emplace(row, block[r]);
      for (std::size_t i = 0; i < joints; ++i) {
        const double ours = torques->tau[r * joints + i], theirs = block[r].tau[i], difference = ours - theirs;
        const double off = std::isnan(difference) ? INFINITY : std::abs(difference);
        TorqueMismatch& joint = out.joints[i];
        joint.rms += difference * difference / static_cast<double>(count);
        if (row > 0 && !(off > joint.worst)) continue;
        joint.worst = off;
        joint.row = row;
        joint.t = times[r];
        joint.ours = ours;
        joint.theirs = theirs;
        if (count > most) worst[i] = block[r];
      }
    }
  }
  for (std::size_t i = 0; i < joints; ++i) {
    out.joints[i].rms = std::sqrt(out.joints[i].rms);
    if (count > most) even.emplace(out.joints[i].row, std::move(worst[i]));
  }
  for (auto& [row, sample] : even) out.kept.push_back(std::move(sample));
  return out;
}

struct Ranked {
  SlipCandidate candidate;
  Judged few;  // on the rows of the search
};

/// What a guess leaves, and more for what it takes: a second slip is to halve the rest, a fitted size to take a tenth.
double cost(const SlipGuess& guess) {
  constexpr double of_slip = 2, of_size = 0.1;
  const double sizes = static_cast<double>(guess.sizes.size());
  return guess.remains * (guess.slips.size() > 1 ? of_slip : 1) * (1 + of_size * sizes);
}

/// Whether a is to be told before b; in doubt nothing is said, and the order of the table holds.
bool plainer(const SlipGuess& a, const SlipGuess& b) {
  if (a.explains != b.explains) return a.explains;
  if (!a.explains) return cost(a) < cost(b);
  if (a.slips.size() != b.slips.size()) return a.slips.size() < b.slips.size();
  return a.sizes.size() < b.sizes.size();
}

class Search {
 public:
  Search(const Description& robot, const MeasuredRecord& record, double before, double level)
      : robot_(robot),
        record_(record),
        before_(before),
        rounding_(std::min(1e-9, level)),
        unchanged_(judge(robot, record, {}, before)->mark) {}

  /// Tries one candidate and keeps it, unless it leaves the record as it was, a part of it does as well, or it repeats
  /// one of the same rows.
  void add(SlipCandidate candidate) {
    auto judged = judge(robot_, record_, candidate, before_);
    if (!judged || !std::isfinite(judged->guess.remains) || same(judged->mark, unchanged_)) return;
    if (candidate.parts.size() == 1) {
      alone_[candidate.parts[0].second] = judged->mark;
    } else {
      for (const auto& part : candidate.parts)
        if (const auto it = alone_.find(part.second); it != alone_.end() && same(it->second, judged->mark)) return;
    }
    for (const Ranked& r : ranked_)
      if (same(r.few.mark, judged->mark) && r.candidate.parts.size() == candidate.parts.size() &&
          r.candidate.parts.front().first == candidate.parts.front().first &&
          r.candidate.parts.back().first == candidate.parts.back().first)
        return;
    ranked_.push_back({std::move(candidate), *std::move(judged)});
  }

  /// What explains the chosen rows, and so many of the closest others, all held against the whole record; best first.
  std::vector<SlipGuess> rank(const MeasuredRecord& all, std::size_t closest) {
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [](const Ranked& a, const Ranked& b) { return plainer(a.few.guess, b.few.guess); });
    std::vector<SlipGuess> best;
    for (std::size_t k = 0; k < ranked_.size() && (ranked_[k].few.guess.explains || k < closest); ++k)
      if (auto judged = judge(robot_, all, ranked_[k].candidate, before_)) best.push_back(std::move(judged->guess));
    std::stable_sort(best.begin(), best.end(), plainer);
    return best;
  }

 private:
  bool same(const Numbers& a, const Numbers& b) const {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [this](double x, double y) { return std::abs(x - y) <= rounding_ * std::max(1.0, x); });
  }

  const Description& robot_;
  const MeasuredRecord& record_;
  double before_, rounding_;
  Numbers unchanged_;                                      // the mark without any slip
  std::unordered_map<const SlipVariant*, Numbers> alone_;  // the marks of single slips
  std::vector<Ranked> ranked_;
};

}  // namespace

std::string SlipGuess::sentence() const {
  std::string text;
  for (const Part& part : slips) {
    (text += text.empty() ? "" : "; and ") += part.sentence;
    if (!part.detail.empty()) text += " (" + part.detail + ")";
  }
  return text;
}

std::string SlipGuess::reason(bool details) const {
  std::string text;
  for (const Part& part : slips) {
    (text += text.empty() ? "" : " + ") += part.name;
    if (details && !part.detail.empty()) text += " (" + part.detail + ")";
  }
  return text;
}

std::vector<std::string_view> SlipGuess::names() const {
  std::vector<std::string_view> out;
  for (const Part& part : slips) out.push_back(part.name);
  return out;
}

std::optional<std::string> TorqueDiagnosis::reason() const {
  if (agrees) return std::nullopt;
  return outliers > 0 ? "outliers" : noise ? "noise" : is_known() ? guesses.front().reason() : "unknown";
}

Result<TorqueDiagnosis> agree_against(const Description& robot, TorqueRows& rows, const RecordSurvey& seen,
                                      DiagnosisOptions options) {
  TORSOR_EXPECT(seen.rows > 0);
  const auto model = build(robot);
  if (!model) return model.faults();
  OtherTool none;
  none.robot = robot;
  auto compared = compare(none, rows, seen.rows, static_cast<std::size_t>(model->nv), options.most_rows);
  if (!compared) return compared.faults();

  // joint by joint
  TorqueDiagnosis out;
  out.joints = std::move(compared->joints);
  out.robot = robot.name;
  out.searched = compared->kept.size();
  const MeasuredRecord all(std::move(compared->kept), std::move(compared->scale), options.level);
  const Numbers bounds = all.bounds(none, {});
  out.agrees = true;
  for (std::size_t i = 0; i < all.n; ++i) {
    TorqueMismatch& joint = out.joints[i];
    joint.joint = model->velocity_names[i];
    joint.size = all.size[i];
    joint.differs = !(std::isfinite(joint.size) && joint.worst <= bounds[i]);
    out.before = std::max(out.before, std::isfinite(joint.size) ? joint.worst / joint.size : INFINITY);
    if (joint.differs) out.agrees = false;
  }
  // torques beyond all numbers have no reason to be sought in slips
  if (out.agrees || !std::isfinite(out.before)) return out;

  // each slip alone
  const auto torques = other_torques(none, all.samples);
  if (!torques) return torques.faults();
  const Numbers difference = fit_slip(all, *torques, all.size).difference;
  // a few rows of many: what is wrong with them is wrong with nothing else
  constexpr std::size_t fewest_rows = 20, share_of_outliers = 50;
  if (const std::size_t beyond = rows_beyond(all, difference, bounds);
      all.samples.size() >= fewest_rows &&
      beyond * share_of_outliers <= std::max(all.samples.size(), share_of_outliers)) {
    out.outliers = beyond;
    return out;
  }
  const MeasuredRecord few(chosen(all, difference, options.rows), options.level);
  Search search(robot, few, out.before, options.level);
  std::vector<std::vector<SlipVariant>> variants;
  for (const TorqueSlip& slip : torque_slips()) variants.push_back(slip.variants(robot, *model));
  std::vector<SlipPart> singles;
  for (std::size_t s = 0; s < variants.size(); ++s)
    for (const SlipVariant& variant : variants[s]) {
      singles.emplace_back(&torque_slips()[s], &variant);
      search.add({{singles.back()}});
      ++out.alone;
    }
  std::vector<SlipGuess> best = search.rank(all, options.guesses);
  const bool explained = !best.empty() && best.front().explains;

  // none explains it to the last digit: is it noise, or is it one slip beneath noise?
  if (!explained) {
    const SlipChance chance(robot, all, options.level, singles);
    const ChanceVerdict alone = chance.beyond({});
    out.noise = alone.is_noise;
    if (out.noise) return out;
    if (alone.best && alone.share >= least_share) {
      const SlipCandidate likely{{*alone.best}};
      if (chance.beyond(likely).is_noise)
        if (auto judged = judge(robot, all, likely, out.before)) {
          out.guesses.push_back(std::move(judged->guess));
          out.guesses.back().but_noise = true;
          return out;
        }
    }
  }

  // in pairs; on long robots only those of which one is on the whole robot
  constexpr int long_robot = 12;
  for (std::size_t a = 0; !explained && a < singles.size(); ++a)
    for (std::size_t b = a + 1; b < singles.size(); ++b) {
      const bool both_details = !singles[a].second->detail.empty() && !singles[b].second->detail.empty();
      if (!go_together(singles[a], singles[b]) || (both_details && model->nv > long_robot)) continue;
      search.add({{singles[a], singles[b]}});
      ++out.pairs;
    }
  if (!explained) best = search.rank(all, options.guesses);
  for (SlipGuess& guess : best) {
    if (out.guesses.size() == options.guesses) break;
    // beside an explanation, what explains nothing is of no interest
    if (out.guesses.empty() || guess.explains == out.guesses.front().explains) out.guesses.push_back(std::move(guess));
  }
  return out;
}

Result<TorqueDiagnosis> agree_against(const Description& robot, const std::vector<TorqueSample>& samples,
                                      DiagnosisOptions options) {
  const auto model = build(robot);
  if (!model) return model.faults();
  StoredRows rows(samples);
  return agree_against(robot, rows, survey(*model, rows), options);
}

}  // namespace torsor
