// Placeholder of the skeleton commit, replaced by the command line.
namespace sdbench {}
