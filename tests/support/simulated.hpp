// Runs for the tests of simulate/: a block on a slide, and what a run leaves behind.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor::testing {

/// A mass on a slide along x, or along z (against gravity).
inline Description block(double mass, Vec3<double> axis = {1, 0, 0}) {
  Description d;
  d.name = "block";
  LinkDescription link;
  link.name = "block", link.joint_name = "slide";
  link.kind = JointKind::prismatic;
  link.geometry = JointPlacement{{}, axis};
  link.parts = {{mass, {}, {1, 1, 1, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  d.links = {link};
  return d;
}

/// Writes down all it sees.
struct Record : Observer {
  std::vector<double> t;
  std::vector<Numbers> q, qd, tau;
  std::vector<Account> accounts;
  std::vector<Event> events;
  void instant(const Simulation& s) override {
    t.push_back(s.t());
    q.emplace_back(s.q().begin(), s.q().end());
    qd.emplace_back(s.qd().begin(), s.qd().end());
    tau.emplace_back(s.tau().begin(), s.tau().end());
    accounts.push_back(s.account());
  }
  void event(const Simulation&, const Event& e) override { events.push_back(e); }
  int count(EventKind kind) const {
    return static_cast<int>(
        std::count_if(events.begin(), events.end(), [=](const Event& e) { return e.kind == kind; }));
  }
};

inline ConstantTorque no_torque(const Model<double>& model) {
  return ConstantTorque(Numbers(static_cast<std::size_t>(model.nv), 0.0));
}

}  // namespace torsor::testing
