#include "sdbench/base/plan/parallel_cells.h"

#include <cstdint>
#include <utility>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/types/task_table.h"

#include "catch.h"

using namespace sdbench;

namespace {

using Names = std::vector<std::string>;

Cell lone(std::int64_t images, std::int64_t batch) {
  Cell cell;
  cell.seed = 100;
  cell.images = images;
  cell.batch = batch;
  cell.device = "cpu:0";
  cell.cpu_share = CpuShare{0, 2};
  cell.prompts = {"a prompt"};
  return cell;
}

} // namespace

TEST_CASE("a whole execution has all devices and all images, and what each device does alone") {
  const Cell shared = whole_of(lone(4, 1), {"cpu:0", "cpu:1"}, kSharePrompts);
  CHECK(shared.device == "cpu:0+cpu:1");
  CHECK(shared.images == 4);
  CHECK(is_whole(shared));
  CHECK_FALSE(is_whole(lone(4, 1)));
  const Cell each = whole_of(lone(4, 1), {"cpu:0", "cpu:1"}, kShareEach);
  CHECK(each.images == 8);
  for (const Cell& whole : {shared, each}) {
    const std::vector<Cell> cells = alone_cells(whole);
    REQUIRE(cells.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(cells[i].device == whole.parallel_devices[i]);
      CHECK(cells[i].cpu_share->number == static_cast<std::int64_t>(i));
      CHECK(cells[i].cpu_share->count == 2);
      CHECK(cells[i].images == 4);
      CHECK(cells[i].parallel_devices.empty());
      CHECK(cells[i].share.empty());
    }
  }
}

TEST_CASE("shared images are whole batches, and each keeps its seed and its prompt") {
  Cell cell = lone(10, 2);
  cell.prompts = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  const auto cells = device_cells(whole_of(cell, {"cuda:0", "cuda:2", "cuda:5"}, kSharePrompts));
  REQUIRE(cells.size() == 3);
  CHECK(cells[0].images == 4);
  CHECK(cells[1].images == 4);
  CHECK(cells[2].images == 2);
  CHECK(cells[0].seed == 100);
  CHECK(cells[1].seed == 104);
  CHECK(cells[2].seed == 108);
  CHECK(cells[0].prompts == Names{"0", "1", "2", "3"});
  CHECK(cells[1].prompts == Names{"4", "5", "6", "7"});
  CHECK(cells[2].prompts == Names{"8", "9"});
  CHECK(cells[1].device == "cuda:2");
  CHECK_FALSE(cells[1].cpu_share.has_value());
  CHECK_FALSE(is_whole(cells[0]));
  CHECK(cells[2].parallel_devices.size() == 3);
}

TEST_CASE("a single prompt is every device's") {
  const auto cells = device_cells(whole_of(lone(2, 1), {"cpu:1", "cpu:0"}, kSharePrompts));
  CHECK(cells[0].prompts == Names{"a prompt"});
  CHECK(cells[1].prompts == Names{"a prompt"});
  CHECK(cells[0].cpu_share->number == 1);
  CHECK(cells[1].cpu_share->number == 0);
  CHECK(cells[1].seed == 101);
}

TEST_CASE("where each makes all, all devices have the same images") {
  const auto cells = device_cells(whole_of(lone(3, 1), {"cpu:0", "cpu:1"}, kShareEach));
  REQUIRE(cells.size() == 2);
  for (const Cell& cell : cells) {
    CHECK(cell.images == 3);
    CHECK(cell.seed == 100);
  }
}

TEST_CASE("fewer batches than devices cannot be shared") {
  CHECK(sharing_obstacle(whole_of(lone(4, 2), {"cpu:0", "cpu:1"}, kSharePrompts)).empty());
  CHECK(
      sharing_obstacle(whole_of(lone(4, 4), {"cpu:0", "cpu:1"}, kSharePrompts)) ==
      "--images must be at least a batch for each of the 2 devices of --parallel (8), but is 4; or "
      "take --share each");
  CHECK(sharing_obstacle(whole_of(lone(4, 4), {"cpu:0", "cpu:1"}, kShareEach)).empty());
}

