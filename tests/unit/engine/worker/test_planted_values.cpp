#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "parameter_kind.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/status.h"
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

/// One place of each kind in a file: a value in the midst of the kind's first parameter.
template <typename KindOf>
std::map<std::string, PlantedPlace> places_in_file(const fs::path& path, KindOf kind_of) {
  const SafetensorsFile file(path);
  const auto begins = [](const auto& tensor) { return tensor.second.data.data(); };
  const std::byte* const first = begins(*std::ranges::min_element(file.tensors(), {}, begins));
  const auto data_begin = static_cast<std::streamoff>(8 + file.header_text().size());
  std::map<std::string, PlantedPlace> places;
  for (const auto& [name, view] : file.tensors()) {
    const std::streamoff middle = static_cast<std::streamoff>(view.data.size() / sizeof(float) / 2);
    places.try_emplace(kind_of(name),
                       PlantedPlace{path, name,
                                    data_begin + (view.data.data() - first) +
                                        middle * static_cast<std::streamoff>(sizeof(float))});
  }
  return places;
}

/// A short cell of one thread, for threads wait longer for each other than they compute; its
/// weights are written to `folder`.
Cell exported_cell(const char* model, const fs::path& folder) {
  messages::ExportRequest request;
  request.model = find_model_config(model);
  request.folder = folder;
  export_weights(request);
  Cell cell = test::tiny_cell(model);
  cell.weights.path = folder;
  cell.steps = 1;
  cell.warmup = 0;
  cell.threads = 1;
  return cell;
}

constexpr float kPlantedNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kPlantedInfinity = std::numeric_limits<float>::infinity();
constexpr float kOverflows = 3e38F; ///< by any sum with another of its size
constexpr const char* kInvalidEnd = "invalid_output non_finite";

/// How a cell ends: "invalid_output non_finite".
std::string end_of(Cell cell, std::string_view engine) {
  cell.engine = engine;
  ExecutorObserver nobody;
  const CellOutcome outcome = TorchExecutor(nullptr).run(cell, nobody);
  INFO(outcome.message);
  REQUIRE(outcome.result);
  return std::string(name_of(outcome.status)) + " " + outcome.result->output_check;
}

/// The kinds in which the value leaves tuned's answers finite; plain's must then be so, too.
std::set<std::string>
finite_in_tuned(const Cell& cell, const std::map<std::string, PlantedPlace>& places, float value) {
  std::set<std::string> finite;
  for (const auto& [kind, place] : places) {
    const float before = exchange_value(place, value);
    CAPTURE(cell.model.name, place.name, value, name_of(*cell.dtype));
    if (end_of(cell, kTunedEngine) != kInvalidEnd) {
      CHECK(end_of(cell, kPlainEngine) != kInvalidEnd);
      finite.insert(kind);
    }
    exchange_value(place, before);
  }
  return finite;
}

/// A norm divides by the one and subtracts the other, so that a ReLU makes 0 of it.
bool is_statistic(const std::string& kind) {
  return kind.ends_with(".running_mean") || kind.ends_with(".running_var");
}

/// With weights as small as those that follow, no sum makes infinity of what is huge.
bool may_stay_finite(const std::string& kind) {
  return is_statistic(kind) || kind.ends_with(".bias") || kind.starts_with("fc.") ||
         kind.starts_with("classifier.");
}

void check_planted_network(const char* model) {
  const test::ScratchFolder scratch;
  Cell cell = exported_cell(model, scratch.path() / "out");
  cell.task = Task::kInfer;
  cell.weights.kind = WeightsLocation::Kind::kSingleFile;
  cell.weights.path /= "model.safetensors";
  cell.width = cell.height = cell.model.defaults.width;
  cell.prompts.clear();
  cell.repeat = 1;
  const auto places = places_in_file(cell.weights.path, test::whole_kind);
  CHECK(end_of(cell, kTunedEngine) == "ok pass");
  for (const Dtype dtype : {Dtype::kF32, Dtype::kBF16}) {
    cell.dtype = dtype;
    CAPTURE(model, name_of(dtype));
    const auto finite = [&](float value) { return finite_in_tuned(cell, places, value); };
    CHECK(finite(kPlantedNan).empty());
    std::set<std::string> with_infinity = finite(kPlantedInfinity);
    std::erase_if(with_infinity, is_statistic);
    CHECK(with_infinity == std::set<std::string>{});
    CHECK(finite(-kPlantedInfinity).size() < places.size()); // the next ReLU makes 0 of some
    std::set<std::string> with_overflow = finite(kOverflows);
    std::erase_if(with_overflow, may_stay_finite);
    CHECK(with_overflow == std::set<std::string>{});
  }
}

} // namespace

TEST_CASE("a network is invalid in tuned where it is in plain, whatever is planted where") {
  for (const char* model : {"tiny-vgg", "tiny-resnet", "tiny-densenet", "tiny-cnn", "tiny-wrn"}) {
    check_planted_network(model);
  }
}

// Each kind of parameter is planted in test_planted_pipelines.cpp, without files.
TEST_CASE("a pipeline's cell is invalid in both engines where NaN stands in a file of it") {
  const test::ScratchFolder scratch;
  Cell cell = exported_cell("tiny-sd15", scratch.path() / "out");
  cell.weights.kind = WeightsLocation::Kind::kFolder;
  cell.width = cell.height = 16;
  cell.repeat = 0; // the first image is all
  for (const auto& [file, parameter] :
       {std::pair("text_encoder/model.safetensors", "final_layer_norm.bias"),
        std::pair("unet/diffusion_pytorch_model.safetensors", "conv_out.bias"),
        std::pair("vae/diffusion_pytorch_model.safetensors", "conv_norm_out.bias")}) {
    const auto places = places_in_file(cell.weights.path / file, test::kind_of_parameter);
    const PlantedPlace& place = places.at(parameter);
    for (const std::string_view engine : {kTunedEngine, kPlainEngine}) {
      CAPTURE(file, engine);
      CHECK(end_of(cell, engine) == "ok pass");
      const float before = exchange_value(place, kPlantedNan);
      CHECK(end_of(cell, engine) == kInvalidEnd);
      exchange_value(place, before);
    }
  }
}
