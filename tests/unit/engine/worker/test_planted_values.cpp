#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "cell_ears.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/core/dtype.h"
#include "sdbench/base/core/engine.h"
#include "sdbench/base/core/status.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/protocol.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/worker/export_weights.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

using namespace sdbench;

namespace {

namespace fs = std::filesystem;

/// A parameter in a file of fp32 weights.
struct PlantedPlace {
  fs::path file;
  std::string name;
  std::streamoff offset = 0; ///< of one of its values
};

float exchange_value(const PlantedPlace& place, float value) {
  std::fstream file(place.file, std::ios::in | std::ios::out | std::ios::binary);
  float before = 0;
  file.seekg(place.offset);
  file.read(reinterpret_cast<char*>(&before), sizeof before);
  file.seekp(place.offset);
  file.write(reinterpret_cast<const char*>(&value), sizeof value);
  REQUIRE(file.good());
  return before;
}

/// "bn#.weight": the same layer of every block.
std::string kind_of_parameter(const std::string& name) {
  std::string kind;
  const std::size_t last = name.rfind('.');
  const std::size_t before = last == std::string::npos ? last : name.rfind('.', last - 1);
  for (const char letter : before == std::string::npos ? name : name.substr(before + 1)) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (!is_digit || !kind.ends_with('#')) {
      kind += is_digit ? '#' : letter;
    }
  }
  return kind;
}

/// One place of each kind in a file: a value in the midst of the kind's first parameter.
void add_places(const fs::path& path, std::vector<PlantedPlace>& places) {
  const SafetensorsFile file(path);
  const auto begins = [](const auto& tensor) { return tensor.second.data.data(); };
  const std::byte* const first = begins(*std::ranges::min_element(file.tensors(), {}, begins));
  const auto data_begin = static_cast<std::streamoff>(8 + file.header_text().size());
  std::map<std::string, PlantedPlace> of_kinds;
  for (const auto& [name, view] : file.tensors()) {
    const std::streamoff middle = static_cast<std::streamoff>(view.data.size() / sizeof(float) / 2);
    of_kinds.try_emplace(kind_of_parameter(name),
                         PlantedPlace{path, name,
                                      data_begin + (view.data.data() - first) +
                                          middle * static_cast<std::streamoff>(sizeof(float))});
  }
  for (const auto& [kind, place] : of_kinds) {
    places.push_back(place);
  }
}

/// How a cell ends: "invalid_output non_finite".
std::string end_of(Cell cell, std::string_view engine) {
  cell.engine = engine;
  ExecutorObserver nobody;
  const CellOutcome outcome = TorchExecutor(nullptr).run(cell, nobody);
  INFO(outcome.message);
  REQUIRE(outcome.result);
  return std::string(name_of(outcome.status)) + " " + outcome.result->output_check;
}

/// Plants the value in one place after the other. How often tuned calls the cell invalid; where it
/// does not, plain must not either.
int check_planted(const Cell& cell, const std::vector<PlantedPlace>& places, float value) {
  const std::string invalid = "invalid_output non_finite";
  int count = 0;
  for (const PlantedPlace& place : places) {
    const float before = exchange_value(place, value);
    CAPTURE(cell.model.name, place.name, value, name_of(*cell.dtype));
    if (end_of(cell, kTunedEngine) == invalid) {
      ++count;
    } else {
      CHECK(end_of(cell, kPlainEngine) != invalid);
    }
    exchange_value(place, before);
  }
  return count;
}

constexpr float kPlantedNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kPlantedInfinity = std::numeric_limits<float>::infinity();
constexpr float kOverflows = 3e38F; ///< by any sum with another of its size

} // namespace

TEST_CASE("a network is invalid in tuned where it is in plain, whatever is planted where") {
  int overflows = 0;
  for (const char* model : {"tiny-vgg", "tiny-resnet", "tiny-densenet", "tiny-cnn", "tiny-wrn"}) {
    const test::ScratchFolder scratch;
    protocol::ExportRequest request;
    request.model = find_model_config(model);
    request.folder = scratch.path() / "out";
    export_weights(request);
    Cell cell = test::tiny_cell(model);
    cell.task = Task::kInfer;
    cell.weights.kind = WeightsLocation::Kind::kSingleFile;
    cell.weights.path = scratch.path() / "out" / "model.safetensors";
    cell.width = cell.height = cell.model.defaults.width;
    cell.steps = 1;
    cell.prompts.clear();
    cell.warmup = 0;
    cell.repeat = 1;
    std::vector<PlantedPlace> places;
    add_places(cell.weights.path, places);
    CHECK(end_of(cell, kTunedEngine) == "ok pass");
    CHECK(check_planted(cell, places, kPlantedNan) == std::ssize(places));
    CHECK(check_planted(cell, places, kPlantedInfinity) > 0);
    overflows += check_planted(cell, places, kOverflows);
    cell.dtype = Dtype::kBF16;
    CHECK(check_planted(cell, places, kPlantedNan) == std::ssize(places));
  }
  CHECK(overflows > 0);
}

TEST_CASE("a pipeline is invalid in tuned where it is in plain, whatever is planted where") {
  const test::ScratchFolder scratch;
  protocol::ExportRequest request;
  request.model = find_model_config("tiny-sd15");
  request.folder = scratch.path() / "out";
  export_weights(request);
  Cell cell = test::tiny_cell();
  cell.weights.kind = WeightsLocation::Kind::kFolder;
  cell.weights.path = request.folder;
  cell.width = cell.height = 16;
  cell.steps = 1;
  cell.warmup = 0;
  cell.repeat = 0; // the first image is all
  std::vector<PlantedPlace> places;
  for (const char* file :
       {"text_encoder/model.safetensors", "unet/diffusion_pytorch_model.safetensors",
        "vae/diffusion_pytorch_model.safetensors"}) {
    add_places(cell.weights.path / file, places);
  }
  CHECK(end_of(cell, kTunedEngine) == "ok pass");
  CHECK(check_planted(cell, places, kPlantedNan) > std::ssize(places) / 2);
  // Where kernels of our own could be finite and ATen's are not: GEGLU, attention, group norm.
  std::erase_if(places, [](const PlantedPlace& place) {
    return std::ranges::none_of(
        std::array{"ff.net.0.proj.bias", "to_q.bias", "conv1.bias", "time_emb_proj.weight"},
        [&](const char* end) { return place.name.ends_with(end); });
  });
  REQUIRE(places.size() >= 2);
  CHECK(check_planted(cell, places, -kPlantedInfinity) + check_planted(cell, places, kOverflows) >
        0);
}
