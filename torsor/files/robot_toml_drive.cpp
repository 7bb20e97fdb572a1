// What moves, holds and limits a joint, as its file gives it: limits, friction, rotor and gear, mimic, coupled motors.
#include <fmt/format.h>

#include "torsor/files/robot_toml_blocks.hpp"

namespace torsor::detail {
namespace {

// positions and speeds of a joint are angles or lengths; either while its kind is not known
Unit coordinate_unit(std::optional<JointKind> kind) {
  if (!kind) return units::angle_or_length;
  return *kind == JointKind::prismatic ? Unit(units::length) : Unit(units::angle);
}

void read_limits(TomlTable& limits, Unit unit, Limits& out) {
  if (const auto position = limits.numbers("position", unit)) {
    if (position->size() == 2) {
      out.lower = (*position)[0];
      out.upper = (*position)[1];
    } else {
      limits.fault("position", "array-length", fmt::format("it has {} numbers", position->size()),
                   "write two: the lower and the upper limit", unit);
    }
  }
  if (const auto velocity = limits.number("velocity", unit)) out.velocity = *velocity;
  if (const auto effort = limits.number("effort")) out.effort = *effort;
  if (const auto acceleration = limits.number("acceleration", unit)) out.acceleration = *acceleration;
  if (const auto deceleration = limits.number("deceleration", unit)) out.deceleration = *deceleration;
  if (const auto jerk = limits.number("jerk", unit)) out.jerk = *jerk;
}

// one level for both directions, or [positive, negative]
void read_levels(TomlTable& friction, std::string_view key, double& positive, double& negative) {
  if (!friction.is_array(key)) {
    if (const auto level = friction.number(key)) positive = negative = *level;
    return;
  }
  const auto levels = friction.numbers(key);
  if (!levels) return;
  if (levels->size() != 2)
    return friction.fault(key, "array-length", fmt::format("it has {} numbers", levels->size()),
                          "write one, or two: for positive and for negative speed, both as magnitudes");
  positive = (*levels)[0];
  negative = (*levels)[1];
}

// rows belong to q, columns to qd
void read_friction_table(TomlTable& table, Unit unit, FrictionTable<double>& out) {
  const auto qd = table.numbers("qd", unit);
  if (!table.has("qd", unit)) table.missing("qd", "give the speeds of the grid, in rising order");
  const auto q = table.numbers("q", unit);
  std::optional<std::vector<double>> values;
  if (!table.is_matrix("effort")) {
    values = table.numbers("effort");
  } else if (const auto rows = table.matrix("effort")) {
    values.emplace();
    for (const auto& row : *rows) values->insert(values->end(), row.begin(), row.end());
  }
  if (!table.has("effort")) table.missing("effort", "give the torque at each speed, or a row of them for each q");
  if (values && values->empty())
    table.fault("effort", "friction-table", "it holds no values", "give one for each grid point");
  // a grid that was refused leaves no table, and no second fault about its size
  if (qd && values && table.has("q", unit) == q.has_value())
    out = {q.value_or(std::vector<double>{}), *qd, std::move(*values)};
}

Friction<double> read_friction(TomlTable& friction, Unit unit, bool& at_motor) {
  Friction<double> law;
  const std::size_t before = friction.fault_count();
  law.viscous = friction.number("viscous").value_or(0);
  read_levels(friction, "coulomb", law.coulomb_positive, law.coulomb_negative);
  read_levels(friction, "breakaway", law.breakaway_positive, law.breakaway_negative);
  law.stribeck_velocity = friction.number("stribeck_velocity", unit).value_or(0);
  const bool level = friction.has("breakaway"), speed = friction.has("stribeck_velocity", unit);
  if (level && !speed) friction.missing("stribeck_velocity", "give the speed at which breakaway fades to coulomb");
  if (speed && !level) friction.missing("breakaway", "give the level at rest, which fades to coulomb with speed");
  // levels that were refused do not compare: no second fault
  if (friction.fault_count() != before) law.stribeck_velocity = 0;
  at_motor = friction.word<bool>("on", {{"joint", false}, {"motor", true}}).value_or(false);
  friction.table("table", [&](TomlTable& table) { read_friction_table(table, unit, law.table); });
  return law;
}

Rotor read_rotor(TomlTable& table) {
  Rotor rotor;
  rotor.inertia = table.number("inertia", units::inertia).value_or(0);
  rotor.gear = table.number("gear").value_or(1);
  rotor.as_body = table.word<bool>("as", {{"diagonal", false}, {"body", true}}).value_or(false);
  rotor.where = table.where();
  return rotor;
}

std::optional<Mimic> read_mimic(TomlTable& table, Unit unit) {
  Mimic mimic;
  mimic.ratio = table.number("ratio").value_or(1);
  mimic.offset = table.number("offset", unit).value_or(0);
  mimic.where = table.where();
  const auto joint = table.text("joint");
  if (!table.has("joint")) table.missing("joint", "name the joint to follow");
  if (!joint) return std::nullopt;
  mimic.joint = *joint;
  return mimic;
}

}  // namespace

void read_drive(TomlTable& link, std::optional<JointKind> kind, LinkDescription& out) {
  const Unit unit = coordinate_unit(kind);
  if (link.has("limits") && kind && row(*kind).nv != 1)
    link.fault("limits", "limits-kind", fmt::format("a {} joint has no limits here", row(*kind).name),
               "limits belong to joints of one degree of freedom");
  else
    link.table("limits", [&](TomlTable& limits) { read_limits(limits, unit, out.limits); });
  link.table("friction",
             [&](TomlTable& friction) { out.friction = read_friction(friction, unit, out.friction_at_motor); });
  link.table("rotor", [&](TomlTable& rotor) { out.rotor = read_rotor(rotor); });
  link.table("mimic", [&](TomlTable& mimic) { out.mimic = read_mimic(mimic, unit); });
}

TransmissionDescription read_transmission(TomlTable& table) {
  TransmissionDescription out;
  out.where = table.where();
  for (const auto& [key, list] : {std::pair{"motors", &out.motors}, {"joints", &out.joints}}) {
    if (!table.has(key)) table.missing(key, "name as many motors as joints");
    if (auto names = table.texts(key)) *list = std::move(*names);
  }
  if (!table.has("matrix")) table.missing("matrix", "joint speeds = matrix * motor speeds");
  if (auto matrix = table.matrix("matrix")) out.matrix = std::move(*matrix);
  if (auto inertia = table.numbers("rotor_inertia", units::inertia)) out.rotor_inertia = std::move(*inertia);
  return out;
}

}  // namespace torsor::detail
