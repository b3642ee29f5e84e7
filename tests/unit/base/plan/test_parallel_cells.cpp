#include "sdbench/base/plan/parallel_cells.h"

#include <cstdint>

#include "sdbench/base/device/cpu_cores.h"

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

TEST_CASE(
    "a whole execution has all devices and all images, and what its first device does alone") {
  const Cell shared = whole_of(lone(4, 1), {"cpu:0", "cpu:1"}, kSharePrompts);
  CHECK(shared.device == "cpu:0+cpu:1");
  CHECK(shared.images == 4);
  CHECK(is_whole(shared));
  CHECK_FALSE(is_whole(lone(4, 1)));
  const Cell each = whole_of(lone(4, 1), {"cpu:0", "cpu:1"}, kShareEach);
  CHECK(each.images == 8);
  for (const Cell& whole : {shared, each}) {
    const Cell alone = alone_of(whole);
    CHECK(alone.device == "cpu:0");
    CHECK(alone.images == 4);
    CHECK(alone.cpu_share->count == 2);
    CHECK(alone.parallel_devices.empty());
    CHECK(alone.share.empty());
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
