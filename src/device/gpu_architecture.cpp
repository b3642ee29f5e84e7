#include "sdbench/device/gpu_architecture.h"

namespace sdbench {

std::string_view gpu_generation(int major, int minor) {
  switch (major) {
  case 3:
    return "Kepler";
  case 5:
    return "Maxwell";
  case 6:
    return "Pascal";
  case 7:
    return minor >= 5 ? "Turing" : "Volta";
  case 8:
    return minor == 9 ? "Ada Lovelace" : "Ampere";
  case 9:
    return "Hopper";
  case 10:
  case 11:
  case 12:
    return "Blackwell";
  default:
    return "unknown";
  }
}

} // namespace sdbench
