#include "bug_files.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <pwd.h>
#include <unistd.h>

#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/worker_death.h"
#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/machine/program_output.h"
#include "sdbench/front/options/run_arguments.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/redacted_text.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

/// A host's name with and without its domain, and the domain. Leaves out "localhost" and the
/// numbers of an IP address.
Words names_of_host(const std::string& host) {
  const std::size_t dot = std::min(host.find('.'), host.size());
  Words names = {host, host.substr(0, dot), host.substr(std::min(dot + 1, host.size()))};
  std::erase_if(names, [](const std::string& name) {
    return name == "localhost" || name.find_first_not_of("0123456789.") == std::string::npos;
  });
  return names;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
  return text;
}

/// True for names that tell nothing, such as "unet" or "2": without them no report can be read.
bool is_usual(const std::string& name) {
  constexpr std::string_view kUsual[] = {
      "model",       "models",     "weights",     "data", "unet",
      "transformer", "checkpoint", "safetensors", "hf",   "diffusion_pytorch_model"};
  const bool has_letter = std::ranges::any_of(
      name, [](unsigned char byte) { return std::isalpha(byte) != 0 || byte >= 0x80; });
  return !has_letter || std::ranges::find(kUsual, lower_case(name)) != std::end(kUsual);
}

/// A file of the user's own as it was given, its name without folders, and that name's stem,
/// because messages may hold any of them.
Words names_of_file(const std::string& given) {
  const std::filesystem::path path(given.substr(0, given.find_last_not_of('/') + 1));
  Words names = {path.filename().string(), path.stem().string()};
  std::erase_if(names, [](const std::string& name) {
    return is_usual(name) || !is_in_others_words(FieldName("model"), name) ||
           !is_in_others_words(FieldName("data"), name); // it ships with sdbench
  });
  if (given.find('/') != std::string::npos) {
    names.push_back(given);
  }
  return names;
}

/// Names of the record and of this machine that no file may have.
Words telling_words(const RunRecord& record) {
  Words words = {record.device_uuid, record.device_pci_address};
  for (const std::string& host : {record.host, record.slurm_node, host_name()}) {
    for (const std::string& name : names_of_host(host)) {
      words.push_back(name);
    }
  }
  for (const auto& [field, text] : {std::pair(FieldName("model"), record.model),
                                    std::pair(FieldName("weights"), record.weights),
                                    std::pair(FieldName("data"), record.data)}) {
    if (!text.empty() && is_in_others_words(field, text)) {
      std::ranges::copy(names_of_file(text), std::back_inserter(words));
    }
  }
  const char* const home = std::getenv("HOME");
  const passwd* const user = ::getpwuid(::getuid());
  if (home != nullptr && std::string_view(home).size() > 1) {
    words.emplace_back(home);
  }
  for (const char* const name : {user == nullptr ? nullptr : user->pw_name, std::getenv("USER"),
                                 std::getenv("LOGNAME"), std::getenv("SUDO_USER")}) {
    if (name != nullptr && std::string_view(name) != "root") { // "root" tells nothing
      words.emplace_back(name);
    }
  }
  // A longer name first, because it may begin with a shorter one.
  std::ranges::sort(words, std::ranges::greater(), &std::string::size);
  std::erase_if(words, [](const std::string& word) {
    return word.find_first_not_of('/') == std::string::npos;
  });
  return words;
}

/// The text without the words in whatever case they are written, but for paths, which are told
/// apart by case.
std::string without_words(const std::string& text, const Words& words) {
  const std::string lower = lower_case(text);
  Words spelt;
  for (const std::string& word : words) {
    spelt.push_back(word);
    if (word.find('/') != std::string::npos) {
      continue;
    }
    const std::string wanted = lower_case(word);
    for (std::size_t at = lower.find(wanted); at != std::string::npos;
         at = lower.find(wanted, at + 1)) {
      const std::string found = text.substr(at, word.size());
      if (std::ranges::find(spelt, found) == spelt.end()) {
        spelt.push_back(found);
      }
    }
  }
  return redacted_text(text, spelt);
}

/// The record with its raw times. Names are removed from each value rather than from the document,
/// whose members may be called like a host.
std::string record_text(RunRecord record, const Words& words) {
  Redactor redactor(all_redactions());
  redactor.meet(record);
  redactor.redact(record);
  for (const FieldName field : fields_in_others_words()) {
    set_field_text(record, field_named(field),
                   without_words(field_text(record, field_named(field)), words));
  }
  return to_json_document(std::span(&record, 1));
}

std::string last_words(const RunRecord& record) {
  const std::string verdict = "status " + record.status +
                              (record.stage.empty() ? "" : ", stage " + record.stage) + "\n" +
                              record.error + "\n";
  return record.error.empty() && record.stderr_tail.empty()
             ? ""
             : verdict + "\nThe worker's last output:\n" + record.stderr_tail + "\n";
}

