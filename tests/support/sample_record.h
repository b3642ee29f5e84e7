#pragma once

#include <string>

#include "image_sample.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench::test {

/// A record with a value in every field, the awkward ones included.
[[nodiscard]] inline RunRecord full_record() {
  RunRecord record;
  double number = 0.1;
  std::int64_t count = 1;
  for (const RecordField& field : record_fields()) {
    const std::string_view type = type_name(field);
    number *= 1.37;
    count += 1;
    set_field_text(record, field,
                   type == "text"      ? "the " + std::string(field.name)
                   : type == "integer" ? std::to_string(count)
                                       : std::to_string(number));
  }
  record.schema_version = kSchemaVersion;
  record.status = "ok";
  record.device_kind = "cpu+cuda"; // a row with an unknown word in one of these is not read
  record.task = "generate";
  record.scheduler = "euler";
  record.noise_levels = "karras";
  record.seed = 18446744073709551615U;
  record.peak_host_bytes = 9223372036854775807;
  record.step_s_mean = 1.0 / 3;
  record.label = "commas, \"quotes\"\nand a line; \\ and \xff";
  record.note = "grün 漢 😀";
  record.first_image = image_sample(0.5, 2.0, 0.25, 3.0, {1.25, 0.75});
  record.samples = {image_sample(0.01, 1.0, 0.2, 1.3, {0.5, 0.5}),
                    image_sample(0.02, 1.1, 0.3, 1.5, {0.5, 0.6})};
  record.partial_run = PartialRun{"measure", {0.5}};
  return record;
}

/// A record of a cell that never ran: most fields are empty.
[[nodiscard]] inline RunRecord failed_record() {
  RunRecord record;
  record.run_id = "0123456789abcdef";
  record.status = "crash";
  record.error = "load: the worker was killed by signal 9";
  return record;
}

} // namespace sdbench::test
