# The engine of the Studio's page without a server: the library and the verbs that the page asks, as one WebAssembly module
# (studio/worker/engine.cpp). worker_engine in tools/setup.sh calls this with the compiler of a Python package, Zig's clang.
enable_language(ASM)

# Zig makes its C++ library for WASI without exceptions and files; both are in the same sources, which are compiled here as they are
set(cxx ${TORSOR_ZIG}/lib/libcxx)
set(cxxabi ${TORSOR_ZIG}/lib/libcxxabi)
set(unwind ${TORSOR_ZIG}/lib/libunwind)
file(GLOB cxx_sources ${cxx}/src/*.cpp ${cxx}/src/filesystem/*.cpp ${cxx}/src/ryu/*.cpp ${cxxabi}/src/*.cpp)
list(FILTER cxx_sources EXCLUDE REGEX
  "/(atomic|barrier|condition_variable[a-z_]*|future|mutex|mutex_destructor|shared_mutex|thread|strstream|int128_builtins|cxa_noexception|cxa_thread_atexit|cxa_demangle)[.]cpp$")
add_library(torsor_cxx STATIC ${cxx_sources} ${unwind}/src/Unwind-wasm.c studio/worker/exception_tag.s)
set(files_and_exceptions -U_LIBCPP_HAS_FILESYSTEM -D_LIBCPP_HAS_FILESYSTEM=1)
set_target_properties(torsor_cxx PROPERTIES CXX_STANDARD 23)
target_compile_definitions(torsor_cxx PRIVATE _LIBCXXABI_BUILDING_LIBRARY _LIBCPP_BUILDING_LIBRARY _LIBCXXABI_HAS_NO_THREADS
  LIBCXX_BUILDING_LIBCXXABI LIBCXXABI_NON_DEMANGLING_TERMINATE LIBCXXABI_USE_LLVM_UNWINDER _LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS
  _LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS)
target_compile_options(torsor_cxx PRIVATE -O2 -w $<$<COMPILE_LANGUAGE:C>:-fdeclspec>
  ${files_and_exceptions} -U_LIBCPP_HAS_MUSL_LIBC -D_LIBCPP_HAS_MUSL_LIBC=0)
target_include_directories(torsor_cxx PRIVATE ${cxxabi}/include ${cxxabi}/src ${cxx}/src ${TORSOR_ZIG}/lib/libcxx/libc ${unwind}/include ${unwind}/src)

# all of the library: the linker leaves out what nobody asks for; of the command the verbs that the page asks, and the Studio's calls
verb_sources(studio/worker/verbs sources unbuilt_verbs)
# all kernels are here: there is no choice that the first verbs make for want of the others
list(FILTER unbuilt_verbs EXCLUDE REGEX "/first_instruction_set[.]cpp$")
file(GLOB studio_sources cli/studio_*.cpp cli/mechanism_*.cpp cli/engine*.cpp bench/timing/formulation_timing.cpp)
list(FILTER sources INCLUDE REGEX "/cli/")
list(APPEND sources ${torsor_sources} ${studio_sources})
list(REMOVE_DUPLICATES sources)
# processes, sockets, signals; other machines' instructions; C
list(FILTER sources EXCLUDE REGEX "/cli/(studio_http|studio_processes|child_process|interruption)[.]cpp$|/torsor/fast/machine_avx|/c/[a-z_]+[.]cpp$")
file(GLOB worker_sources studio/worker/*.cpp)
# reading, writing and comparing formulations is not what anyone waits for, but the way of the module to the browser is: small where it is text, quick where not
set(text_sources ${sources} ${worker_sources})
list(FILTER text_sources INCLUDE REGEX "/(text|files|report|codegen|check|formulations|cli|worker)/[a-z0-9_]+[.]cpp$")
list(REMOVE_ITEM sources ${text_sources})
add_library(torsor_worker_text OBJECT ${text_sources})
add_executable(torsor-worker ${sources} ${unbuilt_verbs} ${embedded_robots_source} ${embedded_scripts_source}
  ${PROJECT_BINARY_DIR}/generated/descriptions_script.cpp ${TORSOR_PUGIXML}/pugixml.cpp $<TARGET_OBJECTS:torsor_worker_text>)
foreach(part IN ITEMS torsor_worker_text torsor-worker)
  target_compile_features(${part} PRIVATE cxx_std_20)
  target_compile_definitions(${part} PRIVATE FMT_HEADER_ONLY TORSOR_VERSION="${PROJECT_VERSION}" _WASI_EMULATED_SIGNAL
    _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_GETPID)
  # headers of Debian's packages stand beside those of its C library, which is another one
  target_include_directories(${part} PRIVATE studio/worker/headers ${PROJECT_SOURCE_DIR} ${TORSOR_WORKER_HEADERS} ${TORSOR_PUGIXML})
  target_compile_options(${part} PRIVATE -ffunction-sections -fdata-sections ${files_and_exceptions}
    -include ${PROJECT_SOURCE_DIR}/studio/worker/no_threads.hpp -w)
  compile_by_room(${part} 30)
endforeach()
target_compile_options(torsor-worker PRIVATE -O2)
target_compile_options(torsor_worker_text PRIVATE -Oz)
set_target_properties(torsor-worker PROPERTIES OUTPUT_NAME torsor.wasm)
target_link_options(torsor-worker PRIVATE -mexec-model=reactor -nostdlib++ -Wl,--gc-sections -Wl,-z,stack-size=4194304 -s)
target_link_libraries(torsor-worker PRIVATE torsor_cxx wasi-emulated-signal wasi-emulated-process-clocks wasi-emulated-getpid)
