// Motions that a mechanism is free to make where it stands: a basis N of the null space of J, one column per degree of
// freedom, with N^T M N = 1. Coordinates along it are what equilibrium and linearisation are written in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/mobility.hpp"

namespace torsor {

/// The columns of N, each a Motion per body; all equations that do not depend on time count, drivers among them where the set
/// says so. The state's positions are assembled. Empty where nothing can move. Turns of a body that has no inertia about the
/// axis, such as the spin of a point mass, are left out: nothing drives them and nothing feels them.
std::vector<std::vector<Motion<double>>> freedoms(const Mechanism&, const MechanismState&, EquationSet);

/// How far a motion goes: the largest turn of a body in rad, or way of a mass centre in sizes of the mechanism. Differences
/// are taken over so much of it, so that light mechanisms and small ones are alike.
double reach_of(std::span<const Motion<double>>, double size);

/// The body that goes furthest so. Columns of N move bodies of one linkage (linkages.hpp) only: that of this body.
std::size_t furthest_body(std::span<const Motion<double>>, double size);

/// Bodies with such turns.
std::vector<int> spinning_bodies(const Mechanism&, const MechanismState&, EquationSet);

/// Why matrices over the freedoms of a mechanism would take too long; empty: they would not.
std::string too_many_freedoms(const MobilityReport&);

/// `the mass of body "a" is 1e+24 times that of body "b", ...`, of two that something joins: why the least of the forces, and
/// of the entries of the mass matrix, have no digits beside the largest; empty: they have.
std::string masses_apart(const Mechanism&);
/// The same mechanism with bodies of 1 kg: whether something is lost for its masses shows here.
Result<Mechanism> with_equal_masses(const Mechanism&);

}  // namespace torsor
