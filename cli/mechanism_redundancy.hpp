// What is said of equations that depend on one another, the same in every part of `torsor mechanism`: how many, of what rank,
// and whose reactions are therefore not unique.
#pragma once

#include "cli/mechanism_argument.hpp"

namespace torsor {

/// What reactions a verb gives: none; those of the joints; those that go with torques which are not unique themselves, as is
/// told elsewhere.
enum class ReactionsGiven { none, of_joints, with_torques };

/// `3 of 21 equations are redundant (rank 18): reactions of joint "crank hinge", ... are not unique, the least ones are given.`
std::string redundancy_sentence(const Mechanism&, const MobilityReport&, ReactionsGiven);

/// "redundancy": {equations, rank, redundant, not_unique}, the last the joints, couplings and drivers concerned; without rank
/// and what depends on it where it was too large to be found.
void redundancy_field(JsonWriter&, const Mechanism&, const MobilityReport&);

}  // namespace torsor
