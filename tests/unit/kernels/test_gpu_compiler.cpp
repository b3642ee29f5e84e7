#include "catch.h"

#include <cstdio>
#include <regex>
#include <sstream>

#include "sdbench/core/error.h"
#include "sdbench/kernels/gpu_compiler.h"
#include "sdbench/nn/scalar_type.h"

using namespace sdbench;

namespace {

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

} // namespace

#ifdef SDBENCH_HAS_CUDA
TEST_CASE("every GPU kernel compiles for every generation without a spilled register") {
  const GpuCompiler compiler;
  const std::vector<int>& known = compiler.capabilities();
  std::printf("NVRTC %s\n", compiler.version().c_str());
  int compiled = 0;
  for (const int capability : {75, 80, 86, 89, 90, 100, 120}) {
    if (std::find(known.begin(), known.end(), capability) == known.end()) {
      continue; // newer than this NVRTC
    }
    for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const std::string name(name_of(to_dtype(dtype)));
      CAPTURE(capability, name);
      const GpuProgram program = compiler.compile(gpu_kernel_source(), capability, dtype);
      CHECK(program.image.starts_with("\x7f"
                                      "ELF"));
      const std::vector<KernelReport> reports = reports_of(program.log);
      CHECK(reports.size() == 9);
      for (const KernelReport& report : reports) {
        std::printf("sm_%-4d %-5s %-20s %3d registers, %d bytes spilled\n", capability,
                    name.c_str(), report.kernel.c_str(), report.registers, report.spilled);
        CAPTURE(report.kernel);
        CHECK(report.spilled == 0);
        CHECK(report.registers > 0);
        // All threads of a block must fit into 65536 registers: 768 in fp32, 512 in 16 bits.
        const bool of_rows = report.kernel.starts_with("add_layer_norm"); // 128 threads
        CHECK(report.registers <= (of_rows ? 255 : dtype == at::kFloat ? 80 : 128));
        ++compiled;
      }
    }
  }
  CHECK(compiled >= 5 * 3 * 9); // up to sm_90 every NVRTC knows them
}

TEST_CASE("a source that does not compile is an error with the compiler's complaint") {
  const GpuCompiler compiler;
  try {
    static_cast<void>(compiler.compile("__global__ void f() { nonsense; }", 80, at::kHalf));
    FAIL("it compiled");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("nonsense"));
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
  }
  CHECK_THROWS_AS(compiler.compile("", 80, at::kDouble), Error);
}
#else
TEST_CASE("without CUDA there is no compiler for GPU kernels") {
  CHECK_THROWS_AS(GpuCompiler(), Error);
}
#endif
