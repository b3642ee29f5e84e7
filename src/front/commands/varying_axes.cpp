#include "varying_axes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

struct Axis {
  std::string_view name;
  std::function<std::string(const SweepCell& swept)> value;
  bool is_said = false;          ///< progress shows it anyway
  bool is_networks_work = false; ///< a plan with a network shows it even if it does not vary
};

constexpr const char* kAuto = "auto";

std::string first_prompt(const Cell& cell) {
  return cell.prompts.empty() ? "" : one_line(cell.prompts.front());
}

std::string percent(const std::optional<double>& part) {
  return part ? number_text(*part * 100) + "%" : "none";
}

std::string seconds(const std::optional<double>& time_s) {
  return time_s ? number_text(*time_s) + " s" : "none";
}

std::string of_images(const SweepCell& swept, std::string text) {
  return makes_images(swept.planned.cell.task) ? std::move(text) : "";
}

/// The field's value in a plan; empty if it is unknown. A network's plan also leaves out the value
/// WorkField::unsaid, such as 0 epochs.
std::string work_value(const SweepCell& swept, const WorkField& field) {
  const Cell& cell = swept.planned.cell;
  if (is_sampler(field)) {
    return of_images(swept, sampler_of(cell));
  }
  if (field.member == WorkField::Member(&CellWork::guidance) && !knows_guidance(cell)) {
    return "";
  }
  return makes_images(cell.task) ? value_text(cell, field) : recorded_text(cell, field);
}

/// Axes that neither the plan's fixed columns nor progress show, other than fields of the work.
const Axis kAxes[] = {
    {"weights", [](const SweepCell& s) { return one_line(s.planned.cell.weights.description); }},
    {"seed", [](const SweepCell& s) { return std::to_string(s.planned.cell.seed); }},
    {"iterations",
     [](const SweepCell& s) {
       const Cell& cell = s.planned.cell;
       return makes_images(cell.task) || cell.epochs > 0 ? "" : std::to_string(batches_of(cell));
     },
     true, true},
    {"data",
     [](const SweepCell& s) {
       return s.planned.cell.epochs > 0 ? one_line(s.planned.cell.data.description) : "";
     }},
    {"data place",
     [](const SweepCell& s) {
       const Cell& cell = s.planned.cell;
       return std::string(cell.epochs == 0 ? "" : cell.data_on_device ? "device" : "host");
     }},
    {"prompt", [](const SweepCell& s) { return first_prompt(s.planned.cell); }},
    {"negative prompt",
     [](const SweepCell& s) { return one_line(s.planned.cell.negative_prompt.value_or("")); }},
    {"init latents",
     [](const SweepCell& s) { return one_line(s.planned.cell.init_latents.string()); }},
    {"repeat", [](const SweepCell& s) { return std::to_string(s.planned.cell.repeat); }},
    {"warmup",
     [](const SweepCell& s) {
       return s.planned.cell.warmup ? std::to_string(*s.planned.cell.warmup) : std::string(kAuto);
     }},
    {"max noise", [](const SweepCell& s) { return percent(s.planned.cell.max_noise); }},
    {"max time", [](const SweepCell& s) { return seconds(s.planned.cell.max_time_s); }},
    {"label", [](const SweepCell& s) { return one_line(s.label); }},
    {"note", [](const SweepCell& s) { return one_line(s.note); }},
    {"tags", [](const SweepCell& s) { return s.tags; }},
};

const std::vector<Axis>& all_axes() {
  static const std::vector<Axis> axes = [] {
    std::vector<Axis> all(std::begin(kAxes), std::end(kAxes));
    for (const WorkField& field : kWorkFields) {
      if (const std::string_view name = label_of(field); !name.empty()) {
        const auto next = std::ranges::find(all, field.axis.before, &Axis::name);
        if (next == all.end()) {
          throw std::logic_error("a work field must name an axis that stands before its row, but " +
                                 std::string(name) + " does not");
        }
        all.insert(next, Axis{name, [&field](const SweepCell& s) { return work_value(s, field); },
                              field.axis.is_said, field.axis.is_networks_work});
      }
    }
    return all;
  }();
  return axes;
}

/// Axes that have columns in the plan, but that progress does not show, or shows as they were used.
const Axis kPlanned[] = {
    {"threads", [](const SweepCell& s) { return threads_text(s.planned.cell); }},
    {"dtype", [](const SweepCell& s) { return std::string(s.planned.cell.dtype ? "" : kAuto); }},
    {"attention",
     [](const SweepCell& s) {
       return of_images(s, s.planned.cell.attention == kAuto ? kAuto : "");
     }},
};

/// Adds the axes that differ between cells. `more` selects axes to add even if all cells share a
/// value.
void add_varying(std::span<const Axis> axes, const std::vector<SweepCell>& cells,
                 std::vector<VaryingAxis>& varying, bool (*more)(const Axis&) = nullptr) {
  for (const Axis& axis : axes) {
    VaryingAxis found{std::string(axis.name), {}, axis.is_said};
    for (const SweepCell& cell : cells) {
      found.values.push_back(axis.value(cell));
    }
    const bool varies = std::ranges::any_of(
        found.values, [&](const std::string& value) { return value != found.values.front(); });
    const bool is_wanted =
        more != nullptr && more(axis) && !found.values.empty() && !found.values.front().empty();
    if (varies || is_wanted) {
      varying.push_back(std::move(found));
    }
  }
}

} // namespace

bool knows_guidance(const Cell& cell) {
  return makes_images(cell.task) && (is_known(cell.model) || cell.guidance != 0);
}

std::string threads_text(const Cell& cell) {
  return cell.threads == 0 ? "all" : std::to_string(cell.threads);
}

std::vector<VaryingAxis> varying_axes(const std::vector<SweepCell>& cells) {
  std::vector<VaryingAxis> varying;
  add_varying(all_axes(), cells, varying);
  return varying;
}

std::vector<VaryingAxis> planned_axes(const std::vector<SweepCell>& cells) {
  const bool has_network = std::ranges::any_of(
      cells, [](const SweepCell& swept) { return !makes_images(swept.planned.cell.task); });
  std::vector<VaryingAxis> axes;
  add_varying(all_axes(), cells, axes,
              has_network ? +[](const Axis& axis) { return axis.is_networks_work; } : nullptr);
  return axes;
}

std::vector<std::string> varying_words(const std::vector<SweepCell>& cells) {
  std::vector<VaryingAxis> varying = varying_axes(cells);
  add_varying(kPlanned, cells, varying);
  std::vector<std::string> words(cells.size());
  std::erase_if(varying, [](const VaryingAxis& axis) { return axis.is_said; });
  for (const VaryingAxis& axis : varying) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      words[cell] += axis.values[cell].empty() ? "" : ", " + axis.name + " " + axis.values[cell];
    }
  }
  return words;
}

} // namespace sdbench
