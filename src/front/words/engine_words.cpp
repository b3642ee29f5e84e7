#include "sdbench/front/words/engine_words.h"

#include <map>
#include <utility>

#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

/// The choice that was asked for, and the one that was used (empty if nothing has run).
struct Asked {
  std::string asked;
  std::string used;

  [[nodiscard]] bool has_run_otherwise() const { return !used.empty() && used != asked; }
};

/// `word` if `value` was asked for, with "without effect" if something else was used.
std::string said(const Asked& axis, const char* value, const std::string& word) {
  if (axis.asked != value) {
    return "";
  }
  return axis.has_run_otherwise() ? word + " without effect" : word;
}

/// The words for an axis of "off" and "on"; empty for any other choice.
std::string switched(const Asked& axis, const std::string& off, const std::string& on) {
  return axis.asked == "off" ? off : said(axis, "on", on);
}

std::string format_words(const Asked& format) {
  if (format.asked == "auto") {
    return "";
  }
  return format.has_run_otherwise() ? format.used + " instead of " + format.asked : format.asked;
}

/// The kernels that the weights were packed for, or what was used instead of them.
std::string packed_words(const Asked& packed) {
  const std::pair<const char*, std::string> others[] = {
      {"own", "own kernels"}, {"winograd", "Winograd"}, {"onednn", "oneDNN"}};
  for (const auto& [name, whose] : others) {
    if (packed.asked != name) {
      continue;
    }
    if (packed.used == "off") {
      return "not packed for " + whose;
    }
    const bool by_onednn = packed.used == "onednn" && packed.has_run_otherwise();
    return (by_onednn ? "packed for oneDNN instead of " : "packed for ") + whose;
  }
  return packed.asked == "off" ? "weights not packed" : "";
}

std::string graphs_words(const Asked& graphs) {
  if (graphs.asked == "loop" && graphs.used == "on") {
    return "CUDA graphs instead of one of the loop";
  }
  return graphs.asked == "loop" ? said(graphs, "loop", "CUDA graph of the loop")
                                : switched(graphs, "no CUDA graphs", "CUDA graphs");
}

std::string kernels_words(const Asked& kernels) {
  return kernels.asked == "aten" ? "ATen's kernels" : said(kernels, "own", "own kernels");
}

std::string tf32_words(const Asked& tf32) {
  return said(tf32, "on", "TF32") + said(tf32, "conv", "TF32 in convolutions");
}

/// The words for an axis of "on" and "off". Empty for its default, which comes first.
std::string usual_words(const EngineAxis& axis, const Asked& asked) {
  const std::string words(axis.words);
  return axis.choices.front() == asked.asked ? "" : switched(asked, "no " + words, words);
}

std::string words_of(const EngineAxis& axis, const Asked& asked) {
  static const std::map<std::string_view, std::string (*)(const Asked&)> own = {
      {"engine", [](const Asked&) { return std::string(); }},    // see engine_title()
      {"attention", [](const Asked&) { return std::string(); }}, // has a column of its own
      {"memory_format", format_words},
      {"packed_weights", packed_words},
      {"host_allocator",
       [](const Asked& a) {
         return a.asked == "auto" || a.asked.empty() ? "" : a.asked + " host allocator";
       }},
      {"graphs", graphs_words},
      {"kernels", kernels_words},
      {"tf32", tf32_words},
      {"offload", [](const Asked& a) { return said(a, "stages", "offload by stages"); }}};
  const auto found = own.find(axis.name);
  return found == own.end() ? usual_words(axis, asked) : found->second(asked);
}

/// The words of all axes; `asked_of` gives the Asked of each.
template <typename AskedOf>
std::string words_of_axes(const AskedOf& asked_of) {
  return joined(mapped(engine_axes(),
                       [&](const EngineAxis& axis) { return words_of(axis, asked_of(axis)); }));
}

} // namespace

std::string engine_title(std::string_view engine) {
  return (is_own_engine(engine) ? "sdbench " : "") + std::string(engine);
}

std::string axes_words(const RunRecord& record) {
  return words_of_axes([&](const EngineAxis& axis) {
    return Asked{field_text(record, field_named(FieldName::of(axis.name))),
                 field_text(record, field_named(FieldName::of(telling_field(axis))))};
  });
}

std::string engine_words(const RunRecord& record) {
  return joined({engine_title(record.engine), axes_words(record)});
}

std::string asked_engine_words(const EngineAxes& asked, Task task) {
  const std::string axes = words_of_axes([&](const EngineAxis& axis) {
    const std::string choice = recorded_choice(asked, axis, task);
    return Asked{choice, axis.used == nullptr ? choice : ""};
  });
  return joined({engine_title(asked.engine), axes});
}

} // namespace sdbench
