// The three terms of the equations of motion against each other: how much of an torque is inertia, D qdd, how much is due
// to velocities, C(q, qd), and how much to gravity, G(q). At a state, and over states drawn inside the limits of position,
// speed and acceleration. Files give no limits of acceleration: without others, a joint reaches its speed in half a second.
#pragma once

#include <cstdint>

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/structure/spread.hpp"

namespace torsor {

/// Per coordinate, with their signs.
struct TorqueSplit {
  std::vector<double> inertia, velocity, gravity;
};

/// From D (n x n), c (c_jm(i) at [(i n + j) n + m]) and G (n) at velocities and accelerations (n each).
TorqueSplit torque_split(std::span<const double> D, std::span<const double> c, std::span<const double> G,
                         std::span<const double> qd, std::span<const double> qdd);

/// At a state of a robot of joints with one degree of freedom; friction and loads are left out.
TorqueSplit torque_split_at(const Model<double>&, std::span<const double> q, std::span<const double> qd,
                            std::span<const double> qdd);

/// The magnitudes of the terms, per coordinate.
struct TermSizes {
  std::vector<Spread> inertia, velocity, gravity;
};

/// Largest speeds and accelerations, per coordinate, both ways.
struct RateLimits {
  std::vector<double> speed, acceleration;
};

/// The speeds that the model allows, 2 rad/s and 1 m/s where it says nothing; accelerations that reach them in half a second.
RateLimits usual_rate_limits(const Model<double>&);

/// Over random states: positions inside the limits, rates uniform inside theirs. The same seed draws the same states.
TermSizes workspace_term_sizes(const Model<double>&, const RateLimits&, int states, std::uint64_t seed);

/// Takes the terms of state after state.
class TermGather {
 public:
  explicit TermGather(int n) : inertia_(static_cast<std::size_t>(n)), velocity_(inertia_), gravity_(inertia_) {}
  void see(const TorqueSplit& terms, int state);
  TermSizes sizes() const;

 private:
  std::vector<SpreadGather> inertia_, velocity_, gravity_;
};

}  // namespace torsor
