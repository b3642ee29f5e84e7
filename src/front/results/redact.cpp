#include "sdbench/front/results/redact.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/suggestion.h"
#include "sdbench/base/record/record_field.h"
#include "sdbench/base/record/record_fields.h"

namespace sdbench {
namespace {

using R = RunRecord;

const std::vector<Redaction>& known_redactions() {
  static const std::vector<Redaction> table = {
      {"host", {&R::host, &R::slurm_node, &R::slurm_partition}},
      {"uuid", {&R::device_uuid, &R::device_pci_address, &R::cuda_visible_devices}},
      // A record has no command line; these hold its words, with paths and names in them.
      {"argv", {&R::label, &R::note, &R::weights, &R::error, &R::stderr_tail}},
      {"label", {&R::label}},
      {"note", {&R::note}},
      {"processes", {&R::gpu_processes, &R::busy_programs}},
      {"system", {&R::os, &R::kernel, &R::container}},
  };
  return table;
}

/// What the worker found out about weights tells what they are, not where they lie.
bool is_identity(const std::string& weights) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"synthetic:", "blob:", "blobs:", "meta:"},
      [&](const char* form) { return weights.starts_with(form); });
}

bool is_word_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

/// Puts "[redacted]" where `word` stands in the text, as a word of its own.
void blot_out(std::string& text, const std::string& word) {
  constexpr std::string_view kBlot = "[redacted]";
  for (std::size_t at = text.find(word); !word.empty() && at != std::string::npos;
       at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_whole = (at == 0 || !is_word_byte(text[at - 1])) &&
                          (end == text.size() || !is_word_byte(text[end]));
    if (is_whole) {
      text.replace(at, word.size(), kBlot);
    }
    at += is_whole ? kBlot.size() : 1;
  }
}

/// Texts that people and programs wrote freely, so that a name may stand in them again.
constexpr std::string R::*kFreeTexts[] = {&R::label,
                                          &R::note,
                                          &R::error,
                                          &R::stderr_tail,
                                          &R::gpu_processes,
                                          &R::busy_programs,
                                          &R::allocator_config,
                                          &R::openmp_config,
                                          &R::instruction_config,
                                          &R::cuda_config,
                                          &R::kernel};

/// Names that tell whose a record is wherever they stand; a list of devices ("0,1") does not.
constexpr std::string R::*kTellingNames[] = {&R::host, &R::slurm_node, &R::device_uuid,
                                             &R::device_pci_address};

} // namespace

std::vector<Redaction> redactions_named(const std::string& names) {
  std::vector<Redaction> chosen;
  std::vector<std::string> all;
  all.reserve(known_redactions().size());
  std::string list;
  for (const Redaction& known : known_redactions()) {
    all.emplace_back(known.name);
    list += (list.empty() ? "" : ", ") + all.back();
  }
  for (std::size_t start = 0; start <= names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    const std::string name = names.substr(start, end - start);
    const auto found = std::ranges::find(known_redactions(), name, &Redaction::name);
    if (found == known_redactions().end()) {
      throw UsageError("--redact must be names of " + list + ", with commas between, but one is " +
                       in_quotes(name) + did_you_mean(name, all));
    }
    chosen.push_back(*found);
    start = end + 1;
  }
  return chosen;
}

std::string redactions_text() {
  std::string text;
  for (const Redaction& known : known_redactions()) {
    text += "  " + std::string(known.name) + std::string(11 - known.name.size(), ' ');
    bool is_first = true;
    for (const auto& member : known.fields) {
      const auto field =
          std::ranges::find(record_fields(), RecordField::Member(member), &RecordField::member);
      text += (is_first ? "" : ", ") + std::string(field->name);
      is_first = false;
    }
    text += "\n";
  }
  return text;
}

void redact(RunRecord& record, const std::vector<Redaction>& redactions) {
  for (const Redaction& redaction : redactions) {
    for (const auto& name : kTellingNames) {
      if (std::ranges::find(redaction.fields, name) != redaction.fields.end()) {
        std::ranges::for_each(kFreeTexts, [&](auto text) { blot_out(record.*text, record.*name); });
        if (!is_identity(record.weights)) {
          blot_out(record.weights, record.*name);
        }
      }
    }
    for (const auto& member : redaction.fields) {
      if (member != &R::weights || !is_identity(record.weights)) {
        (record.*member).clear();
      }
    }
  }
}

} // namespace sdbench
