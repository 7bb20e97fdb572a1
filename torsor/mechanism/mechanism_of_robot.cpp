#include "torsor/mechanism/mechanism_of_robot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "torsor/kinematics/body_motions.hpp"
#include "torsor/model/linear_spring.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

MechanismJointKind kind_in_mechanism(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return MechanismJointKind::fixed;
    case JointKind::revolute: return MechanismJointKind::revolute;
    case JointKind::prismatic: return MechanismJointKind::translational;
    case JointKind::helical: return MechanismJointKind::screw;
    case JointKind::planar: return MechanismJointKind::planar;
    case JointKind::spherical: return MechanismJointKind::spherical;
    case JointKind::free: return MechanismJointKind::free;
  }
  return MechanismJointKind::fixed;
}

/// What a joint of one degree of freedom counts its position by.
Measure measure_of(const Model<double>& model, int body) {
  return {body, model[body].kind == JointKind::prismatic ? Measure::What::slide : Measure::What::angle};
}

/// Per velocity coordinate the joint whose position it is, -1 where a joint has several coordinates.
std::vector<int> masters(const Model<double>& model) {
  std::vector<int> joint(static_cast<std::size_t>(model.nv), -1);
  for (int b = 0; b < model.size(); ++b)
    if (const Body<double>& body = model[b]; body.nv == 1 && body.ratio == 1 && body.offset == 0 && joint[body.v] < 0)
      joint[body.v] = b;
  return joint;
}

/// The inertia at a spherical joint resists its rotation relative to the parent: that is the link's own where the parent
/// does not rotate.
Faults rotors_between_rotating_links(const Model<double>& model) {
  Faults faults;
  std::vector<char> rotates(model.bodies.size(), 0);
  for (int b = 0; b < model.size(); ++b) {
    const Body<double>& body = model[b];
    const bool carried = body.parent >= 0 && rotates[static_cast<std::size_t>(body.parent)] != 0;
    rotates[static_cast<std::size_t>(b)] =
        carried || (body.kind != JointKind::fixed && body.kind != JointKind::prismatic);
    if (carried && body.kind == JointKind::spherical && model.rotor[body.v] != 0)
      faults.push_back({{}, fmt::format("joint \"{}\"", model.joint_names[b]), "mechanism-rotor",
                        "a mechanism has no rotor at a spherical joint between links that rotate",
                        "set its rotor (of an MJCF: armature) to 0, or give the inertia to a link"});
  }
  return faults;
}

void add_bodies(const Model<double>& model, std::span<const double> q, std::span<const double> qd,
                MechanismDescription& out) {
  Configuration<double> configuration(model);
  const std::vector<double> neutral = neutral_position(model);
  configuration.set(model, q.empty() ? std::span<const double>(neutral) : q);
  BodyMotions<double> motions(model);
  body_motions<double>(model, configuration, qd, {}, {}, {}, motions);
  std::vector<Transform<double>> X(model.bodies.size());
  double mass = 0;
  for (const Body<double>& body : model.bodies) mass += body.inertia.m;
  for (int b = 0; b < model.size(); ++b) {
    const Body<double>& body = model[b];
    X[b] = (body.parent < 0 ? model.base : X[body.parent]) * motions.X[b];
    const Inertia<double> J = inverse(body.link) * body.inertia;
    MechanismBody link;
    link.name = model.link_names[b];
    link.m = J.m;
    link.com = mass_centre(J);
    link.I = tensor_about_centre(J);
    if (body.kind == JointKind::spherical) {
      const double rotor = model.rotor[body.v];
      link.I += Sym3<double>{rotor, rotor, rotor, 0, 0, 0};
    }
    if (link.m == 0) {
      // on the joint's axis, where it weighs on nothing that turns there
      link.m = 1e-9 * (mass > 0 ? mass : 1);
      link.com = inverse(body.link).p;
      out.notes.push_back(
          {{},
           fmt::format("body \"{}\"", link.name),
           "massless-link",
           fmt::format("the link has no mass: a billionth of the robot's, {:.2g} kg, is put in its joint", link.m),
           "give the link a mass where that matters"});
    }
    link.X_world_body = X[b] * body.link;
    link.velocity = {X[b].R * motions.v[b].w, X[b].R * point_velocity(motions.v[b], body.link.p)};
    link.turn_given = link.way_given = !qd.empty();
    out.bodies.push_back(std::move(link));
  }
}

