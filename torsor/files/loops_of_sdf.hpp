// An SDF whose joints close loops, as a mechanism: its tree as mechanism_of_robot() has it, and a joint for each loop.
#pragma once

#include <string>
#include <string_view>

#include "torsor/mechanism/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The mechanism that an SDF text describes, where its file puts it; actuators are at the joints of its tree.
Result<MechanismDescription> read_sdf_mechanism(std::string_view text, const std::string& file,
                                                const LoadOptions& options = {});

}  // namespace torsor
