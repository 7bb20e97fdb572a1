#include "torsor/dynamics/motion_terms.hpp"

namespace torsor {

MotionTerms motion_terms(const Model<double>& model, std::span<const double> q, Rates<const double> qd,
                         Rates<const double> qdd, const Loads<double>& loads, const Frame<double>& tool) {
  const auto n = static_cast<std::size_t>(model.nv);
  MotionTerms t;
  for (auto* efforts : {&t.C_qd, &t.gravity, &t.friction, &t.load, &t.bias, &t.tau}) efforts->assign(n, 0.0);
  for (auto* matrix : {&t.M, &t.C}) matrix->assign(n * n, 0.0);
  for (auto* matrix : {&t.J, &t.Jd}) matrix->assign(6 * n, 0.0);

  // the mass matrix and whether it is one
  TreeDynamics<double> dynamics(model, Questions::all_but_forward);
  dynamics.mass(q, t.M);
  std::vector<double> LD = t.M;
  ldlt_factor<double>(LD, model.nv);
  t.bad_pivot = ldlt_first_bad_pivot<double>(LD, model.nv);
  // behind one that is zero there are none
  for (std::size_t k = 0; k < n && (t.bad_pivot < 0 || k <= static_cast<std::size_t>(t.bad_pivot)); ++k)
    t.pivots.push_back(LD[k * n + k]);

  Configuration<double> configuration(model);
  configuration.set(model, q);
  CoriolisWork<double> coriolis(model);
  coriolis_matrix<double>(model, configuration, qd, coriolis, t.C);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) t.C_qd[i] += t.C[i * n + j] * qd[j];
  dynamics.gravity(q, t.gravity);
  add_joint_friction<double>(model, q, qd, 1, t.friction);

  // what the loads add is the difference they make
  std::vector<double> unloaded(n);
  dynamics.bias(q, qd, unloaded);
  dynamics.loads = loads;
  dynamics.bias(q, qd, t.bias);
  for (std::size_t k = 0; k < n; ++k) t.load[k] = t.bias[k] - unloaded[k];
  dynamics.inverse(q, qd, qdd, t.tau);
  t.reactions.assign(dynamics.reactions().begin(), dynamics.reactions().end());

  EnergyWork<double> work(model);
  t.energy = energy<double>(model, configuration, qd, work);
  const std::span<const Transform<double>> X = work.X;
  t.X_world_tool = frame_pose(tool, X);
  std::vector<Motion<double>> scratch(model.bodies.size());
  jacobian<double>(model, X, tool.body, t.X_world_tool.p, t.J);
  jacobian_rate<double>(model, X, qd, tool.body, t.X_world_tool.p, scratch, t.Jd);
  return t;
}

}  // namespace torsor