namespace {

Cell training(std::int64_t images, std::int64_t batch, const char* share = kShareBatch,
              const Names& devices = {"cpu:0", "cpu:1"}) {
  Cell cell = lone(images, batch);
  cell.task = Task::kTrain;
  return whole_of(cell, devices, share);
}

} // namespace

TEST_CASE("devices that share each batch have parts of it as equal as can be, also of the last") {
  const auto cells = device_cells(training(2 * 5 + 3, 5));
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].batch == 3);
  CHECK(cells[1].batch == 2);
  CHECK(cells[0].images == 2 * 3 + 2);
  CHECK(cells[1].images == 2 * 2 + 1);
  for (const Cell& cell : cells) {
    CHECK(cell.shared_batch == 5);
    CHECK(whole_batch(cell) == 5);
    CHECK(batches_of(cell) == 3);
    CHECK(cell.seed == 100);
  }
  CHECK(device_number(cells[1]) == 1);
  CHECK(whole_batch(alone_cells(training(10, 5))[1]) == 5);
}

TEST_CASE("a device alone trains all epochs, for it is compared with the whole") {
  Cell whole = training(50, 5);
  whole.epochs = 100;
  for (const Cell& alone : alone_cells(whole)) {
    CHECK(alone.epochs == 100);
  }
}

TEST_CASE("devices that share each batch warm up alike") {
  CHECK(training(10, 5).warmup == 2);
  CHECK_FALSE(training(10, 5, kShareEach).warmup.has_value());
  Cell cell = lone(4, 2);
  cell.warmup = 0;
  CHECK(whole_of(cell, {"cpu:0", "cpu:1"}, kShareBatch).warmup == 0);
}

TEST_CASE("a batch that cannot be shared is refused with what to do") {
  CHECK(sharing_obstacle(training(10, 5)).empty());
  CHECK(sharing_obstacle(training(4, 1)) ==
        "--batch must be at least an image for each of the 2 devices of --parallel, but is 1; or "
        "take --share each");
  CHECK(sharing_obstacle(training(11, 5)) ==
        "--batch must leave an image for each of the 2 devices in an epoch's last batch, but 11 "
        "images in batches of 5 leave 1; or take --share each");
  CHECK(sharing_obstacle(training(12, 5)).empty());
  CHECK(sharing_obstacle(training(10, 5, kShareBatch, {"cpu", "cuda:0"}))
            .starts_with("--device must name GPUs alone or shares of the CPU alone"));
  Cell cell = training(10, 5);
  cell.max_time_s = 60;
  CHECK(sharing_obstacle(cell).starts_with("--max-time must be given without --share batch"));
}

TEST_CASE("each task has its ways to share") {
  CHECK(sharing_obstacle(training(10, 5, kSharePrompts)) ==
        "--share must be batch or each with --task train, but is prompts");
  CHECK(sharing_obstacle(training(10, 5, kShareEach)).empty());
  Cell infer = lone(5, 5);
  infer.task = Task::kInfer;
  CHECK(sharing_obstacle(whole_of(infer, {"cpu:0", "cpu:1"}, kShareBatch)) ==
        "--share must be prompts or each with --task infer, but is batch");
  CHECK(sharing_obstacle(whole_of(infer, {"cpu:0", "cpu:1"}, kSharePrompts)) ==
        "--iterations must be at least one for each of the 2 devices of --parallel, but is 1; or "
        "take --share each");
  infer.images = 15;
  const auto cells = device_cells(whole_of(infer, {"cpu:0", "cpu:1"}, kSharePrompts));
  CHECK(cells[0].images == 10);
  CHECK(cells[1].images == 5);
  CHECK(cells[1].seed == 100);
}
