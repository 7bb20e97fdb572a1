#include "torsor/dynamics/limit_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/expect.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

constexpr double limit_touch = 1e-9;  // what is reached on purpose is not passed
constexpr double mean_touch = 1e-6;   // nor by a mean, which has the errors of both rows over a short time
constexpr double mean_above = 1.01;   // of what rows beyond a limit have: less is not worth telling instead of it
constexpr double at_rest = 1e-9;      // of the greatest speed so far
constexpr std::size_t limit_kinds = 5;
constexpr LimitKind mean_kinds[] = {LimitKind::velocity, LimitKind::acceleration, LimitKind::jerk};
constexpr double coarsest[] = {0.01, 0.1, 1};  // units of last digits of q, qd, qdd

}  // namespace

double PassedLimit::share() const {
  if (kind == LimitKind::position) return 1 + std::abs(value - limit);
  return limit > 0 ? std::abs(value) / limit : std::numeric_limits<double>::infinity();
}

LimitWatch::LimitWatch(const Model<double>& model, double least_step)
    : model_(&model),
      worst_(limit_kinds * static_cast<std::size_t>(model.nv)),
      beyond_(worst_.size()),
      range_(static_cast<std::size_t>(model.nv)),
      position_(static_cast<std::size_t>(model.nv), -1),
      turns_(position_.size()),
      peak_(worst_.size()),
      mean_(worst_.size()),
      last_(worst_.size()) {
  for (const Body<double>& body : model.bodies) {
    if (body.nv != 1 || position_[static_cast<std::size_t>(body.v)] >= 0) continue;
    position_[static_cast<std::size_t>(body.v)] = body.q;
    turns_[static_cast<std::size_t>(body.v)] = body.kind == JointKind::revolute;
  }
  // what no limit asks for is not looked at from row to row
  for (int k = 0; k < model.nv; ++k) {
    const Limits& limits = model.limits[static_cast<std::size_t>(k)];
    if (std::isfinite(limits.velocity) && position_[static_cast<std::size_t>(k)] >= 0) stepped_[0].push_back(k);
    if (std::isfinite(std::max(limits.acceleration, slowing_limit(limits)))) stepped_[1].push_back(k);
    if (std::isfinite(limits.jerk)) stepped_[2].push_back(k);
  }
  for (int order = 0; order < 3; ++order) {
    std::vector<std::size_t> entries;
    for (const int k : stepped_[order])
      entries.push_back(static_cast<std::size_t>(order == 0 ? position_[static_cast<std::size_t>(k)] : k));
    rates_.emplace_back(std::move(entries), coarsest[order], least_step);
  }
}

void LimitWatch::see(LimitKind kind, int coordinate, double t, double value, double limit, double beyond,
                     std::optional<double> mean_from) {
  const std::size_t place = at(kind, coordinate);
  PassedLimit& worst = worst_[place];
  kept_ = false;
  if (worst.instants++ == 0) worst.first = t;
  if (worst.instants > 1 && !(beyond > beyond_[place])) return;
  beyond_[place] = beyond;
  worst = {kind, coordinate, value, limit, t, worst.first, worst.instants};
  worst.mean_from = mean_from;
}

void LimitWatch::find_means(double t, const SeenInstant& now) {
  constexpr double turn = 2 * std::numbers::pi;
  const std::span<const double> parts[] = {now.q, now.qd, now.qdd};
  for (std::size_t order = 0; order < 3; ++order) {
    MeanRates& rates = rates_[order];
    for (const int k : stepped_[order]) mean_[at(mean_kinds[order], k)] = {};
    if (parts[order].empty()) continue;
    if (now.alone) {
      rates.forget();
      continue;
    }
    rates.add(t, parts[order], [&](std::size_t column, double before, double after) {
      const int k = stepped_[order][column];
      const Limits& limits = model_->limits[static_cast<std::size_t>(k)];
      const auto inside = [&limits](double x) { return x >= limits.lower && x <= limits.upper; };
      double change = after - before;
      // an angle may come back by whole turns, unless its range has no room for that
      if (order == 0 && turns_[static_cast<std::size_t>(k)] &&
          !(limits.upper - limits.lower < turn && inside(before) && inside(after)))
        change = std::remainder(change, turn);
      mean_[at(mean_kinds[order], k)] = {change / std::abs(t - rates.from()), rates.least_rate(column, change),
                                         rates.from()};
    });
  }
}

double LimitWatch::acceleration_limit(int coordinate, std::optional<double> speed, double acceleration) const {
  const Limits& limits = model_->limits[static_cast<std::size_t>(coordinate)];
  const double fastest = std::abs(peak(LimitKind::velocity, coordinate).value);
  if (!speed || !(std::abs(*speed) > at_rest * fastest)) return std::max(limits.acceleration, slowing_limit(limits));
  return *speed * acceleration < 0 ? slowing_limit(limits) : limits.acceleration;
}

