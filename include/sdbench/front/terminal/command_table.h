#pragma once

#include <array>
#include <string_view>

namespace sdbench {

/// The commands, in the order in which error messages list them.
inline constexpr std::array<std::string_view, 14> kCommandNames = {
    "run",     "list",      "probe",          "compare", "trend", "report",    "merge",
    "quality", "reproduce", "export-weights", "setup",   "cache", "bugreport", "slurm"};

/// A command line: the command with its subject, such as "list models", and a summary.
struct CommandLine {
  std::string_view words;
  std::string_view summary;
  std::string_view behind_end = {}; ///< another command whose options may follow "--"; empty: none
};

/// All command lines, in the order of the help, the manual page and completion.
inline constexpr CommandLine kCommandLines[] = {
    {"run", "measure models; each setting gives a row (the default)"},
    {"compare", "results of several machines, side by side"},
    {"trend", "nightly results: changes and their likely causes"},
    {"report", "one HTML page of many results: charts, table, regression"},
    {"merge", "join result files into one, without duplicate runs"},
    {"list models", "the architectures that come with sdbench"},
    {"list presets", "the sweeps that come with sdbench"},
    {"list devices", "GPUs and processor, with their nominal rates"},
    {"probe", "what each device can do now: products, memory, transfers"},
    {"list engines", "the choices of --engine, and which are set up"},
    {"quality", "what a dtype, a kernel or fewer steps cost in quality"},
    {"reproduce", "run someone's record here: the same, faster or slower?"},
    {"export-weights", "write synthetic weights as a diffusers folder"},
    {"setup engine", "install the packages of another engine"},
    {"setup libtorch", "download the libtorch of a worker that came without one"},
    {"cache list", "files that sdbench keeps for later runs, with their size"},
    {"cache clear", "remove files that sdbench keeps for later runs"},
    {"bugreport", "pack what a report of a problem needs, without names"},
    {"slurm submit", "run a sweep on each node of a cluster, compare the nodes", "run"},
};

} // namespace sdbench
