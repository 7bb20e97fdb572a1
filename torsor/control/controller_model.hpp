// What a controller believes of the arm it drives; the arm itself may be another. The kinds leave out more and more:
//
//   full         M(q) qdd + C(q, qd) qd + g(q)
//   no-coriolis  M(q) qdd + g(q)                       said to do while the arm is slow (Fu, Gonzalez & Lee 1987)
//   gravity      diag(m) qdd + g(q)                    m: constant, what each joint feels at the start
//   reduced      the terms that a reduction has kept   (structure, or a file)
//
// Friction is no part of inverse(): the laws add that of the planned rates, which do not chatter about zero as measured
// ones would. Of a robot with loops all is in its independent coordinates, the friction of passive joints, too.
#pragma once

#include <memory>
#include <span>

#include "torsor/control/control_gains.hpp"
#include "torsor/model/model.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct ReducedModel;

/// n coordinates of one degree of freedom each. Nothing is allocated after construction; one thread at a time.
class ControllerModel {
 public:
  virtual ~ControllerModel() = default;
  ControllerModel(const ControllerModel&) = delete;
  ControllerModel& operator=(const ControllerModel&) = delete;

  /// tau (n) for q, qd, qdd (n each), friction apart. An empty qd or qdd stands for zero.
  virtual void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                       std::span<double> tau) = 0;
  /// M(q), row-major n x n, symmetric positive definite.
  virtual void mass(std::span<const double> q, std::span<double> M) = 0;
  /// tau = C(q, qd) v with the C made of Christoffel coefficients: dM/dt - 2C is skew.
  virtual void coriolis(std::span<const double> q, std::span<const double> qd, std::span<const double> v,
                        std::span<double> tau) = 0;
  /// Adds what friction takes at these rates to tau.
  virtual void add_friction(std::span<const double> q, std::span<const double> qd, std::span<double> tau);

  int n() const { return model_.nv; }

 protected:
  explicit ControllerModel(const Model<double>& model);

  Model<double> model_;
};

/// A controller model of the robot. start (n): where `gravity` takes its constant inertias; reduced: for that kind
/// alone, and it must outlive the result.
std::unique_ptr<ControllerModel> make_controller_model(ControllerKind, const Model<double>&,
                                                       std::span<const double> start,
                                                       const ReducedModel* reduced = nullptr);
/// The same of a robot, with loops too: those of a reduced model are trees.
std::unique_ptr<ControllerModel> make_controller_model(ControllerKind, const Robot&, std::span<const double> start);

}  // namespace torsor
