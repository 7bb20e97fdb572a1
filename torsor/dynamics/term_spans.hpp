// Where the terms of the equations of motion go: row-major nv x nv matrices, nv torques each; see fast/terms.hpp.
#pragma once

#include <span>

#include "torsor/dynamics/energy.hpp"

namespace torsor {

struct TermSpans {
  std::span<double> M, C, gravity, friction, load, bias, tau;
  std::span<Force<double>> reactions;  // what the parent exerts on each body through its joint, in body frames
  Energy<double>& energy;
};

}  // namespace torsor
