// An SDF whose joints close loops: as a robot with loops; or as a mechanism, its tree as mechanism_of_robot() has it, and a
// joint for each loop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/files/sdf_model.hpp"
#include "torsor/mechanism/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The loops as those of a robot: frames on two links. Those that a robot cannot have are faults.
Faults close_loops(const std::vector<detail::SdfLoop>& loops, Description& robot);

/// The mechanism that an SDF text describes, where its file puts it; actuators are at the joints of its tree.
Result<MechanismDescription> read_sdf_mechanism(std::string_view text, const std::string& file,
                                                const LoadOptions& options = {});

}  // namespace torsor
