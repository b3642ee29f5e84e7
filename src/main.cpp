#include <csignal>

#include <signal.h>
#include <string>
#include <vector>

#include "sdbench/front/commands/app.h"
#include "sdbench/front/terminal/streams.h"

int main(int argc, char** argv) {
  // If a reader goes away (sdbench | head), only a write fails, and the program continues: the row
  // must be saved.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // the same for a file that may not grow
  std::signal(SIGCHLD, SIG_DFL); // if ignored, as by some parents, no worker could be waited for
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return sdbench::run(arguments, sdbench::standard_streams());
}
