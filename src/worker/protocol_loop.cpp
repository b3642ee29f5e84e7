// Placeholder of the skeleton commit, replaced by the worker.
namespace sdbench {}
