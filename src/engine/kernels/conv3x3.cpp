#include "conv3x3.h"

#include <sstream>

#include "sdbench/base/errors/error.h"

namespace sdbench::kernels {

void check_image(const at::Tensor& x, std::int64_t in, at::ScalarType dtype) {
  if (x.scalar_type() != dtype || x.dim() != 4 || x.size(1) != in) {
    std::ostringstream text;
    text << "a convolution's input must be [N, " << in << ", H, W] in " << dtype << ", but is "
         << x.sizes() << " in " << x.scalar_type();
    throw Error(text.str());
  }
}

} // namespace sdbench::kernels
