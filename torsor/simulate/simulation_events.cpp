// Events of a run: where inside the last step a mode ends, and what happens there. A step of order 8 is long enough to hold
// the end of a mode and its return, so that both its ends look innocent; what is asked is therefore whether a switch
// passes zero anywhere in the step (numeric/first_dip.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "torsor/numeric/first_dip.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/simulate/plant.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor {
namespace {

constexpr int least_degree = 3;                     // of the polynomial that stands for a switch in a step
constexpr int most_looks = highest_dip_degree + 1;  // places in a step at which events are looked for
constexpr int most_halvings = 4;  // of a step in which a switch that is no polynomial comes near zero

}  // namespace

std::span<double> Simulation::inside(double t) {
  if (t == t_)
    std::copy(y_.begin(), y_.end(), inside_.begin());
  else
    last_->inside(*plant_, t, inside_), plant_->normalise(inside_);
  return inside_;
}

/// The switches at an instant of the last step.
void Simulation::look(double t, std::span<double> g) { plant_->switching(t, inside(t), g); }

/// Looks into the last step; if a mode ended in it, the state goes back to there, and the mode changes.
std::optional<RunEnd> Simulation::find_events(double before) {
  if (g0_.empty()) return std::nullopt;
  const int count = static_cast<int>(g0_.size()), one_sided = plant_->one_sided();
  const bool coarse = last_ == coarse_.get();
  const double end = t_;
  // as many looks as the polynomial of the step has freedom, kept for each switch in a row, >= 0 while nothing happens
  const int n = coarse ? 1 : std::clamp(last_->inside_degree(), least_degree, highest_dip_degree);
  for (int look_at = 0; look_at <= n; ++look_at) {
    if (look_at > 0) look(look_at == n ? end : before + (end - before) * look_at / n, g1_);
    const auto& g = look_at == 0 ? g0_ : g1_;
    for (int i = 0; i < count; ++i)
      looks_[cell(i, most_looks, look_at)] = i >= one_sided && g0_[i] < 0 ? -g[i] : g[i];
  }
  int first = -1;
  double when = infinity;
  for (int i = 0; i < count; ++i) {
    const auto values =
        std::span<const double>(looks_).subspan(cell(i, most_looks, 0), static_cast<std::size_t>(n) + 1);
    const auto t = coarse ? (values.back() < 0 ? std::optional(end) : std::nullopt)
                          : passing(i, before, end, values, most_halvings);
    if (t && *t < when) when = *t, first = i;
  }
  if (first < 0) {
    std::swap(g0_, g1_);
    return std::nullopt;
  }
  const auto y = inside(when);
  std::copy(y.begin(), y.end(), y_.begin());
  last_->cut(*plant_, when, y_);
  t_ = when;
  show_passed(false);  // in the modes they were in
  return happen(first);
}

