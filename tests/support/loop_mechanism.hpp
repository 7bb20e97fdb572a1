// A robot with loops as a mechanism in maximal coordinates: the other way to compute what loops/ does. Bodies of the tree with
// its joints, and each loop as one joint more; motors at the independent joints alone.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "torsor/kinematics/body_motions.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/robot.hpp"

namespace torsor::testing {

class LoopMechanism {
 public:
  /// At positions and rates of the whole tree, under torques at the independent joints.
  LoopMechanism(const Robot& robot, std::span<const double> q, std::span<const double> qd,
                std::span<const double> tau = {})
      : tree_(robot.tree()), loops_(*robot.loops()) {
    MechanismDescription m = *mechanism_of_robot(tree_, q, qd);
    for (const LoopDescription& loop : robot.description().loops) {
      MechanismJoint joint;
      joint.name = "loop " + loop.name;
      joint.kind = loop.kind;
      joint.length = loop.length;
      JointSide* const sides[] = {&joint.i, &joint.j};
      for (std::size_t k = 0; k < 2; ++k) {
        sides[k]->body = tree_.body_index(loop.links[k]);
        sides[k]->X = sides[k]->body < 0 ? tree_.base * loop.X_link_loop[k] : loop.X_link_loop[k];
      }
      m.joints.push_back(joint);
    }
    std::erase_if(m.actuators, [&](const MechanismActuator& motor) {
      return std::ranges::find(loops_.v, tree_[motor.measure.joint].v) == loops_.v.end();
    });
    REQUIRE(static_cast<int>(m.actuators.size()) == loops_.nv());
    for (MechanismActuator& motor : m.actuators) {
      const auto k = std::ranges::find(loops_.v, tree_[motor.measure.joint].v) - loops_.v.begin();
      order_.push_back(static_cast<std::size_t>(k));
      motor.effort_limit.reset();  // next to dead centres torques are large
      if (!tau.empty()) motor.effort = constant_in_time(tau[static_cast<std::size_t>(k)]);
    }
    for (int v = 0; v < tree_.nv; ++v)
      if (tree_.rotor[v] != 0) flywheels_.push_back(v);
    auto built = build(m);
    for (const Fault& fault : built.faults()) MESSAGE(to_string(fault));
    REQUIRE(built);
    mechanism_ = *std::move(built);
    state_ = described_state(mechanism_);
  }

  /// Accelerations of all bodies for those of the tree's joints, world components at the mass centres.
  std::vector<Motion<double>> accelerations(std::span<const double> q, std::span<const double> qd,
                                            std::span<const double> qdd) const {
    Configuration<double> configuration(tree_);
    configuration.set(tree_, q);
    BodyMotions<double> motions(tree_);
    body_motions<double>(tree_, configuration, qd, qdd, {}, {}, motions);
    std::vector<Transform<double>> X(tree_.bodies.size());
    std::vector<Motion<double>> A;
    for (int b = 0; b < tree_.size(); ++b) {
      X[b] = (tree_[b].parent < 0 ? tree_.base : X[tree_[b].parent]) * motions.X[b];
      const Vec3<double> centre = tree_[b].inertia.m > 0 ? mass_centre(tree_[b].inertia) : Vec3<double>{};
      A.push_back({X[b].R * motions.a[b].w, X[b].R * point_acceleration(motions.v[b], motions.a[b], centre)});
    }
    for (const int v : flywheels_) A.push_back({{0, 0, qdd[v]}, {}});
    REQUIRE(A.size() == mechanism_.description.bodies.size());
    return A;
  }

  /// Torques at the independent joints for these accelerations.
  std::vector<double> inverse(std::span<const Motion<double>> A) {
    MechanismInverse inverse(mechanism_);
    std::vector<double> u(order_.size()), tau(order_.size());
    const InverseReport report = inverse.torques(state_, A, u);
    CHECK(report.unbalanced_share < 1e-7);
    for (std::size_t k = 0; k < u.size(); ++k) tau[order_[k]] = u[k];
    return tau;
  }

  /// What the joints of the bodies, then of the loops, exert on their second side, along the axes of and about the origin of
  /// the joint's frame there, without what acts along the axes of motors and springs.
  std::vector<Force<double>> reactions(std::span<const Motion<double>> A) {
    MechanismInverse inverse(mechanism_);
    std::vector<double> u(order_.size());
    inverse.expect_redundancy(true);
    inverse.torques(state_, A, u);
    std::vector<Force<double>> out(tree_.bodies.size() + loops_count());
    for (const ConstraintBlock& block : mechanism_.blocks) {
      const std::size_t at = place_of(block);
      if (at >= out.size()) continue;
      const Force<double> on_j = joint_reaction(mechanism_, inverse.equations(), block, inverse.lambda()).on_j;
      const JointPlace<double>& place = inverse.equations().place_j(block.index);
      out[at] = along_axes(place.R, on_j);
    }
    return out;
  }

  /// Of each of them, whether equations that depend on one another leave its reaction open.
  std::vector<bool> shared() {
    std::vector<bool> out(tree_.bodies.size() + loops_count());
    const auto mark = [&](int block) {
      if (const std::size_t at = place_of(mechanism_.blocks[block]); at < out.size()) out[at] = true;
    };
    for (const Dependence& each : mobility(mechanism_, state_, EquationSet::without_drivers).dependences) {
      mark(each.block);
      for (const int partner : each.partners) mark(partner);
    }
    return out;
  }

  std::vector<Motion<double>> forward() {
    MechanismForward forward(mechanism_);
    std::vector<Motion<double>> A(mechanism_.description.bodies.size());
    CHECK(forward.accelerations(state_, A));
    return A;
  }

  /// How far accelerations miss J A = gamma.
  double missed(std::span<const Motion<double>> A) {
    MechanismEquations equations(mechanism_);
    equations.evaluate(state_);
    double most = 0;
    for (const ConstraintBlock& block : mechanism_.blocks)
      for (int r = 0; r < block.rows; ++r) {
        double sum = -equations.gamma[static_cast<std::size_t>(block.first_row + r)];
        for (std::size_t k = 0; k < block.bodies.size(); ++k)
          sum += dot(A[static_cast<std::size_t>(block.bodies[k])], equations.gradient(block, k, r));
        most = std::max(most, std::abs(sum));
      }
    return most;
  }

  /// The largest equation that does not hold.
  double gap() {
    MechanismEquations equations(mechanism_);
    equations.evaluate(state_);
    double largest = 0;
    for (const double value : equations.value) largest = std::max(largest, std::abs(value));
    return largest;
  }

 private:
  const Model<double>& tree_;
  const LoopModel& loops_;
  Mechanism mechanism_;
  MechanismState state_;
  std::vector<std::size_t> order_;  // of each actuator: its independent coordinate
  std::vector<int> flywheels_;

  std::size_t loops_count() const {
    std::size_t n = 0;
    for (const LoopCluster& c : loops_.clusters) n += c.loops.size();
    return n;
  }
  /// Of a joint: its body, or behind these its loop; of anything else a number beyond them.
  std::size_t place_of(const ConstraintBlock& block) const {
    constexpr auto none = static_cast<std::size_t>(-1);
    if (block.origin != ConstraintBlock::Origin::joint) return none;
    const std::size_t joints = mechanism_.description.joints.size(), k = static_cast<std::size_t>(block.index);
    if (k < tree_.bodies.size()) return k;
    return k >= joints - loops_count() ? tree_.bodies.size() + k - (joints - loops_count()) : none;
  }
};

}  // namespace torsor::testing
