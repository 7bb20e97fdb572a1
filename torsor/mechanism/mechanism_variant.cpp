#include "torsor/mechanism/mechanism_variant.hpp"

namespace torsor {

Mechanism held_at(const Mechanism& m, double t) {
  Mechanism held = m;
  const auto hold = [t](TimeFunction& f) {
    if (f) f = constant_in_time(f(t).f);
  };
  for (MechanismDriver& driver : held.description.drivers) hold(driver.function);
  for (MechanismCarrier& carrier : held.description.carriers) {
    for (TimeFunction& f : carrier.position) hold(f);
    for (MechanismCarrier::Turn& turn : carrier.turns) hold(turn.angle);
  }
  return held;
}

Mechanism without_rolling(const Mechanism& m) {
  Mechanism slides = m;
  slides.rows = 0;
  std::size_t gradients = 0;
  for (ConstraintBlock& block : slides.blocks) {
    block.rows -= block.velocity_only;
    block.velocity_only = 0;
    block.first_row = slides.rows;
    block.first_gradient = gradients;
    slides.rows += block.rows;
    gradients += block.bodies.size() * static_cast<std::size_t>(block.rows) * 6;
  }
  set_row_units(slides);
  return slides;
}

}  // namespace torsor
