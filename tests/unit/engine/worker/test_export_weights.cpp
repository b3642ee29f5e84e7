#include "sdbench/engine/worker/export_weights.h"

#include <filesystem>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/executor/cell_failure.h"

using namespace sdbench;

TEST_CASE("an export that is told to stop leaves nothing of its gigabytes") {
  const test::ScratchFolder scratch;
  protocol::ExportRequest request;
  request.model = find_model_config("tiny-sd15");
  request.folder = scratch.path() / "out";
  const std::atomic<bool> stop{true};
  CHECK_THROWS_AS(export_weights(request, &stop), CellFailure);
  CHECK(std::filesystem::is_empty(scratch.path()));
}
