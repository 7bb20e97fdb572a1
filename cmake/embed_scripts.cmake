# Puts torsor/report/*.js into the library: the scripts of the pages, without indentation and comment lines. Run as a script
# (cmake -DOUTPUT=... -DSCRIPTS=... -P; see embed.cmake), it writes the source file.

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
