#include "torsor/identification/dynamic_parameters.hpp"

#include <cmath>
#include <algorithm>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

constexpr ParameterKind dry_kinds[] = {ParameterKind::coulomb_positive, ParameterKind::coulomb_negative};
constexpr ParameterKind breakaway_kinds[] = {ParameterKind::breakaway_positive, ParameterKind::breakaway_negative};

/// The joint of one degree of freedom that a coordinate is the position of, or the spherical one whose first it is; -1
/// where it belongs to another joint.
int joint_of_coordinate(const Model<double>& model, int coordinate) {
  for (int i = 0; i < model.size(); ++i) {
    if (model[i].v != coordinate) continue;
    if (model[i].kind == JointKind::spherical) return i;
    if (row(model[i].kind).nv == 1 && model.joint_names[i] == model.velocity_names[coordinate]) return i;
  }
  return -1;
}

/// Whether a rotor at this coordinate is among the parameters: of joints that have none, those that a motor can turn.
bool has_rotor_column(const Model<double>& model, int coordinate, DriveColumns which) {
  const int joint = joint_of_coordinate(model, coordinate);
  if (joint < 0) return false;
  return model.rotor[coordinate] != 0 || (which == DriveColumns::every_joint && row(model[joint].kind).nv == 1);
}

/// Rotors that are bodies come after all links and have the names of their joints, `.rotor` behind.
int joint_of_rotor(const Model<double>& model, int body) {
  constexpr std::string_view ending = ".rotor";
  const std::string_view name = model.joint_names[body];
  if (!name.ends_with(ending)) return -1;
  for (int i = 0; i < body; ++i)
    if (model.joint_names[i] == name.substr(0, name.size() - ending.size()) && model[i].v == model[body].v) return i;
  return -1;
}

bool has_rotor_body(const Model<double>& model, int joint) {
  for (int i = joint + 1; i < model.size(); ++i)
    if (joint_of_rotor(model, i) == joint) return true;
  return false;
}

bool behind_coupling(const Model<double>& model, int coordinate) {
  return std::ranges::any_of(model.transmissions, [&](const Transmission& t) {
    return t.dofs.size() > 1 && std::ranges::count(t.dofs, coordinate) > 0;
  });
}

bool is_nothing(const Inertia<double>& J) {
  for (int k = 0; k < inertial_count; ++k)
    if (inertial_parameter(J, k) != 0) return false;
  return true;
}

void add_friction(const Model<double>& model, DriveColumns which, std::vector<DynamicParameter>& list) {
  if (which == DriveColumns::none) return;
  for (int i = 0; i < model.size(); ++i) {
    const Friction<double>* law = friction_of(model, i);
    const bool own = row(model[i].kind).nv == 1 && joint_of_coordinate(model, model[i].v) == i;
    if (!law && !(which == DriveColumns::every_joint && own)) continue;
    list.push_back({ParameterKind::viscous, i, 0});
    for (const ParameterKind kind : dry_kinds) list.push_back({kind, i, 0});
    if (law && law->stribeck_velocity > 0)
      for (const ParameterKind kind : breakaway_kinds) list.push_back({kind, i, 0});
  }
}

double* friction_number(Friction<double>& law, ParameterKind kind) {
  switch (kind) {
    case ParameterKind::coulomb_positive: return &law.coulomb_positive;
    case ParameterKind::coulomb_negative: return &law.coulomb_negative;
    case ParameterKind::breakaway_positive: return &law.breakaway_positive;
    case ParameterKind::breakaway_negative: return &law.breakaway_negative;
    default: return &law.viscous;
  }
}

/// One part that has this inertia in the link frame.
Part part_with(const Inertia<double>& J, const std::vector<Part>& before) {
  Part part;
  part.mass = J.m;
  part.com = mass_centre(J);
  part.tensor = tensor_about_centre(J);
  // of a point or a rod nothing is left about the centre but rounding, which may have any sign
  const double rounding = 1e-12 * (J.I.xx + J.I.yy + J.I.zz);
  for (double* moment : {&part.tensor.xx, &part.tensor.yy, &part.tensor.zz})
    if (*moment < 0 && *moment > -rounding) *moment = 0;
  if (!before.empty()) part.where = before.front().where;
  return part;
}

}  // namespace

std::vector<DynamicParameter> dynamic_parameters(const Model<double>& model, const ParameterChoice& choice) {
  std::vector<DynamicParameter> list;
  for (int i = 0; i < model.size(); ++i)
    for (int k = 0; k < inertial_count; ++k) list.push_back({ParameterKind::inertial, i, k});
  if (choice.rotors != DriveColumns::none) {
    for (int k = 0; k < model.nv; ++k)
      if (has_rotor_column(model, k, choice.rotors))
        list.push_back({ParameterKind::rotor, k, 0});
    for (int k = 0; k < static_cast<int>(model.rotor_coupling.size()); ++k)
      list.push_back({ParameterKind::rotor_coupling, k, 0});
  }
  add_friction(model, choice.friction, list);
  return list;
}

std::vector<DynamicParameter> file_parameters(const Model<double>& model, const ParameterChoice& choice) {
  std::vector<DynamicParameter> list;
  for (const DynamicParameter& p : dynamic_parameters(model, choice)) {
    bool keep = p.kind != ParameterKind::rotor_coupling;
    if (p.kind == ParameterKind::inertial) {
      // a frame that was given no mass is no body; and of a rotor there is the inertia about its axis
      const bool frame = model[p.index].kind == JointKind::fixed && is_nothing(model[p.index].inertia);
      keep = !frame && (p.which + 1 == inertial_count || joint_of_rotor(model, p.index) < 0);
    }
    if (p.kind == ParameterKind::rotor)
      keep = !behind_coupling(model, p.index) && !has_rotor_body(model, joint_of_coordinate(model, p.index));
    if (keep) list.push_back(p);
  }
  return list;
}

