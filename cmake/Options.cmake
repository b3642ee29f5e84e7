# Warnings, sanitizers and build accelerators, each as one INTERFACE target.
add_library(sdbench_options INTERFACE)
target_compile_features(sdbench_options INTERFACE cxx_std_20)
target_compile_options(sdbench_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 -Wno-sign-conversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105651: warns of an impossible overlap in "text" + std::string.
  target_compile_options(sdbench_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC treats a .cpp in a unity file as a header, where a private type in a public class would be wrong.
  target_compile_options(sdbench_options INTERFACE -Wno-subobject-linkage)
endif()
if(SDBENCH_BUILD_FUZZERS)
  set(sanitize -fsanitize=address,undefined)
  target_compile_options(sdbench_options INTERFACE ${sanitize} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sdbench_options INTERFACE ${sanitize})
endif()

find_program(SDBENCH_CCACHE ccache)
if(SDBENCH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With CCACHE_BASEDIR several checkouts share a cache. Precompiled headers need the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SDBENCH_CCACHE})
endif()
