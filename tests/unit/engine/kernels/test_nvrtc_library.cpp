#include "catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <dlfcn.h>

#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/gpu_compiler.h"
#include "sdbench/engine/kernels/nvrtc_library.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;
namespace fs = std::filesystem;

#ifdef SDBENCH_HAS_CUDA
namespace {

/// The one file that this process has mapped whose name begins so.
fs::path mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  std::set<fs::path> found;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash != std::string::npos) {
      const fs::path path = line.substr(slash);
      if (path.filename().string().starts_with(name)) {
        found.insert(path);
      }
    }
  }
  CAPTURE(name);
  REQUIRE(found.size() == 1);
  return *found.begin();
}

constexpr const char* kFakeNvrtc = SDBENCH_BINARY_DIR "/tests/libfake_nvrtc.so";

/// A wheel's folder with a runtime and an NVRTC that say 13.0.
struct FakeCuda {
  ScratchFolder scratch;
  std::string cudart = (scratch.path() / "libcudart.so.13").string();

  FakeCuda() { fs::copy_file(kFakeNvrtc, scratch.path() / "libnvrtc.so.13"); }
  void add_builtins(const std::string& version) const {
    fs::copy_file(kFakeNvrtc, scratch.path() / ("libnvrtc-builtins.so." + version));
  }
};

} // namespace

TEST_CASE("NVRTC and its builtins are of one folder, and of libtorch's own packages as cudart is") {
  const GpuCompiler compiler;
  static_cast<void>(compiler.compile("", compiler.target_for(90), at::kHalf));
  const fs::path nvrtc = mapped("libnvrtc.so.");
  CHECK(nvrtc.parent_path() == mapped("libnvrtc-builtins.so.").parent_path());
  const fs::path packages = // of the wheel: site-packages/torch/lib/libc10.so
      mapped("libc10.so").parent_path().parent_path().parent_path() / "nvidia/";
  if (fs::exists(packages)) {
    CHECK(nvrtc.string().starts_with(packages.string()));
    CHECK(mapped("libcudart.so.").string().starts_with(packages.string()));
  }
}

TEST_CASE("whoever opens NVRTC and its builtins by name gets those of libtorch's CUDA") {
  preload_nvrtc();
  for (const char* library : {"libnvrtc.so.", "libnvrtc-builtins.so."}) {
    const fs::path path = mapped(library);
    void* const by_name = dlopen(path.filename().c_str(), RTLD_NOW | RTLD_NOLOAD);
    CHECK(by_name != nullptr);
    CHECK(mapped(library) == path);
  }
}

TEST_CASE("builtins of another version beside NVRTC are not taken, and the error names the right") {
  const FakeCuda cuda;
  cuda.add_builtins("13.1");
  CHECK_THROWS_WITH(open_nvrtc(cuda.cudart),
                    Catch::Matchers::StartsWith("libnvrtc-builtins.so.13.0 must lie beside ") &&
                        Catch::Matchers::ContainsSubstring("install libtorch again"));
  cuda.add_builtins("13.0");
  CHECK(open_nvrtc(cuda.cudart) != nullptr);
}

TEST_CASE("CUDA 12's wheels have NVRTC in a package of its own beside the runtime's") {
  const FakeCuda cuda;
  const fs::path& nvidia = cuda.scratch.path();
  cuda.add_builtins("13.0");
  fs::create_directories(nvidia / "cuda_runtime/lib");
  fs::create_directories(nvidia / "cuda_nvrtc/lib");
  for (const char* name : {"libnvrtc.so.13", "libnvrtc-builtins.so.13.0"}) {
    fs::rename(nvidia / name, nvidia / "cuda_nvrtc/lib" / name);
  }
  CHECK(open_nvrtc((nvidia / "cuda_runtime/lib/libcudart.so.13").string()) != nullptr);
}
#endif

TEST_CASE(
    "without CUDA's runtime there is no NVRTC, and nobody is disturbed who does not need it") {
  CHECK_THROWS_WITH(open_nvrtc(""), Catch::Matchers::ContainsSubstring("built for CUDA"));
  CHECK_THROWS_WITH(open_nvrtc("/nowhere/libcudart.so.7"),
                    Catch::Matchers::StartsWith("libnvrtc.so.7 must be there"));
  CHECK_NOTHROW(preload_nvrtc());
}
