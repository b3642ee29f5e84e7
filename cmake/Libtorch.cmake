# libtorch as INTERFACE targets, without find_package(Torch), which requires a CUDA toolkit that the wheel does not need.
#
# SDBENCH_TORCH_DIR names one or more libtorch folders, separated by semicolons; each gets its own worker. Plain target names
# (sdbench_engine, engine_tests) mean the first. Default: Torch_DIR, CMAKE_PREFIX_PATH, then the newest in .deps/. A folder may be the
# wheel's torch/, an unpacked LibTorch zip, or a virtual environment with the wheel.
# Results: SDBENCH_LIBTORCHES, a list of versions; for each version V the target sdbench::libtorch-V and SDBENCH_RUNPATH_V (the folders of
# its libraries and of all CUDA libraries with it); and if that libtorch has CUDA, sdbench::libtorch-cuda-V: the
# same with its GPU libraries and CUDA's headers.
set(SDBENCH_TORCH_DIR "" CACHE STRING "libtorch folders (see cmake/Libtorch.cmake); empty: look for one")
set(SDBENCH_OLDEST_LIBTORCH 2.7.1)

# The folder with include/ATen, at or below `dir`; empty if there is none.
function(sdbench_libtorch_root dir out)
  set(${out} "" PARENT_SCOPE)
  file(GLOB in_environment "${dir}/lib/python3*/site-packages/torch")
  foreach(root IN LISTS in_environment ITEMS "${dir}" "${dir}/torch" "${dir}/libtorch")
    if(EXISTS "${root}/include/ATen/ATen.h")
      get_filename_component(root "${root}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
      set(${out} "${root}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# All libtorches for which to build a worker.
function(sdbench_find_libtorches out)
  set(roots "")
  if(SDBENCH_TORCH_DIR)
    foreach(dir IN LISTS SDBENCH_TORCH_DIR)
      sdbench_libtorch_root("${dir}" root)
      if(NOT root)
        message(FATAL_ERROR "SDBENCH_TORCH_DIR must name libtorch folders (with include/ATen/ATen.h), but '${dir}' "
                            "is none; give the wheel's torch/ folder or an unpacked LibTorch zip")
      endif()
      list(APPEND roots "${root}")
    endforeach()
  else()
    file(GLOB installed "${CMAKE_SOURCE_DIR}/.deps/libtorch-*")
    list(SORT installed COMPARE NATURAL ORDER DESCENDING)
    set(places ${CMAKE_PREFIX_PATH} ${installed})
    if(Torch_DIR) # .../share/cmake/Torch
      list(PREPEND places "${Torch_DIR}/../../..")
    endif()
    foreach(dir IN LISTS places)
      sdbench_libtorch_root("${dir}" root)
      if(root)
        list(APPEND roots "${root}")
        break()
      endif()
    endforeach()
    if(NOT roots)
      message(FATAL_ERROR "libtorch is not there: run scripts/run.sh, which installs it into .deps/, or give its folder "
                          "as -DSDBENCH_TORCH_DIR=DIR, or build the front alone with -DSDBENCH_BUILD_WORKER=OFF")
    endif()
  endif()
  set(${out} "${roots}" PARENT_SCOPE)
endfunction()

# Version like "2.11.0", from the headers.
function(sdbench_libtorch_version root out)
  foreach(header IN ITEMS torch/headeronly/version.h # 2.9 and newer
                          torch/csrc/api/include/torch/version.h)
    if(EXISTS "${root}/include/${header}")
      file(STRINGS "${root}/include/${header}" lines REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
      list(LENGTH numbers count)
      if(count EQUAL 3)
        list(JOIN numbers "." version)
        set(${out} "${version}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  message(FATAL_ERROR "the libtorch in ${root} must say its version in torch/version.h, but does not; "
                      "it is incomplete, or older than ${SDBENCH_OLDEST_LIBTORCH}")
endfunction()

function(sdbench_check_libtorch root version)
  set(config "${root}/share/cmake/Torch/TorchConfig.cmake")
  set(old_abi "")
  if(EXISTS "${config}")
    file(STRINGS "${config}" old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  endif()
  if(version VERSION_LESS SDBENCH_OLDEST_LIBTORCH)
    message(FATAL_ERROR "libtorch must be ${SDBENCH_OLDEST_LIBTORCH} or newer, but the one in ${root} is ${version}: "
                        "wheels up to 2.6 have the old C++ ABI and do not link with the system's libraries")
  elseif(old_abi)
    message(FATAL_ERROR "libtorch must have the C++11 ABI, but the one in ${root} is built with "
                        "_GLIBCXX_USE_CXX11_ABI=0 and does not link with the system's libraries; take the cxx11-abi zip "
                        "or the wheel")
  endif()
endfunction()

# Headers and libcudart of a CUDA libtorch: from the wheel's own packages, else from a toolkit.
function(sdbench_use_cuda target root lib out_runpath)
  file(GLOB includes "${root}/../nvidia/cu*/include" "${root}/../nvidia/*/include")
  file(GLOB cudart "${root}/../nvidia/*/lib/libcudart.so.*" "${lib}/libcudart*.so*")
  set(toolkit "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" /usr/local/cuda)
  if(NOT includes)
    find_path(includes cuda_runtime_api.h HINTS ${toolkit} PATH_SUFFIXES include NO_CACHE)
  endif()
  if(NOT cudart)
    find_library(cudart cudart HINTS ${toolkit} PATH_SUFFIXES lib64 lib NO_CACHE)
  endif()
  if(NOT includes OR NOT cudart)
    message(FATAL_ERROR "the libtorch in ${root} is built for CUDA, but the CUDA headers (cuda_runtime_api.h) or libcudart "
                        "are not there; take the torch wheel, which brings them, or set CUDA_HOME to a toolkit")
  endif()
  # NVIDIA's runtime package for CUDA 13 omits crt/, which its own headers include. Triton, which comes with the wheel, has it. It comes
  # last, so that nothing else of it is used.
  find_path(crt crt/host_defines.h HINTS ${includes} "${root}/../triton/backends/nvidia/include" ${toolkit}
            PATH_SUFFIXES include NO_CACHE NO_DEFAULT_PATH)
  if(NOT crt)
    message(FATAL_ERROR "the libtorch in ${root} is built for CUDA, but crt/host_defines.h, which CUDA's headers include, is "
                        "not there; install nvidia-cuda-crt beside it, or set CUDA_HOME to a toolkit")
  endif()
  list(APPEND includes "${crt}")
  list(REMOVE_DUPLICATES includes)
  list(GET cudart 0 cudart)
  get_filename_component(runpath "${cudart}" DIRECTORY)
  file(GLOB packages "${root}/../nvidia/*/lib") # cuDNN, NVRTC, cuBLAS, … open one another by name
  foreach(package IN LISTS packages)
    file(GLOB libraries "${package}/*.so*")
    if(libraries)
      list(APPEND runpath "${package}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES runpath)
  target_include_directories(${target} SYSTEM INTERFACE ${includes})
  target_link_libraries(${target} INTERFACE "${lib}/libtorch_cuda.so" "${lib}/libc10_cuda.so" "${cudart}")
  target_compile_definitions(${target} INTERFACE SDBENCH_HAS_CUDA=1)
  set(${out_runpath} "${runpath}" PARENT_SCOPE)
endfunction()

# at::parallel_for is a template: in callers compiled without OpenMP it has only one thread. libtorch brings the
# runtime under the system's name, so a process has only one.
find_package(OpenMP REQUIRED COMPONENTS CXX)

function(sdbench_add_libtorch root version)
  set(target sdbench_libtorch-${version})
  find_library(c10 c10 PATHS "${root}/lib" "${root}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" REQUIRED
               NO_DEFAULT_PATH NO_CACHE)
  get_filename_component(lib "${c10}" DIRECTORY)
  add_library(${target} INTERFACE)
  add_library(sdbench::libtorch-${version} ALIAS ${target})
  target_include_directories(${target} SYSTEM INTERFACE
                             "${root}/include" "${root}/include/torch/csrc/api/include")
  # --no-as-needed: libtorch_cuda registers its kernels when it is loaded, but no symbol of it is used.
  target_link_options(${target} INTERFACE "LINKER:--no-as-needed,--enable-new-dtags")
  # stdc++ before torch: libtorch exports its own std::filesystem, whose remove_all crashes when another program calls it.
  # Not libtorch.so: it has no code, but depends on all other libraries, including the GPU's.
  target_link_libraries(${target} INTERFACE stdc++ "${lib}/libtorch_cpu.so" "${lib}/libc10.so")
  # Flags instead of the imported library: CMake would find its path hidden by the libgomp that comes with libtorch.
  target_compile_options(${target} INTERFACE ${OpenMP_CXX_FLAGS})
  target_link_options(${target} INTERFACE ${OpenMP_CXX_FLAGS})
  set(kind "CPU only")
  set(cuda_runpath "")
  if(EXISTS "${lib}/libtorch_cuda.so")
    set(kind "CUDA")
    add_library(sdbench_libtorch-cuda-${version} INTERFACE)
    add_library(sdbench::libtorch-cuda-${version} ALIAS sdbench_libtorch-cuda-${version})
    target_link_libraries(sdbench_libtorch-cuda-${version} INTERFACE ${target})
    sdbench_use_cuda(sdbench_libtorch-cuda-${version} "${root}" "${lib}" cuda_runpath)
  elseif(EXISTS "${lib}/libtorch_hip.so")
    set(kind "ROCm; its GPU code is not used yet, the worker runs on the CPU")
  endif()
  set(SDBENCH_RUNPATH_${version} ${lib} ${cuda_runpath} PARENT_SCOPE)
  message(STATUS "libtorch ${version} in ${root} (${kind})")
endfunction()

# Suffix of target names for this libtorch: nothing for the first, "-VERSION" for the others.
function(sdbench_libtorch_suffix version out)
  list(FIND SDBENCH_LIBTORCHES ${version} place)
  set(${out} "" PARENT_SCOPE)
  if(place GREATER 0)
    set(${out} "-${version}" PARENT_SCOPE)
  endif()
endfunction()

sdbench_find_libtorches(_roots)
set(SDBENCH_LIBTORCHES "")
foreach(_root IN LISTS _roots)
  sdbench_libtorch_version("${_root}" _version)
  sdbench_check_libtorch("${_root}" "${_version}")
  if(_version IN_LIST SDBENCH_LIBTORCHES)
    message(FATAL_ERROR "each libtorch must have its own version, but SDBENCH_TORCH_DIR names ${_version} twice")
  endif()
  sdbench_add_libtorch("${_root}" "${_version}")
  list(APPEND SDBENCH_LIBTORCHES "${_version}")
endforeach()
