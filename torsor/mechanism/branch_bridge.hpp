// Over a branch point, where velocities and accelerations of a driven mechanism cannot be had from its equations: what holds
// between instants on both sides of it.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// States at six equal distances in time about a branch point, none so near to it that its velocities are uncertain; in
/// between holds the polynomial through all of them.
struct BranchBridge {
  static constexpr std::size_t count = 6;
  std::array<MechanismState, count> states;
  std::array<std::vector<Motion<double>>, count> A;
  std::array<double, count> det;

  double from() const { return states.front().t; }
  double to() const { return states.back().t; }

  template <class Of>
  auto at(double t, const Of& of) const {
    const double x = (t - from()) / (to() - from()) * (count - 1);
    std::array<double, count> weight;
    for (std::size_t k = 0; k < count; ++k) {
      weight[k] = 1;
      for (std::size_t i = 0; i < count; ++i)
        if (i != k) weight[k] *= (x - static_cast<double>(i)) / (static_cast<double>(k) - static_cast<double>(i));
    }
    auto sum = of(0) * weight[0];
    for (std::size_t k = 1; k < count; ++k) sum = sum + of(k) * weight[k];
    return sum;
  }

  /// Everything at t; the state is to be closed once more, and the angles counted.
  void read(double t, MechanismState& state, std::vector<Motion<double>>& a) const {
    state = states[count / 2];
    state.t = t;
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const auto of = [&](const auto& part) { return at(t, [&](std::size_t k) { return part(states[k].bodies[b]); }); };
      BodyState& body = state.bodies[b];
      const Quaternion<double> near = body.p;
      body.r = of([](const BodyState& x) { return x.r; });
      body.v = of([](const BodyState& x) { return x.v; });
      body.w = of([](const BodyState& x) { return x.w; });
      body.p = normalized(Quaternion<double>{of([&](const BodyState& x) { return nearer(x.p, near).e0; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e1; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e2; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e3; })});
      a[b] = at(t, [&](std::size_t k) { return A[k][b]; });
    }
  }

  /// When the determinant vanishes: where it changes its sign between the two in the middle, or is least between their
  /// neighbours, where two branches touch.
  double when() const {
    const auto value = [&](double t) { return at(t, [&](std::size_t k) { return det[k]; }); };
    const std::size_t before = count / 2 - 1, after = count / 2;
    const bool changes = (det[before] > 0) != (det[after] > 0);
    double low = states[changes ? before : before - 1].t, high = states[changes ? after : after + 1].t;
    for (int round = 0; round < 80; ++round) {
      const double third = (high - low) / 3;
      if (changes)
        ((value(low + third) > 0) == (det[after] > 0) ? high : low) = low + third;
      else
        (value(low + third) < value(high - third)) == (det[after] > 0) ? high -= third : low += third;
    }
    return (low + high) / 2;
  }
};

}  // namespace torsor
