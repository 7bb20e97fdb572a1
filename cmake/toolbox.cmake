# Tools that make the build quicker or more pleasant when they happen to be installed; none is required.
include(CheckLinkerFlag)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(TORSOR_CCACHE ccache)
if(TORSOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # without this it keeps nothing that was compiled on top of compiled headers
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TORSOR_CCACHE})
endif()

find_program(TORSOR_MOLD mold)
if(TORSOR_MOLD)
  check_linker_flag(CXX -fuse-ld=mold TORSOR_LINKS_WITH_MOLD)
  if(TORSOR_LINKS_WITH_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
mark_as_advanced(TORSOR_CCACHE TORSOR_MOLD)
