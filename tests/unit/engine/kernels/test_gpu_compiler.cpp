#include "catch.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/kernels/gpu_compiler.h"
#include "sdbench/engine/nn/scalar_type.h"

using namespace sdbench;

#ifdef SDBENCH_HAS_CUDA
namespace {

constexpr std::size_t kKernels = 12; ///< of gpu_kernels.cu

struct KernelReport {
  std::string kernel;
  int registers = 0;
  int spilled = 0; ///< bytes, stores and loads
};

/// Of the compiler's log, in whatever order it has them.
std::vector<KernelReport> reports_of(const std::string& log) {
  const std::regex entry("entry function '(\\w+)'");
  const std::regex spills("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
  const std::regex registers("Used (\\d+) registers");
  std::vector<KernelReport> reports;
  std::istringstream lines(log);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, entry)) {
      reports.push_back({match[1].str()});
    } else if (!reports.empty() && std::regex_search(line, match, spills)) {
      reports.back().spilled += std::stoi(match[1].str()) + std::stoi(match[2].str());
    } else if (!reports.empty() && std::regex_search(line, match, registers)) {
      reports.back().registers = std::stoi(match[1].str());
    }
  }
  return reports;
}

/// Of the table: registers, and the bytes that did not fit into them.
std::string cell_of(const KernelReport& report) {
  return std::to_string(report.registers) +
         (report.spilled > 0 ? "+" + std::to_string(report.spilled) : "");
}

/// From sm_75 to sm_90 every NVRTC knows the generations that we ask for; sm_100 and sm_120 came
/// with 12.8, what is older than sm_75 went with 13.0.
bool is_at_least(const std::string& version, int wanted_major, int wanted_minor = 0) {
  std::istringstream text(version);
  int major = 0;
  int minor = 0;
  char dot = 0;
  text >> major >> dot >> minor;
  REQUIRE(major > 0);
  return std::pair(major, minor) >= std::pair(wanted_major, wanted_minor);
}

/// Kernel and dtype: capability: cell.
using RegisterTable = std::map<std::pair<std::string, std::string>, std::map<int, std::string>>;

void print_table(const RegisterTable& table, const std::vector<int>& capabilities) {
  std::printf("registers a thread, +bytes spilled\n%-19s %-5s", "kernel", "dtype");
  for (const int capability : capabilities) {
    std::printf(" %8s", ("sm_" + std::to_string(capability)).c_str());
  }
  for (const auto& [row, cells] : table) {
    std::printf("\n%-19s %-5s", row.first.c_str(), row.second.c_str());
    for (const int capability : capabilities) {
      const auto cell = cells.find(capability);
      std::printf(" %8s", cell == cells.end() ? "-" : cell->second.c_str());
    }
  }
  std::printf("\n");
}

} // namespace

// NVRTC's memory is its own.
TEST_CASE("every GPU kernel compiles for every generation without a spilled register",
          "[not_sanitized]") {
  const GpuCompiler compiler;
  const std::vector<int>& known = compiler.capabilities();
  std::vector<int> capabilities{75, 80, 86, 89, 90};
  std::printf("NVRTC %s\n", compiler.version().c_str());
  if (is_at_least(compiler.version(), 13)) {
    std::printf("left out: sm_60, sm_61, sm_70, which NVRTC knows until 12.9\n");
  } else {
    capabilities.insert(capabilities.begin(), {60, 61, 70});
  }
  if (is_at_least(compiler.version(), 12, 8)) {
    capabilities.insert(capabilities.end(), {100, 120});
  } else {
    std::printf("left out: sm_100, sm_120, which NVRTC knows from 12.8 on\n");
  }
  RegisterTable table;
  for (const int capability : capabilities) {
    CAPTURE(compiler.version(), capability);
    REQUIRE(std::find(known.begin(), known.end(), capability) != known.end());
    for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const std::string name(name_of(to_dtype(dtype)));
      CAPTURE(name);
      CHECK(compiler.target_for(capability) == GpuTarget{capability, false});
      const GpuProgram program = compiler.compile(gpu_kernel_source(), {capability, false}, dtype);
      CHECK(program.image.starts_with("\x7f"
                                      "ELF"));
      const std::vector<KernelReport> reports = reports_of(program.log);
      CHECK(reports.size() == kKernels);
      for (const KernelReport& report : reports) {
        table[{report.kernel, name}][capability] = cell_of(report);
        CAPTURE(report.kernel);
        CHECK(report.spilled == 0);
        CHECK(report.registers > 0);
        // All threads of a block must fit into 65536 registers: 768 in fp32, 512 in 16 bits.
        const bool of_rows = report.kernel.starts_with("layer_norm"); // 128 threads
        CHECK(report.registers <= (of_rows ? 255 : dtype == at::kFloat ? 80 : 128));
      }
    }
  }
  print_table(table, capabilities);
  CHECK(table.size() == kKernels * 3); // the same kernels everywhere
}

TEST_CASE("kernels are compiled once, and the time that it took is told") {
  const test::ScratchFolder scratch;
  const test::EnvironmentVariable cache("XDG_CACHE_HOME", scratch.path().c_str());
  const double before_s = compiling_seconds();
  const std::string image = compiled_kernels(80, at::kHalf);
  const double after_s = compiling_seconds();
  CHECK(after_s > before_s);
  CHECK(compiled_kernels(80, at::kHalf) == image);
  CHECK(compiling_seconds() == after_s);
  CHECK(why_kernels_are_not_kept().empty()); // test_kernel_cache.cpp has what may be in the way
}

TEST_CASE("kernels that cannot be kept are compiled each time, and the reason is told") {
  const test::ScratchFolder scratch;
  const std::string in_its_place = scratch.write("cache", "a file, and no folder").string();
  const test::EnvironmentVariable cache("XDG_CACHE_HOME", in_its_place.c_str());
  for (int time = 0; time < 2; ++time) {
    const double before_s = compiling_seconds();
    CHECK_FALSE(compiled_kernels(80, at::kHalf).empty());
    CHECK(compiling_seconds() > before_s);
    CHECK_THAT(why_kernels_are_not_kept(), Catch::Matchers::ContainsSubstring(in_its_place));
  }
}

TEST_CASE("a source that does not compile is an error with the compiler's complaint") {
  const GpuCompiler compiler;
  try {
    static_cast<void>(compiler.compile("__global__ void f() { nonsense; }", {80}, at::kHalf));
    FAIL("it compiled");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("nonsense"));
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
  }
  CHECK_THROWS_AS(compiler.compile("", {80}, at::kDouble), Error);
}

TEST_CASE("a GPU that the compiler is too old to know gets PTX of the nearest older one") {
  const GpuCompiler compiler;
  const std::vector<int>& known = compiler.capabilities();
  const int newest = *std::max_element(known.begin(), known.end());
  CHECK(compiler.target_for(newest + 1) == GpuTarget{newest, true});
  CHECK(compiler.target_for(81) == GpuTarget{80, true}); // there is no such GPU
  CHECK_THROWS_WITH(compiler.target_for(1),
                    Catch::Matchers::ContainsSubstring("must know sm_1 or"));
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
    const GpuProgram program = compiler.compile(gpu_kernel_source(), {newest, true}, dtype);
    CHECK_THAT(program.image,
               Catch::Matchers::ContainsSubstring(".target sm_" + std::to_string(newest)));
    CHECK(program.image.back() == '\0'); // where the driver finds its end
  }
}
#else
TEST_CASE("without CUDA there is no compiler for GPU kernels") {
  CHECK_THROWS_AS(GpuCompiler(), Error);
}
#endif
