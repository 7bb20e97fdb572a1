#include "cli/robot_descriptions.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <sstream>
#include <system_error>

#include "cli/child_process.hpp"
#include "torsor/codegen/work_folder.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

constexpr std::string_view described_prefix = "robot_descriptions:";

// exit codes of the script
constexpr int missing = 3, unknown = 4;
constexpr int longest_wait = 600;  // seconds: a first fetch takes as long as the network does

Fault described_fault(const std::string& robot, const char* rule, std::string what, std::string remedy) {
  return {{}, fmt::format("robot \"{}\"", printable(robot)), rule, std::move(what), std::move(remedy)};
}

using Words = std::vector<std::string>;  // of a line, with tabs between

Result<std::vector<Words>> lines_of(const std::string& offender, Words words) {
  const WorkFolder folder;
  const auto file = folder.write("descriptions.py", std::string(descriptions_script()));
  if (!file) return file.faults();
  words.insert(words.begin(), {"python3", *file});
  const std::string said = folder.file("said"), complaints = folder.file("complaints");
  const auto code = run_program(words, said, complaints, longest_wait);
  if (code == no_process)
    return described_fault(offender, "descriptions-python",
                           fmt::format("no process can be started: {}", std::generic_category().message(errno)),
                           "allow more processes (ulimit -u), or give the robot file");
  if (code == no_such_program)
    return described_fault(offender, "descriptions-python", "python3 cannot be run",
                           "install Python 3, or give the robot file");
  if (code == missing)
    return described_fault(offender, "descriptions-missing", "the Python package robot_descriptions is not there",
                           "python3 -m pip install robot_descriptions, or give the robot file");
  if (!code)
    return described_fault(offender, "descriptions-fetch",
                           fmt::format("robot_descriptions has no answer after {} s", longest_wait),
                           "give the robot file");
  if (code != 0)
    return described_fault(offender, code == unknown ? "descriptions-robot" : "descriptions-fetch",
                           last_line_of(complaints),
                           code == unknown ? "torsor list --all names those that there are"
                                           : "fetch it where there is a network, or give the robot file");
  const auto text = read_text_file(said);
  if (!text) return text.faults();
  std::vector<Words> lines;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream row(line);
    Words& found = lines.emplace_back();
    for (std::string word; std::getline(row, word, '\t');) found.push_back(word);
  }
  return lines;
}

}  // namespace

bool is_described(const std::string& robot) { return robot.starts_with(described_prefix); }

Result<std::string> described_robot(const std::string& robot, LoadOptions& options) {
  const auto lines = lines_of(robot, {"path", robot});
  if (!lines) return lines.faults();
  std::string path;
  for (const Words& line : *lines) {
    if (line.size() == 2 && line[0] == "file") path = line[1];
    if (line.size() == 2 && line[0] == "packages") options.package_folders.push_back(line[1]);
    // what the user gives goes before
    if (line.size() >= 2 && line[0] == "argument") options.arguments.emplace(line[1], line.size() > 2 ? line[2] : "");
  }
  if (path.empty())
    return described_fault(robot, "descriptions-robot", "robot_descriptions names no file", "give the robot file");
  return path;
}

Result<std::vector<DescribedRobot>> described_robots() {
  const auto lines = lines_of("robot_descriptions", {"list"});
  if (!lines) return lines.faults();
  std::vector<DescribedRobot> out;
  for (const Words& line : *lines)
    if (line.size() >= 2)
      out.push_back(
          {std::string(described_prefix) + line[0], line[1], line.size() > 2 ? line[2] : "", line.size() > 3});
  return out;
}

}  // namespace torsor
