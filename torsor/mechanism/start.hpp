// A mechanism at the start of whatever is to be done with it: closed from where the file puts its bodies, or who is to
// blame.
#pragma once

#include "torsor/mechanism/start_velocities.hpp"

namespace torsor {

/// A mechanism at the start: positions and velocities closed, or which element cannot be, and by how much. Where bodies
/// stand roughly they are moved; velocities are those given, as far as they can be had, and else free
/// (start_velocities.hpp). Where drivers fight the state is left where the joints close without them.
Faults assemble_start(const Mechanism&, Assembly&, MechanismState&);

/// Why velocities at the start, `taken` where closed, are not those given, though the same bodies have them with equal
/// masses, on which what can move does not depend: masses too far apart. Empty: these are not to blame.
std::string lost_velocities(const Mechanism&, const MechanismState& given, const MechanismState& taken, bool closed);

/// The same of one that is to be driven, and why its motion would not be determined: the position is singular, or freedoms
/// are not driven.
Faults start_driven(const Mechanism&, MechanismState&);

/// The same of one that is to be simulated: only where drivers prescribe all of its motion is a singular position a
/// fault.
Faults start_simulated(const Mechanism&, MechanismState&);

/// Why a start is refused, without its subject.
inline constexpr const char* singular_start =
    "it stands in a singular position, from which it may go on in more than one way";

/// Whether a mechanism, closed like that, stands where it may go on in more than one way although all is driven.
bool starts_singular(const Mechanism&, const MechanismState&, const AssemblyReport& closed);

/// Whether it does, and beside that position all of its motion is driven.
bool driven_from_singular(const Mechanism&, const MechanismState&, const AssemblyReport& closed);

/// Whether a mechanism on its way stands so near to a singular position that no digits are left between them.
bool stands_singular(const Mechanism&, const MechanismState&);

/// Blocks of drivers that prescribe what others and the joints prescribe already, if there are two or more of them, the
/// last one last; empty: there are none. The position is not to be singular.
std::vector<int> drivers_too_many(const Mechanism&, const MechanismState&);

/// `driver "b" asks for a velocity that driver "a" does not allow with it: 0.1 are left`, without the name of the last
/// one.
std::string drivers_fight(const Mechanism&, const std::vector<int>& drivers, const char* asked, double gap);

}  // namespace torsor
