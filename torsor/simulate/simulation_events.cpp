// Events of a run: where inside the last step a mode ends (numeric/switch_search.hpp), and what happens there.
#include <algorithm>
#include <utility>

#include "torsor/numeric/switch_search.hpp"
#include "torsor/simulate/plant.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor {

std::span<double> Simulation::inside(double t) {
  if (t == t_)
    std::copy(y_.begin(), y_.end(), inside_.begin());
  else
    last_->inside(*plant_, t, inside_), plant_->normalise(inside_);
  return inside_;
}

/// Looks into the last step; if a mode ended in it, the state goes back to there, and the mode changes.
std::optional<RunEnd> Simulation::find_events(double before) {
  const SwitchedStep step{before, t_, last_->inside_degree(), last_ == coarse_.get(), plant_->one_sided()};
  const auto passed = switches_->first(
      step, [this](double t, std::span<double> g) { plant_->switching(t, inside(t), g); },
      [this](int which) { return plant_->follows_state(which); });
  if (!passed) return std::nullopt;
  const auto y = inside(passed->t);
  std::copy(y.begin(), y.end(), y_.begin());
  last_->cut(*plant_, passed->t, y_);
  t_ = passed->t;
  show_passed(false);  // in the modes they were in
  return happen(passed->which);
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
  if (!switches_->empty()) plant_->switching(t_, y_, switches_->at_start());
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
