// Mechanism: what Python holds of a mechanism, with the texts that it was made from, so that it can be pickled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor::python {

struct LoadedMechanism : Mechanism {
  using Texts = std::map<std::string, std::string>;

  std::string text, file;    // of the mechanism file
  std::map<std::string, double> set;  // its parameters, where they are not those of the file
  Texts robots, tables;      // what it names, by name
  std::string robot;         // or a robot that it is instead, as the text of its file
  std::vector<double> q, qd;
};

}  // namespace torsor::python
