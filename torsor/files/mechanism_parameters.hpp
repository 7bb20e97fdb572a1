// Numbers of a mechanism file that have a name, and may be set from outside: in [parameters], and wherever a text begins with `=`:
//
//   [parameters]                      [[body]]
//   crank = 0.12                      mass = "= 2*rho*crank"
//   rho = "= 7800*1e-4"               com = ["= crank/2", 0, 0]
//
// What such a text says in the names of parameters is a number; where t (or x, of a profile) is left it is a formula.
#pragma once

#include <span>
#include <string>

#include "torsor/files/parameter_setting.hpp"
#include "torsor/text/toml_value.hpp"

namespace torsor {

/// Takes [parameters] out of a document and puts their numbers where they are used; every fault by its line.
Faults apply_parameters(TomlValue& document, const std::string& file, std::span<const ParameterSetting>);

}  // namespace torsor
