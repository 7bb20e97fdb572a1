# embed_by(RESULT SCRIPT VARIABLE=FILES...): a source file with the text of files in it, which SCRIPT, run by cmake -P with OUTPUT and the
# named lists of files, writes anew whenever one of them changes, appears or goes. FILES is relative to the project, with stars.
function(embed_by result script)
  cmake_path(GET script STEM stem)
  string(REGEX REPLACE "^embed_" "${PROJECT_BINARY_DIR}/generated/embedded_" output "${stem}.cpp")
  set(patterns "")
  foreach(given IN LISTS ARGN)
    string(REGEX MATCH "^([A-Z]+)=(.*)$" matched "${given}")
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_2})
    list(APPEND patterns ${CMAKE_MATCH_2})
    list(APPEND inputs ${files})
    string(REPLACE ";" "\\;" files "${files}")  # one argument
    list(APPEND definitions "-D${CMAKE_MATCH_1}=${files}")
  endforeach()
  list(JOIN patterns ", " patterns)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" ${definitions} -P ${PROJECT_SOURCE_DIR}/${script}
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/${script}
    COMMENT "Embedding ${patterns}"
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()
