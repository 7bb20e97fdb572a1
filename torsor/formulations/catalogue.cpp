#include "torsor/formulations/catalogue_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace torsor {

std::string detail::as_typed_hint(const std::vector<Snap>& nearly) {
  constexpr std::size_t most = 2;
  std::string list;
  for (std::size_t k = 0; k < std::min(nearly.size(), most); ++k)
    list += fmt::format("{}{} but for {:.2g} {}", k == 0 ? "" : ", ", nearly[k].what, nearly[k].residual,
                        nearly[k].is_angle ? "rad" : "m");
  if (nearly.size() > most) list += fmt::format(", and {} more", nearly.size() - most);
  return fmt::format(" (as typed: {}; torsor convert --to standard-dh writes the robot that has it exactly)", list);
}

std::string load_refusal(Frames frames, const Abilities& can, const Model<double>& model,
                         const BodyLoads<double>& loads) {
  const auto& [w, wd, a] = loads.base;
  if (!can.moving_base && dot(w, w) + dot(wd, wd) + dot(a, a) != 0)
    return "it is written for a base at rest; where the base only accelerates, take the acceleration off gravity";
  int last = -1;  // body of the last joint
  for (int i = 0; i < model.size(); ++i)
    if (model[i].nv > 0) last = i;
  std::vector<char> at_end(model.bodies.size(), 0);
  for (int i = 0; i < model.size(); ++i) {
    at_end[i] = i == last || (model[i].parent >= 0 && at_end[model[i].parent]);
    if (!loads.on(i) || frames == Frames::tree) continue;
    const Force<double>& f = loads.external[i];
    if (dot(f.n, f.n) + dot(f.f, f.f) == 0) continue;
    if (!can.tip_load) return "it has no term for forces from outside";
    if (!at_end[i])
      return fmt::format("the force is on \"{}\", and it takes one on the last link only", model.link_names[i]);
  }
  return "";
}

template std::span<const InverseFormulation<double>> inverse_formulations();
template std::span<const CoefficientsFormulation<double>> coefficients_formulations();
template std::span<const ChristoffelFormulation<double>> christoffel_formulations();
template std::span<const MassFormulation<double>> mass_formulations();
template std::span<const GravityFormulation<double>> gravity_formulations();

}  // namespace torsor
