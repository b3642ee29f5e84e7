#include "sdbench/engine/worker/kept_model.h"

#include "catch.h"
#include "tiny_cell.h"

using namespace sdbench;

TEST_CASE("a kept model remembers that one was loaded, also after it is dropped") {
  KeptModel model;
  CHECK_FALSE(model.has_loaded());
  model.load(test::tiny_cell(), {});
  CHECK(model.has_loaded());
  model.drop();
  CHECK(model.has_loaded());
}
