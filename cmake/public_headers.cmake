# public_headers(RESULT): the headers that users may include, which are installed: the face (torsor/*.hpp), the modules that are
# written over any number, and whatever these include. Everything else is private.
function(public_headers result)
  file(GLOB todo RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS torsor/*.hpp torsor/scalar/*.hpp torsor/spatial/*.hpp
    torsor/model/*.hpp torsor/kinematics/*.hpp torsor/dynamics/*.hpp torsor/formulations/*.hpp)
  set(public ${todo})
  while(todo)
    list(POP_FRONT todo header)
    file(STRINGS ${header} lines REGEX "^#include \"torsor/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST public)
        list(APPEND public ${included})
        list(APPEND todo ${included})
      endif()
    endforeach()
  endwhile()
  set(${result} ${public} PARENT_SCOPE)
endfunction()
