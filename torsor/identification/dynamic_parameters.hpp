// The numbers in which the torques of a model are linear, as a list that the columns of a regressor follow: ten
// inertial parameters per body, rotor inertias, and of friction the viscous and the dry levels,
//
//   tau = Y phi + what is not in the list
//
// (friction tables and functions are in no list). Letters of a parameter end in the number of its body, counted from 1:
//
//   m2 mx2 my2 mz2 Ixx2 .. Izz2   mass, first moments, tensor about the origin of the joint frame, in its axes
//   Ia2                           rotor inertia at the joint: gear^2 times that of the rotor
//   Ia23                          what couples the rotors of two joints behind one transmission
//   Fv2  Fp2 Fn2  Sp2 Sn2         viscous friction; dry friction for positive and negative speed; breakaway levels
#pragma once

#include <string>
#include <string_view>

#include "torsor/dynamics/inertial_regressor.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

enum class ParameterKind {
  inertial,  // the ten of them: `which`
  rotor,
  rotor_coupling,
  viscous,
  coulomb_positive,
  coulomb_negative,
  breakaway_positive,
  breakaway_negative,
};

struct DynamicParameter {
  ParameterKind kind = ParameterKind::inertial;
  int index =
      0;  // of the body; of a rotor its first velocity coordinate; of a coupling its place in model.rotor_coupling
  int which = 0;  // of the inertial ones

  friend bool operator==(const DynamicParameter&, const DynamicParameter&) = default;
};

/// Which joints have columns of a drive: none; those that have it in the model (of friction with its breakaway levels);
/// every joint of one degree of freedom.
enum class DriveColumns { none, of_model, every_joint };

struct ParameterChoice {
  DriveColumns rotors = DriveColumns::of_model, friction = DriveColumns::of_model;
};

/// All parameters of the bodies in their order, then rotors in the order of the coordinates, couplings of rotors, and
/// friction joint by joint.
std::vector<DynamicParameter> dynamic_parameters(const Model<double>&, const ParameterChoice& = {});

/// Those of them that a robot file can hold: of a rotor that is a body its inertia alone, and rotors behind a coupling
/// matrix are not among them.
std::vector<DynamicParameter> file_parameters(const Model<double>&, const ParameterChoice& = {});

/// `Ixx3`, and its unit, `kg m²`.
std::string parameter_name(const Model<double>&, const DynamicParameter&);
std::string_view parameter_unit(const Model<double>&, const DynamicParameter&);

/// How many velocities the rotor at a velocity coordinate is the inertia of: three from the first of a spherical joint.
template <class T>
int rotor_width(const Model<T>& model, int coordinate) {
  for (const Body<T>& b : model.bodies)
    if (b.v == coordinate && b.kind == JointKind::spherical) return b.nv;
  return 1;
}

/// The law of friction of a body's joint, or none.
template <class T>
const Friction<T>* friction_of(const Model<T>& model, int body) {
  for (const JointFriction<T>& friction : model.friction)
    if (friction.body == body) return &friction.law;
  return nullptr;
}

/// The number itself; 0 where a joint has no law.
template <class T>
T parameter_value(const Model<T>& model, const DynamicParameter& p) {
  if (p.kind == ParameterKind::inertial) return inertial_parameter(model[p.index].inertia, p.which);
  if (p.kind == ParameterKind::rotor) return model.rotor[p.index];
  if (p.kind == ParameterKind::rotor_coupling) return model.rotor_coupling[p.index].value;
  const Friction<T>* law = friction_of(model, p.index);
  if (!law) return T(0);
  switch (p.kind) {
    case ParameterKind::coulomb_positive: return law->coulomb_positive;
    case ParameterKind::coulomb_negative: return law->coulomb_negative;
    case ParameterKind::breakaway_positive: return law->breakaway_positive;
    case ParameterKind::breakaway_negative: return law->breakaway_negative;
    default: return law->viscous;
  }
}

template <class T>
std::vector<T> parameter_values(const Model<T>& model, std::span<const DynamicParameter> list) {
  std::vector<T> phi;
  for (const DynamicParameter& p : list) phi.push_back(parameter_value(model, p));
  return phi;
}

/// The model with these values (as many as parameters); all else as it was.
Model<double> with_parameters(Model<double>, std::span<const DynamicParameter>, std::span<const double> phi);

/// The description with the values of file_parameters: each changed link as one part about its frame, rotors behind
/// their gears, friction at the joints. model is the one that it was built into. Faults: no file can hold a negative
/// mass, or a mass centre of none.
Result<Description> with_parameters(Description, const Model<double>& model, std::span<const DynamicParameter>,
                                    std::span<const double> phi);

}  // namespace torsor
