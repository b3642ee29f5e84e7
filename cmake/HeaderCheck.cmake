# Compiles each header alone, so that none leans on what its users happen to include before it. No precompiled header here,
# for the same reason: the torch headers take some seconds each.
function(sdbench_check_headers name library)
  set(sources "")
  foreach(folder IN LISTS ARGN)
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/include"
         "${CMAKE_SOURCE_DIR}/include/sdbench/${folder}/*.h" "${CMAKE_SOURCE_DIR}/src/${folder}/*.h")
    foreach(header IN LISTS headers)
      string(MAKE_C_IDENTIFIER "${header}" stem)
      set(source "${CMAKE_BINARY_DIR}/header_check/${stem}.cpp")
      file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n")
      list(APPEND sources "${source}")
    endforeach()
  endforeach()
  if(sources)
    add_library(${name} OBJECT ${sources})
    target_link_libraries(${name} PRIVATE ${library})
    target_compile_options(${name} PRIVATE -O0)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

sdbench_check_headers(base_headers sdbench_base ${SDBENCH_BASE})
sdbench_check_headers(front_headers sdbench_front ${SDBENCH_FRONT})

# On another processor what has instructions of one must compile, too. This is one as far as our files can see.
function(sdbench_check_other_processor name library prelude)
  set(includes ${ARGN})
  list(TRANSFORM includes REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN includes "" includes)
  set(source "${CMAKE_BINARY_DIR}/header_check/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${prelude}\n#undef __x86_64__\n${includes}" @ONLY)
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE ${library})
  target_compile_options(${name} PRIVATE -O0)
endfunction()

sdbench_check_other_processor(weights_on_another_processor sdbench_base "#include <cstdint>"
                              "${CMAKE_SOURCE_DIR}/src/base/weights/philox.cpp")
if(SDBENCH_LIBTORCHES)
  sdbench_check_headers(engine_headers sdbench_engine ${SDBENCH_ENGINE})

  file(GLOB kernels CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/engine/kernels/*.cpp")
  # libtorch's own headers are for the processor at hand, and 2.7.1's CUDA ones want its instructions.
  sdbench_check_other_processor(kernels_on_another_processor sdbench_engine
    "#include <ATen/ATen.h>\n#if __has_include(<x86intrin.h>)\n#include <x86intrin.h>\n#endif" ${kernels})
endif()
