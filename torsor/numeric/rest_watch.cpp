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
constexpr long long fewest = 4;  // samples from one rest to the next: less is a step
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
    return !(x < whole) || std::abs(x - std::floor(x + 0.5)) <= number_rounding * x;
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
      largest_(channels),
      past_(channels) {
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

bool RestWatch::within_digit(std::size_t i, std::size_t channel) const {
  const double last = t_.back();
  if (!(last - first_ >= 2 * reach_ * (1 - slack))) return false;
  // one window of the same length everywhere, moved inwards at the ends
  const double from = std::max(first_, std::min(t_[i] - reach_, last - 2 * reach_)) + slack * reach_,
               to = std::min(last, std::max(t_[i] + reach_, first_ + 2 * reach_)) + slack * reach_;
  if (within_[at(i, channel)] > from) return false;  // it moved before: the usual case
  const auto end = static_cast<std::size_t>(std::upper_bound(t_.begin(), t_.end(), to) - t_.begin()) - 1;
  return within_[at(std::max(end, i), channel)] <= from;
}

/// The last of those held in the stretch of equal values that sample i is in.
std::size_t RestWatch::last_same(std::size_t i, std::size_t channel) const {
  const double since = same_[at(i, channel)];
  if (i + 1 == t_.size() || same_[at(i + 1, channel)] != since) return i;  // the usual case
  std::size_t low = i + 1, high = t_.size();  // those that began later come later
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (same_[at(middle, channel)] == since ? low : high) = middle;
  }
  return low;
}

/// Whether a stretch of equal values begins with the end of a motion, which is more than a digit.
bool RestWatch::starts_rest(std::size_t first, std::size_t channel) const {
  return within_[at(first, channel)] > std::max(first_, t_[first] - reach_) + slack * reach_ &&
         dropped_ + static_cast<long long>(first) - past_[channel].rested >= fewest;
}

bool RestWatch::ends_rest(std::size_t last, std::size_t channel) const {
  const auto after = std::upper_bound(t_.begin(), t_.end(), t_[last] + reach_ * (1 + slack)) - t_.begin();
  if (within_[at(static_cast<std::size_t>(after) - 1, channel)] <= t_[last]) return false;
  for (std::size_t k = last + 1; k < t_.size() && k < last + fewest; ++k)
    if (lasts(same_[at(k, channel)], last_same(k, channel))) return false;
  return true;
}

/// Whether sample i, the next in time, is in a rest of equal values.
bool RestWatch::rests(std::size_t i, std::size_t channel) {
  Past& past = past_[channel];
  const double since = same_[at(i, channel)];
  const std::size_t end = last_same(i, channel);
  if (since != past.since) {
    past.since = since;
    past.starts = lasts(since, end) && starts_rest(i, channel);
  }
  const bool open = end + 1 == t_.size();
  if (!lasts(since, end)) return since == first_ && open;
  past.rested = dropped_ + static_cast<long long>(end);
  const double near = reach_ * (1 - slack);
  return (since == first_ || past.starts || t_[i] - since >= near) &&
         (open || t_[end] - t_[i] >= near || ends_rest(end, channel));
}

void RestWatch::settle_channel(std::size_t channel, std::size_t count, std::span<double> s, std::span<double> sd,
                               std::span<double> sdd) {
  Past& past = past_[channel];
  const auto lack = [&](std::size_t i) {
    const std::size_t k = at(i, channel);
    return State{s[k] - y_[k], sd[k], sdd[k]};
  };
  std::size_t next = 0, looked = 0;  // the next rest: where it begins, or as far as there is none
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = at(i, channel);
    if (rests(i, channel)) {
      past.left = t_[i];
      past.lack = last_same(i, channel) == i ? lack(i) : State{};
      s[k] = y_[k];
      sd[k] = sdd[k] = 0;
      continue;
    }
    if (within_digit(i, channel)) sd[k] = 0;
    if (next <= i) next = 0;
    for (looked = std::max(looked, i + 1); next == 0 && looked < t_.size() && t_[looked] <= t_[i] + reach_; ++looked)
      if (same_[at(looked, channel)] == t_[looked] && lasts(t_[looked], last_same(looked, channel)) &&
          starts_rest(looked, channel))
        next = looked;
    const double gap = next > 0 ? t_[next] - past.left : reach_, length = std::min(gap, reach_);
    const auto take = [&](const State& e, double away, double way) {
      if (!(away < length)) return;
      const double u = away / length, v = way * e.sd * length, a = e.sdd * length * length, w = 1 - u;
      const double p = e.s * (1 + u * (3 + 6 * u)) + v * u * (1 + 3 * u) + a * u * u / 2;
      const double p1 = e.s * (3 + 12 * u) + v * (1 + 6 * u) + a * u, p2 = 12 * e.s + 6 * v + a;
      s[k] -= w * w * w * p;
      sd[k] -= way * w * w * (w * p1 - 3 * p) / length;
      sdd[k] -= w * (w * (w * p2 - 6 * p1) + 6 * p) / (length * length);
    };
    take(past.lack, t_[i] - past.left, 1);
    if (next > 0) take(lack(next), t_[next] - t_[i], -1);
  }
}

void RestWatch::settle(std::size_t count, std::span<double> s, std::span<double> sd, std::span<double> sdd) {
  for (std::size_t c = 0; c < channels_; ++c) settle_channel(c, count, s, sd, sdd);
}

void RestWatch::drop(std::size_t count) {
  const auto forget = [](std::vector<double>& from, std::size_t n) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n));
  };
  forget(t_, count);
  for (auto* each : {&y_, &within_, &same_}) forget(*each, count * channels_);
  dropped_ += static_cast<long long>(count);
  if (t_.empty()) past_.assign(channels_, {});
}

}  // namespace torsor
