#include "partners.h"

#include <cstdint>
#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited) {
  if (has_ended(place.meeting, static_cast<std::int64_t>(other))) {
    throw Error(partner_has_ended(place.devices[other]));
  }
  if (waited > place.patience) {
    const double seconds = std::chrono::duration<double>(place.patience).count();
    throw Error("all devices must train together, but " + place.devices[other] +
                " did not come within " + number_text(seconds) +
                " s (half of --timeout); look at what else it computes");
  }
}

} // namespace sdbench
