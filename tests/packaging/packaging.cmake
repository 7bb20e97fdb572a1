# Installs the built tree to an empty prefix, then configures, builds and runs the consumer beside this file against it.
# The consumer sees only the prefix: a header that was not installed or a missing dependency fails here.
set(prefix ${WORK_DIR}/prefix)
set(consumer ${WORK_DIR}/consumer)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${consumer} -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
run(${CMAKE_COMMAND} --build ${consumer})
run(${consumer}/consumer)
run(${consumer}/consumer_c)

# the installed command runs from its new place
if(INSTALLED_COMMAND)
  run(${prefix}/${INSTALLED_COMMAND} --help)
  # with its manual page and the completions of shells, which know its verbs
  foreach(file IN ITEMS share/man/man1/torsor.1 share/bash-completion/completions/torsor share/zsh/site-functions/_torsor
      share/fish/vendor_completions.d/torsor.fish)
    file(READ ${prefix}/${file} text)
    if(NOT text MATCHES "roundtrip")
      message(FATAL_ERROR "${file} does not know the verb roundtrip")
    endif()
  endforeach()
endif()
