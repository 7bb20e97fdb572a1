# What people ask for first is built first: `./run demo` compiles the sources that the verbs of cli/first_verbs need, a third of
# all, and links them as torsor-first; the rest waits until another verb is asked for. Nothing is compiled twice.

# sources_behind(RESULT SOURCE...): these sources and those that define what their headers declare, and so on. A header's source
# has its name; one without a header of its name belongs to the first header of its folder that it includes.
function(sources_behind result)
  file(GLOB_RECURSE sources RELATIVE ${PROJECT_SOURCE_DIR} torsor/*.cpp)
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "[.]cpp$" ".hpp" header ${source})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${header})
      cmake_path(GET source PARENT_PATH folder)
      file(STRINGS ${source} lines REGEX "^#include \"${folder}/" LIMIT_COUNT 1)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" header "${lines}")
    endif()
    list(APPEND "behind_${header}" ${source})
  endforeach()
  set(todo ${ARGN})
  set(found ${todo})
  while(todo)
    list(POP_FRONT todo file)
    file(STRINGS ${file} lines REGEX "^#include \"(torsor|cli)/")
    list(TRANSFORM lines REPLACE "^#include \"([^\"]+)\".*" "\\1")
    set(next ${lines} ${behind_${file}})
    if(file MATCHES "^cli/.*[.]hpp$")
      string(REGEX REPLACE "[.]hpp$" ".cpp" source ${file})
      if(EXISTS ${PROJECT_SOURCE_DIR}/${source})
        list(APPEND next ${source})
      endif()
    endif()
    list(REMOVE_ITEM next ${found})
    list(REMOVE_DUPLICATES next)
    list(APPEND found ${next})
    list(APPEND todo ${next})
  endwhile()
  # an include that comes or goes changes what belongs to the first verbs: configured anew, which takes half a second
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
  list(FILTER found INCLUDE REGEX "[.]cpp$")
  list(TRANSFORM found PREPEND ${PROJECT_SOURCE_DIR}/)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# verb_sources(LIST RESULT UNBUILT SOURCE...): the sources behind the verbs that a file lists, and behind these; and sources that
# define the other verbs, which say where they are, and the choice of kernels where there is one
function(verb_sources list result unbuilt)
  file(STRINGS ${list} names REGEX "^[a-z]")
  list(TRANSFORM names REPLACE "(.+)" "cli/\\1.cpp" OUTPUT_VARIABLE files)
  # and what no header of its own leads to: kernels, a list of numbers, meshes of MJCF. The kernels are those of the narrowest
  # registers, which every machine has
  sources_behind(sources cli/verbs.cpp cli/number_list.cpp torsor/files/mjcf_mesh.cpp torsor/files/gltf_reader.cpp
    torsor/fast/machine_baseline.cpp ${files} ${ARGN})
  # whose headers are read on the way to something else; that nothing of them is called, the linker says. Which registers a machine
  # has is asked where there is a choice
  list(FILTER sources EXCLUDE REGEX "/torsor/(structure/.*|report/structure_.*|fast/(instruction_set|machine_avx.*)|files/reduced_toml_writer)[.]cpp$")
  list(FILTER sources EXCLUDE REGEX "/torsor/(scalar/(modular|poly|trace_count)|numeric/exact_polynomial|model/(general_arm|to_placements))[.]cpp$")
  list(FILTER sources EXCLUDE REGEX "/torsor/trajectory/(not_a_knot|spline_motion|time_function)[.]cpp$")
  # formulations over other numbers than double, which counts and equations ask for
  list(FILTER sources EXCLUDE REGEX "/torsor/formulations/(catalogue_(trace|exact)|operation_census|quoted_tables|record_.*|recount)[.]cpp$")
  set(${result} ${sources} PARENT_SCOPE)

  file(STRINGS cli/verb.hpp verbs REGEX "^int [a-z]+_verb\\(Arguments\\);")
  list(TRANSFORM verbs REPLACE "^int ([a-z]+)_verb.*" "\\1")
  list(REMOVE_ITEM verbs run ${names})
  set(text "// Made by cmake/first_verbs.cmake.\n#include \"cli/unbuilt_verb.hpp\"\n\nnamespace torsor {\n\n")
  foreach(verb IN LISTS verbs)
    string(APPEND text "int ${verb}_verb(Arguments) { return unbuilt_verb(\"${verb}\"); }\n")
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/unbuilt_verbs.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}\n}  // namespace torsor\n" @ONLY)
  set(choice ${PROJECT_BINARY_DIR}/generated/first_instruction_set.cpp)
  file(CONFIGURE OUTPUT ${choice} CONTENT "// Made by cmake/first_verbs.cmake.\n#define TORSOR_FIRST_VERBS\n#include \"torsor/fast/instruction_set.cpp\"\n" @ONLY)
  set(${unbuilt} ${source} ${choice} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list} cli/verb.hpp)
endfunction()

# take_from(SOURCES TAKEN SOURCE...): moves those of the list that are among the given ones to another list
macro(take_from list taken)
  set(${taken} ${${list}})
  set(given ${ARGN})
  list(REMOVE_ITEM ${list} ${given})
  list(REMOVE_ITEM ${taken} ${${list}})
endmacro()
