#include "sdbench/base/record/old_words.h"

#include <optional>

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

TEST_CASE("load_s of before schema version 3 is read without prepare_s, which was a part of it") {
  CHECK(load_of_today(1, 2.0, std::nullopt) == 2.0);
  CHECK(load_of_today(2, 2.0, 0.5) == 1.5);
  CHECK(load_of_today(3, 2.0, 0.5) == 2.0);
  CHECK_FALSE(load_of_today(2, std::nullopt, 0.5)); // the model stood there
  CHECK(load_of_today(2, 0.5, 2.0) == 0.0);         // no time is below zero, whatever a file says
}
