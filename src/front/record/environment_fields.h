#pragma once

#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Fills the record's environment fields, as far as the front knows them.
void fill_environment(RunRecord& record, const RecordContext& context);

/// Fills those that the worker reports about its GPU. Does nothing for a CPU.
void fill_device_facts(RunRecord& record, const DeviceInfo& device);

} // namespace sdbench
