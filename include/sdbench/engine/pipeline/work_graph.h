#pragma once

#include <functional>
#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// Work of a device, recorded once, launch by launch, and later started as a whole. It uses the
/// same tensors, at the same addresses.
class WorkGraph {
public:
  virtual ~WorkGraph() = default;
  /// Enqueues the whole graph on the current stream.
  virtual void replay() = 0;
};

/// Records work on a separate stream, the same one for all graphs of a GPU. Libraries prepare their
/// state per stream, so the same work must have run there before: see warm_up().
class GraphMaker {
public:
  virtual ~GraphMaker() = default;
  /// Does the work on that stream. Other work neither overtakes it nor is overtaken.
  virtual void warm_up(const std::function<void()>& work) = 0;
  /// Records the work without computing it. The graph may keep `work`, and keeps the memory that it
  /// allocates. Throws what `work` throws, and c10::Error if `work` does something that cannot be
  /// recorded; the device then still serves other work.
  [[nodiscard]] virtual std::unique_ptr<WorkGraph> capture(const std::function<void()>& work) = 0;
};

/// CUDA graphs on this GPU. Throws Error for any other device, and in a build without CUDA.
[[nodiscard]] std::unique_ptr<GraphMaker> make_graph_maker(c10::Device device);

} // namespace sdbench
