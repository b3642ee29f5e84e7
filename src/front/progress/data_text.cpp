#include "sdbench/front/progress/data_text.h"

namespace sdbench {

std::string made_up_data_text(const Cell& cell) {
  if (cell.epochs == 0 || !cell.data.fallback) {
    return "";
  }
  return "SYNTHETIC DATA (" + cell.data.description +
         "): neither --data nor SDBENCH_DATA names any. The speed is real, THE ACCURACY IS OF "
         "MADE-UP IMAGES. --data PATH takes CIFAR-10.";
}

} // namespace sdbench
