// The arm that a controller's model does not describe exactly: every inertial number off by a random part, in a way
// that remains possible for a body, the same one for the same seed on every machine.
//
//   m' = m (1 + e u1),   c' = c (1 + e u2),   I' = I (1 + e u3) (1 + e u1) about c',   u in [-1, 1] per body
//   rotors and friction likewise, one u each
#pragma once

#include "torsor/model/random_position.hpp"

namespace torsor {

/// The model with numbers off by at most `error` (relative); lengths and axes are the same.
inline Model<double> deviating_model(Model<double> model, double error, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto factor = [&] { return 1 + error * (2 * uniform(engine) - 1); };
  for (Body<double>& body : model.bodies) {
    const double mass = factor(), centre = factor(), tensor = factor();
    const Vec3<double> c = mass_centre(body.inertia);
    Sym3<double> I = tensor_about_centre(body.inertia) * (tensor * mass);
    // a body without mass, only inertia, keeps what it has of a first moment
    if (body.inertia.m == 0) {
      body.inertia.I = body.inertia.I * tensor;
      continue;
    }
    body.inertia = inertia_about_centre(body.inertia.m * mass, c * centre, I);
  }
  for (double& rotor : model.rotor) rotor *= factor();
  for (JointFriction<double>& joint : model.friction) {
    const double f = factor();
    Friction<double>& law = joint.law;
    for (double* x :
         {&law.viscous, &law.coulomb_positive, &law.coulomb_negative, &law.breakaway_positive, &law.breakaway_negative})
      *x *= f;
  }
  return model;
}

}  // namespace torsor
