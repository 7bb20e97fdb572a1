// Rows whose robots and loads differ, drawn at random.
#pragma once

#include "tests/support/random_robot.hpp"
#include "torsor/row_dynamics.hpp"

namespace torsor::testing {

/// Numbers of robots like this one: each link heavier or lighter by up to a half, with a payload somewhere, and joints
/// that sit elsewhere and are turned.
struct DrawnRobots {
  DrawnRobots(Random& random, const Model<double>& model, std::int64_t many) : count(many) {
    for (std::int64_t k = 0; k < many; ++k) {
      for (const Body<double>& b : model.bodies) {
        const double scale = random.uniform(0.5, 1.5);
        Inertia<double> own{b.inertia.m * scale, b.inertia.h * scale, b.inertia.I * scale};
        if (random.chance(0.5))
          own += Transform<double>::translation(random.vector(0.3)) * Inertia<double>{random.uniform(0, 1), {}, {}};
        inertias.push_back(own);
        placements.push_back(b.placement * random.transform(0.2));
      }
      for (int v = 0; v < model.nv; ++v)
        rotors.push_back(model.rotor[static_cast<std::size_t>(v)] + random.uniform(0, 0.1));
      for (int part = 0; part < 3; ++part)
        for (int v = 0; v < model.nv; ++v) {
          const bool of_one =
              std::ranges::any_of(model.bodies, [v](const Body<double>& b) { return b.nv == 1 && b.v == v; });
          friction.push_back(of_one ? random.uniform(0, 1) : 0);
        }
    }
  }
  /// With their own lengths, or those of the model.
  RobotsOfRows all(bool lengths = false) const {
    RobotsOfRows out{count, inertias, rotors, friction};
    if (lengths) out.placements = placements;
    return out;
  }
  std::int64_t count;
  std::vector<Inertia<double>> inertias;
  Numbers rotors, friction;
  std::vector<Transform<double>> placements;
};

/// States and what acts on each, in rows some numbers apart.
struct DrawnRows {
  DrawnRows(Random& random, const Model<double>& model, int count, int gap) : bodies(6 * model.size()), gaps(gap) {
    for (int k = 0; k < count; ++k) {
      const State s = random_state(random, model);
      const auto append = [gap](Numbers& to, const Numbers& row) {
        to.insert(to.end(), row.begin(), row.end());
        to.resize(to.size() + static_cast<std::size_t>(gap), 7.0);
      };
      append(q, s.q);
      append(qd, s.qd);
      append(a, random.numbers(model.nv, 4));
      append(gravity, random.numbers(3, 10));
      append(base, random.numbers(9, 1));
      append(wrench, random.numbers(6, 5));
      append(external, random.numbers(bodies, 5));
    }
  }
  StateRows<const double> rows(const Numbers& x, int width) const { return {x.data(), width + gaps}; }
  View row(const Numbers& x, int k, int width) const {
    return View(x).subspan(static_cast<std::size_t>(k * (width + gaps)), static_cast<std::size_t>(width));
  }
  LoadsOfRows loads(int which, const Frame<double>& frame) const {
    LoadsOfRows out;
    if (which & 1) out.gravity = rows(gravity, 3);
    if (which & 2) out.base = rows(base, 9);
    if (which & 4) out.wrench = rows(wrench, 6), out.frame = frame;
    if (which & 8) out.external = rows(external, bodies);
    return out;
  }
  /// The same on one model and its loads.
  void put(int which, int k, const Frame<double>& frame, Model<double>& on, Loads& loads) const {
    const auto vector = [](View x, std::size_t i) { return Vec3<double>{x[i], x[i + 1], x[i + 2]}; };
    loads = {};
    if (which & 1) on.gravity = vector(row(gravity, k, 3), 0);
    if (which & 2) {
      const View x = row(base, k, 9);
      loads.base = {vector(x, 0), vector(x, 3), vector(x, 6)};
    }
    if (which & 8)
      for (std::size_t i = 0; i < on.bodies.size(); ++i) {
        const View x = row(external, k, bodies);
        loads.external.push_back({vector(x, 6 * i), vector(x, 6 * i + 3)});
      }
    if (which & 4) loads.add_wrench(frame, {vector(row(wrench, k, 6), 0), vector(row(wrench, k, 6), 3)});
  }
  int bodies, gaps;
  Numbers q, qd, a, gravity, base, wrench, external;
};

inline Model<double> arm_or_tree(Random& random, int k) {
  if (k % 2 == 0) return built(random_dh_arm(random, 1 + random.below(13), Convention::modified_dh, 0.2));
  return built(random_robot(random, any_kind(random, k, k % 5 == 3, k % 7 == 2)).description);
}

}  // namespace torsor::testing
