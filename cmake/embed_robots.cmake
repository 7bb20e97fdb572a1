# Puts the text of every robots/*.toml, robots/loops/*.toml, robots/mechanisms/*.toml and examples/data/* into the library, so that one binary knows
# its robots and examples wherever it runs. Included, it defines embed_robots(); run as a script (cmake -DOUTPUT=...
# -DROBOTS=... -DLOOPS=... -DMECHANISMS=... -DEXAMPLES=... -P), it writes the source file.

# The generated source is made anew whenever a robot file changes, appears or goes.
function(embed_robots output_variable)
  file(GLOB robots CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/*.toml)
  file(GLOB loops CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/loops/*.toml)
  file(GLOB mechanisms CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/mechanisms/*.toml)
  file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/data/*)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_robots.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_robots.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DROBOTS=${robots}" "-DLOOPS=${loops}" "-DMECHANISMS=${mechanisms}"
      "-DEXAMPLES=${examples}" -P ${script}
    DEPENDS ${robots} ${loops} ${mechanisms} ${examples} ${script}
    COMMENT "Embedding robots/*.toml, robots/loops/*.toml, robots/mechanisms/*.toml and examples/data/*"
    VERBATIM)
  set(${output_variable} ${output} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# every byte becomes a character literal: no escapes to get wrong, no limit on the length of a literal
set(texts "")
set(count 0)
# robots and mechanisms are known by the name without its ending, examples with it
function(embed files ending rows_variable size_variable)
  set(rows "")
  set(size 0)
  if(ending)
    list(TRANSFORM files REPLACE "[.]${ending}$" "")
    set(ending .${ending})
  endif()
  list(SORT files)
  foreach(stem IN LISTS files)
    cmake_path(GET stem FILENAME name)
    file(READ ${stem}${ending} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND texts "constexpr char text_${count}[] = {${bytes}'\\0'};\n")
    string(APPEND rows "    EmbeddedFile{\"${name}\", {text_${count}, sizeof text_${count} - 1}},\n")
    math(EXPR count "${count} + 1")
    math(EXPR size "${size} + 1")
  endforeach()
  set(${rows_variable} "${rows}" PARENT_SCOPE)
  set(${size_variable} ${size} PARENT_SCOPE)
  set(texts "${texts}" PARENT_SCOPE)
  set(count ${count} PARENT_SCOPE)
endfunction()
embed("${ROBOTS}" toml robot_rows robot_count)
embed("${LOOPS}" toml loop_rows loop_count)
embed("${MECHANISMS}" toml mechanism_rows mechanism_count)
embed("${EXAMPLES}" "" example_rows example_count)

file(WRITE ${OUTPUT} "// Written by cmake/embed_robots.cmake from robots/*.toml, robots/loops/*.toml, robots/mechanisms/*.toml and examples/data/*.
#include \"torsor/files/embedded_robots.hpp\"

#include <array>

namespace torsor {
namespace {
${texts}
constexpr std::array<EmbeddedFile, ${robot_count}> robots{
${robot_rows}};
constexpr std::array<EmbeddedFile, ${loop_count}> robots_with_loops{
${loop_rows}};
constexpr std::array<EmbeddedFile, ${mechanism_count}> mechanisms{
${mechanism_rows}};
constexpr std::array<EmbeddedFile, ${example_count}> examples{
${example_rows}};
}  // namespace

std::span<const EmbeddedFile> embedded_robots() { return robots; }
std::span<const EmbeddedFile> embedded_robots_with_loops() { return robots_with_loops; }
std::span<const EmbeddedFile> embedded_mechanisms() { return mechanisms; }
std::span<const EmbeddedFile> embedded_examples() { return examples; }

}  // namespace torsor
")
