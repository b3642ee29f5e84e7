#pragma once

#include <optional>
#include <string>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Three digits of a figure; empty without one.
[[nodiscard]] std::string figure_text(const std::optional<double>& value);
/// The same of the record's field, which must be of this type.
[[nodiscard]] std::string figure_text(const RunRecord& record, FieldName name);
/// The most memory that a row took: the device's, or else the host's; empty where neither is known.
[[nodiscard]] std::string peak_memory_text(const RunRecord& record);

// Of networks; empty of what makes images.
/// How many batches a run has.
[[nodiscard]] std::string iterations_text(const RunRecord& record);
/// The loss of the training; cross entropy by default.
[[nodiscard]] std::string loss_text(const RunRecord& record);

/// The 95 % interval of images in time, in the unit of the row's figure: "340.1 to 348.0 images/s"
/// where it has images/s, as networks have, else images/min; empty without one.
[[nodiscard]] std::string images_interval_text(const RunRecord& record);

/// How the row's device computed: "alone", "1 of 2" for its part of a parallel execution, "sum of
/// 2" for all of it.
[[nodiscard]] std::string together_words(const RunRecord& record);

} // namespace sdbench
