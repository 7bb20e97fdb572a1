#include "python/bindings/array_results.hpp"

namespace torsor::python {

std::vector<std::string> coefficient_names(std::span<const Coefficient> coefficients, int n) {
  std::vector<std::string> names;
  for (const Coefficient& c : coefficients) names.push_back(to_text(c, n));
  return names;
}

std::vector<std::string> snap_names(const std::vector<Snap>& snaps) {
  std::vector<std::string> names;
  for (const Snap& snap : snaps) names.push_back(snap.what);
  return names;
}

std::map<std::string, std::vector<bool>> StructureArrays::levels() const {
  std::map<std::string, std::vector<bool>> out;
  for (const Level level : torsor::levels) {
    std::string name(status_name(level));
    std::ranges::replace(name, '_', '-');
    const std::vector<char>& nonzero = of.at(level).nonzero;
    out[name] = {nonzero.begin(), nonzero.end()};
  }
  return out;
}

std::vector<bool> StructureArrays::constant() const {
  std::vector<bool> out;
  for (std::size_t k = 0; k < of.numbers().coefficients.size(); ++k) out.push_back(of.numbers().constant(k));
  return out;
}

std::vector<double> StructureArrays::relative_size() const {
  std::vector<double> out;
  for (std::size_t k = 0; k < of.survey.coefficients.size(); ++k) out.push_back(of.survey.relative(k));
  return out;
}

std::vector<double> SpreadArrays::numbers(const std::vector<Spread>& spreads, double Spread::*which) {
  std::vector<double> out;
  for (const Spread& each : spreads) out.push_back(each.*which);
  return out;
}

NumberArray SpreadArrays::coupling_matrix(double Spread::*which) const {
  const std::size_t n = dominance.size();
  NumberArray out = matrix_of(std::vector<double>(n * n), n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      out.numbers[i * n + j] = i == j ? 1 : coupling[std::min(i, j) * n + std::max(i, j)].*which;
  return out;
}

std::vector<NamedPassage> MotionArrays::zeros() const {
  std::vector<NamedPassage> out;
  for (const ZeroPassage& each : survey.zeros) out.push_back({coefficients[each.coefficient], each});
  return out;
}

std::vector<std::string> MotionArrays::idle() const {
  std::vector<std::string> names;
  for (const std::size_t k : survey.idle) names.push_back(coefficients[k]);
  return names;
}

NumberArray MotionArrays::terms(std::vector<double> TorqueSplit::*which) const {
  NumberArray out{{}, {survey.times.size(), survey.dominance.size()}};
  for (const TorqueSplit& each : survey.terms)
    out.numbers.insert(out.numbers.end(), (each.*which).begin(), (each.*which).end());
  return out;
}

std::vector<DynamicParameter> IdentifiedArrays::base() const {
  std::vector<DynamicParameter> out;
  for (const int k : of.base.kept) out.push_back(of.base.parameters[static_cast<std::size_t>(k)]);
  return out;
}

std::vector<std::string> IdentifiedArrays::names() const {
  std::vector<std::string> out;
  for (const DynamicParameter& p : base()) out.push_back(parameter_name(tree, p));
  return out;
}

std::vector<std::string> IdentifiedArrays::units() const {
  std::vector<std::string> out;
  for (const DynamicParameter& p : base()) out.emplace_back(parameter_unit(tree, p));
  return out;
}

std::vector<std::string> IdentifiedArrays::unexcited() const {
  const std::vector<std::string> all = names();
  std::vector<std::string> out;
  for (const int k : of.unexcited) out.push_back(all[static_cast<std::size_t>(k)]);
  return out;
}

std::vector<NamedFit> IdentifiedArrays::joints() const {
  std::vector<NamedFit> out;
  for (std::size_t k = 0; k < of.joints.size(); ++k) out.push_back({model.velocity_names[k], of.joints[k]});
  return out;
}

}  // namespace torsor::python
