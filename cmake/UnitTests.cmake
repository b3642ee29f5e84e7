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

# To start a process with libtorch takes as long as most files' tests, so a large folder of the engine has two: the first group's name, a regular
# expression for its files, and the name of the group that has all others.
set(groups_engine/kernels "CPU" "cpu_" "GPU")
set(groups_engine/models "VAE" "autoencoder|vae" "UNet, text encoder and classifiers")
set(groups_engine/nn "weights" "checkpoint|synthetic|weight" "layers")
set(groups_engine/pipeline "graphs, clock and memory" "graph|capture|clock|allocator|kept|arena|steady" "prompts and denoising")
set(groups_engine/training "batches" "batch|prefetched" "loss, optimiser and answers")
set(groups_engine/worker "choices and weights" "choice|obstacle|check|kept|weight|layer_sources" "cells")

# An entry for the files of `filters`, if there are any.
function(sdbench_tests_of_files name program filters)
  if(filters)
    list(JOIN filters "," filter)
    sdbench_add_unit_test("${name}" ${program} "${filter}")
  endif()
endfunction()

# A process for each test would spend most of its time on its start: a folder is one, or one for each of its two groups.
function(sdbench_tests_of_folders program left_out)
  foreach(folder IN LISTS ARGN)
    file(GLOB found "${CMAKE_SOURCE_DIR}/tests/unit/${folder}/*.cpp")
    list(TRANSFORM found REPLACE ".*/(.*)[.]cpp" "[#\\1]~[.]${left_out}")
    list(REMOVE_ITEM found "" ${unit_tests_alone})
    set(name "${program}: ${folder}")
    if(groups_${folder})
      list(GET groups_${folder} 0 first)
      list(GET groups_${folder} 1 files)
      list(GET groups_${folder} 2 others)
      set(of_first ${found})
      list(FILTER of_first INCLUDE REGEX "${files}")
      list(FILTER found EXCLUDE REGEX "${files}")
      sdbench_tests_of_files("${name}, ${first}" ${program} "${of_first}")
      string(APPEND name ", ${others}")
    endif()
    sdbench_tests_of_files("${name}" ${program} "${found}")
  endforeach()
endfunction()
