// What a robot file may ask for that is not in it: arguments of a xacro, folders of packages, environment variables.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace torsor {

struct LoadOptions {
  std::map<std::string, std::string> arguments{};    // $(arg NAME), as name:=value gives them
  std::map<std::string, std::string> packages{};     // $(find NAME): package -> its folder
  std::vector<std::string> package_folders{};        // folders with packages in them, at any depth
  std::map<std::string, std::string> environment{};  // $(env NAME): nothing else of the environment is shown to a file
};

}  // namespace torsor
