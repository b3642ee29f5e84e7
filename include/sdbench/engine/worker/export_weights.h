#pragma once

#include <atomic>

#include "sdbench/base/executor/messages.h"

namespace sdbench {

/// Writes a model with synthetic weights as a diffusers folder, so that any other tool can be
/// measured on the same network. The folder of a diffusion model has the configs, each component's
/// tensors (with the VAE's encoder), the scheduler and the tokenizers. The folder of an image
/// classifier has architecture.json and model.safetensors. The folder appears complete or not at
/// all. At most one tensor is held in memory. Throws Error if the folder exists and is not empty,
/// or if the disk has too little room. Throws CellFailure (interrupted) once `stop` is set from
/// outside. `stop` may be null.
void export_weights(const messages::ExportRequest& request,
                    const std::atomic<bool>* stop = nullptr);

} // namespace sdbench
