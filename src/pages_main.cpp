// Run by the build: writes the manual page and the shells' completion into the tree's share/.
//   sdbench-pages SHARE_FOLDER
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/shells/completions.h"
#include "sdbench/front/shells/described_commands.h"
#include "sdbench/front/shells/manual_page.h"

int main(int argc, char** argv) {
  try {
    const std::vector<std::filesystem::path> arguments(argv + 1, argv + argc);
    const std::filesystem::path share = arguments.at(0);
    const std::vector<sdbench::DescribedCommand> commands = sdbench::described_commands();
    const auto write = [&](const std::filesystem::path& file, const std::string& text) {
      std::filesystem::create_directories(file.parent_path());
      sdbench::write_file_atomically(file, text);
    };
    write(share / "man/man1/sdbench.1", sdbench::manual_page(commands));
    write(share / "bash-completion/completions/sdbench", sdbench::bash_completion(commands));
    write(share / "zsh/site-functions/_sdbench", sdbench::zsh_completion(commands));
    write(share / "fish/vendor_completions.d/sdbench.fish", sdbench::fish_completion(commands));
  } catch (const std::exception& error) {
    std::cerr << "sdbench-pages: " << error.what() << "\n";
    return 1;
  }
}
