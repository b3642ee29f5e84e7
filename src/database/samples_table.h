#pragma once

namespace sdbench {

/// Columns of table `samples`. step 0 is a whole run, whose seconds are its e2e_s; from 1 they are
/// its steps.
inline constexpr const char* kSamplesColumns =
    "run_id,part,run,step,seconds,text_s,unet_s,vae_s,start_s,stage";

// values of its column part
inline constexpr const char* kFirstImage = "first_image";
inline constexpr const char* kTimed = "timed";
inline constexpr const char* kPartial = "partial";

} // namespace sdbench
