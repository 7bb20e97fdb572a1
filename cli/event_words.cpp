#include "cli/event_words.hpp"

#include <fmt/format.h>

namespace torsor {
namespace {

/// A tolerance near rounding shortens steps without end as a jumping effort does.
constexpr double near_rounding = 1e-13;

}  // namespace

std::string event_words(const Event& e, const Simulation& s) {
  const Model<double>& model = s.model();
  if (e.kind == EventKind::chatters)
    return s.rules().steps.relative < near_rounding
               ? "steps held at the shortest: the tolerance is near rounding, a looser one goes faster"
               : "steps held at the shortest: an effort or force jumps to and fro with the state";
  std::string name = e.kind == EventKind::switches ? fmt::format("switch {}", e.coordinate + 1)
                     : e.coordinate >= 0           ? model.velocity_names[e.coordinate]
                                                   : std::string();
  const char* side = e.direction > 0 ? "upper" : "lower";
  switch (e.kind) {
    case EventKind::sticks: return name + " sticks";
    case EventKind::slides: return fmt::format("{} slides {}", name, e.direction > 0 ? "forwards" : "backwards");
    case EventKind::touches_stop: return fmt::format("{} touches its {} stop", name, side);
    case EventKind::leaves_stop: return fmt::format("{} leaves its {} stop", name, side);
    case EventKind::switches: return name;
    case EventKind::chatters: break;
  }
  return name;
}

}  // namespace torsor
