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
constexpr std::size_t limit_kinds = 4;

}  // namespace

double PassedLimit::share() const {
  if (kind == LimitKind::position) return 1 + std::abs(value - limit);
  return limit > 0 ? std::abs(value) / limit : std::numeric_limits<double>::infinity();
}

LimitWatch::LimitWatch(const Model<double>& model)
    : model_(&model),
      worst_(limit_kinds * static_cast<std::size_t>(model.nv)),
      beyond_(worst_.size()),
      range_(static_cast<std::size_t>(model.nv)),
      position_(static_cast<std::size_t>(model.nv), -1) {
  for (const Body<double>& body : model.bodies)
    if (body.nv == 1) position_[static_cast<std::size_t>(body.v)] = body.q;
}

void LimitWatch::see(LimitKind kind, int coordinate, double t, double value, double limit, double beyond) {
  const std::size_t at = static_cast<std::size_t>(kind) * range_.size() + static_cast<std::size_t>(coordinate);
  PassedLimit& worst = worst_[at];
  kept_ = false;
  if (worst.instants++ == 0) worst.first = t;
  if (worst.instants > 1 && !(beyond > beyond_[at])) return;
  beyond_[at] = beyond;
  worst = {kind, coordinate, value, limit, t, worst.first, worst.instants};
}

void LimitWatch::add(double t, std::span<const double> q, std::span<const double> qd, std::span<const double> tau) {
  TORSOR_EXPECT((q.empty() || q.size() == static_cast<std::size_t>(model_->nq)) &&
                (qd.empty() || qd.size() == range_.size()) && (tau.empty() || tau.size() == range_.size()));
  for (std::size_t k = 0; k < range_.size(); ++k) {
    const Limits& limits = model_->limits[k];
    const int v = static_cast<int>(k);
    if (!q.empty() && position_[k] >= 0) {
      const double x = q[static_cast<std::size_t>(position_[k])];
      SeenRange& range = range_[k];
      if (x < range.lowest) range.lowest = x, range.lowest_time = t;
      if (x > range.highest) range.highest = x, range.highest_time = t;
      const double limit = x < limits.lower ? limits.lower : limits.upper, beyond = x < limits.lower ? limit - x : x - limit;
      if (beyond > limit_touch * (1 + std::abs(limit))) see(LimitKind::position, v, t, x, limit, beyond);
    }
    const auto magnitude = [&](LimitKind kind, double x, double limit) {
      if (std::abs(x) > limit * (1 + limit_touch)) see(kind, v, t, x, limit, std::abs(x));
    };
    if (!qd.empty()) magnitude(LimitKind::velocity, qd[k], limits.velocity);
    if (!tau.empty()) magnitude(LimitKind::effort, tau[k], limits.effort);
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

std::string describe(const PassedLimit& passed, const Model<double>& model, std::string_view when, bool degrees) {
  const auto k = static_cast<std::size_t>(passed.coordinate);
  const CoordinateKind kind = velocity_kinds(model)[k];
  const std::string_view unit = passed.kind == LimitKind::effort     ? torque_unit(kind)
                                : passed.kind == LimitKind::position ? coordinate_unit(kind, 0, degrees)
                                                                     : coordinate_unit(kind, 1, degrees);
  const auto shown = [&](double x) { return in_unit(x, kind, degrees && passed.kind != LimitKind::effort); };
  std::string text = fmt::format("\"{}\": {} {:.6g} {}{}{} is beyond its limit {:.6g} {}", model.velocity_names[k],
                                 limit_name(passed.kind), shown(passed.value), unit, when.empty() ? "" : " ", when, shown(passed.limit), unit);
  if (passed.kind != LimitKind::position) return text + fmt::format(" ({:.0f} %)", 100 * passed.share());
  // the usual mistake
  if (degrees) return text;
  const double radians = passed.value * std::numbers::pi / 180;
  if (kind == CoordinateKind::angle && std::abs(passed.value) > 2 * std::numbers::pi &&
      radians >= model.limits[k].lower && radians <= model.limits[k].upper)
    text += "; positions are in radians, and in degrees it would be inside";
  return text;
}

}  // namespace torsor
