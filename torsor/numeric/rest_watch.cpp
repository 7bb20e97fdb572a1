#include "torsor/numeric/rest_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

constexpr int most_decimals = 18;
constexpr double number_rounding = 4 * std::numeric_limits<double>::epsilon();

constexpr auto powers_of_ten = [] {
  std::array<double, most_decimals + 1> powers{};
  double power = 1;
  for (double& p : powers) p = power, power *= 10;
  return powers;
}();

}  // namespace

void LastDigit::see(double y) {
  // a number that has no digits left behind the grid lies on it
  const auto fits = [size = std::abs(y)](int decimals) {
    constexpr double whole = 0x1p52;  // from here on every number is
    const double x = size * powers_of_ten[static_cast<std::size_t>(decimals)];
    return !(x < whole) || std::abs(x - static_cast<double>(static_cast<std::int64_t>(x + 0.5))) <= number_rounding * x;
  };
  while (decimals_ < most_decimals && !fits(decimals_)) ++decimals_;
}

double LastDigit::unit() const {
  return decimals_ < most_decimals ? 1 / powers_of_ten[static_cast<std::size_t>(decimals_)] : 0;
}

RestWatch::RestWatch(std::size_t channels, double reach)
    : channels_(channels),
      reach_(reach),
      now_within_(channels),
      now_same_(channels),
      digit_(channels),
      unit_(channels),
      largest_(channels) {
  TORSOR_EXPECT(reach > 0);
}

void RestWatch::push(double t, std::span<const double> y) {
  TORSOR_EXPECT(y.size() == channels_ && (t_.empty() || t > t_.back()));
  if (t_.empty()) first_ = t;
  t_.push_back(t);
  y_.insert(y_.end(), y.begin(), y.end());
  for (std::size_t c = 0; c < channels_; ++c) {
    digit_[c].see(y[c]);
    largest_[c] = std::max(largest_[c], std::abs(y[c]));
    const double unit = digit_[c].unit(), rounding = number_rounding * largest_[c],
                 allowed = unit * (1 + 1e-9) + rounding;
    const bool finer = t_.size() > 1 && unit < unit_[c];
    unit_[c] = unit;
    if (t_.size() == 1) now_within_[c] = now_same_[c] = {y[c], y[c], t};
    // a digit more than before: what was within a unit may not be so any longer, at least of what is held
    if (finer) {
      now_within_[c] = {value(0, c), value(0, c), same_[c]};
      for (std::size_t k = 1; k + 1 < t_.size(); ++k) {
        extend(now_within_[c], k, c, allowed);
        within_[k * channels_ + c] = now_within_[c].since;
      }
    }
    extend(now_within_[c], t_.size() - 1, c, allowed);
    extend(now_same_[c], t_.size() - 1, c, rounding);
  }
  for (std::size_t c = 0; c < channels_; ++c) {
    within_.push_back(now_within_[c].since);
    same_.push_back(now_same_[c].since);
  }
}

// the sample joins the run of the one before, or those before it that fit begin another
void RestWatch::extend(Run& run, std::size_t i, std::size_t channel, double allowed) const {
  const auto join = [&](std::size_t k) {
    const double x = value(k, channel), low = std::min(run.low, x), high = std::max(run.high, x);
    if (high - low > allowed) return false;
    run.low = low;
    run.high = high;
    return true;
  };
  if (join(i)) return;
  run = {value(i, channel), value(i, channel), t_[i]};
  for (std::size_t k = i; k-- > 0 && join(k);) run.since = t_[k];
}

bool RestWatch::at_rest(std::size_t i, std::size_t channel, bool& same) const {
  const double last = t_.back();
  // one window of the same length everywhere, moved inwards at the ends; rounding of the times aside
  const double from = std::max(first_, std::min(t_[i] - reach_, last - 2 * reach_)),
               to = std::min(last, std::max(t_[i] + reach_, first_ + 2 * reach_)), slack = 1e-9 * reach_;
  same = false;
  if (within_[i * channels_ + channel] > from + slack) return false;  // it moved before: the usual case
  std::size_t end = static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end(), to + slack) - t_.begin()) - 1;
  end = std::max(end, i);
  const std::size_t at = end * channels_ + channel;
  same = same_[at] <= from + slack;
  return same || (last - first_ >= 2 * reach_ * (1 - 1e-9) && within_[at] <= from + slack);
}

void RestWatch::settle(std::size_t i, std::span<double> s, std::span<double> sd, std::span<double> sdd) const {
  for (std::size_t c = 0; c < channels_; ++c) {
    bool same = false;
    if (!at_rest(i, c, same)) continue;
    sd[c] = 0;
    if (!same) continue;
    s[c] = value(i, c);
    sdd[c] = 0;
  }
}

void RestWatch::drop(std::size_t count) {
  const auto forget = [](std::vector<double>& from, std::size_t n) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n));
  };
  forget(t_, count);
  for (auto* each : {&y_, &within_, &same_}) forget(*each, count * channels_);
}

}  // namespace torsor
