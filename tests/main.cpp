// The main function of every test program, and the places of what it reads and runs.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "tests/support/places.hpp"

#ifndef TORSOR_CLI
#define TORSOR_CLI ""
#endif

namespace places {

std::string in_project(std::string_view path) { return std::string(TORSOR_SOURCE_DIR "/").append(path); }

std::string command_path() { return TORSOR_CLI; }

}  // namespace places
