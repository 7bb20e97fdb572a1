# Puts the text of every robots/*.toml into the library, so that one binary knows its robots wherever it runs.
# Included, it defines embed_robots(); run as a script (cmake -DOUTPUT=... -DROBOTS=... -P), it writes the source file.

# The generated source is made anew whenever a robot file changes, appears or goes.
function(embed_robots output_variable)
  file(GLOB robots CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/*.toml)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_robots.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_robots.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DROBOTS=${robots}" -P ${script}
    DEPENDS ${robots} ${script}
    COMMENT "Embedding robots/*.toml"
    VERBATIM)
  set(${output_variable} ${output} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# every byte becomes a character literal: no escapes to get wrong, no limit on the length of a literal
set(texts "")
set(rows "")
set(count 0)
list(TRANSFORM ROBOTS REPLACE "\\.toml$" "")
list(SORT ROBOTS)
foreach(robot IN LISTS ROBOTS)
  cmake_path(GET robot FILENAME name)
  file(READ ${robot}.toml bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND texts "constexpr char text_${count}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "    EmbeddedRobot{\"${name}\", {text_${count}, sizeof text_${count} - 1}},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE ${OUTPUT} "// Written by cmake/embed_robots.cmake from robots/*.toml.
#include \"torsor/io/embedded_robots.hpp\"

#include <array>

namespace torsor {
namespace {
${texts}
constexpr std::array<EmbeddedRobot, ${count}> robots{
${rows}};
}  // namespace

std::span<const EmbeddedRobot> embedded_robots() { return robots; }

}  // namespace torsor
")
