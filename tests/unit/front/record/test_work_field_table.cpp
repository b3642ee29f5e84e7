#include "sdbench/base/config/work_field_table.h"

#include <algorithm>
#include <iterator>

#include "catch.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/front/record/field_access.h"

using namespace sdbench;

namespace {

const WorkField& field_of(std::string_view name) {
  return *std::ranges::find(kWorkFields, name, &WorkField::name);
}

} // namespace

TEST_CASE("each work field has an option and a cause") {
  for (const WorkField& field : kWorkFields) {
    INFO(field.name);
    CHECK(find_field(field.name).has_value());
    CHECK(find_run_option(option_name(field)) != nullptr);
    CHECK_FALSE(field.cause.empty());
  }
}

TEST_CASE("a value of the work is text as records write it, where the task has the field") {
  CellWork work;
  work.karras = true;
  work.guidance = 1.5;
  CHECK(value_text(work, field_of("task")) == "generate");
  CHECK(value_text(work, field_of("guidance")) == "1.5");
  CHECK(value_text(work, field_of("noise_levels")) == "karras");
  CHECK(value_text(work, field_of("timestep_spacing")) == "linspace");
  CHECK(value_text(work, field_of("weight_update")).empty());
  work.task = Task::kTrain;
  CHECK(value_text(work, field_of("guidance")).empty());
  CHECK(value_text(work, field_of("weight_update")) == "off");
}

TEST_CASE("rows do not say what nobody asked for of fields that came later") {
  CellWork work;
  CHECK(value_text(work, field_of("clip_skip")) == "0");
  CHECK(recorded_text(work, field_of("clip_skip")).empty());
  work.clip_skip = -1; // of a model that could not be read
  CHECK(recorded_text(work, field_of("clip_skip")).empty());
  work.clip_skip = 2;
  CHECK(recorded_text(work, field_of("clip_skip")) == "2");
  work.task = Task::kTrain;
  CHECK(recorded_text(work, field_of("loss")).empty());
  work.loss = kLogitSum;
  CHECK(recorded_text(work, field_of("loss")) == "logit-sum");
}

TEST_CASE("a work field's names are those of the record, the option, the request and the id") {
  CHECK(option_name(field_of("clip_skip")) == "clip-skip");
  CHECK(option_name(field_of("noise_levels")) == "karras");
  CHECK(message_name(field_of("noise_levels")) == "karras");
  CHECK(message_name(field_of("scheduler")) == "sampler");
  CHECK(id_name(field_of("scheduler")) == "scheduler");
  CHECK(id_name(field_of("weight_update")) == "update");
}
