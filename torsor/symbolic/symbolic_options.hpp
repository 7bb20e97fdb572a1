// What of a robot is a letter in its equations, and which of its equations are asked for.
#pragma once

namespace torsor {

struct SymbolicOptions {
  bool general_inertias = false;  // all ten letters per link, zero or not
  bool first_moments = false;     // letters in which the equations are linear, for the tree alone: m_i, mx_i = m x ...
                                  // and Ixx_i ... about the origin, in the frame of the joint
  bool general_twists = false;    // a letter for every twist but the last one
  bool general_lengths = false;   // likewise for every a and d
  bool rods = true;               // look for an arm of uniform rods
  bool rates = true;              // letters for velocities and accelerations as well
};

/// Which of D, c and G to find; what is not asked for is left empty.
struct SymbolicParts {
  bool D = true, c = true, G = true;
};

}  // namespace torsor
