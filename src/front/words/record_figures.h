#pragma once

#include <optional>
#include <string>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A figure to three significant digits; empty without one.
[[nodiscard]] std::string figure_text(const std::optional<double>& value);
/// The same of the record's field, which must be of this type.
[[nodiscard]] std::string figure_text(const RunRecord& record, FieldName name);
/// The peak memory of a row: the device's, else the host's; empty if neither is known.
[[nodiscard]] std::string peak_memory_text(const RunRecord& record);

// For rows of networks; empty for rows that make images.
/// Batches of a run.
[[nodiscard]] std::string iterations_text(const RunRecord& record);
/// The loss of the training; cross entropy by default.
[[nodiscard]] std::string loss_text(const RunRecord& record);

/// The 95 % interval of the image rate ("340.1 to 348.0 images/s"); empty without one. In images/s
/// if the row has images/s, as networks do, else in images/min.
[[nodiscard]] std::string images_interval_text(const RunRecord& record);

/// How the row's device computed: "alone", "part of 2" for its part of a parallel execution, or
/// "sum of 2" for the whole execution.
[[nodiscard]] std::string together_words(const RunRecord& record);

} // namespace sdbench
