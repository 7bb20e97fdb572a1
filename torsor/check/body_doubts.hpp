// What is to be doubted about a rigid body, given its numbers and the link it is part of: the rules that the check of a
// robot applies, and by which it tries out what the author may have meant.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/model/link_scale.hpp"
#include "torsor/model/mass_spread.hpp"

namespace torsor {

/// Where doubt begins. Set against some 3000 links of published robots: nine out of ten have a gyration radius of 0.15
/// to 1.3 extents of their link and a density of 500 to 7000 kg/m^3; beyond these bounds are placeholders and slips.
struct DoubtLimits {
  double rounding = 1e-4;   // of the largest entry: what few decimals do to a rod or plate
  double point = 1e-6;      // m, of a robot 1 m long: a body with a smaller gyration radius is a point
  double widest = 3;        // gyration radius over the extent of the link
  double narrowest = 0.01;  // gyration radius over the least extent of the link
  double densest = 25'000;  // kg/m^3; osmium has 22 600
  double thinnest = 0.05;   // kg/m^3; air has 1.2, the unit body of exercises, 1 kg and 1 kg m^2, 0.06
  double farthest = 5;      // distance of the mass centre from the joint, over the largest joint distance of the robot
  double outside = 3;       // the same for a body small beside that distance: there is nothing in between
  double longest = 30;      // m between two joints
  double turns = 2;         // position limits of a revolute joint, in turns from zero
};

struct BodyDoubts {
  bool negative = false;  // a principal moment is negative
  bool triangle = false;  // one is larger than the sum of the others
  bool wide = false, narrow = false;
  bool dense = false, thin = false;
  bool far = false;

  MassSpread spread;
  double distance = 0, extent = 0, least_extent = 0;

  double least_density = 0;  // kg/m^3; 0 where none can be told

  bool any() const { return negative || triangle || wide || narrow || dense || thin || far; }
};

/// Largest absolute value of its six entries.
double largest_entry(const Sym3<double>& I);

/// Tensor of the part about its mass centre, in the axes of the link frame.
Sym3<double> central_tensor(const Part&);

/// Whether `alone` tells that the part is all of its link, so that a spread too small for the link counts, too.
BodyDoubts body_doubts(const Part&, const LinkScale&, bool alone, const DoubtLimits& = {});

}  // namespace torsor