std::string parameter_name(const Model<double>& model, const DynamicParameter& p) {
  const auto number = [&](int body) { return std::to_string(body + 1); };
  const auto joint = [&](int coordinate) { return number(joint_of_coordinate(model, coordinate)); };
  switch (p.kind) {
    case ParameterKind::inertial:
      return std::string(inertial_letters[static_cast<std::size_t>(p.which)]) + number(p.index);
    case ParameterKind::rotor: return "Ia" + joint(p.index);
    case ParameterKind::rotor_coupling: {
      const RotorCoupling<double>& pair = model.rotor_coupling[p.index];
      return "Ia" + joint(pair.i) + (model.size() > 9 ? "," : "") + joint(pair.j);
    }
    case ParameterKind::viscous: return "Fv" + number(p.index);
    case ParameterKind::coulomb_positive: return "Fp" + number(p.index);
    case ParameterKind::coulomb_negative: return "Fn" + number(p.index);
    case ParameterKind::breakaway_positive: return "Sp" + number(p.index);
    case ParameterKind::breakaway_negative: return "Sn" + number(p.index);
  }
  return {};
}

std::string_view parameter_unit(const Model<double>& model, const DynamicParameter& p) {
  if (p.kind == ParameterKind::inertial) return p.which == 0 ? "kg" : p.which < 4 ? "kg m" : "kg m²";
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  const auto turns = [&](int coordinate) { return kinds[coordinate] == CoordinateKind::angle; };
  if (p.kind == ParameterKind::rotor) return turns(p.index) ? "kg m²" : "kg";
  if (p.kind == ParameterKind::rotor_coupling) {
    const RotorCoupling<double>& pair = model.rotor_coupling[p.index];
    return turns(pair.i) == turns(pair.j) ? (turns(pair.i) ? "kg m²" : "kg") : "kg m";
  }
  // a joint that mimics another has no coordinate, but a kind
  const bool turning = model[p.index].kind != JointKind::prismatic;
  if (p.kind == ParameterKind::viscous) return turning ? "N m s/rad" : "N s/m";
  return turning ? "N m" : "N";
}

Model<double> with_parameters(Model<double> model, std::span<const DynamicParameter> list,
                              std::span<const double> phi) {
  TORSOR_EXPECT(list.size() == phi.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    const DynamicParameter& p = list[k];
    if (p.kind == ParameterKind::inertial) {
      inertial_parameter(model.bodies[p.index].inertia, p.which) = phi[k];
    } else if (p.kind == ParameterKind::rotor) {
      for (int j = 0; j < rotor_width(model, p.index); ++j) model.rotor[p.index + j] = phi[k];
    } else if (p.kind == ParameterKind::rotor_coupling) {
      model.rotor_coupling[p.index].value = phi[k];
    } else {
      auto found = std::ranges::find(model.friction, p.index, &JointFriction<double>::body);
      if (found == model.friction.end()) found = model.friction.insert(found, {p.index, {}});
      *friction_number(found->law, p.kind) = phi[k];
    }
  }
  return model;
}

Result<Description> with_parameters(Description robot, const Model<double>& model,
                                    std::span<const DynamicParameter> list, std::span<const double> phi) {
  const Model<double> changed = with_parameters(model, list, phi);
  Faults errors;
  std::vector<char> rubs(model.bodies.size(), 0);
  for (const DynamicParameter& p : list)
    if (p.kind >= ParameterKind::viscous) rubs[p.index] = 1;

  for (LinkDescription& link : robot.links) {
    const int i = model.body_index(link.name);
    const Inertia<double>& J = changed[i].inertia;
    bool moved = false;
    for (int k = 0; k < inertial_count; ++k)
      moved = moved || inertial_parameter(J, k) != inertial_parameter(model[i].inertia, k);
    const bool held = J.m > 0 || (J.m == 0 && norm(J.h) == 0);
    if (moved && !held)
      errors.push_back({link.where, "link \"" + link.name + '"', "mass-negative",
                        "its mass comes out as " + std::to_string(J.m) + " kg, which no file can hold",
                        "give the robot file a better guess of the masses, or a motion that determines more of them"});
    else if (moved)
      link.parts = {part_with(inverse(model[i].link) * J, link.parts)};

    if (rubs[i]) {
      link.friction = *friction_of(changed, i);
      link.friction_at_motor = false;
    }
    if (link.rotor && link.rotor->as_body) {
      link.rotor->inertia = changed[model.body_index(link.name + ".rotor")].inertia.I.zz;
    } else if (i == joint_of_coordinate(model, model[i].v) && changed.rotor[model[i].v] != model.rotor[model[i].v]) {
      // a rotor that the file does not know turns with its joint
      if (!link.rotor) link.rotor.emplace();
      const double before = link.rotor->inertia;
      link.rotor->inertia +=
          (changed.rotor[model[i].v] - model.rotor[model[i].v]) / (link.rotor->gear * link.rotor->gear);
      // what is left of all of it is rounding
      if (std::abs(link.rotor->inertia) < 1e-12 * before) link.rotor->inertia = 0;
    }
  }
  if (!errors.empty()) return errors;
  return robot;
}

}  // namespace torsor