void add_joints(const Model<double>& model, const std::vector<int>& master, MechanismDescription& out) {
  for (int b = 0; b < model.size(); ++b) {
    const Body<double>& body = model[b];
    MechanismJoint joint;
    joint.name = model.joint_names[b];
    joint.kind = kind_in_mechanism(body.kind);
    joint.i = {body.parent, -1,
               body.parent < 0 ? model.base * body.placement : ~model[body.parent].link * body.placement};
    joint.j = {b, -1, inverse(body.link)};
    joint.pitch = body.pitch;
    out.joints.push_back(std::move(joint));
    if (body.nv != 1) continue;
    if (const int leader = master[body.v]; leader >= 0 && leader != b) {
      MechanismCoupling mimic{model.joint_names[b] + ".mimic", "coupler", {}, std::nullopt, {}};
      mimic.terms = {{measure_of(model, b), 1, {}}, {measure_of(model, leader), -body.ratio, {}}};
      out.couplings.push_back(std::move(mimic));
      continue;
    }
    MechanismActuator motor;
    motor.name = model.joint_names[b];
    motor.measure = measure_of(model, b);
    if (std::isfinite(model.limits[body.v].effort)) motor.effort_limit = model.limits[body.v].effort;
    out.actuators.push_back(std::move(motor));
  }
}

void add_friction(const Model<double>& model, MechanismDescription& out) {
  for (const auto& [b, law] : model.friction) {
    const std::string& name = model.joint_names[b];
    const auto spring = detail::as_spring(law.table).value_or(detail::LinearSpring{});
    if (model[b].nv == 1 && (law.viscous != 0 || spring.stiffness != 0)) {
      MechanismSpring element;
      element.name = name + ".friction";
      element.measure = measure_of(model, b);
      element.c = law.viscous, element.k = spring.stiffness, element.rest = spring.rest;
      out.springs.push_back(std::move(element));
    }
    // one level for both directions
    const bool rubs = law.coulomb_positive > 0 || law.coulomb_negative > 0 || law.stribeck_velocity > 0;
    const bool alike = law.coulomb_positive == law.coulomb_negative &&
                       (law.stribeck_velocity == 0 || (law.breakaway_positive == law.breakaway_negative &&
                                                       law.breakaway_positive >= law.coulomb_positive));
    if (rubs && alike && model[b].nv == 1) {
      MechanismFriction element;
      element.name = name + ".friction";
      element.measure = measure_of(model, b);
      element.coulomb = element.breakaway = law.coulomb_positive;
      element.stribeck = law.stribeck_velocity;
      if (law.stribeck_velocity > 0) element.breakaway = law.breakaway_positive;
      out.frictions.push_back(std::move(element));
    }
    if ((rubs && !(alike && model[b].nv == 1)) || (!law.table.values.empty() && spring.stiffness == 0) || law.function)
      out.notes.push_back(
          {{},
           fmt::format("joint \"{}\"", name),
           "dry-friction",
           "a mechanism has no dry friction that differs with the direction, or from a table or function: "
           "only its viscous part is taken over",
           "use the robot itself where dry friction matters"});
  }
}

/// The flywheel that turns by the sum of factor * position of some joints.
void add_flywheel(const std::string& name, double moment, double speed, std::vector<MechanismCoupling::Term> terms,
                  MechanismDescription& out) {
  MechanismBody flywheel;
  flywheel.name = name;
  flywheel.m = 1;  // it rests on the ground, and only turns: any mass is as good
  flywheel.I = {moment, moment, moment, 0, 0, 0};
  flywheel.velocity.w.z = speed;
  MechanismJoint axle;
  axle.name = name;
  axle.j.body = static_cast<int>(out.bodies.size());
  for (MechanismCoupling::Term& term : terms) term.factor = -term.factor;
  terms.insert(terms.begin(), {{static_cast<int>(out.joints.size()), Measure::What::angle}, 1, {}});
  out.bodies.push_back(std::move(flywheel));
  out.joints.push_back(std::move(axle));
  out.couplings.push_back({name, "gear", std::move(terms), std::nullopt, {}});
}

