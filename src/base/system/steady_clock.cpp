#include "sdbench/base/system/steady_clock.h"

#include <chrono>

namespace sdbench {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace sdbench
