#include "sdbench/engine/nn/autocast_scope.h"

#include <ATen/autocast_mode.h>

namespace sdbench {

AutocastScope::AutocastScope(c10::DeviceType device, std::optional<c10::ScalarType> dtype,
                             Gradients gradients)
    : device_(device) {
  if (dtype) {
    // libtorch 2.11 caches no 16-bit weights in inference mode, but does so in no-grad mode.
    normal_mode_.emplace(false);
    if (gradients == Gradients::kNo) {
      no_gradients_.emplace();
    }
    before_ =
        Before{at::autocast::is_autocast_enabled(device), at::autocast::get_autocast_dtype(device)};
    at::autocast::set_autocast_enabled(device, true);
    at::autocast::set_autocast_dtype(device, *dtype);
    at::autocast::increment_nesting();
  }
}

AutocastScope::~AutocastScope() {
  if (before_) {
    if (at::autocast::decrement_nesting() == 0) {
      at::autocast::clear_cache();
    }
    at::autocast::set_autocast_enabled(device_, before_->enabled);
    at::autocast::set_autocast_dtype(device_, before_->dtype);
  }
}

} // namespace sdbench
