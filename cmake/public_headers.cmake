# public_headers(RESULT): the headers that users may include, which are installed: the face (torsor/*.hpp), numbers and values of
# space, what the modules of models and equations write over any number, and whatever these include. Everything else is private.
function(public_headers result)
  file(GLOB todo RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS torsor/*.hpp torsor/scalar/*.hpp torsor/spatial/*.hpp)
  file(GLOB candidates RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS torsor/model/*.hpp torsor/kinematics/*.hpp
    torsor/dynamics/*.hpp torsor/formulations/*.hpp)
  foreach(header IN LISTS candidates)
    file(STRINGS ${header} over_any_number REGEX "template <(Ring|Field|Analytic|Ordered|class T|class Real)" LIMIT_COUNT 1)
    if(over_any_number)
      list(APPEND todo ${header})
    endif()
  endforeach()
  # helpers of ours among them, unless one of the others needs them
  list(FILTER todo EXCLUDE REGEX
    "^torsor/(how_many|scalar/(factored_sums|trace_rebuild)|spatial/(record_inputs|whole_turn)|dynamics/regroup|model/tame_quaternions)[.]hpp$")
  # functions in doubles that users call, too, and what a PathMotion is made from
  list(APPEND todo torsor/dynamics/second_products.hpp torsor/fast/terms.hpp torsor/trajectory/orientation_path.hpp
    torsor/trajectory/position_path.hpp)
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
