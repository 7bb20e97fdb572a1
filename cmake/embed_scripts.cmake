# Puts torsor/report/*.js into the library: the scripts of the pages, without indentation and comment lines. Included, it defines
# embed_scripts(); run as a script (cmake -DOUTPUT=... -DSCRIPTS=... -P), it writes the source file.

function(embed_scripts output_variable)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/torsor/report/*.js)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_scripts.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_scripts.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DSCRIPTS=${scripts}" -P ${script}
    DEPENDS ${scripts} ${script}
    COMMENT "Embedding torsor/report/*.js"
    VERBATIM)
  set(${output_variable} ${output} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# viewer.js is viewer_script(); the text stands in a raw literal, which its own end must not occur in
set(functions "")
foreach(path IN LISTS SCRIPTS)
  cmake_path(GET path STEM name)
  file(READ ${path} text)
  string(REGEX REPLACE "\n +" "\n" text "\n${text}")
  string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(APPEND functions "std::string_view ${name}_script() {\n  return R\"torsor(${text})torsor\";\n}\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_scripts.cmake from torsor/report/*.js.
#include \"torsor/report/moving_view.hpp\"
#include \"torsor/report/report_style.hpp\"

namespace torsor {

${functions}
}  // namespace torsor
")
