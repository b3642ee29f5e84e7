#include "sdbench/front/record/raw_times.h"

#include <utility>

namespace sdbench {

bool has_raw_times(const RunRecord& record) {
  return record.first_image || !record.samples.empty() || record.partial_run;
}

RawTimes take_raw_times(RunRecord& record) {
  return {std::exchange(record.first_image, std::nullopt), std::exchange(record.samples, {}),
          std::exchange(record.partial_run, std::nullopt)};
}

void put_raw_times(RunRecord& record, RawTimes raw) {
  record.first_image = std::move(raw.first_image);
  record.samples = std::move(raw.samples);
  record.partial_run = std::move(raw.partial_run);
}

} // namespace sdbench
