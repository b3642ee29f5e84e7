#include "sdbench/engine/worker/export_weights.h"

#include <cstdint>
#include <filesystem>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/weights/safetensors.h"

using namespace sdbench;

TEST_CASE("an export that is told to stop leaves nothing of its gigabytes") {
  const test::ScratchFolder scratch;
  messages::ExportRequest request;
  request.model = find_model_config("tiny-sd15");
  request.folder = scratch.path() / "out";
  const std::atomic<bool> stop{true};
  CHECK_THROWS_AS(export_weights(request, &stop), CellFailure);
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("an exported network is an architecture and a file of weights, which are read again") {
  const test::ScratchFolder scratch;
  messages::ExportRequest request;
  request.model = find_model_config("tiny-resnet");
  request.folder = scratch.path() / "out";
  export_weights(request);
  const std::filesystem::path folder = request.folder;
  CHECK(find_model_config((folder / "architecture.json").string()).source == request.model.source);
  const SafetensorsFile file(folder / "model.safetensors");
  CHECK(file.tensors().at("fc.weight").shape == std::vector<std::int64_t>{10, 128});
  CHECK(file.metadata().at("weights") == "synthetic:0");
}
