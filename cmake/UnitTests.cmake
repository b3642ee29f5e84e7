# Entries of ctest for the unit tests, whose programs tests/CMakeLists.txt and Sanitized.cmake make.

# Threads that spin while they wait starve each other where tests run side by side.
set(quiet_threads OMP_WAIT_POLICY=passive)

# C++ tests that are not `unit`: each takes 6 to 30 s of a core, together more than all others. They compute whole pipelines, train, or compile for every GPU.
set(long_unit_tests)
foreach(test cell_model gpu_compiler gpu_kernels_in_models learning planted_pipelines planted_values stable_diffusion step_caches torch_executor
             unet_denoiser image_files)
  list(APPEND long_unit_tests "[#test_${test}]~[.]")
endforeach()
# Entries of their own. The last sees how the threads of its process are bound, which what computed before it changes.
set(unit_tests_alone ${long_unit_tests} "[#test_thread_team]~[.]")

# A filter ends with ~[.], because Catch2 runs hidden tests of a tag that is named.
function(sdbench_add_unit_test name program filter)
  add_test(NAME "${name}" COMMAND ${program} --filenames-as-tags "${filter}")
  set_tests_properties("${name}" PROPERTIES ENVIRONMENT "${quiet_threads}" FAIL_REGULAR_EXPRESSION "No tests ran" ${ARGN})
  if(NOT program MATCHES "_sanitized$" AND NOT filter IN_LIST long_unit_tests)
    set_tests_properties("${name}" PROPERTIES LABELS unit)
    add_dependencies(unit_tests ${program})
  endif()
endfunction()

# A process for each test would spend most of its time on its start: a folder is one, or `parts` for one whose tests take longest.
function(sdbench_tests_of_folders program left_out parts)
  foreach(folder IN LISTS ARGN)
    file(GLOB found "${CMAKE_SOURCE_DIR}/tests/unit/${folder}/*.cpp")
    list(TRANSFORM found REPLACE ".*/(.*)[.]cpp" "[#\\1]~[.]${left_out}")
    list(REMOVE_ITEM found "" ${unit_tests_alone})
    foreach(part RANGE 1 ${parts})
      set(number ${part})
      set(of_part)
      foreach(filter IN LISTS found)
        math(EXPR number "(${number} + 1) % ${parts}")
        if(number EQUAL 0)
          list(APPEND of_part "${filter}")
        endif()
      endforeach()
      if(of_part)
        list(JOIN of_part "," of_part)
        set(name "${program}: ${folder}")
        if(parts GREATER 1)
          string(APPEND name ", part ${part}")
        endif()
        sdbench_add_unit_test("${name}" ${program} "${of_part}")
      endif()
    endforeach()
  endforeach()
endfunction()
