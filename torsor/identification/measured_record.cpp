#include "torsor/identification/measured_record.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

constexpr double coarsest = 0.05;  // no digits hide more than this of a joint's size

/// What a tool writes once the sizes of its additions are known.
Numbers total(const OtherTorques& torques, const Numbers& p) {
  Numbers tau = torques.tau;
  for (std::size_t j = 0; j < p.size(); ++j)
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += p[j] * torques.columns[j][k];
  return tau;
}

RecordScale scale_of(const std::vector<TorqueSample>& rows) {
  RecordScale scale(rows.front().tau.size());
  for (const TorqueSample& sample : rows) scale.add(sample);
  return scale;
}

}  // namespace

void RecordScale::add(const TorqueSample& sample) {
  ++rows_;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const double x : sample.*groups[g]) inputs_[g].add(x);
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    torques_[i].add(sample.tau[i]);
    squares_[i] += sample.tau[i] * sample.tau[i];
  }
}

Numbers RecordScale::size() const {
  Numbers size = squares_;
  double largest = 0;
  for (double& s : size) largest = std::max(largest, s = std::sqrt(s / static_cast<double>(rows_)));
  for (double& s : size) s = std::max(s, largest > 0 ? 1e-6 * largest : 1);
  return size;
}

MeasuredRecord::MeasuredRecord(const std::vector<TorqueSample>& rows, double level)
    : MeasuredRecord(rows, scale_of(rows), level) {}

MeasuredRecord::MeasuredRecord(std::vector<TorqueSample> rows, RecordScale scale, double level)
    : samples(std::move(rows)),
      n(samples.front().tau.size()),
      size(scale.size()),
      level_(level),
      scale_(std::move(scale)) {
  for (const TorqueSample& sample : samples) tau.insert(tau.end(), sample.tau.begin(), sample.tau.end());
}

Numbers MeasuredRecord::worst(const Numbers& difference) const {
  Numbers w(n, 0.0);
  for (std::size_t k = 0; k < difference.size(); ++k)
    w[joint_of(k)] = std::isnan(difference[k]) ? INFINITY : std::max(w[joint_of(k)], std::abs(difference[k]));
  return w;
}

Numbers MeasuredRecord::bounds(const OtherTool& tool, const Numbers& p) const {
  Numbers bound = hidden_by_digits(tool, p);
  for (std::size_t i = 0; i < n; ++i) bound[i] = std::max(level_ * size[i], std::min(3 * bound[i], coarsest * size[i]));
  return bound;
}

bool MeasuredRecord::within_bounds(const Numbers& off, const OtherTool& tool, const Numbers& p) const {
  bool within = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(off[i] <= std::max(level_, coarsest) * size[i])) return false;
    within = within && off[i] <= level_ * size[i];
  }
  if (within) return true;
  const Numbers bound = bounds(tool, p);
  for (std::size_t i = 0; i < n; ++i)
    if (!(off[i] <= bound[i])) return false;
  return true;
}

/// Largest change of each joint's torque as the numbers move within their last digit.
Numbers MeasuredRecord::hidden_by_digits(const OtherTool& tool, const Numbers& p) const {
  constexpr int draws = 3;
  Numbers hidden(n, 0.0);
  for (const TorqueSample& sample : samples)
    for (std::size_t i = 0; i < n; ++i) hidden[i] = std::max(hidden[i], scale_.torques()[i].half_unit(sample.tau[i]));
  const auto base = other_torques(tool, samples);
  if (!base) return hidden;
  const Numbers unmoved = total(*base, p);
  std::mt19937_64 engine(1);
  Numbers moved_by(n, 0.0);
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<TorqueSample> moved = samples;
    for (TorqueSample& sample : moved)
      for (std::size_t g = 0; g < RecordScale::groups.size(); ++g)
        if (!round_numbers(scale_.inputs(g)))
          for (double& x : sample.*RecordScale::groups[g])
            // a joint at rest stays so: dry friction would jump
            if (x != 0) x += scale_.inputs(g).half_unit(x) * (2 * uniform(engine) - 1);
    const auto changed = other_torques(tool, moved);
    Numbers difference = total(*changed, p);
    for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= unmoved[k];
    const Numbers w = worst(difference);
    for (std::size_t i = 0; i < n; ++i) moved_by[i] = std::max(moved_by[i], w[i]);
  }
  for (std::size_t i = 0; i < n; ++i) hidden[i] += moved_by[i];
  return hidden;
}

/// Fewer digits at the input than the torques have mean round numbers, not rounded ones.
bool MeasuredRecord::round_numbers(const PrintedDigits& input) const {
  int most = 0;
  for (const PrintedDigits& effort : scale_.torques()) most = std::max(most, effort.significant());
  return input.significant() < 4 && input.significant() + 1 < most;
}

}  // namespace torsor
