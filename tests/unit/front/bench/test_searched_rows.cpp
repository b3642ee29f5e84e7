#include "sdbench/front/bench/searched_rows.h"

#include <cstdint>

#include "catch.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"

using namespace sdbench;

namespace {

std::vector<SweepCell> cells(const Json& values) {
  Json all = {{"model", "tiny-sd15"}, {"weights", "synthetic"}};
  all.update(values);
  OptionLayers layers;
  layers.add(all, "--");
  return resolve_sweep(layers.cells());
}

RunRecord row(Cell cell, std::int64_t batch, const RecordContext& context) {
  cell.batch = cell.images = batch;
  return build_record(cell, CellOutcome{}, context);
}

} // namespace

TEST_CASE("the points of a search are found among all rows of the outputs") {
  RecordContext context;
  context.host = "here";
  RecordContext elsewhere;
  elsewhere.host = "there";
  const auto searched = cells({{"batch", "auto"}});
  const auto others = cells({{"guidance", 1}});
  const Cell& cell = searched.at(0).planned.cell;
  RunRecord old = row(cell, 2, context);
  old.engine_revision = 0;
  RunRecord many = row(cell, 2, context);
  many.seed += 1;
  const std::vector<RunRecord> rows = {row(cell, 1, context),
                                       row(cell, 24, context),
                                       row(others.at(0).planned.cell, 1, context),
                                       row(cell, 1, elsewhere),
                                       old,
                                       many};
  const auto found = searched_rows(searched, rows, context);
  REQUIRE(found.size() == 2);
  CHECK(found[0].batch == 1);
  CHECK(found[1].batch == 24);
  CHECK(searched_rows(others, rows, context).empty()); // searches nothing
}
