#pragma once

#include <functional>
#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// Kernel launches that were recorded once and are later started as a whole. Each replay uses the
/// same tensors, at the same addresses.
class WorkGraph {
public:
  virtual ~WorkGraph() = default;
  /// Copies the graph to the device on the current stream, which the first replay does otherwise.
  /// Replays the graph if this libtorch keeps its graphs to itself (2.7). Throws c10::Error if the
  /// copy fails, for example without memory. The graph stays as it was, and can be replayed.
  virtual void upload() = 0;
  /// Enqueues the whole graph on the current stream.
  virtual void replay() = 0;
};

/// Records work as a graph on a separate stream, which all graphs of a kind share on a GPU.
/// Libraries prepare their state per stream. So before the recording, the same work must have run
/// on that stream: see warm_up().
class GraphMaker {
public:
  virtual ~GraphMaker() = default;
  /// Runs `work` on the separate stream after all work on the current stream is done. Returns when
  /// `work` is done.
  virtual void warm_up(const std::function<void()>& work) = 0;
  /// Records `work` without computing it. The graph keeps the memory that `work` allocates, and may
  /// keep `work` itself. Throws what `work` throws, and c10::Error if `work` does something that
  /// cannot be recorded. After an error, the device can still do other work.
  [[nodiscard]] virtual std::unique_ptr<WorkGraph> capture(const std::function<void()>& work) = 0;
};

/// The graphs that a pipeline has, at most one of each kind: of its text encoders, of what its
/// denoiser computes once for all steps, and of the steps.
enum class GraphKind { kText, kPreparation, kSteps };

/// Throws Error if `device` is not a GPU, and in a build without CUDA.
[[nodiscard]] std::unique_ptr<GraphMaker> make_graph_maker(c10::Device device, GraphKind kind);

} // namespace sdbench
