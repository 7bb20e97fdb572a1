// Results take their name when they are complete: runs that are stopped, disks that are full, two runs into one file, links,
// permissions, pipes; and runs that go on where another was stopped.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "command.hpp"

using namespace cli_test;

namespace {

namespace fs = std::filesystem;

std::string long_motion(int rows) {
  std::ostringstream text;
  text.precision(17);
  text << "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k < rows; ++k) {
    const double t = 0.001 * k;
    text << t << ',' << std::sin(t) << ',' << std::cos(t) << ',' << std::cos(t) << ',' << -std::sin(t) << ','
         << -std::sin(t) << ',' << -std::cos(t) << '\n';
  }
  return text.str();
}

// a run that another can stop: its process, started without a shell in between
struct Running {
  pid_t id = -1;
  explicit Running(const std::vector<std::string>& arguments) {
    std::vector<char*> words;
    const std::string command = places::command_path();
    words.push_back(const_cast<char*>(command.c_str()));
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const std::string out = path("running.out"), err = path("running.err"), there = folder().string();
    id = fork();
    if (id == 0) {
      if (chdir(there.c_str()) != 0 || dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1) < 0 ||
          dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2) < 0)
        _exit(126);
      execv(command.c_str(), words.data());
      _exit(127);
    }
  }
  /// Lets a write that is under way come to its end and none begin: the system may cut one when a process is killed in it.
  void hold_between_writes() const {
    int status = 0;
    kill(id, SIGSTOP);
    waitpid(id, &status, WUNTRACED);
  }
  int end() const {
    int status = 0;
    waitpid(id, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

template <class Condition>
bool wait_until(const Condition& condition) {
  for (int k = 0; k < 6000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::int64_t bytes(const std::string& name) {
  std::error_code none;
  const auto size = fs::file_size(path(name), none);
  return none ? -1 : static_cast<std::int64_t>(size);
}

// of a table its lines without the head, of an array what its head says
long rows(const std::string& name) {
  const std::string text = read(path(name));
  if (name.ends_with(".csv.partial")) return std::max<long>(std::count(text.begin(), text.end(), '\n') - 1, 0);
  const std::size_t at = text.find("'shape': (");
  return at == std::string::npos ? 0 : std::stol(text.substr(at + 10));
}

void remove_all_of(const std::string& name) {
  for (const char* end : {"", ".partial"}) fs::remove(path(name + end));
}

// takes minutes, and writes rows on its way
std::vector<std::string> long_run(const std::string& file) {
  return {"simulate", "two_link", "--torque", "zero", "--q", "0.3,0.5", "--time", "3000", "--every", "0.05",
          "--step", "0.0005", "--integrator", "rk4", "-o", file};
}

}  // namespace

TEST_CASE("a run that is killed leaves the file as it was, and its whole rows in FILE.partial") {
  for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {
    CAPTURE(signal);
    remove_all_of("run.csv");
    write("run.csv", "what was there before\n");
    const Running run(long_run("run.csv"));
    const bool begun = wait_until([] { return bytes("run.csv.partial") > 2000; });
    if (signal == SIGKILL) run.hold_between_writes();
    kill(run.id, signal);
    CHECK(run.end() == 128 + signal);
    REQUIRE(begun);
    CHECK(read(path("run.csv")) == "what was there before\n");
    const std::string rows = read(path("run.csv.partial"));
    REQUIRE(!rows.empty());
    CHECK(rows.back() == '\n');
    const auto lines = std::count(rows.begin(), rows.end(), '\n');
    const std::string wanted =
        "note: rows kept from before the stop: " + std::to_string(lines - 1) + ", in run.csv.partial\n";
    CHECK(read(path("running.err")) == (signal == SIGKILL ? "" : wanted));
  }
}

TEST_CASE("a run that goes on ends as one that was not stopped, to the last byte") {
  const std::string simulate = "simulate two_link --torque zero --q 0.3,0.5 --time 2 --every 0.001";
  write("motion.csv", long_motion(3000));
  REQUIRE(torsor_as_is("path sixr_angeles -o hand.csv --step 0.02").code == 0);
  const std::string track = "track sixr_angeles hand.csv";
  const std::string id = "id two_link --motion motion.csv --threads 2";
  for (const std::string& run : {simulate, track, id})
    for (const std::string name : {"whole.csv", "whole.npy"}) {
      CAPTURE(run);
      CAPTURE(name);
      remove_all_of(name);
      const Outcome whole = torsor_as_is(run + " -o " + name);
      REQUIRE(whole.code == 0);
      const std::string wanted = read(path(name));
      REQUIRE(wanted.size() > 4000);
      // stopped anywhere: at no byte, inside of the head, of a number, and before the last byte
      for (const std::size_t kept :
           {std::size_t{0}, std::size_t{5}, std::size_t{200}, wanted.size() / 2, wanted.size() - 1, wanted.size()}) {
        CAPTURE(kept);
        fs::remove(path(name));
        write(name + ".partial", wanted.substr(0, kept));
        const Outcome on = torsor_as_is(run + " --continue -o " + name);
        CHECK(on.code == 0);
        CHECK(on.out == whole.out);
        CHECK(read(path(name)) == wanted);
        CHECK(bytes(name + ".partial") == -1);
      }
      // the rows of something else are refused and kept, wherever they differ
      for (const std::size_t at : {std::size_t{150}, wanted.size() / 2, wanted.size() - 2}) {
        std::string other = wanted;
        other[at] = static_cast<char>(other[at] ^ 1);
        write(name + ".partial", other);
        const Outcome refused = torsor_as_is(run + " --continue -o " + name);
        CHECK(refused.code == 2);
        CHECK(tells(refused.err, "partial-other"));
        CHECK(read(path(name + ".partial")) == other);
        CHECK(read(path(name)) == wanted);
      }
      write(name + ".partial", wanted + wanted.substr(wanted.size() / 2));
      CHECK(tells(torsor_as_is(run + " --continue -o " + name).err, "partial-other"));
    }
}

TEST_CASE("a killed simulation goes on, and one of another start is refused") {
  remove_all_of("kill.csv");
  const std::string run =
      "simulate two_link --torque zero --q 0.3,0.5 --time 20 --every 0.01 --step 0.00005 --integrator rk4 ";
  std::istringstream words(run + "-o kill.csv");
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  const Running killed(arguments);
  const bool begun = wait_until([] { return bytes("kill.csv.partial") > 1000; });
  kill(killed.id, SIGKILL);
  REQUIRE(killed.end() == 128 + SIGKILL);
  REQUIRE(begun);
  const std::string partial = read(path("kill.csv.partial"));
  const Outcome other = torsor_as_is(
      "simulate two_link --torque zero --q 0.3,0.6 --time 20 --every 0.01 --step 0.00005 --integrator rk4 "
      "--continue -o kill.csv");
  CHECK(other.code == 2);
  CHECK(tells(other.err, "partial-other", {"kill.csv", "2"}));
  CHECK(read(path("kill.csv.partial")) == partial);
  CHECK(torsor_as_is(run + "--continue -o kill.csv").code == 0);
  const std::string on = read(path("kill.csv"));
  REQUIRE(torsor_as_is(run + "-o kill.csv").code == 0);
  CHECK(on == read(path("kill.csv")));
  CHECK(on.size() > partial.size());
  CHECK(on.starts_with(partial));
}

TEST_CASE("of two runs into one file the second is refused, and the first is whole") {
  remove_all_of("twice.csv");
  const Running first(long_run("twice.csv"));
  const bool begun = wait_until([] { return bytes("twice.csv.partial") > 0; });
  const Outcome second = torsor_as_is("id two_link --motion motion.csv -o ./twice.csv");
  const Outcome page = torsor_as_is("show puma560 --html twice.csv");
  first.hold_between_writes();
  kill(first.id, SIGKILL);
  first.end();
  REQUIRE(begun);
  CHECK(second.code == 3);
  CHECK(tells(second.err, "file-busy", {"./twice.csv"}));
  CHECK(page.code == 3);
  const std::string rows = read(path("twice.csv.partial"));
  CHECK(rows.back() == '\n');
  CHECK(rows.starts_with("t,q.q1"));
  // what a run that is gone has left is kept until its owner has done something about it
  const Outcome third = torsor_as_is("id two_link --motion motion.csv -o twice.csv");
  CHECK(third.code == 2);
  CHECK(tells(third.err, "partial-exists", {"twice.csv"}));
  CHECK(read(path("twice.csv.partial")) == rows);
  fs::remove(path("twice.csv.partial"));
  CHECK(torsor_as_is("id two_link --motion motion.csv -o twice.csv").code == 0);
  CHECK(bytes("twice.csv.partial") == -1);
}

TEST_CASE("a FILE.partial that is there is never overwritten, whatever the verb writes, and nothing runs") {
  write("motion.csv", long_motion(10));
  REQUIRE(torsor_as_is("path sixr_angeles -o hand.csv --step 0.1").code == 0);
  const std::string notes = "my own notes\n";
  const std::vector<std::pair<std::string, bool>> runs{
      {"simulate two_link --torque zero --q 0.3,0.5 --time 1 -o", true},
      {"id two_link --motion motion.csv -o", true},
      {"fk two_link --motion motion.csv -o", true},
      {"track sixr_angeles hand.csv -o", true},
      {"path sixr_angeles -o", false},
      {"mechanism inverse four_bar --time 1 --every 0.1 -o", false},
      {"convert two_link -o", false},
      {"show two_link --html", false}};
  for (const auto& [run, goes_on] : runs)
    for (const std::string name : {"own.csv", "own.npy"}) {
      const std::string given = run;  // clang 14 captures no binding
      CAPTURE(given);
      CAPTURE(name);
      remove_all_of(name);
      write(name + ".partial", notes);
      const Outcome refused = torsor_as_is(run + ' ' + name);
      CHECK(refused.code == 2);
      CHECK(refused.out == "");
      CHECK(contains(refused.err, name + ".partial: "));
      CHECK(tells(refused.err, "partial-exists"));
      CHECK(contains(refused.err, "--continue") == goes_on);
      CHECK(read(path(name + ".partial")) == notes);
      CHECK(bytes(name) == -1);
    }
  // --continue is of the rows alone
  remove_all_of("own.csv");
  remove_all_of("own.html");
  write("own.html.partial", notes);
  CHECK(tells(torsor_as_is("id two_link --motion motion.csv -o own.csv --continue --html own.html").err,
              "partial-exists"));
  CHECK(read(path("own.html.partial")) == notes);
  // one that is empty has nothing to lose
  fs::remove(path("own.html.partial"));
  write("own.csv.partial", "");
  CHECK(torsor_as_is("id two_link --motion motion.csv -o own.csv").code == 0);
}

TEST_CASE("a run that keeps no rows names no file") {
  remove_all_of("none.csv");
  const std::string run = "simulate two_link --q 0,0 --qd 1e200,0 --torque zero --time 1 -o none.csv";
  const Outcome text = torsor_as_is(run), answer = torsor_as_is(run + " --json");
  CHECK(text.code == 1);
  CHECK(contains(text.out, "; 0 rows\n"));
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, "\"output\": null"));
  CHECK(bytes("none.csv.partial") == -1);
}

TEST_CASE("two results into one file are one fault, which names the file that was given") {
  const Outcome twice = torsor_as_is("codegen two_link --functions id -o both.c --header both.c");
  CHECK(twice.code == 2);
  CHECK(tells(twice.err, "same-file", {"--output", "--header"}));
  CHECK(!contains(twice.err, ".partial"));
}

TEST_CASE("a file that grows beyond its limit ends with exit code 3, not with a signal, and keeps whole rows") {
  write("motion.csv", long_motion(3000));
  for (const std::string name : {"full.csv", "full.npy"}) {
    CAPTURE(name);
    remove_all_of(name);
    write(name, "what was there before\n");
    REQUIRE(torsor_as_is("id two_link --motion motion.csv -o whole" + name).code == 0);
    const std::string whole = read(path("whole" + name));
    // blocks of 512 or 1024 bytes, as the shell has them: within the first piece that is written, and a later one
    for (const int blocks : name == "full.csv" ? std::vector{10, 300} : std::vector{10, 40}) {
      CAPTURE(blocks);
      std::string kept;
      for (const bool again : {false, true}) {  // once more with the rows of the first time, and as little room
        const Outcome full =
            torsor_as_is("--version >/dev/null; ulimit -f " + std::to_string(blocks) + "; '" + places::command_path() +
                         "' id two_link --motion motion.csv -o " + name + (again ? " --continue" : ""));
        CHECK(full.code == 3);
        CHECK(contains(full.err, name + ": could not be written: File too large"));
        CHECK(read(path(name)) == "what was there before\n");
        const std::string rows = read(path(name + ".partial"));
        // as many whole rows as there is room for
        REQUIRE(rows.size() > 512 * static_cast<std::size_t>(blocks) - 300);
        std::int64_t count = std::count(rows.begin(), rows.end(), '\n') - 1;
        if (name == "full.npy") {
          const std::size_t shape = rows.find("'shape': (");
          REQUIRE(shape != std::string::npos);
          count = std::stol(rows.substr(shape + 10));
          CHECK(static_cast<std::int64_t>(rows.size()) == 128 + 16 * count);
          CHECK(rows.substr(128) == whole.substr(128, rows.size() - 128));
        } else {
          CHECK(whole.starts_with(rows));
          CHECK(rows.back() == '\n');
        }
        const std::string rows_kept = "rows kept from before the stop: " + std::to_string(count);
        CHECK(contains(full.err, rows_kept + ", in " + name + ".partial\n"));
        CHECK((!again || rows == kept));
        kept = rows;
      }
      REQUIRE(torsor_as_is("id two_link --motion motion.csv --continue -o " + name).code == 0);
      CHECK(read(path(name)) == whole);
      write(name, "what was there before\n");
    }
  }
  remove_all_of("full.html");
  write("full.html", "a page\n");
  const Outcome page = torsor_as_is("--version >/dev/null; ulimit -f 10; '" + places::command_path() +
                                    "' show puma560 --html full.html");
  CHECK(page.code == 3);
  CHECK(read(path("full.html")) == "a page\n");
  CHECK(bytes("full.html.partial") == -1);
}

TEST_CASE("rows of an array that was stopped can be read, with as many as there are") {
  remove_all_of("run.npy");
  fs::remove(path("feed"));
  REQUIRE(mkfifo(path("feed").c_str(), 0600) == 0);
  const Running run({"id", "two_link", "--motion", "feed", "-o", "run.npy"});
  {
    std::ofstream feed(path("feed"));
    feed << long_motion(20000) << std::flush;
    // the last may go on
    const bool begun = wait_until([] { return rows("run.npy.partial") >= 19999; });
    run.hold_between_writes();
    kill(run.id, SIGKILL);
    CHECK(run.end() == 128 + SIGKILL);
    REQUIRE(begun);
  }
  CHECK(rows("run.npy.partial") >= 19999);
  CHECK(bytes("run.npy.partial") == 128 + rows("run.npy.partial") * 16);
}

TEST_CASE("rows of a slow source do not wait for more of them") {
  // fewer than a block, and less than a piece of a file
  constexpr int most = 700;
  std::istringstream motion(long_motion(most));
  std::vector<std::string> lines;
  for (std::string line; std::getline(motion, line);) lines.push_back(line + '\n');
  for (const std::string name : {"slow.csv", "slow.npy"})
    for (const int signal : {SIGKILL, SIGTERM}) {
      CAPTURE(name);
      CAPTURE(signal);
      remove_all_of(name);
      fs::remove(path("feed"));
      REQUIRE(mkfifo(path("feed").c_str(), 0600) == 0);
      const Running run({"id", "two_link", "--motion", "feed", "-o", name});
      {
        std::ofstream feed(path("feed"));
        // while they come, without a pause
        int given = 0;
        bool flowing = false;
        for (; given < most && !flowing; ++given) {
          feed << lines[static_cast<std::size_t>(given)] << std::flush;
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          flowing = rows(name + ".partial") > 0;
        }
        CHECK(flowing);
        // and all of them in a pause
        const bool all = wait_until([&] { return rows(name + ".partial") == given - 1; });
        CHECK(all);
        kill(run.id, signal);
        CHECK(run.end() == 128 + signal);
        CHECK(rows(name + ".partial") == given - 1);
        CHECK((name != "slow.npy" || bytes("slow.npy.partial") == 128 + 16 * (given - 1)));
      }
    }
}

TEST_CASE("links are written through, and an existing file gives its permissions") {
  fs::remove_all(path("elsewhere"));
  fs::create_directories(path("elsewhere"));
  for (const char* name : {"link.csv", "link2.csv", "dangling.csv"}) fs::remove(path(name));
  write("elsewhere/real.csv", "old\n");
  chmod(path("elsewhere/real.csv").c_str(), 0640);
  fs::create_symlink("elsewhere/real.csv", path("link.csv"));
  fs::create_symlink("link.csv", path("link2.csv"));
  fs::create_symlink("elsewhere/new.csv", path("dangling.csv"));
  write("motion.csv", long_motion(10));
  REQUIRE(torsor_as_is("id two_link --motion motion.csv -o link2.csv").code == 0);
  REQUIRE(torsor_as_is("id two_link --motion motion.csv -o dangling.csv").code == 0);
  CHECK(fs::is_symlink(path("link.csv")));
  CHECK(fs::is_symlink(path("link2.csv")));
  CHECK(fs::is_symlink(path("dangling.csv")));
  CHECK(read(path("elsewhere/real.csv")) == torsor_as_is("id two_link --motion motion.csv").out);
  CHECK(read(path("elsewhere/new.csv")) == read(path("elsewhere/real.csv")));
  struct stat status {};
  REQUIRE(stat(path("elsewhere/real.csv").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  const Outcome masked =
      torsor_as_is("--version; umask 027; '" + places::command_path() + "' show puma560 --html fresh.html");
  REQUIRE(masked.code == 0);
  REQUIRE(stat(path("fresh.html").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("pipes and devices are written to as they are") {
  write("motion.csv", long_motion(10));
  const std::string wanted = torsor_as_is("id two_link --motion motion.csv").out;
  fs::remove(path("fifo.csv"));
  REQUIRE(mkfifo(path("fifo.csv").c_str(), 0600) == 0);
  CHECK(torsor_as_is("id two_link --motion motion.csv -o fifo.csv >/dev/null & cat fifo.csv; wait").out == wanted);
  CHECK(fs::is_fifo(path("fifo.csv")));
  CHECK(torsor_as_is("id two_link --motion motion.csv -o /dev/null").code == 0);
  CHECK(torsor_as_is("id two_link --motion motion.csv -o /dev/stdout | cat").out == wanted);
  CHECK(torsor_as_is("id two_link --motion motion.csv -o /dev/fd/3 3>three.csv").code == 0);
  CHECK(read(path("three.csv")) == wanted);
  const Outcome full = torsor_as_is("id two_link --motion motion.csv -o /dev/full");
  CHECK(full.code == 3);
  CHECK(tells(full.err, "csv-write"));
}

TEST_CASE("--continue needs a file, and without a partial one writes all rows") {
  write("motion.csv", long_motion(10));
  remove_all_of("anew.csv");
  CHECK(
      tells(torsor_as_is("id two_link --motion motion.csv --continue").err, "option-mode", {"--continue", "--output"}));
  const Outcome anew = torsor_as_is("id two_link --motion motion.csv --continue -o anew.csv");
  CHECK(anew.code == 0);
  CHECK(says(anew.err, {"anew.csv"}));
  CHECK(read(path("anew.csv")) == torsor_as_is("id two_link --motion motion.csv").out);
}
