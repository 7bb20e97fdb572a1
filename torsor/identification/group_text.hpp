// Base parameters written out: `Izz2 + Iyy3 + a2^2 m3`. Where the closed rule of regrouping (regroup.hpp), run over
// polynomials in the lengths and twists of the robot, has the value that was found by rank, its letters are shown; else
// the number. Letters are those of the robot's DH table where it has one (a_i, d_i, ca_i and sa_i the cosine and sine
// of a twist that is no quarter turn); for other placements x_i, y_i, z_i is where joint i sits in the joint frame
// before it.
#pragma once

#include "torsor/identification/base_parameters.hpp"

namespace torsor {

struct GroupLetter {
  std::string name;
  double value = 0;  // m; cosines and sines have no unit
};

struct GroupTexts {
  std::vector<std::string> combinations;  // one per base parameter
  std::vector<GroupLetter> letters;       // that occur in them
};

/// The combinations of a robot's base parameters; model is what the description was built into.
GroupTexts group_texts(const Description&, const Model<double>& model, const BaseParameters&);

}  // namespace torsor
