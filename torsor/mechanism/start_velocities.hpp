// Velocities at the start. What a description gives, of bodies and of joints, is kept exactly as far as joints, couplings and
// drivers allow it, rates of joints first, then velocities of bodies that are not zero, each in the order of the file. What it
// leaves out is free: of all velocities that are possible then, those with which the joints move least,
//
//   sum over joints of |w_j - w_i|^2 + |v_j(P) - v_i(P)|^2 / size^2   least,
//
// so that what hangs on a carrier goes along with it, and a joint of which nothing is said is at rest.
#pragma once

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

/// Sets the velocities of a state whose positions are assembled. Where they are not those of the description, whoever made the
/// state gave all of them, and the nearest that are possible are taken.
AssemblyReport start_velocities(const Mechanism&, Assembly&, MechanismState&);

}  // namespace torsor
