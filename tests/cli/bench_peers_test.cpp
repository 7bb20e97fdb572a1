#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A peer that reads its answers off the states: torques and accelerations stand there. Every call takes 1000 ns but
/// for one turn of 500.
std::string fake(const std::string& built, const std::string& factor = "1") {
  return "#!/bin/bash\n"
         "printf 'peer Fake 1.0\\t" +
         built +
         "\\tby hand\\ncall id\\ttable\\ncall fd\\ttable\\nready\\n'\n"
         "column() { awk -v from=$1 -v f=" +
         factor + R"( 'NR == 1 { nq = $2; nv = $3; next }
  { for (i = 1; i <= nv; ++i) printf "%.17g ", f * $(nq + from * nv + i) }
  END { print "" }' "$2"; }
turns=0
while read -r question k calls; do
  case $question$k in
    check0) column 2 "$2" ;;
    check1) column 1 "$2" ;;
    time*) ((++turns == 4)) && echo 500 || echo 1000 ;;
  esac
done
)";
}

/// The folder of the peers with this one alone in it.
std::string only_peer(const std::string& text) {
  const std::filesystem::path peers = folder() / "peers";
  std::filesystem::remove_all(peers);
  std::filesystem::create_directories(peers);
  const std::string program = write("peers/fake", text);
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  write("peers/notes.txt", "not a program");
  return peers.string();
}

Outcome beside(const std::string& peer, const std::string& arguments) {
  setenv("TORSOR_PEERS", only_peer(peer).c_str(), 1);
  Outcome run = torsor("bench --robots two_link --milliseconds 2 " + arguments);
  unsetenv("TORSOR_PEERS");
  return run;
}

#ifdef NDEBUG
constexpr bool release = true;
#else
constexpr bool release = false;
#endif

}  // namespace

TEST_CASE("bench refuses to time a debug build of the library") {
  if (release) return;
  const Outcome run = torsor("bench --robots two_link");
  CHECK(run.code == 1);
  CHECK(contains(run.err, "[debug-build]"));
  CHECK(run.out.empty());
}

TEST_CASE("bench sets the library beside a peer that agrees with it") {
  if (!release) return;
  const Outcome run = beside(fake("optimised"), "--json");
  REQUIRE(run.code == 0);
  const json report = json_of(run);
  CHECK(report["gigahertz"].get<double>() > 0.1);
  CHECK(report["peers"] == json::parse(R"([{"name": "Fake 1.0", "built": "by hand"}])"));
  const json& functions = report["robots"][0]["functions"];
  REQUIRE(functions.size() >= 4);
  for (const json& f : functions)
    for (const json& own : f["torsor"]) {
      CHECK(own["call"]["least_ns"].get<double>() > 0);
      CHECK(own["call"]["least_ns"].get<double>() <= own["call"]["median_ns"].get<double>());
      CHECK(own.contains("ratio") == !f["peers"].empty());
    }
  // the turn of 500 ns is the fourth: the guess and the rounds of the first function
  REQUIRE(functions[0]["function"] == "id");
  CHECK(functions[0]["peers"][0]["call"]["least_ns"] == 500);
  CHECK(functions[0]["peers"][0]["call"]["median_ns"] == 1000);
  const json& own = functions[0]["torsor"][0];
  CHECK(own["ratio"].get<double>() == doctest::Approx(500 / own["call"]["least_ns"].get<double>()));
  CHECK(functions[0]["disagreement"].get<double>() < 1e-12);
}

TEST_CASE("bench writes the comparison as a page that names the machine and how to repeat it") {
  if (!release) return;
  const Outcome run = beside(fake("optimised"), "--markdown page.md");
  REQUIRE(run.code == 0);
  CHECK(contains(run.out, "Fake 1.0"));
  CHECK(contains(run.out, "GHz"));
  const std::string page = read(path("page.md"));
  CHECK(contains(page, "./run bench --peers --markdown docs/benchmarks.md"));
  CHECK(contains(page, "GHz"));
  CHECK(contains(page, "by hand"));
  CHECK(contains(page, "| inverse dynamics"));
  // a path that is none is told before anything is measured, and a trial leaves a page as it is
  const Outcome nowhere = beside(fake("optimised"), "--markdown none/page.md");
  CHECK(nowhere.code == 3);
  CHECK(nowhere.out.empty());
  CHECK(tells(nowhere.err, "file-write", {"none/page.md"}));
  CHECK(beside(fake("different"), "--markdown page.md").code == 1);
  CHECK(read(path("page.md")) == page);
  CHECK(beside(fake("optimised"), "--markdown - --json").code == 2);
}

TEST_CASE("bench refuses a peer that disagrees, and names the disagreement") {
  if (!release) return;
  write("kept.md", "an older page");
  const Outcome run = beside(fake("optimised", "1.00000001"), "--markdown kept.md");
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(read(path("kept.md")) == "an older page");
  CHECK(tells(run.err, "peers-disagree", {"1.0"}));
  CHECK(tells(run.err, "peers-disagree", {"1e-08"}));
}

TEST_CASE("bench refuses a peer that was built for debugging") {
  if (!release) return;
  const Outcome run = beside(fake("debug"), "");
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(tells(run.err, "debug-build", {"1.0"}));
}

TEST_CASE("bench goes on without a peer that does not serve a robot, and says why") {
  if (!release) return;
  const Outcome run = beside("#!/bin/bash\necho 'only for robots with legs' >&2\nexit 1\n", "");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "not here: fake: only for robots with legs"));
}

TEST_CASE("bench tells what is wrong with a program that is no peer") {
  if (!release) return;
  const std::string hello = "#!/bin/bash\nprintf 'peer Fake\\toptimised\\t-\\ncall id\\t-\\nready\\n'\n";
  for (const std::string& text :
       {std::string("#!/bin/bash\necho hello; cat >/dev/null\n"), std::string("#!/bin/bash\n"),
        std::string("#!/bin/bash\nexit 3\n"), hello, hello + "read -r; echo one two\n",
        hello + "read -r; echo 1 2 nan\n", std::string("#!/no/such/program\n")}) {
    const Outcome run = beside(text, "");
    CAPTURE(text);
    CHECK(run.code == 1);
    CHECK(tells(run.err, "peer"));
    CHECK(run.out.empty());
  }
  // too few numbers are no agreement
  CHECK(tells(beside(hello + "read -r; echo 1 2 3\n", "").err, "peers-disagree"));
}

TEST_CASE("bench without peers still times the library, and says how to get them") {
  if (!release) return;
  const Outcome run = torsor("bench --robots two_link --milliseconds 1");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "inverse dynamics"));
  CHECK(says(run.err, {"--peers"}));
  CHECK(torsor("bench --peers").code == 2);
  CHECK(torsor("bench --robots no_such_robot").code == 2);
}
