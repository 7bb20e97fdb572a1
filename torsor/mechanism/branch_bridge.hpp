// Over a branch point, where velocities and accelerations of a driven mechanism cannot be had from its equations: what holds
// between instants on both sides of it.
#pragma once

#include <array>
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

  /// When the determinant vanishes, between the two in the middle.
  double when() const {
    double low = states[count / 2 - 1].t, high = states[count / 2].t;
    const auto value = [&](double t) { return at(t, [&](std::size_t k) { return det[k]; }); };
    for (int half = 0; half < 60; ++half) {
      const double middle = (low + high) / 2;
      ((value(middle) > 0) == (det[count / 2] > 0) ? high : low) = middle;
    }
    return (low + high) / 2;
  }
};

}  // namespace torsor
