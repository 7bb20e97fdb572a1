// torsor bench --mechanism and --simulate: steps of mechanisms and of controlled arms, beside what another program's command
// prints of itself.
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <iostream>
#include <sstream>

#include "cli/bench_arguments.hpp"
#include "cli/file_use.hpp"
#include "cli/files.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/text/number.hpp"
#include "bench/timing/mechanism_timing.hpp"
#include "bench/timing/simulation_timing.hpp"

namespace torsor {
namespace {

/// A row that a command prints: a name, then numbers, with tabs between.
struct OtherRow {
  std::string name;
  std::vector<double> numbers;
};

/// All rows of a command, so many numbers in each.
Result<std::vector<OtherRow>> rows_of(const std::string& command, std::size_t count) {
  const auto fault = [&](std::string what) {
    return fault_of(fmt::format("--beside \"{}\"", printable(command)), "option-value", std::move(what),
                    "tools/beside-mujoco and tools/beside-simbody have some that work");
  };
  std::cout.flush();
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return fault("the command cannot be run");
  std::string text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  if (const int status = pclose(pipe); status != 0) return fault("the command fails");
  std::vector<OtherRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    OtherRow row;
    std::getline(cells, row.name, '\t');
    bool sound = true;
    for (std::string cell; std::getline(cells, cell, '\t');) {
      const ParsedNumber number = parse_number(cell);
      sound = sound && number;
      row.numbers.push_back(number.value);
    }
    if (!sound || row.numbers.size() != count)
      return fault(fmt::format("a line of it is no row: \"{}\"", printable(line)));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

int bench_mechanism(const BenchArguments& a, double seconds_each) {
  const FilesRead opened;
  const auto mechanism = load_mechanism(*a.mechanism);
  if (const Faults errors = file_use().also_reads(opened); !errors.empty()) return complain(errors, exit_bad_input);
  if (!mechanism) return complain(mechanism.faults(), exit_bad_input);
  auto times = time_mechanism(*mechanism, seconds_each, 1);
  if (!times) return complain(times.faults(), exit_impossible);
  if (a.beside) {
    const auto others = rows_of(*a.beside, 3);
    if (!others) return complain(others.faults(), exit_bad_input);
    for (const OtherRow& row : *others) times->push_back({row.name, row.numbers[0], row.numbers[1], row.numbers[2], 0});
  }
  const std::vector<MechanismTime> chains = time_chains(seconds_each), lattices = time_lattices(seconds_each),
                                   rows_of_four_bars = time_rows_of_four_bars(seconds_each);
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("mechanism", mechanism->name);
    write_json(json.key("times"), *times);
    write_json(json.key("chains"), chains);
    write_json(json.key("rows_of_four_bars"), rows_of_four_bars);
    write_json(json.key("lattices"), lattices);
    json.end_object();
    return finish_json(json);
  }
  TextTable table{"the fastest call or step",
                  {{""}, {"time", "us"}, {"largest loop-closure error", "m"}, {"largest energy error", "J"}}};
  for (const MechanismTime& row : *times) table.add({row.what, row.seconds * 1e6, row.gap, row.energy_error});
  const auto growth = [](const std::string& title, const std::vector<MechanismTime>& rows) {
    TextTable out{title, {{"bodies"}, {"time per body", "us"}, {"gradients and factors per body", "bytes"}}};
    for (const MechanismTime& row : rows) out.add({row.what, row.seconds * 1e6, row.bytes});
    return to_text(out);
  };
  std::cout << mechanism->name << "\n\n"
            << to_text(table) << "\n"
            << growth("accelerations with all multipliers of chains of rods on hinges", chains) << "\n"
            << growth("the same of rows of four-bars, each of which shares an upright with the next", rows_of_four_bars)
            << "\n"
            << growth("the same of lattices of scissors that stand on one hinge", lattices);
  if (!a.beside) std::cout << "\nSimbody in the same table: tools/beside-simbody\n";
  return finish_standard_output();
}

int bench_simulation(const BenchArguments& a, double seconds_each) {
  const auto robot = read_robot(a.robot, RobotUse::dynamics, {}, a.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  std::function<Result<std::vector<SimulationTime>>()> others;
  if (a.beside)
    others = [&a]() -> Result<std::vector<SimulationTime>> {
      const auto rows = rows_of(*a.beside, 2);
      if (!rows) return rows.faults();
      std::vector<SimulationTime> all;
      for (const OtherRow& row : *rows) all.push_back({row.name, row.numbers[0], row.numbers[1]});
      return all;
    };
  const auto times = time_simulation(robot->model(), seconds_each, others);
  if (!times) return complain(times.faults(), exit_impossible);
  if (a.print.json) return print_rows("robot", robot->model().name, "simulation", *times);
  TextTable table{"computed torque at 1 kHz along a swing of all joints, the fastest run",
                  {{"method"}, {"simulated seconds a second"}, {"largest error", "rad or m"}}};
  for (const SimulationTime& row : *times) table.add({row.what, row.simulated, row.error});
  std::cout << robot->model().name << "\n\n" << to_text(table);
  if (!a.beside) std::cout << "\nMuJoCo in the same table: tools/beside-mujoco PYTHON ROBOT\n";
  return finish_standard_output();
}

}  // namespace torsor
