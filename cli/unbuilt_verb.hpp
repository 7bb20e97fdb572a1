// A verb that a part of the command (torsor-first, see cmake/first_verbs.cmake) was built without.
#pragma once

#include "cli/verb.hpp"

namespace torsor {

inline int unbuilt_verb(std::string_view name) {
  return complain({{{},
                    "verb \"" + std::string(name) + "\"",
                    "verb-unbuilt",
                    "this part of the command was built without it",
                    "./run " + std::string(name) + " builds and runs the whole command"}},
                  exit_not_written);
}

}  // namespace torsor
