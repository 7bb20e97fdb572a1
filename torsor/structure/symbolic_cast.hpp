// The forms of a symbolic robot over another scalar: what each polynomial is there, `convert` says. For recordings,
// where it is an expression of inputs, and for the finite field, where it is a number.
#pragma once

#include "torsor/structure/symbolic_robot.hpp"

namespace torsor {

template <class U, class Convert>
Model<U> cast_tree(const Model<Poly>& from, const Convert& convert) {
  Model<U> out;
  out.name = from.name;
  out.nq = from.nq;
  out.nv = from.nv;
  out.base = cast<U>(from.base, convert);
  out.gravity = cast<U>(from.gravity, convert);
  for (const Body<Poly>& b : from.bodies) {
    Body<U> body;
    body.parent = b.parent;
    body.kind = b.kind;
    body.q = b.q;
    body.v = b.v;
    body.column = b.column;
    body.nv = b.nv;
    body.placement = cast<U>(b.placement, convert);
    body.link = cast<U>(b.link, convert);
    body.inertia = cast<U>(b.inertia, convert);
    out.bodies.push_back(std::move(body));
  }
  for (const Motion<Poly>& s : from.S) out.S.push_back(cast<U>(s, convert));
  for (const Poly& r : from.rotor) out.rotor.push_back(convert(r));
  for (const auto& [i, j, value] : from.rotor_coupling) out.rotor_coupling.push_back({i, j, convert(value)});
  return out;
}

template <class U, class Convert>
Configuration<U> cast_configuration(const SymbolicRobot& robot, const Model<U>& model, const Convert& convert) {
  Configuration<U> out(model);
  for (int i = 0; i < model.size(); ++i) {
    const JointPosition<Poly>& joint = robot.forms.configuration[i];
    out[i].c = convert(joint.c);
    out[i].s = convert(joint.s);
    out[i].d = convert(joint.d);
  }
  return out;
}

namespace detail {

template <class U, class Convert>
DhArm<U> cast_arm(const DhArm<Poly>& arm, const Convert& convert) {
  DhArm<U> out{arm.convention, {}, cast<U>(arm.g, convert), arm.level};
  for (const DhLink<Poly>& l : arm.links)
    out.links.push_back({l.prismatic, convert(l.a), convert(l.ca), convert(l.sa), convert(l.c), convert(l.s),
                         convert(l.d), convert(l.m), cast<U>(l.r, convert), cast<U>(l.I, convert), l.structure, l.held});
  return out;
}

template <class U, class Convert>
DhPosition<U> cast_position(const DhPosition<Poly>& from, const Convert& convert) {
  DhPosition<U> out(static_cast<int>(from.c.size()) - 1);
  for (std::size_t i = 0; i < from.c.size(); ++i) {
    out.c[i] = convert(from.c[i]);
    out.s[i] = convert(from.s[i]);
    out.d[i] = convert(from.d[i]);
  }
  return out;
}

}  // namespace detail

/// All forms, at the general position.
template <class U, class Convert>
RobotForms<U> cast_forms(const SymbolicRobot& robot, const Convert& convert) {
  const RobotForms<Poly>& from = robot.forms;
  RobotForms<U> out{cast_tree<U>(from.model, convert), {}, {}, from.not_serial, from.snaps, {}, {}};
  if (from.standard) out.standard = detail::cast_arm<U>(*from.standard, convert);
  if (from.modified) out.modified = detail::cast_arm<U>(*from.modified, convert);
  for (const auto& [i, j, value] : from.rotors) out.rotors.push_back({i, j, convert(value)});
  out.configuration = cast_configuration(robot, out.model, convert);
  out.standard_position = detail::cast_position<U>(from.standard_position, convert);
  out.modified_position = detail::cast_position<U>(from.modified_position, convert);
  return out;
}

}  // namespace torsor
