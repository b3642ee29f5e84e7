#include "replaced_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/front/results/merge.h"
#include "sdbench/front/results/strict_rows.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSomethingElse = "something other than what sdbench writes there";

std::string rows_text(std::size_t count) {
  return counted(static_cast<std::int64_t>(count), "row");
}

std::size_t count_lost(const std::vector<std::string>& run_ids, std::span<const RunRecord> held) {
  std::set<std::string> kept;
  for (const RunRecord& record : held) {
    kept.insert(id_in_mark(record.run_id));
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(run_ids, [&](const std::string& id) { return !kept.contains(id); }));
}

/// Whose rows a table for people holds.
std::vector<std::string> rows_of_table(const fs::path& file, const ViewForm& form) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  const std::string text = standing_text(file, kMost);
  std::string list;
  if (!read_file_mark(text, *form.comment, "run", list)) {
    refuse_loss(file, kSomethingElse);
  }
  std::istringstream ids(list);
  return {std::istream_iterator<std::string>(ids), {}};
}

std::vector<std::string> rows_of_json(const fs::path& file) {
  const Merged there = merge_record_files({file});
  if (!there.bad.empty()) {
    refuse_loss(file, std::string(kSomethingElse) + " (" + there.bad.front().text() + ")");
  }
  return mapped(there.records, [&](const RunRecord& record) { return id_in_mark(record.run_id); });
}

bool is_replaced(const fs::path& file) {
  return !format_by_extension(file).grows();
}

} // namespace

void refuse_lost_records(const std::vector<fs::path>& files, std::span<const RunRecord> held,
                         const std::string& advice) {
  for (const fs::path& file : files) {
    if (!is_replaced(file) || standing_text(file).empty()) {
      continue;
    }
    const ViewForm* form = format_by_extension(file).form;
    const std::size_t lost =
        count_lost(form == nullptr ? rows_of_json(file) : rows_of_table(file, *form), held);
    if (lost > 0) {
      refuse_loss(file, rows_text(lost), advice);
    }
  }
}

void refuse_lost_rows(const std::vector<fs::path>& files, bool resumes) {
  if (std::ranges::none_of(files, is_replaced)) {
    return;
  }
  const std::vector<RunRecord> held = resumes ? read_records(files) : std::vector<RunRecord>();
  refuse_lost_records(
      files, held, resumes ? "name another file" : "name another file, go on with it by --resume");
}

void refuse_lost_study(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    if (file_ending(file) != ".json" || standing_text(file).empty()) {
      continue;
    }
    const Json document = read_json_file(file, std::size_t{4} << 30);
    const bool is_study = document.is_array() && std::ranges::all_of(document, [](const Json& row) {
                            return row.is_object() && row.contains("quality_schema_version");
                          });
    if (!is_study || !document.empty()) {
      refuse_loss(file, is_study ? rows_text(document.size()) + " of a study" : kSomethingElse);
    }
  }
}

void refuse_lost_latents(const fs::path& file) {
  if (file.empty() || standing_text(file).empty()) {
    return;
  }
  try {
    const SafetensorsFile there(file);
    if (there.tensors().size() == 1 && there.tensors().contains("latents")) {
      return;
    }
  } catch (const Error&) { // not a safetensors file
  }
  refuse_loss(file, "something other than latents");
}

} // namespace sdbench
