# The manual page and the completions of shells, written by the command itself when it is installed, so that they have the
# options that it has. A command built for another machine cannot be run here, and is installed without them.
function(install_shell_files command)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(work ${PROJECT_BINARY_DIR}/shell_files)
  # where each shell looks; the arguments that write the file; its name
  foreach(row IN ITEMS
      "${CMAKE_INSTALL_MANDIR}/man1;manual;torsor.1"
      "${CMAKE_INSTALL_DATADIR}/bash-completion/completions;completion bash;torsor"
      "${CMAKE_INSTALL_DATADIR}/zsh/site-functions;completion zsh;_torsor"
      "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d;completion fish;torsor.fish")
    list(GET row 0 folder)
    list(GET row 1 arguments)
    list(GET row 2 name)
    string(REPLACE " " "/" place ${arguments})
    if(NOT IS_ABSOLUTE ${folder})
      set(folder \${CMAKE_INSTALL_PREFIX}/${folder})
    endif()
    install(CODE "
      file(MAKE_DIRECTORY \"${work}/${place}\")
      execute_process(COMMAND \"$<TARGET_FILE:${command}>\" ${arguments}
        OUTPUT_FILE \"${work}/${place}/${name}\" COMMAND_ERROR_IS_FATAL ANY)
      file(INSTALL DESTINATION \"${folder}\" TYPE FILE FILES \"${work}/${place}/${name}\")")
  endforeach()
endfunction()
