#include "sdbench/engine/models/vae_parts.h"

#include <vector>

#include <ATen/ATen.h>

namespace sdbench {

at::Tensor decode_in_parts(const at::Tensor& latents, std::int64_t images,
                           const std::function<at::Tensor(const at::Tensor&)>& decode) {
  if (latents.size(0) <= images) {
    return decode(latents);
  }
  std::vector<at::Tensor> parts;
  for (const at::Tensor& part : latents.split(images)) {
    parts.push_back(decode(part));
  }
  return at::cat(parts);
}

} // namespace sdbench
