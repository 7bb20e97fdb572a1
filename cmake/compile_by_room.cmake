# compile_by_room(TARGET SIZE): where TORSOR_COMPILE_BY_ROOM is on (all presets), the sources of a target are
# compiled up to SIZE at a time, those of a folder together: their headers are read once, which halves the time of a build from
# nothing. Private names of a folder must differ for it, and a file that includes too little is found only without it.
option(TORSOR_COMPILE_BY_ROOM "Compile several source files of a folder at a time" OFF)

function(compile_by_room target size)
  if(NOT TORSOR_COMPILE_BY_ROOM)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" room)
    list(APPEND of_${room} ${source})
    list(LENGTH of_${room} count)
    math(EXPR batch "(${count} - 1) / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${room}_${batch}")
  endforeach()
endfunction()

# read_headers_once(TARGET GROUP): there, too, the headers of the standard library and of fmt are compiled once for all files of
# the targets of the group, which have the same options. A file with options of its own must stay away from it (SKIP_PRECOMPILE_HEADERS): g++ 12 crashes on headers
# that were compiled at another level of optimisation.
function(read_headers_once target group)
  if(NOT TORSOR_COMPILE_BY_ROOM)
    return()
  endif()
  read_headers_with(${group} ${target} <algorithm> <array> <cmath> <fmt/format.h> <functional> <iostream> <map>
    <memory> <optional> <span> <string> <unordered_map> <variant> <vector>)
  # memory for time: the compiler collects its garbage later
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)
endfunction()

# read_headers_with(GROUP TARGET HEADER...): there, too, the headers are compiled once for all targets of the group, which
# have the same options. The first target of the group compiles them, the others wait for it.
function(read_headers_with group target)
  if(NOT TORSOR_COMPILE_BY_ROOM)
    return()
  endif()
  get_property(first GLOBAL PROPERTY torsor_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY torsor_${group} ${target})
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