/// Names are removed from each value, so that the text stays JSON.
void redact_values(nlohmann::ordered_json& json, const Words& words) {
  if (json.is_string()) {
    json = without_words(json.get<std::string>(), words);
  } else if (json.is_structured()) {
    for (nlohmann::ordered_json& value : json) {
      redact_values(value, words);
    }
  }
}

std::string versions_text(const Words& words) {
  nlohmann::ordered_json facts = nlohmann::ordered_json::parse(version_json());
  const MachineState machine = read_machine_state();
  facts["processor"] = cpu_name();
  facts["os"] = machine.os;
  facts["kernel"] = machine.kernel;
  facts["container"] = machine.container;
  redact_values(facts, words);
  return facts.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Synthetic weights take the same time and need no download. Has no word of the record, so that
/// nothing needs to be removed from its command.
std::string command_text(const RunRecord& record) {
  std::string text = "# In the folder of this file. record.json names libtorch, CUDA and driver.\n"
                     "sdbench reproduce record.json --weights synthetic\n";
  if (!record.parallel_id.empty()) {
    text += "# The row is of several devices that ran together, which reproduce does not repeat: "
            "use run --parallel.\n";
  }
  if (is_in_others_words(FieldName("model"), record.model)) {
    text += "# The model does not come with sdbench: add --model with one that resembles it.\n";
  }
  return text;
}

/// Empty if the program succeeded.
std::string failure_line(const std::string& program, const ProgramOutput& output) {
  const std::string complaint = last_line(output.err);
  return output.code == 0 ? ""
                          : program + " ended with exit code " + std::to_string(output.code) +
                                (complaint.empty() ? "" : ": " + complaint) + "\n\n";
}

/// The program's output, below its exit code if it failed. If the program printed nothing, adds the
/// reason to `left_out`, and returns nullopt.
std::optional<std::string> output_of(const Words& command, const std::string& file,
                                     Words& left_out) {
  constexpr double kLongestS = 60; // of a driver that hangs
  std::string reason = command.front() + " is not there";
  try {
    if (const auto output = program_output(command, kLongestS)) {
      if (!output->out.empty()) {
        return failure_line(command.front(), *output) + output->out;
      }
      const std::string complaint = last_line(output->err);
      reason = complaint.empty() ? command.front() + " says nothing" : complaint;
    }
  } catch (const Error& error) {
    reason = error.what();
  }
  left_out.push_back(file + ": " + reason);
  return std::nullopt;
}

/// True for lines about GPUs and PCI Express, as drivers write them, and for those about lack of
/// memory, however they are written.
bool is_telling(std::string_view line) {
  constexpr std::string_view kDevices[] = {"NVRM", "Xid", "AER", "pcieport", "PCIe"};
  constexpr std::string_view kMemory[] = {"oom-kill", "oom_reaper", "out of memory",
                                          "killed process"};
  const std::string lower = lower_case(std::string(line));
  return std::ranges::any_of(
             kDevices,
             [&](std::string_view word) { return line.find(word) != std::string_view::npos; }) ||
         std::ranges::any_of(
             kMemory, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// The last of the kernel's lines about GPUs, PCI Express and lack of memory.
std::string telling_lines(const std::string& log) {
  constexpr std::size_t kMost = 200;
  std::vector<std::string_view> lines = filtered(split(log, '\n'), is_telling);
  lines.erase(lines.begin(),
              lines.end() - static_cast<std::ptrdiff_t>(std::min(kMost, lines.size())));
  std::string text;
  for (const std::string_view line : lines) {
    text += std::string(line) + "\n";
  }
  return text.empty() ? "no line about GPUs, PCI Express or lack of memory\n" : text;
}

/// The kernel's log, which many systems show to root alone.
std::optional<std::string> kernel_log(Words& left_out) {
  const std::string file = "kernel.txt";
  Words refusals;
  auto log = output_of({"dmesg"}, file, refusals);
  if (!log) {
    log = output_of({"journalctl", "--quiet", "--dmesg", "--boot", "--no-pager", "--no-hostname",
                     "--output=short-monotonic"},
                    file, refusals);
  }
  if (!log) {
    left_out.push_back(refusals.front());
  }
  return log;
}

} // namespace

BugFiles bug_files(const RunRecord& record) {
  const Words words = telling_words(record);
  BugFiles bug;
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) {
      bug.files.push_back({name, without_words(text, words)});
    }
  };
  bug.files.push_back({"record.json", record_text(record, words)});
  add("last-words.txt", last_words(record));
  bug.files.push_back({"command.txt", command_text(record)});
  bug.files.push_back({"versions.json", versions_text(words)});
  add("nvidia-smi.txt",
      output_of({"nvidia-smi", "-q"}, "nvidia-smi.txt", bug.left_out).value_or(""));
  if (const auto log = kernel_log(bug.left_out)) {
    add("kernel.txt", telling_lines(*log));
  }
  for (std::string& reason : bug.left_out) {
    reason = without_words(reason, words);
  }
  if (!bug.left_out.empty()) {
    bug.files.push_back({"left-out.txt", joined(bug.left_out, "\n") + "\n"});
  }
  return bug;
}

} // namespace sdbench
