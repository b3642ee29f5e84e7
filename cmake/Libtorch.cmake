# libtorch as one INTERFACE target, without find_package(Torch): that insists on a CUDA toolkit.
# Looked for in SDBENCH_TORCH_DIR (a folder with include/ and lib/), Torch_DIR, CMAKE_PREFIX_PATH, .deps/.
set(SDBENCH_TORCH_DIR "" CACHE PATH "libtorch folder (the wheel's torch/ or an unpacked LibTorch zip)")
file(GLOB _deps "${CMAKE_SOURCE_DIR}/.deps/libtorch-2.11.0/lib/python3*/site-packages/torch")
find_path(_torch_include torch/csrc/api/include/torch/version.h
          HINTS "${SDBENCH_TORCH_DIR}" "${Torch_DIR}/../../.." ${CMAKE_PREFIX_PATH} ${_deps}
          PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE REQUIRED)
get_filename_component(SDBENCH_TORCH_ROOT "${_torch_include}" DIRECTORY)
set(_header "${_torch_include}/torch/headeronly/version.h") # 2.9 and newer
if(NOT EXISTS "${_header}")
  set(_header "${_torch_include}/torch/csrc/api/include/torch/version.h")
endif()
file(STRINGS "${_header}" _lines REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH)")
string(REGEX REPLACE "[^0-9]*MAJOR ([0-9]+)[^0-9]*MINOR ([0-9]+)[^0-9]*PATCH ([0-9]+).*" "\\1.\\2.\\3"
                     SDBENCH_LIBTORCH_VERSION "${_lines}")
message(STATUS "libtorch ${SDBENCH_LIBTORCH_VERSION} in ${SDBENCH_TORCH_ROOT}")

add_library(sdbench_libtorch INTERFACE)
add_library(sdbench::libtorch ALIAS sdbench_libtorch)
target_include_directories(sdbench_libtorch SYSTEM INTERFACE
  "${_torch_include}" "${_torch_include}/torch/csrc/api/include")
set(_lib "${SDBENCH_TORCH_ROOT}/lib")
target_link_options(sdbench_libtorch INTERFACE "LINKER:--no-as-needed" "-L${_lib}")
target_link_libraries(sdbench_libtorch INTERFACE torch torch_cpu c10)
if(EXISTS "${_lib}/libtorch_cuda.so")
  file(GLOB _cuda_include "${SDBENCH_TORCH_ROOT}/../nvidia/cu*/include"
       "${SDBENCH_TORCH_ROOT}/../nvidia/*/include")
  file(GLOB _cudart "${SDBENCH_TORCH_ROOT}/../nvidia/*/lib/libcudart.so.*")
  target_include_directories(sdbench_libtorch SYSTEM INTERFACE ${_cuda_include})
  target_link_libraries(sdbench_libtorch INTERFACE torch_cuda c10_cuda ${_cudart})
  target_compile_definitions(sdbench_libtorch INTERFACE SDBENCH_HAS_CUDA=1)
endif()
target_link_options(sdbench_libtorch INTERFACE "LINKER:-rpath,${_lib}" "LINKER:-rpath-link,${_lib}")
