#include "sdbench/front/bench/worker_death.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <sys/wait.h>

#include "sdbench/base/device/proc_text.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// The dynamic loader's line, if it ended the worker. Wordings from glibc's elf/dl-error and rtld.
std::string loader_complaint(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const char* const wording :
         {"error while loading shared libraries", "symbol lookup error", "undefined symbol",
          "version `", "cannot open shared object file"}) {
      if (line.find(wording) != std::string::npos) {
        return line;
      }
    }
  }
  return "";
}

/// A missing library can be installed again. One that does not fit comes from a different build and
/// hides the right one.
std::string loader_remedy(const std::string& complaint) {
  if (complaint.find("cannot open shared object file") == std::string::npos) {
    const char* const preloaded = std::getenv("LD_PRELOAD");
    return "a library of another build is loaded in its place: look at LD_LIBRARY_PATH, " +
           (preloaded == nullptr ? "LD_PRELOAD" : "LD_PRELOAD=" + std::string(preloaded)) +
           " and SDBENCH_LIBTORCH";
  }
  for (const char* const of_libtorch : {"libtorch", "libc10", "libcu", "libnv", "libnccl"}) {
    if (complaint.find(of_libtorch) != std::string::npos) {
      return "run scripts/run.sh once, or set SDBENCH_LIBTORCH";
    }
  }
  return "install the system's package that has this library";
}

/// True if the program itself ran out of memory. Wordings of C++'s terminate handler and of
/// libtorch's CPU allocator.
bool names_want_of_memory(const std::string& text) {
  return text.find("std::bad_alloc") != std::string::npos ||
         text.find("can't allocate memory") != std::string::npos;
}

std::string signal_name(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal)
                         : std::string("SIG") + name + " (" + ::strsignal(signal) + ")";
}

std::string with_last_words(const std::string& message, const std::string& stderr_tail) {
  const std::string line = last_line(without_colours(stderr_tail));
  return line.empty() ? message : message + "; its last words: " + line;
}

} // namespace

std::string last_line(const std::string& text) {
  constexpr const char* kBlank = " \t\r\n";
  const std::size_t end = text.find_last_not_of(kBlank);
  if (end == std::string::npos) {
    return "";
  }
  const std::size_t newline = text.find_last_of('\n', end);
  return text.substr(newline == std::string::npos ? 0 : newline + 1,
                     newline == std::string::npos ? end + 1 : end - newline);
}

DeathVerdict explain_death(const WorkerDeath& death) {
  const std::string during = " during stage " + std::string(name_of(death.stage));
  const std::string use_less = "; " + memory_advice(death.task);
  if (WIFSIGNALED(death.wait_status)) {
    const int signal = WTERMSIG(death.wait_status);
    if (signal == SIGKILL && death.kernel_ran_out_of_memory) {
      return {Status::kOomHost,
              "the kernel ran out of memory and killed the worker" + during + use_less};
    }
    if (signal == SIGABRT && names_want_of_memory(death.stderr_tail)) {
      return {Status::kOomHost, "the worker was refused memory" + during + use_less};
    }
    // NCCL ends the process instead of waiting for a device that is gone.
    if (signal == SIGABRT && !death.ended_partner.empty()) {
      return {Status::kError, partner_has_ended(death.ended_partner)};
    }
    return {Status::kCrash, with_last_words("the worker must answer, but was ended by " +
                                                signal_name(signal) + during,
                                            death.stderr_tail)};
  }
  const std::string complaint = loader_complaint(death.stderr_tail);
  if (!death.had_said_hello && !complaint.empty()) {
    return {Status::kError, "the worker must find libtorch, but cannot load it: " + complaint +
                                "; " + loader_remedy(complaint)};
  }
  const int code = WEXITSTATUS(death.wait_status);
  constexpr int kByLoader = 127; // may come late, because a function is looked up at its first call
  const std::string remedy =
      code == kByLoader && !complaint.empty() ? "; " + loader_remedy(complaint) : "";
  return {code == 0 ? Status::kError : Status::kCrash,
          with_last_words("the worker must answer, but ended with exit code " +
                              std::to_string(code) + during,
                          death.stderr_tail) +
              remedy};
}

std::int64_t parse_oom_kills(const std::string& text) {
  std::istringstream lines(text);
  std::string key;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t count = 0;
    if (words >> key >> count && key == "oom_kill") {
      return count;
    }
  }
  return 0;
}

std::int64_t oom_kill_count() {
  const std::string cgroups = read_or_empty("/proc/self/cgroup");
  const std::string root = "/sys/fs/cgroup";
  const std::string version_2 = root + cgroup_path_from(cgroups, "").value_or("");
  const std::string version_1 = root + "/memory" + cgroup_path_from(cgroups, "memory").value_or("");
  return parse_oom_kills(read_or_empty("/proc/vmstat")) +
         parse_oom_kills(read_or_empty(version_2 + "/memory.events")) +
         parse_oom_kills(read_or_empty(version_1 + "/memory.oom_control"));
}

} // namespace sdbench
