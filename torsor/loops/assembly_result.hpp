// What of assembly modes is shown, in JSON and in Python.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/loops/assembly_modes.hpp"

namespace torsor {

constexpr auto fields(Of<AssemblyMode>) {
  using A = AssemblyMode;
  return field_list("AssemblyMode", "One way to put the loops together.",
                    field("joints", "rad or m", "positions of all joints of the tree", &A::q),
                    field("assembled", "", "the mode in which the robot has its loops", &A::assembled),
                    field("inside_limits", "", "of all joints", &A::inside_limits),
                    field("closure_error", "m or rad", "of all loops", &A::residual),
                    field("determined", "", "how well the dependent joints are, 0 at a dead centre", &A::determined));
}

constexpr auto fields(Of<AssemblyModes>) {
  using A = AssemblyModes;
  return field_list(
      "AssemblyModes",
      "All ways to put the loops together at a position of the independent joints, by a search from random starts.",
      field("modes", "", "the assembled one first, then those inside the limits", &A::modes),
      field("starts", "", "of the search", &A::starts),
      field("missing", "", "modes that are expected to be there still, from how often each was found", &A::missing),
      field("settled", "", "each was found as often as was wanted", &A::settled));
}

}  // namespace torsor
