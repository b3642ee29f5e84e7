#include "sdbench/front/other_engines/engine_environment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "catch.h"
#include "environment.h"
#include "scratch_folder.h"

using namespace sdbench;
using namespace sdbench::test;

namespace fs = std::filesystem;

namespace {

const EngineRow& openvino() {
  return *find_engine_row("openvino");
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

} // namespace

TEST_CASE(
    "an environment is complete once its mark names today's packages and its Python is there") {
  const ScratchFolder folder;
  const EnvironmentVariable named("SDBENCH_ENGINES", folder.path().c_str());
  const EngineEnvironment environment = environment_of(openvino(), "2.11.0");
  CHECK(environment.folder == folder.path() / "openvino");
  CHECK(environment.packages.front() == "torch==2.11.0");
  CHECK_FALSE(is_complete(environment));
  const fs::path mark = environment.folder / ".complete";
  write(mark, "torch==2.11.0 openvino==1.0\n");
  CHECK_FALSE(is_complete(environment)); // has the packages of an earlier version
  std::string text;
  for (const std::string& package : environment.packages) {
    text += (text.empty() ? "" : " ") + package;
  }
  write(mark, text + "\n");
  CHECK_FALSE(is_complete(environment)); // its Python is gone
  write(environment.folder / "bin" / "python", "");
  CHECK(is_complete(environment));
  CHECK_FALSE(is_complete(environment_of(openvino(), "2.7.1"))); // a different torch
}

TEST_CASE("TensorRT is of the CUDA that PyPI's torch of that version has") {
  const auto has = [](const std::string& libtorch, const std::string& package) {
    const auto packages = environment_of(*find_engine_row("tensorrt"), libtorch).packages;
    return std::ranges::any_of(packages,
                               [&](const std::string& each) { return each.starts_with(package); });
  };
  CHECK(has("2.15.0", "tensorrt-cu13=="));
  CHECK(has("2.11.0", "tensorrt-cu13=="));
  CHECK(has("2.9.1", "tensorrt-cu12=="));
  CHECK(has("2.7.1", "tensorrt-cu12=="));
}

TEST_CASE("torchvision is the one that was built for the torch") {
  for (const auto& [libtorch, torchvision] :
       {std::pair("2.15.0", "0.29.2"), std::pair("2.14.1", "0.29.2"), std::pair("2.14.0", "0.29.0"),
        std::pair("2.11.0", "0.26.0"), std::pair("2.9.1", "0.24.1"),
        std::pair("2.7.1", "0.22.1")}) {
    CAPTURE(libtorch);
    for (const char* engine : {"pytorch", "pytorch-compile"}) {
      const auto packages = environment_of(*find_engine_row(engine), libtorch).packages;
      CHECK(std::ranges::find(packages, std::string("torchvision==") + torchvision) !=
            packages.end());
    }
  }
}

TEST_CASE("ONNX Runtime is another package, in another folder, beside an NVIDIA driver") {
  const EngineRow& row = *find_engine_row("onnxruntime");
  const auto packages = [&](const std::string& libtorch, bool has_driver) {
    const EngineEnvironment environment = environment_of(row, libtorch, has_driver);
    CHECK(environment.folder.filename() == (has_driver ? "onnxruntime-gpu" : "onnxruntime"));
    std::vector<std::string> named;
    for (const std::string& package : environment.packages) {
      CHECK(package.find('@') == std::string::npos);
      if (package.starts_with("onnxruntime")) {
        named.push_back(package.substr(0, package.find(';')));
      }
    }
    return named;
  };
  using Names = std::vector<std::string>;
  CHECK(packages("2.11.0", true) == Names{"onnxruntime-gpu==1.31.1"});
  CHECK(packages("2.7.1", true) == Names{"onnxruntime-gpu==1.23.2"});
  CHECK(packages("2.11.0", false) == Names{"onnxruntime==1.32.0", "onnxruntime==1.23.2"});
  const EngineRow& openvino = *find_engine_row("openvino");
  CHECK(environment_of(openvino, "2.11.0", true).folder.filename() == "openvino");
}

TEST_CASE("another's worker is its environment's Python, and waits as its users know it") {
  const ScratchFolder folder;
  const EnvironmentVariable named("SDBENCH_ENGINES", folder.path().c_str());
  const WorkerProgram worker = worker_of(openvino(), environment_of(openvino(), "2.11.0"));
  CHECK(worker.path == folder.path() / "openvino/bin/python");
  CHECK(worker.arguments.back() == "openvino");
  CHECK(fs::exists(worker.arguments.at(worker.arguments.size() - 2)));
  CHECK_FALSE(worker.is_ours);
}

TEST_CASE("a set-up takes the torch of the libtorch that is there, and wheels instead of PyPI") {
  const ScratchFolder folder;
  const EnvironmentVariable named("SDBENCH_ENGINES", folder.path().c_str());
  const fs::path site_packages = folder.path() / "lib/python3.11/site-packages";
  write(site_packages / "torch/__init__.py", "");
  const EngineEnvironment environment = environment_of(openvino(), "2.11.0");
  WorkerProgram libtorch;
  const auto command = [&](const fs::path& wheels) {
    return set_up_command(openvino(), environment, libtorch, wheels);
  };
  const auto has = [](const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  CHECK_FALSE(has(command({}), "--torch-folder"));
  CHECK(disk_gb(openvino(), libtorch) > openvino().disk_gb + 1); // a torch of its own
  libtorch.library_path = "/elsewhere:" + (site_packages / "torch/lib").string();
  CHECK(has(command({}), site_packages.string()));
  CHECK(disk_gb(openvino(), libtorch) == openvino().disk_gb);
  CHECK_FALSE(has(command({}), "--from"));
  CHECK(has(command("wheels"), "wheels"));
  CHECK(command({}).back() == environment.packages.back());
}
