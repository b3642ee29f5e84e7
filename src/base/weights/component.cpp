#include "sdbench/base/weights/component.h"

namespace sdbench {

const char* folder_name(Component component) {
  switch (component) {
  case Component::kTextEncoder:
    return "text_encoder";
  case Component::kTextEncoder2:
    return "text_encoder_2";
  case Component::kUNet:
    return "unet";
  case Component::kVae:
    return "vae";
  case Component::kNetwork:
    return "network";
  }
  return "";
}

} // namespace sdbench
