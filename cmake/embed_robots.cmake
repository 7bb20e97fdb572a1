# Puts the text of every robots/*.toml, robots/loops/*.toml, robots/mechanisms/*.toml and examples/data/* into the library, so that
# one binary knows its robots and examples wherever it runs. Run as a script (cmake -DOUTPUT=... -DROBOTS=... -DLOOPS=...
# -DMECHANISMS=... -DEXAMPLES=... -P; see embed.cmake), it writes the source file.

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
