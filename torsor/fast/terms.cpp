#include "torsor/fast/terms.hpp"

#include "torsor/kinematics/jacobian.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

Terms terms(Dynamics& dynamics, std::span<const double> q, std::span<const double> qd,
                         std::span<const double> qdd, const Frame<double>& tool) {
  const Model<double>& tree = dynamics.tree();
  const auto n = qd.size();
  const bool loops = n != static_cast<std::size_t>(tree.nv);  // in the independent coordinates
  Terms t;
  for (auto* torques : {&t.C_qd, &t.gravity, &t.friction, &t.load, &t.bias, &t.tau}) torques->assign(n, 0.0);
  for (auto* matrix : {&t.M, &t.C}) matrix->assign(n * n, 0.0);
  for (auto* matrix : {&t.J, &t.Jd}) matrix->assign(6 * n, 0.0);
  t.reactions.resize(tree.bodies.size());
  dynamics.terms(q, qd, qdd, {t.M, t.C, t.gravity, t.friction, t.load, t.bias, t.tau, t.reactions, t.energy});

  // whether the mass matrix is one
  std::vector<double> LD = t.M;
  ldlt_factor<double>(LD, static_cast<int>(n));
  t.bad_pivot = ldlt_first_bad_pivot<double>(LD, static_cast<int>(n));
  // behind one that is zero there are none
  for (std::size_t k = 0; k < n && (t.bad_pivot < 0 || k <= static_cast<std::size_t>(t.bad_pivot)); ++k)
    t.pivots.push_back(LD[k * n + k]);

  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) t.C_qd[i] += t.C[i * n + j] * qd[j];
  dynamics.frame(q, tool, t.X_world_tool, t.J);
  if (loops) {
    t.Jd.clear();
    t.loop_reactions.resize(dynamics.loops());
    t.unique.resize(t.reactions.size() + t.loop_reactions.size());
    dynamics.reactions(q, qd, qdd, t.tau, t.reactions, {t.loop_reactions, t.unique});
    return t;
  }
  std::vector<Transform<double>> X(tree.bodies.size());
  std::vector<Motion<double>> scratch(X.size());
  dynamics.poses(q, X);
  jacobian_rate<double>(tree, X, qd, tool.body, t.X_world_tool.p, scratch, t.Jd);
  return t;
}

}  // namespace torsor
