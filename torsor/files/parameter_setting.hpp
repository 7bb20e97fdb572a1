// A number of a mechanism file that has a name, set from outside (mechanism_parameters.hpp).
#pragma once

#include <string>

namespace torsor {

/// A parameter that is set from outside the file.
struct ParameterSetting {
  std::string name;
  double value = 0;
};

}  // namespace torsor
