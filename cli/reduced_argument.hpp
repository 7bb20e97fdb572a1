// The option --reduced: a reduced model in a file, of the robot at hand.
#pragma once

#include <optional>
#include <string>

#include "torsor/reduction/reduced_model.hpp"
#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The reduced model of this robot in a file; nothing where none is asked for.
Result<std::optional<ReducedModel>> read_reduced(const std::optional<std::string>& path, const Description& robot);

}  // namespace torsor
