// Positions drawn at random inside the joint limits, the same ones for the same seed on every machine (the
// distributions of the standard library differ between implementations, its engines do not).
#pragma once

#include <numbers>
#include <random>

#include "torsor/model/configuration.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

/// Uniform in [0, 1), 53 bits.
inline double uniform(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11U) * 0x1p-53; }

/// Bounds of each position coordinate for a draw (model.nq of them): the limits; where a joint has none, half a turn or
/// one metre to either side; -1 and 1 for the four numbers of a quaternion.
inline std::vector<Limits> position_bounds(const Model<double>& model) {
  std::vector<Limits> bounds;
  for (const CoordinateKind kind : position_kinds(model)) {
    const double size = kind == CoordinateKind::angle ? std::numbers::pi : 1;
    bounds.push_back({-size, size});
  }
  for (const Body<double>& b : model.bodies) {
    if (row(b.kind).nv != 1) continue;
    const Limits& given = model.limits[b.v];
    const bool low = given.lower > -infinity, high = given.upper < infinity;
    // a single limit still leaves an interval of the usual size
    const double size = bounds[b.q].upper;
    if (low || high)
      bounds[b.q] = {low ? given.lower : given.upper - 2 * size, high ? given.upper : given.lower + 2 * size};
  }
  return bounds;
}

/// A position inside the bounds; quaternions are uniform over all rotations.
inline std::vector<double> random_position(const Model<double>& model, std::mt19937_64& engine) {
  std::vector<double> q;
  for (const Limits& bound : position_bounds(model))
    q.push_back(bound.lower + (bound.upper - bound.lower) * uniform(engine));
  for (const Body<double>& b : model.bodies) {
    if (row(b.kind).nq < 4) continue;
    // Shoemake 1992: three uniform numbers, one unit quaternion
    const double u = uniform(engine), v = 2 * std::numbers::pi * uniform(engine),
                 w = 2 * std::numbers::pi * uniform(engine);
    const double near = sqrt(1 - u), far = sqrt(u);
    q[b.q] = far * cos(w);
    q[b.q + 1] = near * sin(v);
    q[b.q + 2] = near * cos(v);
    q[b.q + 3] = far * sin(w);
  }
  return q;
}

}  // namespace torsor
