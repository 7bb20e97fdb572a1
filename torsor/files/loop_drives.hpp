// Which joints of the loops of a robot are driven, for formats that name the motors of the whole robot and not those of a loop.
#pragma once

#include <string>
#include <unordered_set>

#include "torsor/model/description.hpp"

namespace torsor::detail {

/// Says of each loop which of the joints between its two links are among the driven ones: actuated; if none is, that all
/// are passive.
void name_driven(const std::unordered_set<std::string>& driven, Description& robot);

}  // namespace torsor::detail
