#include "torsor/text/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

using namespace torsor;

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("torsor-text-file-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {})); }
};

}  // namespace

TEST_CASE("a text is written whole, through links, with the permissions that were there") {
  const Folder folder;
  const fs::path file = folder.path / "a.txt", link = folder.path / "link.txt";
  CHECK(write_text_file(file, "first").empty());
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.txt", link);
  CHECK(write_text_file(link, "second").empty());
  CHECK(fs::is_symlink(link));
  CHECK(*read_text_file(file) == "second");
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.files() == 2);
  CHECK(write_text_file("/dev/null", "gone").empty());
  const Faults faults = write_text_file(folder.path / "none" / "a.txt", "x");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].rule == "file-write");
}

TEST_CASE("where there is no space what was there stays as it was, and nothing beside it") {
  const Folder folder;
  const fs::path file = folder.path / "a.txt";
  REQUIRE(write_text_file(file, "as it was").empty());
  rlimit old{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, old.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Faults faults = write_text_file(file, std::string(100'000, 'x'));
  REQUIRE(setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, handler);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].rule == "file-write");
  CHECK(*read_text_file(file) == "as it was");
  CHECK(folder.files() == 1);
}