void LimitWatch::see_magnitude(LimitKind kind, int coordinate, double t, std::optional<double> value, double limit) {
  const std::size_t place = at(kind, coordinate);
  const Mean mean = mean_[place];
  const double x = value.value_or(0), rows = std::max(std::abs(x), std::abs(last_[place]));
  if (value) last_[place] = x;
  const auto peaks = [&, &peak = peak_[place]](double y) {
    if (std::abs(y) > std::abs(peak.value)) peak.value = y, peak.time = t;
    const double share = y == 0 ? 0 : std::abs(y) / limit;
    if (share > peak.share) peak.share = share, peak.share_time = t;
  };
  peaks(x);
  if (kind == LimitKind::jerk) peaks(mean.least);
  const double bound = limit * (1 + limit_touch);
  if (std::abs(mean.least) > limit * (1 + mean_touch) && (rows <= bound || std::abs(mean.least) > mean_above * rows)) {
    peaks(mean.value);
    see(kind, coordinate, t, mean.value, limit, std::abs(mean.value) - limit, mean.from);
  } else if (std::abs(x) > bound) {
    see(kind, coordinate, t, x, limit, std::abs(x) - limit);
  }
}

void LimitWatch::add(double t, const SeenInstant& now) {
  const auto [q, qd, qdd, tau, alone] = now;
  TORSOR_EXPECT((q.empty() || q.size() == static_cast<std::size_t>(model_->nq)) &&
                (qd.empty() || qd.size() == range_.size()) && (qdd.empty() || qdd.size() == range_.size()) &&
                (tau.empty() || tau.size() == range_.size()));
  find_means(t, now);
  for (std::size_t k = 0; k < range_.size(); ++k) {
    const Limits& limits = model_->limits[k];
    const int v = static_cast<int>(k);
    if (!q.empty() && position_[k] >= 0) {
      const double x = q[static_cast<std::size_t>(position_[k])];
      SeenRange& range = range_[k];
      if (x < range.lowest) range.lowest = x, range.lowest_time = t;
      if (x > range.highest) range.highest = x, range.highest_time = t;
      const double limit = x < limits.lower ? limits.lower : limits.upper,
                   beyond = x < limits.lower ? limit - x : x - limit;
      if (beyond > limit_touch * (1 + std::abs(limit))) see(LimitKind::position, v, t, x, limit, beyond);
    }
    const auto entry = [k](std::span<const double> of) { return of.empty() ? std::nullopt : std::optional(of[k]); };
    see_magnitude(LimitKind::velocity, v, t, entry(qd), limits.velocity);
    const bool mean = qdd.empty() || std::abs(mean_[at(LimitKind::acceleration, v)].least) > std::abs(qdd[k]);
    see_magnitude(LimitKind::acceleration, v, t, entry(qdd),
                  acceleration_limit(v, mean ? std::nullopt : entry(qd), mean ? 0 : qdd[k]));
    see_magnitude(LimitKind::jerk, v, t, std::nullopt, limits.jerk);
    if (!tau.empty()) see_magnitude(LimitKind::effort, v, t, tau[k], limits.effort);
  }
}

std::vector<PassedLimit> LimitWatch::passed(InstantsBy by) const {
  std::vector<PassedLimit> all;
  for (const PassedLimit& each : worst_) {
    if (each.instants == 0) continue;
    all.push_back(each);
    all.back().joint = model_->velocity_names[static_cast<std::size_t>(each.coordinate)];
    all.back().by = by;
  }
  std::ranges::stable_sort(all, [](const PassedLimit& a, const PassedLimit& b) {
    return a.kind != b.kind ? a.kind > b.kind : a.share() > b.share();
  });
  return all;
}

std::vector<PassedLimit> in_degrees(std::vector<PassedLimit> passed, const Model<double>& model) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (PassedLimit& each : passed) {
    if (each.kind == LimitKind::effort) continue;
    const CoordinateKind kind = kinds[static_cast<std::size_t>(each.coordinate)];
    each.value = in_unit(each.value, kind, true);
    each.limit = in_unit(each.limit, kind, true);
  }
  return passed;
}

std::string_view limit_unit(LimitKind kind, CoordinateKind of, bool degrees) {
  switch (kind) {
    case LimitKind::effort: return torque_unit(of);
    case LimitKind::position: return coordinate_unit(of, 0, degrees);
    case LimitKind::velocity: return coordinate_unit(of, 1, degrees);
    case LimitKind::acceleration: return coordinate_unit(of, 2, degrees);
    case LimitKind::jerk: return coordinate_unit(of, 3, degrees);
  }
  return "";
}

std::string describe(const PassedLimit& passed, const Model<double>& model, std::string_view when, bool degrees) {
  const auto k = static_cast<std::size_t>(passed.coordinate);
  const CoordinateKind kind = velocity_kinds(model)[k];
  const std::string_view unit = limit_unit(passed.kind, kind, degrees);
  const auto shown = [&](double x) { return in_unit(x, kind, degrees && passed.kind != LimitKind::effort); };
  const std::string text = fmt::format("\"{}\": {} {:.6g} {}{}{} is beyond its limit {:.6g} {}",
                                       model.velocity_names[k], limit_name(passed.kind), shown(passed.value), unit,
                                       when.empty() ? "" : " ", when, shown(passed.limit), unit);
  return passed.kind == LimitKind::position
             ? text
             : text + fmt::format(" ({:.{}f} %)", 100 * passed.share(), passed.share() < 1.005 ? 2 : 0);
}

}  // namespace torsor
