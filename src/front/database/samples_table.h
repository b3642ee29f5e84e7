#pragma once

#include <array>
#include <string_view>

#include "sdbench/base/executor/run_sample.h"

namespace sdbench {

/// Columns of table `samples`. Step 0 is a whole run, with seconds = e2e_s; steps from 1 are the
/// run's steps.
inline constexpr const char* kSamplesColumns =
    "run_id,part,run,step,seconds,text_s,unet_s,vae_s,start_s,stage";

/// The parts of a run with a column; the first is kFirstPartColumn. If one of them has a time, NULL
/// means a missing time. If all are NULL, the run did different work, whose parts have no columns:
/// a new column would make it impossible to add rows to older databases.
inline constexpr std::array<std::string_view, 3> kPartsWithColumn = {kTextPart, kUNetPart,
                                                                     kVaePart};
inline constexpr int kFirstPartColumn = 5;

// Values of its column `part`.
inline constexpr const char* kFirstImage = "first_image";
inline constexpr const char* kTimed = "timed";
inline constexpr const char* kPartial = "partial";

} // namespace sdbench
