# Libraries: the system's package if there is one, else a pinned tag through FetchContent.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

# Only for fetched libraries: their headers count as system headers, so that our warnings do not apply to them.
function(sdbench_fetch name repository tag)
  message(STATUS "${name} is not installed: fetching ${tag} from ${repository}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
  foreach(target IN LISTS ARGN)
    get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${includes}")
  endforeach()
  set(${name}_SOURCE_DIR "${${name}_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

find_package(Threads REQUIRED)

find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
  sdbench_fetch(cli11 https://github.com/CLIUtils/CLI11.git v2.4.2 CLI11)
endif()

find_package(nlohmann_json QUIET)
if(NOT nlohmann_json_FOUND)
  set(JSON_Install OFF)
  sdbench_fetch(json https://github.com/nlohmann/json.git v3.11.3 nlohmann_json)
endif()

find_package(spdlog QUIET)
if(NOT spdlog_FOUND)
  sdbench_fetch(spdlog https://github.com/gabime/spdlog.git v1.14.1 spdlog)
endif()

# Every package manager has these two, and the system's security updates matter for them: never fetched.
find_package(PNG REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

find_package(SQLite3 QUIET)
if(NOT SQLite3_FOUND)
  message(STATUS "SQLite is not installed: fetching 3.46.1 from www.sqlite.org")
  FetchContent_Declare(sqlite3 URL https://www.sqlite.org/2024/sqlite-amalgamation-3460100.zip
    URL_HASH SHA256=77823cb110929c2bcb0f5d48e4833b5c59a8a6e40cdea3936b99e199dbbe5784)
  FetchContent_MakeAvailable(sqlite3) # only downloads: it has no CMakeLists.txt
  add_library(sdbench_sqlite STATIC "${sqlite3_SOURCE_DIR}/sqlite3.c")
  target_include_directories(sdbench_sqlite SYSTEM PUBLIC "${sqlite3_SOURCE_DIR}")
  target_compile_definitions(sdbench_sqlite PRIVATE SQLITE_OMIT_LOAD_EXTENSION)
  target_link_libraries(sdbench_sqlite PRIVATE Threads::Threads)
  add_library(SQLite::SQLite3 ALIAS sdbench_sqlite)
endif()

# utf8proc: few systems have a CMake package for it, so we look for a header and a library.
find_path(UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(UTF8PROC_LIBRARY utf8proc)
mark_as_advanced(UTF8PROC_INCLUDE_DIR UTF8PROC_LIBRARY)
if(UTF8PROC_INCLUDE_DIR AND UTF8PROC_LIBRARY)
  add_library(sdbench_utf8proc INTERFACE)
  target_include_directories(sdbench_utf8proc SYSTEM INTERFACE "${UTF8PROC_INCLUDE_DIR}")
  target_link_libraries(sdbench_utf8proc INTERFACE "${UTF8PROC_LIBRARY}")
  add_library(sdbench::utf8proc ALIAS sdbench_utf8proc)
else()
  sdbench_fetch(utf8proc https://github.com/JuliaStrings/utf8proc.git v2.9.0 utf8proc)
  add_library(sdbench::utf8proc ALIAS utf8proc)
endif()

# Chart.js 3, which `sdbench report` puts into its pages. We ship its licence: configs/report/chart.LICENSE.
find_file(SDBENCH_CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist NO_DEFAULT_PATH)
set(chart_version "")
if(SDBENCH_CHART_JS)
  file(READ "${SDBENCH_CHART_JS}" chart_head LIMIT 200)
  string(REGEX MATCH "Chart\\.js v[0-9]+" chart_version "${chart_head}")
endif()
if(NOT chart_version STREQUAL "Chart.js v3")
  message(STATUS "Chart.js 3 is not installed: fetching 3.9.1")
  set(chart_js "${CMAKE_BINARY_DIR}/_deps/chart.min.js")
  file(DOWNLOAD https://cdn.jsdelivr.net/npm/chart.js@3.9.1/dist/chart.min.js "${chart_js}"
       EXPECTED_HASH SHA256=fbc45926e6b46845a0f905552a0e0b1331049bff1115ecf94dbe0904d895e710)
  set(SDBENCH_CHART_JS "${chart_js}" CACHE FILEPATH "Chart.js 3, minified" FORCE)
endif()

if(SDBENCH_BUILD_TESTS)
  find_package(Catch2 QUIET) # 2.13 or 3: tests/support/catch.h works with both
  if(NOT Catch2_FOUND)
    sdbench_fetch(catch2 https://github.com/catchorg/Catch2.git v3.7.1 Catch2)
  endif()
endif()

# Only for benchmarks/hot_operators.cpp, which scripts/hot_operators.sh builds.
find_package(benchmark QUIET)
if(NOT benchmark_FOUND AND SDBENCH_BUILD_BENCHMARKS)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  sdbench_fetch(benchmark https://github.com/google/benchmark.git v1.8.5 benchmark)
endif()
