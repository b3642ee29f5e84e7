#include "sdbench/base/record/old_words.h"

#include "catch.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/base/record/run_record.h"

using namespace sdbench;

TEST_CASE("a word of an earlier version is read as today's, in its own field alone") {
  RunRecord record;
  set_field_text(record, field_named("output_check"), "nan");
  set_field_text(record, field_named("label"), "nan");
  CHECK(record.output_check == "non_finite");
  CHECK(record.label == "nan");
  set_field_text(record, field_named("output_check"), "constant");
  CHECK(record.output_check == "constant");
}
