#pragma once

#include <atomic>

#include "sdbench/base/executor/messages.h"

namespace sdbench {

/// Writes a model with synthetic weights as a diffusers folder, so that any other tool can be
/// measured on the same network: the configs, each component's tensors (the VAE's encoder too), the
/// scheduler and the tokenizers; of a network, architecture.json and model.safetensors. The folder
/// appears whole or not at all; at most one tensor is held in memory. Throws Error if it is there
/// and not empty, or the disk has too little room, CellFailure (interrupted) once `stop`, which may
/// be null, is set from outside.
void export_weights(const messages::ExportRequest& request,
                    const std::atomic<bool>* stop = nullptr);

} // namespace sdbench
