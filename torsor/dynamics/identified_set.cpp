// From identified base parameters back to parameters of all bodies: those nearest to the file if bodies can have them, else
// those of possible bodies that fit best.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/identification.hpp"

namespace torsor {

IdentifiedSet identified_set(const Model<double>& file, const Identification& identification) {
  const BaseParameters& base = identification.base;
  IdentifiedSet out;
  out.phi = base.nearest(parameter_values<double>(file, base.parameters), parameter_scales(file, base.parameters),
                         identification.value);
  constexpr double surely = 3;
  const auto is_level = [&](int place) {
    const ParameterKind kind = base.parameters[place].kind;
    return kind != ParameterKind::inertial && kind != ParameterKind::rotor_coupling;
  };
  bool wrong = false;  // a level that is surely negative is no matter of noise: no file holds it, and that is said
  for (int k = 0; k < base.count(); ++k) {
    const int place = base.kept[k];
    if (!is_level(place) || !(out.phi[place] < 0)) continue;
    if (out.phi[place] < -surely * identification.deviation[k]) {
      wrong = true;
      continue;
    }
    out.phi[place] = 0;
    out.taken_as_zero.push_back(place);
  }
  out.impossible = impossible_bodies(file, base.parameters, out.phi);
  bool possible = out.impossible.empty();
  for (int place = 0; place < static_cast<int>(out.phi.size()); ++place)
    possible = possible && !(is_level(place) && out.phi[place] < 0) &&
               !(sliding_level(base.parameters, place) >= 0 && out.phi[place] < out.phi[sliding_level(base.parameters, place)]);
  out.constrained = !possible && !wrong;
  if (out.constrained) out.phi = consistent_parameters(file, base, identification.known);

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
