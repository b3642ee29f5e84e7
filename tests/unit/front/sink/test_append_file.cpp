#include "sdbench/front/sink/append_file.h"

#include <csignal>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A CSV file in a folder of its own, and the messages about it.
struct Csv {
  AppendFile open(const std::string& header = "a,b\n") {
    return {path, header, RowEnd::kUnquotedLine,
            [this](const std::string& text) { said += text + "\n"; }};
  }
  [[nodiscard]] std::string content() const { return read_text_file(path); }
  [[nodiscard]] std::string cut() const { return read_text_file(path.string() + ".cut"); }

  test::ScratchFolder folder;
  std::filesystem::path path = folder.path() / "rows.csv";
  std::string said;
};

using Rows = std::vector<AppendFile::NamedRow>;

Rows none() {
  return {};
}

/// Runs the work in a process of its own, which exits with 0.
pid_t in_a_process(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  return child;
}

int end_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

} // namespace

TEST_CASE("a file is made with its first row, and stays away where none comes") {
  Csv csv;
  const auto is_there = [&] { return std::filesystem::exists(csv.path); };
  AppendFile file = csv.open();
  CHECK_FALSE(is_there());
  file.append("1,2\n", none);
  CHECK(csv.content() == "a,b\n1,2\n");
  CHECK(csv.said.empty());
  // A different program may have begun the file meanwhile. Earlier rows stay, and so does a link.
  csv.path = csv.folder.path() / "other.csv";
  AppendFile first = csv.open();
  AppendFile second = csv.open();
  second.append("3,4\n", none);
  first.append("5,6\n", none);
  CHECK(csv.content() == "a,b\n3,4\n5,6\n");
  csv.path = csv.folder.write("empty.csv", "");
  static_cast<void>(csv.open());
  CHECK(is_there());
  csv.path = csv.folder.path() / "link.csv";
  std::filesystem::create_symlink(csv.folder.path() / "target.csv", csv.path);
  static_cast<void>(csv.open());
  CHECK(std::filesystem::is_symlink(csv.path));
  CHECK_FALSE(is_there());
  CHECK(csv.said.empty());
}

TEST_CASE("the header is written once, rows are added") {
  Csv csv;
  csv.open().append("1,2\n", none);
  AppendFile again = csv.open();
  again.append("3,4\n", none);
  again.append("5,6\n7,8\n", none);
  CHECK(csv.content() == "a,b\n1,2\n3,4\n5,6\n7,8\n");
  CHECK(csv.said.empty());
}

TEST_CASE("a file with another header is refused and left alone") {
  for (const char* content : {"a,c\n1,2\n", "a\n", "a,b,c\n", "x"}) {
    Csv csv;
    csv.folder.write("rows.csv", content);
    CHECK_THROWS_WITH(csv.open(), ContainsSubstring("join them with sdbench merge"));
    CHECK(csv.content() == content);
  }
}

TEST_CASE(
    "a row that was cut off is moved beside the file, and said, also inside of a quoted field") {
  const std::string half_rows[] = {"1",       "1,",         "1,\"x",
                                   "1,\"x\n", "1,\"x\ny\"", std::string("1\0\0", 3)};
  for (const std::string& half : half_rows) {
    Csv csv;
    csv.folder.write("rows.csv", "a,b\n0,\"\n\"\n" + half);
    AppendFile file = csv.open();
    CHECK(csv.content() == "a,b\n0,\"\n\"\n");
    CHECK(csv.cut() == half + "\n");
    CHECK_THAT(csv.said, ContainsSubstring("was cut off") && ContainsSubstring("rows.csv.cut"));
    file.append("2,3\n", none);
    CHECK(csv.content() == "a,b\n0,\"\n\"\n2,3\n");
  }
}

TEST_CASE("a header that was cut off, or never reached the disk, is made again") {
  for (const std::string& content :
       {std::string("a,"), std::string("a,b"), std::string(50, '\0')}) {
    Csv csv;
    csv.folder.write("rows.csv", content);
    csv.open().append("1,2\n", none);
    CHECK(csv.content() == "a,b\n1,2\n");
    CHECK(csv.cut() == content + "\n");
  }
}

TEST_CASE("a row that another process left cut off while we run is mended, too") {
  Csv csv;
  AppendFile file = csv.open();
  file.append("1,2\n", none);
  csv.folder.write("rows.csv", "a,b\n1,2\n3,\"");
  file.append("5,6\n", none);
  CHECK(csv.content() == "a,b\n1,2\n5,6\n");
  CHECK(csv.cut() == "3,\"\n");
}

TEST_CASE("a JSON line that lacks only its line end gets it") {
  const test::ScratchFolder folder;
  const auto path = folder.write("rows.jsonl", "{\"a\": 1}");
  AppendFile(path, "", RowEnd::kLine, nullptr).append("{}\n", none);
  CHECK(read_text_file(path) == "{\"a\": 1}\n{}\n");
}

TEST_CASE("a stray quote does not throw half of a large file out") {
  Csv csv;
  std::string content = "a,b\n1,\"\n";
  for (int i = 0; i < 100'000; ++i) {
    content += "1,\"x\"\n";
  }
  csv.folder.write("rows.csv", content);
  CHECK_THROWS_WITH(csv.open(), ContainsSubstring("must end in a line end"));
  CHECK(csv.content() == content);
}

