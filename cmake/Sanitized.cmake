# For each of our libraries a twin with sanitizers, LIBRARY_sanitized, made only of objects. The unit tests' own objects are linked with them
# unchanged, because memory faults are expected in the code under test. libtorch itself is not built for sanitizers, but they still see what our
# code does to memory.
# Included where the libraries are made, because properties of a source belong to its folder.
set(sanitize -fsanitize=${SDBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
set_property(GLOBAL PROPERTY sdbench_sanitize_options ${sanitize})

# sdbench_sanitized_twin(LIBRARY OPTIONS...)
function(sdbench_sanitized_twin name)
  get_target_property(sources ${name} SOURCES)
  add_library(${name}_sanitized OBJECT EXCLUDE_FROM_ALL ${sources})
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES INCLUDE_DIRECTORIES PRECOMPILE_HEADERS UNITY_BUILD_MODE)
    get_target_property(value ${name} ${property})
    if(value)
      set_property(TARGET ${name}_sanitized PROPERTY ${property} "${value}")
    endif()
  endforeach()
  target_compile_options(${name}_sanitized PRIVATE -g1 -UNDEBUG ${sanitize} ${ARGN})
endfunction()

foreach(library IN ITEMS sdbench_base sdbench_tokenizer)
  sdbench_sanitized_twin(${library} -O0) # it never computes for long, and most of its build time would be optimisation
endforeach()
# A check of each pointer at each use takes a third of the build. The front makes no objects of bytes, and AddressSanitizer catches a null that is read.
foreach(library IN ITEMS sdbench_results sdbench_front)
  sdbench_sanitized_twin(${library} -O0 -fno-sanitize=null,alignment,object-size,vptr)
endforeach()
add_dependencies(sdbench_base_sanitized sdbench_build_info)
if(TARGET sdbench_engine)
  sdbench_sanitized_twin(sdbench_engine_base -O1)
  sdbench_sanitized_twin(sdbench_engine_files -O1)
endif()