/// When a switch first passes zero in (a, b], with its values there at equal distances, >= 0 while nothing happens. A
/// switch that is no polynomial may pass zero where the polynomial through its values does not quite: it is looked at more
/// closely if that comes near.
std::optional<double> Simulation::passing(int which, double a, double b, std::span<const double> values, int halvings) {
  const int n = static_cast<int>(values.size()) - 1;
  const BernsteinCoefficients form = bernstein(values);
  const double least = *std::min_element(form.begin(), form.begin() + n + 1);
  double margin = 0;
  if (!plant_->follows_state(which)) {
    // the difference of order n
    double choose = 1;
    for (int k = 0; k <= n; choose = choose * (n - k) / (k + 1), ++k)
      margin += ((n - k) % 2 == 0 ? choose : -choose) * values[static_cast<std::size_t>(k)];
    margin = std::abs(margin);
  }
  if (least >= margin) return std::nullopt;

  const double sign = which >= plant_->one_sided() && g0_[which] < 0 ? -1 : 1;
  const auto value = [&](double t) { return look(t, g_), sign * g_[static_cast<std::size_t>(which)]; };
  const auto place = [&](double u) { return u == 1 ? b : a + (b - a) * u; };
  if (const auto dip = first_dip(values)) {
    const double from = place(dip->from), to = place(dip->to), below = value(to);
    if (below < 0) return crossing(which, sign, from, std::max(value(from), 0.0), to, below);
  } else if (margin == 0 && values.back() >= 0) {
    return std::nullopt;
  }
  if (halvings == 0) {
    if (!(values.back() < 0)) return std::nullopt;
    return crossing(which, sign, a, std::max(values.front(), 0.0), b, values.back());
  }
  // the two halves, each with as many looks
  std::array<double, most_looks> finer{};
  for (const double from : {a, (a + b) / 2}) {
    const double to = from == a ? (a + b) / 2 : b;
    for (int k = 0; k <= n; ++k)
      finer[static_cast<std::size_t>(k)] = value(k == n ? to : from + (to - from) * k / n);
    finer[0] = std::max(finer[0], 0.0);
    const std::span<const double> looked(finer.data(), static_cast<std::size_t>(n) + 1);
    if (const auto t = passing(which, from, to, looked, halvings - 1)) return t;
  }
  return std::nullopt;
}

/// The end of the shortest bracket of a change from sign g >= 0 to sign g < 0 in (a, b]: false position, kept inside, with
/// halving.
double Simulation::crossing(int which, double sign, double a, double ga, double b, double gb) {
  const double scale = std::max(std::abs(b), b - a);
  for (int k = 0; k < 200 && b - a > 2 * std::numeric_limits<double>::epsilon() * scale; ++k) {
    const double part = k % 3 == 2 || ga == gb ? 0.5 : std::clamp(ga / (ga - gb), 1e-3, 1 - 1e-3);
    const double c = a + (b - a) * part;
    if (!(c > a && c < b)) break;
    look(c, g_);
    const double g = sign * g_[static_cast<std::size_t>(which)];
    (g >= 0 ? a : b) = c;
    (g >= 0 ? ga : gb) = g;
  }
  return b;
}

/// The mode behind one of the switches has ended.
std::optional<RunEnd> Simulation::happen(int which) {
  const int dry = 2 * static_cast<int>(plant_->dry.coordinates().size());
  if (which < dry) {
    if (plant_->dry.mode(which / 2) != 0) plant_->stop(plant_->dry.coordinates()[which / 2], y_);
  } else if (which < plant_->one_sided()) {
    JointStop& s = plant_->stops.all()[(which - dry) / 2];
    const bool second = (which - dry) % 2 != 0;
    if (rules_.stops == Stops::error) return RunEnd{EndKind::at_limit, t_, s.v};
    if (s.side == 0) {
      plant_->touch(s, second ? 1 : -1, y_);
      tell(EventKind::touches_stop, s.v, s.side);
    } else if (second) {
      s.pushes = !s.pushes;
    } else {
      tell(EventKind::leaves_stop, s.v, std::exchange(s.side, 0));
    }
  } else {
    tell(EventKind::switches, which - plant_->one_sided(), 0);
  }
  settle();
  return std::nullopt;
}

/// After a jump: the modes of friction that fit, and nothing remembered of the steps before.
void Simulation::settle() {
  std::copy(plant_->dry.modes().begin(), plant_->dry.modes().end(), modes_.begin());
  if (!modes_.empty()) plant_->settle(t_, y_);
  if (!g0_.empty()) plant_->switching(t_, y_, g0_);
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const int mode = plant_->dry.mode(i);
    if (mode != modes_[i]) tell(mode == 0 ? EventKind::sticks : EventKind::slides, plant_->dry.coordinates()[i], mode);
  }
  integrator_->restart();
}

void Simulation::tell(EventKind kind, int coordinate, int direction) {
  ++events_;
  if (!observer_) return;
  show(t_, y_);
  shown_ = false;
  observer_->event(*this, {t_, kind, coordinate, direction});
}

}  // namespace torsor
