#include "kit.h"

#include <string>

#include "sdbench/base/errors/error.h"

namespace sdbench::kernels {

const Kit& kit_of(CpuInstructions instructions) {
#if defined(__x86_64__)
  switch (instructions) {
  case CpuInstructions::kAvx2:
    return kAvx2Kit;
  case CpuInstructions::kAvx512:
    return kAvx512Kit;
  case CpuInstructions::kAvx512Bf16:
    return kAvx512Bf16Kit;
  case CpuInstructions::kAmx:
    return kAmxKit;
  }
#endif
  throw Error("kernels in " + std::string(name_of(instructions)) + " must be of an x86-64 build");
}

} // namespace sdbench::kernels
