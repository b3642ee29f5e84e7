#include "sdbench/engine/pipeline/pipeline_options.h"

#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

StageDtype::StageDtype(Precision precision) : weights(to_scalar_type(precision.weight_dtype())) {
  if (precision.autocast) {
    autocast = to_scalar_type(precision.dtype);
  }
}

} // namespace sdbench
