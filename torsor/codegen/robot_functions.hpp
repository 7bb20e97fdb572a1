// The functions of code_function.hpp over any number that has an order: over Trace they are put on tape, over double they
// are what generated code is compared with. The trees' own recursions; a position's derivative is along the velocity
// coordinates, so that it has nv columns for quaternions, too.
#pragma once

#include "torsor/codegen/code_function.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

template <Ordered T>
class RobotFunctions {
 public:
  RobotFunctions(const Model<T>& model, const Frame<T>& tool)
      : model_(model), tool_(tool), configuration_(model), solve_(model), X_(model.bodies.size()) {}

  /// The results, one after the other, for the arguments, one after the other.
  void run(CodeFunction function, std::span<const T> arguments, std::span<T> results) {
    const auto nq = static_cast<std::size_t>(model_.nq), nv = static_cast<std::size_t>(model_.nv);
    const std::span<const T> q = arguments.first(nq), none;
    const auto rates = [&](std::size_t k) { return arguments.subspan(nq + k * nv, nv); };
    configuration_.set(model_, q);
    switch (function) {
      case CodeFunction::id: return inverse(q, rates(0), rates(1), results);
      case CodeFunction::bias: return inverse(q, rates(0), none, results);
      case CodeFunction::gravity: return inverse(q, none, none, results);
      case CodeFunction::mass: return inertia_composite_body(model_, configuration_, solve_.composite, results);
      case CodeFunction::coriolis: {
        CoriolisWork<T> work(model_);
        return coriolis_matrix(model_, configuration_, rates(0), work, results);
      }
      case CodeFunction::fd: {
        std::vector<T> driving(rates(1).begin(), rates(1).end());
        add_joint_friction<T>(model_, q, rates(0), T(-1), driving);
        return forward_mass_matrix<T>(model_, configuration_, rates(0), driving, {}, solve_, results);
      }
      case CodeFunction::fk: pose(results); return;
      case CodeFunction::jacobian:
        return torsor::jacobian<T>(model_, X_, tool_.body, pose(results.first(12)), results.subspan(12));
      case CodeFunction::derivatives: return derivatives(q, rates(0), rates(1), results);
      case CodeFunction::ik: break;
    }
  }

 private:
  void inverse(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) {
    inverse_newton_euler(model_, configuration_, qd, qdd, {}, solve_.newton_euler, tau);
    add_joint_friction(model_, q, qd, T(1), tau);
  }

  Vec3<T> pose(std::span<T> results) {
    forward_kinematics<T>(model_, configuration_, X_);
    const Transform<T> X = frame_pose<T>(tool_, X_);
    const Mat3<T>& R = X.R;
    std::size_t k = 0;
    for (const T& entry : {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, X.p.x, X.p.y, X.p.z})
      results[k++] = entry;
    return X.p;
  }

  void derivatives(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, std::span<T> results);

  const Model<T>& model_;
  const Frame<T>& tool_;
  Configuration<T> configuration_;
  MassMatrixWork<T> solve_;
  std::vector<Transform<T>> X_;
};

/// The same, made once for each call: over double, and on the tape that is being recorded.
void run_robot(const Model<double>&, const Frame<double>& tool, CodeFunction, std::span<const double> arguments,
               std::span<double> results);
void run_robot(const Model<double>&, const Frame<double>& tool, CodeFunction, std::span<const Trace> arguments,
               std::span<Trace> results);

/// Function `derivatives` once more, by duals of inverse dynamics in each direction: in body frames, where an arm of right
/// angles has more zeros than the recursion of derivatives, in the axes of the base, can use.
void record_dual_derivatives(const Model<double>&, std::span<const Trace> arguments, std::span<Trace> results);

}  // namespace torsor
