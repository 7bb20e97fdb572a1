#include "torsor/check/slip_chance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

constexpr std::size_t most_rows = 600;      // that are looked at, spread evenly
constexpr double by_chance = 0.01;          // probability that noise is called a slip
constexpr double fewest_numbers = 20;       // on which nothing is said
constexpr double largest_correlation = 0.5; // of neighbouring rows of noise

std::vector<TorqueSample> spread(const std::vector<TorqueSample>& rows) {
  if (rows.size() <= most_rows) return rows;
  std::vector<TorqueSample> out;
  for (std::size_t k = 0; k < most_rows; ++k) out.push_back(rows[k * (rows.size() - 1) / (most_rows - 1)]);
  return out;
}

/// Root mean square of each joint, at least a share of its size.
Numbers weights(const MeasuredRecord& record, const Numbers& difference, double level) {
  Numbers out(record.n, 0.0);
  for (std::size_t k = 0; k < difference.size(); ++k) out[record.joint_of(k)] += difference[k] * difference[k];
  for (std::size_t i = 0; i < record.n; ++i)
    out[i] = std::max(std::sqrt(out[i] / static_cast<double>(record.samples.size())), level * record.size[i]);
  return out;
}

/// Of each joint.
Numbers square_sums(const MeasuredRecord& record, const Numbers& difference, const Numbers& weight) {
  Numbers sums(record.n, 0.0);
  for (std::size_t k = 0; k < difference.size(); ++k)
    sums[record.joint_of(k)] += std::pow(difference[k] / weight[record.joint_of(k)], 2);
  return sums;
}

double total(const Numbers& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

/// How much of the squares of a joint is gone, where it is most.
double largest_share(const Numbers& before, const Numbers& after) {
  double share = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] > 0) share = std::max(share, 1 - after[i] / before[i]);
  return share;
}

/// Correlation of the differences of neighbouring rows.
double row_correlation(const MeasuredRecord& record, const Numbers& difference, const Numbers& weight) {
  double both = 0, alone = 0;
  for (std::size_t k = 0; k < difference.size(); ++k) {
    const double w = weight[record.joint_of(k)];
    alone += std::pow(difference[k] / w, 2);
    if (k >= record.n) both += difference[k] * difference[k - record.n] / (w * w);
  }
  return alone > 0 ? both / alone : 0;
}

}  // namespace

SlipChance::SlipChance(const Description& robot, const MeasuredRecord& all, double level,
                       std::span<const SlipPart> singles)
    : robot_(robot), singles_(singles), level_(level), record_(spread(all.samples), level) {}

std::optional<SlipTrial> SlipChance::tried(const SlipCandidate& candidate, const Numbers& weight) const {
  const auto torques = other_torques(tool_of(robot_, candidate), record_.samples);
  if (!torques) return std::nullopt;
  SlipTrial trial = fit_slip(record_, *torques, weight);
  if (trial.difference.empty()) return std::nullopt;
  return trial;
}

ChanceVerdict SlipChance::beyond(const SlipCandidate& before) const {
  auto start = tried(before, record_.size);
  if (!start) return {};
  const Numbers weight = weights(record_, start->difference, level_);
  start = tried(before, weight);
  if (!start) return {};
  const Numbers of_joints = square_sums(record_, start->difference, weight);
  const double Q = total(of_joints);
  const double correlation = std::max(0.0, row_correlation(record_, start->difference, weight));
  // joints whose differences are only rounding say nothing
  const double numbers =
      std::min(Q, static_cast<double>(start->difference.size())) * (1 - correlation) / (1 + correlation);
  const double t = std::log(static_cast<double>(singles_.size()) / by_chance);

  // what k sizes may take off by chance, in units of what is left, each number of which counts as often as rows are alike
  const auto by_luck = [&](double k) { return k + 2 * std::sqrt(k * t) + 2 * t; };
  struct Beyond {
    SlipPart part;
    double sizes = 0, left = 0, share = 0;
  };
  std::vector<Beyond> found;
  for (const SlipPart& one : singles_) {
    if (std::ranges::any_of(before.parts, [&](const SlipPart& part) { return !go_together(part, one); })) continue;
    SlipCandidate candidate = before;
    candidate.parts.push_back(one);
    const auto trial = tried(candidate, weight);
    if (!trial) continue;
    const Numbers remain = square_sums(record_, trial->difference, weight);
    const double left = total(remain);
    const double sizes = static_cast<double>(trial->sizes.size()) - static_cast<double>(start->sizes.size());
    const double k = std::max(1.0, sizes), freedom = numbers - k;
    if (std::isfinite(left) && freedom >= fewest_numbers && (Q - left) / left * freedom > by_luck(k))
      found.push_back({one, sizes, left, largest_share(of_joints, remain)});
  }

  // of those that are no chance the plainest from which the closest differs by chance only, measured by what that one leaves
  ChanceVerdict out;
  const auto with = [&](const SlipPart& one) {
    SlipCandidate candidate = before;
    candidate.parts.push_back(one);
    return candidate;
  };
  if (const auto closest = std::ranges::min_element(found, {}, &Beyond::left); closest != found.end()) {
    const Numbers finer = weights(record_, tried(with(closest->part), weight)->difference, level_);
    for (Beyond& each : found) {
      const auto trial = tried(with(each.part), finer);
      each.left = trial ? total(square_sums(record_, trial->difference, finer)) : infinity;
    }
    const Beyond* plainest = nullptr;
    for (const Beyond& each : found) {
      const double more = std::max(1.0, closest->sizes - each.sizes);
      if ((each.left - closest->left) / closest->left * numbers <= by_luck(more) &&
          (!plainest || each.sizes < plainest->sizes))
        plainest = &each;
    }
    if (plainest) out.best = plainest->part, out.share = plainest->share;
  }
  out.is_noise = !out.best && numbers >= 2 * fewest_numbers && correlation < largest_correlation;
  return out;
}

}  // namespace torsor
