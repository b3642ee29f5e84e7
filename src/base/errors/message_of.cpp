#include "sdbench/base/errors/message_of.h"

#include <filesystem>
#include <system_error>

namespace sdbench {
namespace {

/// True for the errors of std::thread. Nothing else that we use of the standard library throws
/// them.
bool is_of_a_thread(const std::error_code& code) {
  return code == std::errc::operation_not_permitted ||
         code == std::errc::resource_unavailable_try_again;
}

} // namespace

std::string message_of(const std::exception& error) {
  const auto* failure = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (failure == nullptr) {
    const auto* refusal = dynamic_cast<const std::system_error*>(&error);
    if (refusal == nullptr || !is_of_a_thread(refusal->code())) {
      return error.what();
    }
    return "the system must allow one more thread, but refuses it (" + refusal->code().message() +
           "); look at ulimit -u, at the container's limit of processes, and at its seccomp "
           "profile, which must allow clone3";
  }
  const std::string path = failure->path1().empty() ? "a path" : failure->path1().string();
  return "cannot use " + path + ": " + failure->code().message() + "; correct or remove it";
}

std::string first_line_of(const std::exception& error) {
  const std::string text = message_of(error);
  return text.substr(0, text.find('\n'));
}

} // namespace sdbench
