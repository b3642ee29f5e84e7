#pragma once

#include <functional>
#include <memory>

#include <c10/core/Device.h>

namespace sdbench {

/// Work of a device that was recorded once, launch by launch, and is started as a whole from then
/// on: on the same tensors, at the same addresses.
class WorkGraph {
public:
  virtual ~WorkGraph() = default;
  /// Enqueues all of it on the current stream.
  virtual void replay() = 0;
};

/// Records work on a separate stream, the same one for all graphs of a GPU. Libraries prepare their
/// state per stream, so the same work must have run there before: see warm_up().
class GraphMaker {
public:
  virtual ~GraphMaker() = default;
  /// Does the work there. Other work neither overtakes it nor is overtaken.
  virtual void warm_up(const std::function<void()>& work) = 0;
  /// Records it (a graph may keep it); nothing is computed. What it allocates stays with the graph.
  /// Throws what the work throws, c10::Error if it does what cannot be recorded; the device then
  /// serves other work as before.
  [[nodiscard]] virtual std::unique_ptr<WorkGraph> capture(const std::function<void()>& work) = 0;
};

/// CUDA graphs on this GPU. Throws Error for any other device, and in a build without CUDA.
[[nodiscard]] std::unique_ptr<GraphMaker> make_graph_maker(c10::Device device);

} // namespace sdbench
