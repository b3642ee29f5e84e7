#include <csignal>

#include <signal.h>
#include <string>
#include <vector>

#include "sdbench/front/commands/app.h"
#include "sdbench/front/terminal/streams.h"

int main(int argc, char** argv) {
  // A reader that went away (sdbench | head) is an error of a write, not the end of the program:
  // the row must be saved.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // so is a file that may not grow any more
  std::signal(SIGCHLD, SIG_DFL); // ignored, as some parents leave it, no worker could be waited for
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return sdbench::run(arguments, sdbench::standard_streams());
}
