// What a run that comes no further, or starts otherwise than it was told to, says to those who wait for it.
#pragma once

#include <optional>
#include <string>

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

/// What cannot be closed a moment later: the drivers ask for positions beyond those that exist. Of all the equations that
/// are missed, as little as they can be in the sum of their squares, the first of those that are missed most: one and the same
/// element for one lock, however near to it a run came.
struct LockAhead {
  int block = -1;
  double gap = 0;
};

/// Looks so many seconds ahead of where it stands; none: it closes there, or nothing is driven.
std::optional<LockAhead> lock_ahead(const Mechanism&, const MechanismState&, double moment);

/// `joint "pin" cannot close, 1e-05 m or rad are left a moment later`.
std::string why_locked(const Mechanism&, const LockAhead&);

/// The largest angular velocity, or velocity of a mass centre over the size of the mechanism.
double speed_of(const MechanismState&, double size);

/// Whether closing the equations has turned the velocities that a step came with, and no driver has since `since`: it stands on
/// the other side of a singular position than the momentum of its bodies brings it to. `unit_time`: its own (mechanism.hpp).
bool turned_over(const Mechanism&, const MechanismState& came, const MechanismState& is, double since,
                 double unit_time);
inline constexpr const char* turned_over_words =
    "its velocities turn over in a singular position: nothing says which way it goes on";

/// A body or a joint that was given velocities at the start which the equations do not allow, and those it has instead, those of
/// a body of its own frame: the one that differs most, none if none does by more than a thousandth of what was given.
struct StartVelocity {
  int body = -1;
  Motion<double> given, taken;
  Measure measure = {};  // of a joint
  double given_rate = 0, taken_rate = 0;

  bool differs() const { return body >= 0 || measure.joint >= 0; }
};
StartVelocity start_velocity(const Mechanism&, const MechanismState& given, const MechanismState& taken);

}  // namespace torsor
