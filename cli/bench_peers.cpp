#include "cli/bench_peers.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "cli/bench_tables.hpp"
#include "cli/files.hpp"
#include "torsor/model/general_arm.hpp"

namespace torsor {
namespace {

/// Six joints, seven, thirty, a tree of two arms, a free body with four legs.
constexpr const char* compared_robots = "puma560,iiwa14,general30,two_arm,floating";

Result<BenchRobot> robot_named(const std::string& name) {
  constexpr std::size_t states = 64, batch = 16384;
  if (name == "general30")
    return compared_robot("general arm", general_arm(30, Convention::modified_dh), states, batch);
  return compared_robot(name, states, batch);
}

}  // namespace

void PeerBenchArguments::add_to(Options& options) {
  options.flag("--peers", peers, "without a ROBOT, through ./run: install the peers and build their programs first");
  options.text("--robots", "LIST", robots,
               fmt::format("without a ROBOT: files or built-in robots to compare on, commas between; default {}",
                           compared_robots));
  options.writes("--markdown", "FILE", markdown, "without a ROBOT: a page of the comparison, the machine named");
}

int bench_peers(const PeerBenchArguments& a, double seconds_each, const PrintArguments& print) {
  if (const Faults faults = refuse_debug("torsor", is_optimised_build()); !faults.empty())
    return complain(faults, exit_impossible);
  const char* folder = std::getenv("TORSOR_PEERS");
  if (a.peers && !folder)
    return complain({{{}, "--peers", "option-value", "the command alone installs nothing", "use ./run bench --peers"}},
                    exit_bad_input);
  const std::vector<std::string> programs = peer_programs(folder ? folder : "");
  if (programs.empty()) note("no peer is installed: ./run bench --peers installs them");

  BesideReport report = machine_report();
  std::istringstream names(a.robots.value_or(compared_robots));
  for (std::string name; std::getline(names, name, ',');) {
    const auto robot = robot_named(name);
    if (!robot) return complain(robot.faults(), exit_bad_input);
    auto times = time_beside(*robot, programs, seconds_each, report.peers);
    if (!times) return complain(times.faults(), exit_impossible);
    report.robots.push_back(*std::move(times));
    report.gigahertz = std::max(report.gigahertz, clock_gigahertz());
  }

  // opened only now: a run that was refused leaves the page as it is
  Faults unwritten;
  if (a.markdown) {
    OutputFile page(*a.markdown);
    page.stream() << beside_markdown(report);
    if (!page.finish()) unwritten = page.faults();
    if (page.is_standard()) return unwritten.empty() ? exit_done : complain(unwritten, exit_not_written);
  }
  if (print.json) {
    JsonWriter json(std::cout);
    write_beside(report, json);
    if (const int code = finish_json(json); code != exit_done) return code;
  } else {
    std::cout << beside_text(report);
    if (a.markdown && unwritten.empty()) std::cout << fmt::format("\npage  {}\n", *a.markdown);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  }
  return unwritten.empty() ? exit_done : complain(unwritten, exit_not_written);
}

}  // namespace torsor
