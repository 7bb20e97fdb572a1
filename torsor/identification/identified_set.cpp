// From identified base parameters back to parameters of all bodies: those nearest to the file if bodies can have them, else
// those of possible bodies that fit best.
#include <algorithm>
#include <cmath>

#include "torsor/identification/identification.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

/// The least eigenvalue of the pseudo-inertia over the largest, where the unit of length makes its trace 2 m.
double body_margin(const Inertia<double>& J) {
  const double half = (J.I.xx + J.I.yy + J.I.zz) / 2;  // trace of Sigma
  if (!(J.m > 0) || !(half > 0)) return 0;
  const double h = 1 / std::sqrt(half * J.m);
  const double xy = -J.I.xy / half, xz = -J.I.xz / half, yz = -J.I.yz / half, x = J.h.x * h, y = J.h.y * h,
               z = J.h.z * h;
  std::vector<double> P{
      1 - J.I.xx / half, xy, xz, x, xy, 1 - J.I.yy / half, yz, y, xz, yz, 1 - J.I.zz / half, z, x, y, z, 1};
  std::vector<double> V(16);
  symmetric_eigen<double>(P, 4, V);
  const auto [least, most] = std::minmax({P[0], P[5], P[10], P[15]});
  return std::max(0.0, least / most);
}

/// The bodies of the list that the fit has pressed against those that are impossible: much flatter than the file has them.
std::vector<BoundaryBody> bodies_on_boundary(const Model<double>& file, const BaseParameters& base,
                                             const std::vector<double>& phi) {
  constexpr double thin = 1e-5, thinner = 1e-2;
  const Model<double> changed = with_parameters(file, base.parameters, phi);
  std::vector<BoundaryBody> out;
  for (int i = 0; i < file.size(); ++i)
    if (const double margin = body_margin(changed[i].inertia);
        changed[i].inertia.m > 0 && margin < thin && margin < thinner * body_margin(file[i].inertia))
      out.push_back({i, margin});
  return out;
}

}  // namespace

IdentifiedSet identified_set(const Model<double>& file, const Identification& identification) {
  const BaseParameters& base = identification.base;
  const std::vector<double> scale = parameter_scales(file, base.parameters);
  IdentifiedSet out;
  out.phi = base.nearest(parameter_values<double>(file, base.parameters), scale, identification.value);
  const std::vector<double> wanted = out.phi;

  // no level of friction and no rotor inertia is negative, no breakaway level below that of sliding
  std::vector<int> levels;
  for (int place = 0; place < static_cast<int>(wanted.size()); ++place)
    if (const ParameterKind kind = base.parameters[place].kind;
        kind != ParameterKind::inertial && kind != ParameterKind::rotor_coupling)
      levels.push_back(place);
  const auto bound = [&](const std::vector<double>& phi, int place) {
    const int sliding = sliding_level(base.parameters, place);
    return sliding < 0 ? 0 : phi[sliding];
  };
  const auto above_bound = [&](const std::vector<double>& phi, int place) { return phi[place] - bound(phi, place); };
  constexpr double rounding = 1e-9, at_bound = 1e-3;
  bool possible = true;
  for (const int place : levels) {  // those of sliding come before breakaway, which is held against what became of them
    const double above = above_bound(out.phi, place);
    if (above < 0 && above >= -rounding * scale[place]) out.phi[place] = bound(out.phi, place);
    possible = possible && above >= -rounding * scale[place];
  }
  out.impossible = impossible_bodies(file, base.parameters, out.phi);
  // torques of the other sign are of no bodies, and the search would come to rest far from all of them
  out.constrained = identification.opposite.empty() && (!possible || !out.impossible.empty());
  if (out.constrained) {
    out.phi = consistent_parameters(file, base, identification.known);
    // the search comes near its bounds from inside
    for (const int place : levels) {
      if (!(above_bound(out.phi, place) <= -at_bound * above_bound(wanted, place))) continue;
      out.phi[place] = bound(out.phi, place);
      out.at_bound.push_back(place);
    }
    out.on_boundary = bodies_on_boundary(file, base, out.phi);
  }

  out.base = base.values(out.phi);
  std::vector<double> change = out.base;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= identification.file[k];
  for (std::size_t j = 0; j < identification.joints.size(); ++j) {
    const JointFit& joint = identification.joints[j];
    const RowTriangle& rows = identification.equations[j];
    const double mean = rows.squares(change) / static_cast<double>(std::max(rows.rows(), 1LL));
    out.fit.push_back(joint.size > 0 ? std::sqrt(mean) / joint.size : 0);
  }
  const BaseKnowledge& known = identification.known;
  for (int k = 0; k < known.equations.n(); ++k) {
    double e = 0;
    for (std::size_t c = 0; c < known.columns.size(); ++c)
      e += known.equations.row(k)[c] * (out.base[known.columns[c]] - known.value[known.columns[c]]);
    out.misfit += e * e;
  }
  return out;
}

double IdentifiedSet::off(const Identification& found, int k) const {
  const double difference = std::abs(base[k] - found.value[k]);
  return found.deviation[k] > 0 ? difference / found.deviation[k] : 0;
}

}  // namespace torsor
