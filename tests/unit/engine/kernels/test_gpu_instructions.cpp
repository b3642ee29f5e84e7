// What the design of the GPU kernels claims of their machine code, read by cuobjdump.
#include "catch.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <string>

#include "scratch_folder.h"
#include "sdbench/engine/kernels/gpu_compiler.h"

using namespace sdbench;
namespace fs = std::filesystem;

#ifdef SDBENCH_HAS_CUDA
namespace {

/// The oracle's triton has the program; empty if it is not there.
fs::path cuobjdump() {
  const fs::path oracle = fs::path(SDBENCH_SOURCE_DIR) / ".deps/oracle/lib";
  std::error_code none;
  for (const auto& python : fs::directory_iterator(oracle, none)) {
    const fs::path program = python.path() / "site-packages/triton/backends/nvidia/bin/cuobjdump";
    if (fs::exists(program)) {
      return program;
    }
  }
  return {};
}

/// Instruction -> how often it stands in the kernel. Counts an instruction with a predicate, too.
std::map<std::string, int> instructions_of(const fs::path& program, const fs::path& image,
                                           const std::string& kernel) {
  const std::string command =
      "'" + program.string() + "' -sass -fun " + kernel + " '" + image.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  REQUIRE(pipe != nullptr);
  const std::regex instruction(R"(/\*[0-9a-f]{4}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*))");
  std::map<std::string, int> counts;
  std::array<char, 1024> line{};
  std::cmatch match;
  while (std::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    if (std::regex_search(line.data(), match, instruction)) {
      ++counts[match[1].str()];
    }
  }
  return counts;
}

} // namespace

// A fence of sequential consistency by each thread, and one load in flight, made it wait.
TEST_CASE("a group norm has four loads in flight and no fence of sequential consistency",
          "[not_sanitized]") {
  const fs::path program = cuobjdump();
  if (program.empty()) {
    std::printf("skipped: there is no cuobjdump\n");
    return;
  }
  const test::ScratchFolder scratch;
  const GpuCompiler compiler;
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16, at::kFloat}) {
    CAPTURE(at::toString(dtype));
    const fs::path image = scratch.write(
        "kernels.cubin", compiler.compile(gpu_kernel_source(), {90, false}, dtype).image);
    const auto counts = instructions_of(program, image, "group_norm_factors");
    const auto count_of = [&](const std::string& beginning) {
      int sum = 0;
      for (const auto& [name, count] : counts) {
        sum += name.starts_with(beginning) ? count : 0;
      }
      return sum;
    };
    CHECK(count_of("LDG.E.128") >= 8);           // of an image four packs, and the next four
    CHECK(count_of("LDG.E.64.STRONG.GPU") >= 8); // of the other blocks' sums
    CHECK(count_of("LDG.E.64.STRONG.SYS") == 0);
    CHECK(count_of("MEMBAR.SC") == 0);
    CHECK(count_of("ATOMG") == 1); // the ticket
  }
}
#endif