void add_flywheels(const Model<double>& model, std::span<const double> qd, const std::vector<int>& master,
                   MechanismDescription& out) {
  const auto rate = [&](int k) { return qd.empty() ? 0 : qd[k]; };
  std::vector<int> v;
  for (int k = 0; k < model.nv; ++k)
    if (model.rotor[k] != 0 && master[k] >= 0) v.push_back(k);
  const auto rotor_name = [&](int k) { return model.joint_names[master[k]] + ".rotor"; };
  if (model.rotor_coupling.empty()) {
    for (const int k : v)
      add_flywheel(rotor_name(k), model.rotor[k], rate(k), {{measure_of(model, master[k]), 1, {}}}, out);
    return;
  }
  const int n = static_cast<int>(v.size());
  std::vector<double> R(cells(n, n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i == j) R[cell(i, n, j)] = model.rotor[v[i]];
      for (const auto& pair : model.rotor_coupling)
        if ((pair.i == v[i] && pair.j == v[j]) || (pair.i == v[j] && pair.j == v[i])) R[cell(i, n, j)] = pair.value;
    }
  for (int k = 0; k < n; ++k) {
    const double d = R[cell(k, n, k)];
    if (!(d > 0)) continue;
    std::vector<MechanismCoupling::Term> terms;
    double speed = 0;
    for (int i = k; i < n; ++i) {
      const double l = R[cell(i, n, k)] / d;
      if (l == 0) continue;
      terms.push_back({measure_of(model, master[v[i]]), l, {}});
      speed += l * rate(v[i]);
      for (int j = k + 1; j < n; ++j) R[cell(i, n, j)] -= l * R[cell(j, n, k)];
    }
    add_flywheel(rotor_name(v[k]), d, speed, std::move(terms), out);
  }
}

}  // namespace

Result<MechanismDescription> mechanism_of_robot(const Model<double>& model, std::span<const double> q,
                                                std::span<const double> qd) {
  if (Faults faults = rotors_between_rotating_links(model); !faults.empty()) return faults;
  MechanismDescription out;
  out.name = model.name;
  out.gravity = model.gravity;
  const std::vector<int> master = masters(model);
  add_bodies(model, q, qd, out);
  add_joints(model, master, out);
  add_friction(model, out);
  add_flywheels(model, qd, master, out);
  return out;
}

void add_part(MechanismDescription& whole, MechanismDescription part, const Transform<double>& X,
              std::string_view prefix) {
  TORSOR_EXPECT(part.carriers.empty() && part.forces.empty() && part.laws.empty());
  const int bodies = static_cast<int>(whole.bodies.size()), joints = static_cast<int>(whole.joints.size());
  const auto take = [&](auto& from, auto& to, const auto& mend) {
    for (auto& item : from) {
      item.name.insert(0, prefix);
      mend(item);
      to.push_back(std::move(item));
    }
  };
  const auto renumber_terms = [&](auto& item) {
    for (MechanismCoupling::Term& term : item.terms) term.measure.joint += joints;
  };
  const auto renumber_measure = [&](auto& item) { item.measure.joint += joints; };
  take(part.bodies, whole.bodies, [&](MechanismBody& body) {
    body.X_world_body = X * body.X_world_body;
    body.velocity = {X.R * body.velocity.w, X.R * body.velocity.v};
  });
  take(part.joints, whole.joints, [&](MechanismJoint& joint) {
    for (JointSide* const side : {&joint.i, &joint.j})
      if (side->body == ground)
        side->X = X * side->X;
      else
        side->body += bodies;
  });
  take(part.couplings, whole.couplings, renumber_terms);
  take(part.drivers, whole.drivers, renumber_terms);
  take(part.actuators, whole.actuators, renumber_measure);
  take(part.springs, whole.springs, renumber_measure);
  take(part.frictions, whole.frictions, renumber_measure);
  whole.notes.insert(whole.notes.end(), part.notes.begin(), part.notes.end());
}

}  // namespace torsor
