#include "torsor/fast/terms.hpp"

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

Terms terms(Dynamics& dynamics, std::span<const double> q, std::span<const double> qd,
                         std::span<const double> qdd, const Frame<double>& tool) {
  const Model<double>& tree = dynamics.tree();
  const auto n = qd.size();
  Terms t;
  for (auto* torques : {&t.C_qd, &t.gravity, &t.friction, &t.load, &t.bias, &t.tau}) torques->assign(n, 0.0);
  for (auto* matrix : {&t.M, &t.C}) matrix->assign(n * n, 0.0);
  for (auto* matrix : {&t.J, &t.Jd}) matrix->assign(6 * n, 0.0);

  // the mass matrix and whether it is one
  dynamics.mass(q, t.M);
  std::vector<double> LD = t.M;
  ldlt_factor<double>(LD, static_cast<int>(n));
  t.bad_pivot = ldlt_first_bad_pivot<double>(LD, static_cast<int>(n));
  // behind one that is zero there are none
  for (std::size_t k = 0; k < n && (t.bad_pivot < 0 || k <= static_cast<std::size_t>(t.bad_pivot)); ++k)
    t.pivots.push_back(LD[k * n + k]);

  dynamics.coriolis_matrix(q, qd, t.C);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) t.C_qd[i] += t.C[i * n + j] * qd[j];
  t.reactions.resize(tree.bodies.size());
  const bool loops = dynamics.reactions(q, qd, qdd, t.tau, t.reactions).kind == Status::not_prepared;
  if (loops) {
    t.reactions.clear();
    dynamics.inverse(q, qd, qdd, t.tau);
  }
  dynamics.bias(q, qd, t.bias);

  // what the loads add is the difference they make
  std::vector<double> unloaded = t.bias;
  if (nothing_acts(dynamics.loads())) {
    dynamics.gravity(q, t.gravity);
  } else {
    const Loads loads = dynamics.loads();
    dynamics.set_loads({});
    dynamics.gravity(q, t.gravity);
    dynamics.bias(q, qd, unloaded);
    dynamics.set_loads(loads);
    for (std::size_t k = 0; k < n; ++k) t.load[k] = t.bias[k] - unloaded[k];
  }

  // of passive joints, too, where there are loops
  if (loops)
    for (std::size_t k = 0; k < n; ++k) t.friction[k] = unloaded[k] - t.gravity[k] - t.C_qd[k];
  else
    add_joint_friction<double>(tree, q, qd, 1, t.friction);

  dynamics.energy(q, qd, t.energy);
  dynamics.frame(q, tool, t.X_world_tool, t.J);
  if (loops) {
    t.Jd.clear();
    return t;
  }
  std::vector<Transform<double>> X(tree.bodies.size());
  std::vector<Motion<double>> scratch(X.size());
  dynamics.poses(q, X);
  jacobian_rate<double>(tree, X, qd, tool.body, t.X_world_tool.p, scratch, t.Jd);
  return t;
}

}  // namespace torsor
