# The unit tests once more, with this folder's libraries, which have sanitizers. Only these: sanitized programs die in ways of their own. The tests'
# own objects are those of the folder SDBENCH_TESTS_OF, because memory faults are expected in the code under test. libtorch itself is not built for
# sanitizers, but they still see what our code does to memory.
include(UnitTests)
enable_testing()
find_package(Catch2 REQUIRED)
add_custom_target(sanitized_tests)

# sdbench_sanitized_tests(TESTS LIBRARIES FOLDERS): the libraries' objects come before the tests', because of several copies of an inline
# function the linker takes the first. ARGN is what they need besides.
# Left out by [not_sanitized]: what a sanitizer changes, and what computes for seconds by the same code as a shorter test.
function(sdbench_sanitized_tests name libraries folders)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  set(tests "${SDBENCH_TESTS_OF}/tests/CMakeFiles/catch_main.dir/support/catch_main.cpp.o")
  foreach(folder IN LISTS folders)
    get_filename_component(folder ${folder} NAME)
    list(APPEND tests "${SDBENCH_TESTS_OF}/tests/CMakeFiles/${name}.dir/Unity/unity_${folder}_cxx.cxx.o")
  endforeach()
  set_source_files_properties(${tests} PROPERTIES EXTERNAL_OBJECT ON)
  add_executable(${name}_sanitized EXCLUDE_FROM_ALL ${libraries} ${tests})
  set_target_properties(${name}_sanitized PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name}_sanitized PRIVATE Catch2::Catch2 ${ARGN})
  add_dependencies(sanitized_tests ${name}_sanitized)
  set(quiet_threads ${quiet_threads} ASAN_OPTIONS=handle_segv=0:handle_abort=0:allocator_may_return_null=1:malloc_context_size=8
      LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/leaks_of_others.txt:print_suppressions=0)
  sdbench_tests_of_folders(${name}_sanitized "~[not_sanitized]" ${folders})
endfunction()
if(TARGET sdbench_engine) # where memory is handled by hand: the others' tests would take minutes. What takes longest comes first
  get_target_property(others sdbench_engine INTERFACE_LINK_LIBRARIES)
  sdbench_sanitized_tests(engine_tests "sdbench_base;sdbench_tokenizer;sdbench_engine_base;sdbench_engine_files"
                          "engine/pipeline;engine/kernels;engine/nn;engine/tokenizer" ${others})
endif()
target_compile_options(sdbench_front PRIVATE -O0) # it never computes for long, and most of its build time would be optimisation
sdbench_sanitized_tests(front_tests "sdbench_base;sdbench_results;sdbench_front" "${SDBENCH_FRONT}" sdbench_front)
sdbench_sanitized_tests(base_tests sdbench_base "${SDBENCH_BASE}" sdbench_base PNG::PNG)
