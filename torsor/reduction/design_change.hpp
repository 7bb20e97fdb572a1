// What a designer could change about a robot to make its equations simpler (Tourassis & Neuman 1985, section 6), each change
// as the robot that has it. Nothing is judged here: these are the candidates, found by looking at the numbers of the file.
//
//   offset           a length of the geometry made zero
//   axis             a twist made a multiple of a quarter turn, or the next one: parallel for perpendicular and back
//   mount            the base turned so that the first axis is along gravity
//   mass centre      moved onto the axis of the link's own joint, of the next joint, into a plane through them, to a corner
//   mass shape       products of inertia made zero; the link round about its own axis, as it is or with its mass centre on it
//   counterbalance   a mass on the far side of the axis (counterbalance.hpp)
//
// Where a length or a twist changes, the mass keeps its place in the link's frame. A link of several parts whose mass centre
// or shape changes becomes one part. New numbers have few decimals, so that exact arithmetic finds what they are meant to be.
#pragma once

#include "torsor/model/description.hpp"

namespace torsor {

enum class ChangeKind { offset, axis, mount, mass_centre, mass_shape, counterbalance, several };

/// `offset`, `mass centre`, ...
std::string_view to_text(ChangeKind);

struct DesignChange {
  ChangeKind kind = ChangeKind::offset;
  std::string link;         // the one that changes; "" for the base
  std::string text;         // what is done, with its numbers
  int numbers = 1;          // how many of them it changes
  bool moves_axes = false;  // so that the tool reaches elsewhere
  Description robot;        // after the change
};

/// All candidates for a robot of joints with one degree of freedom; model is what it builds.
std::vector<DesignChange> design_changes(const Description&, const Model<double>& model);

/// Those of the masses alone, which leave the tool where it is.
std::vector<DesignChange> mass_changes(const Description&, const Model<double>& model);

}  // namespace torsor