TEST_CASE("targets that cannot grow are refused with the reason") {
  const test::ScratchFolder folder;
  const auto open = [](const std::filesystem::path& path) {
    const AppendFile file(path, "a\n", RowEnd::kUnquotedLine, nullptr);
  };
  CHECK_THROWS_WITH(open(folder.path()), ContainsSubstring("Is a directory"));
  CHECK_THROWS_WITH(open(folder.path() / "no" / "rows.csv"),
                    ContainsSubstring("no is not there; make it first"));
  CHECK_THROWS_WITH(open("/dev/null"), ContainsSubstring("regular file"));
}

TEST_CASE("a file or its folder that was removed is made again with all rows") {
  Csv csv;
  csv.path = csv.folder.path() / "deep" / "er" / "rows.csv";
  std::filesystem::create_directories(csv.path.parent_path());
  AppendFile file = csv.open();
  file.append("1,2\n", none);
  std::filesystem::remove_all(csv.folder.path() / "deep");
  file.append("3,4\n", [] { return Rows{{"1,2", "1,2\n"}}; });
  CHECK(csv.content() == "a,b\n1,2\n3,4\n");
  CHECK_THAT(csv.said, ContainsSubstring("made again"));
}

TEST_CASE("a lost file whose rows nobody keeps is made again with what comes, and that is said") {
  Csv csv;
  AppendFile file(
      csv.path, "a,b\n", RowEnd::kUnquotedLine,
      [&](const std::string& text) { csv.said += text + "\n"; }, AppendFile::Sync::kNever);
  file.append("1,2\n", nullptr);
  std::filesystem::remove(csv.path);
  file.append("3,4\n", nullptr);
  file.append("5,6\n", nullptr);
  CHECK(csv.content() == "a,b\n3,4\n5,6\n");
  CHECK_THAT(csv.said, ContainsSubstring("made again, with what comes from now on"));
}

TEST_CASE("a file that was replaced gets only the rows that it lacks") {
  Csv csv;
  AppendFile file = csv.open();
  file.append("1,2\n", none);
  file.append("3,4\n", none);
  csv.folder.write("other", "a,b\n1,2\n8,9\n"); // editors save a new file under the old name
  std::filesystem::rename(csv.folder.path() / "other", csv.path);
  file.append("5,6\n", [] { return Rows{{"1,2", "1,2\n"}, {"3,4", "3,4\n"}}; });
  CHECK(csv.content() == "a,b\n1,2\n8,9\n3,4\n5,6\n");
}

TEST_CASE("a file that was emptied in its place gets its rows again") {
  Csv csv;
  AppendFile file = csv.open();
  file.append("1,2\n", none);
  csv.folder.write("rows.csv", "");
  file.append("3,4\n", [] { return Rows{{"1,2", "1,2\n"}}; });
  CHECK(csv.content() == "a,b\n1,2\n3,4\n");
}

TEST_CASE("two processes that append to one new file make one header and lose no row") {
  Csv csv;
  const auto write = [&](char mark) {
    AppendFile file = csv.open();
    for (int i = 0; i < 50; ++i) {
      file.append(std::string(5000, mark) + "\n", none);
    }
  };
  const pid_t other = in_a_process([&] { write('y'); });
  write('x');
  REQUIRE(end_of(other) == 0);
  const std::string content = csv.content();
  REQUIRE(content.size() == 4 + 100 * 5001);
  CHECK(content.starts_with("a,b\n"));
  for (std::size_t at = 4; at < content.size(); at += 5001) {
    const std::string row = content.substr(at, 5001);
    REQUIRE((row == std::string(5000, 'x') + "\n" || row == std::string(5000, 'y') + "\n"));
  }
  CHECK(csv.said.empty());
}

TEST_CASE("a writer that is killed anywhere leaves whole rows for the next") {
  for (int round = 0; round < 10; ++round) {
    Csv csv;
    const pid_t other = in_a_process([&] {
      AppendFile file = csv.open();
      for (;;) {
        file.append(std::string(100'000, 'x') + "\n", none);
      }
    });
    ::usleep(20'000 + 1'000 * static_cast<unsigned>(round));
    ::kill(other, SIGKILL);
    REQUIRE(WIFSIGNALED(end_of(other)));
    csv.open().append("1,2\n", none);
    const std::string content = csv.content();
    CHECK((content.size() - 8) % 100'001 == 0);
    CHECK(content.ends_with("\n1,2\n"));
  }
}

TEST_CASE("a file that another program keeps locked is refused after a while") {
  Csv csv;
  AppendFile file = csv.open();
  file.append("0,1\n", none); // which makes the file
  const Descriptor other(::open(csv.path.c_str(), O_RDONLY));
  REQUIRE(::flock(other.get(), LOCK_SH) == 0);
  CHECK_THROWS_WITH(file.append("1,2\n", none),
                    ContainsSubstring("keeps it locked; end that program, or name another file"));
}

TEST_CASE("a row that does not fit is taken back whole") {
  Csv csv;
  AppendFile file = csv.open();
  file.append("1,2\n", none);
  // A limit on the file's size simulates a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{12, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_AS(file.append("123456789,1\n", none), Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(csv.content() == "a,b\n1,2\n");
  file.append("123456789,1\n", none);
  CHECK(csv.content() == "a,b\n1,2\n123456789,1\n");
}
