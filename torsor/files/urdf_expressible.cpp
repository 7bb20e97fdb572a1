#include "torsor/files/urdf_expressible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/linear_spring.hpp"

namespace torsor::detail {
namespace {

// numbers that differ by rounding only
bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

std::string_view beyond_two_coefficients(const Friction<double>& law) {
  if (law.function) return "its friction is a function";
  if (as_spring(law.table)) return "it has a spring";
  if (!law.table.values.empty()) return "its friction is a table";
  const bool same_levels =
      near(law.breakaway_positive, law.coulomb_positive) && near(law.breakaway_negative, law.coulomb_negative);
  if (law.stribeck_velocity > 0 && !same_levels) return "its friction depends on speed by the Stribeck law";
  if (!near(law.coulomb_positive, law.coulomb_negative)) return "its dry friction differs between the two directions";
  return "";
}

Faults inexpressible(const Description& d, const Model<double>& model) {
  Faults errors;
  const auto fault = [&](Where where, std::string offender, std::string rule, std::string_view what,
                         std::string remedy) {
    if (where.file.empty()) where.file = d.file;
    errors.push_back({std::move(where), std::move(offender), std::move(rule), std::string(what), std::move(remedy)});
  };
  const auto where_is = [&](const std::string& joint) {
    const auto found = std::ranges::find(d.links, joint, &LinkDescription::joint_name);
    return found == d.links.end() ? Where{} : found->where;
  };
  for (const LinkDescription& link : d.links)
    if (link.kind == JointKind::spherical && link.rotor && link.rotor->inertia != 0)
      fault(link.where, fmt::format("joint \"{}\"", link.joint_name), "urdf-rotor",
            "a URDF has no rotors at spherical joints",
            "leave the rotor of the spherical joint out, or write an MJCF, which has armature");
  for (const LinkDescription& link : d.links)
    if (link.kind == JointKind::helical)
      fault(link.where, fmt::format("joint \"{}\"", link.joint_name), "urdf-joint", "a URDF has no helical joints",
            fmt::format("write a revolute joint, and on it a prismatic one that mimics it with ratio {}", link.pitch));
  for (const auto& [body, law] : model.friction)
    if (const std::string_view what = beyond_two_coefficients(law); !what.empty())
      fault(where_is(model.joint_names[body]), fmt::format("joint \"{}\"", model.joint_names[body]), "urdf-friction",
            what, "a URDF has one viscous and one dry coefficient per joint: give such an approximation");
  for (const TransmissionDescription& t : d.transmissions)
    if (!as_differential(t))
      fault(t.where, fmt::format("transmission of \"{}\"", t.joints.front()), "urdf-transmission",
            "a URDF has no coupling but the differential of two motors",
            "leave the transmission out: joint torques need it only for the inertia of the rotors");
  return errors;
}

std::optional<Differential> as_differential(const TransmissionDescription& t) {
  if (t.matrix.size() != 2) return std::nullopt;
  const double A = t.matrix[0][0], B = t.matrix[0][1], C = t.matrix[1][0], D = t.matrix[1][1];
  // A = 1/(2 a1 n1), B = 1/(2 a2 n1), C = 1/(2 a1 n2), D = -1/(2 a2 n2); a common factor is free: n1 = 1
  if (A == 0 || B == 0 || C == 0 || !near(A * D, -B * C)) return std::nullopt;
  return Differential{{1 / (2 * A), 1 / (2 * B)}, {1, A / C}};
}

}  // namespace torsor::detail
