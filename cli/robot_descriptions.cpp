#include "cli/robot_descriptions.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/child_process.hpp"
#include "torsor/codegen/work_folder.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

constexpr std::string_view prefix = "robot_descriptions:";

// `list`: name, format, maker, with tabs between; `path NAME`: the path, then ARGUMENT=VALUE of a xacro, one a line
constexpr const char* script = R"py(
import importlib
import sys

try:
    from robot_descriptions._descriptions import DESCRIPTIONS
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)

if sys.argv[1] == "list":
    for name, about in sorted(DESCRIPTIONS.items()):
        formats = [form for form in ("urdf", "mjcf") if getattr(about, "has_" + form)]
        if formats:
            print(name, "+".join(formats), getattr(about, "maker", None) or "", sep="\t")
else:
    wanted = sys.argv[2]
    names = [name for name in (wanted, wanted + "_description", wanted + "_mj_description", wanted + "_official_description") if name in DESCRIPTIONS]
    if not names:
        near = [name for name in DESCRIPTIONS if wanted.split("_")[0] in name]
        print("it has no robot", wanted + ("; near it: " + ", ".join(near[:8]) if near else ""), file=sys.stderr)
        sys.exit(4)
    try:
        robot = importlib.import_module("robot_descriptions." + names[0])
    except Exception as reason:
        print(" ".join(str(reason).split()), file=sys.stderr)
        sys.exit(5)
    for key in ("URDF_PATH", "MJCF_PATH", "XACRO_PATH"):
        if hasattr(robot, key):
            print(getattr(robot, key))
            if key == "XACRO_PATH":
                for name, value in (getattr(robot, "XACRO_ARGS", None) or {}).items():
                    print(f"{name}={value}")
            break
    else:
        print("it has no URDF, MJCF or xacro", file=sys.stderr)
        sys.exit(4)
)py";

constexpr int missing = 3, seconds = 600;  // a first fetch takes as long as the network does

Fault described_fault(const std::string& robot, const char* rule, std::string what, std::string remedy) {
  return {{}, fmt::format("robot \"{}\"", printable(robot)), rule, std::move(what), std::move(remedy)};
}

Result<std::vector<std::string>> lines_of(const std::string& offender, std::vector<std::string> words) {
  const WorkFolder folder;
  const auto file = folder.write("descriptions.py", script);
  if (!file) return file.faults();
  words.insert(words.begin(), {"python3", *file});
  const std::string said = folder.file("said"), complaints = folder.file("complaints");
  const auto code = run_program(words, said, complaints, seconds);
  if (code == no_such_program)
    return described_fault(offender, "descriptions-python", "python3 cannot be run",
                           "install Python 3, or give the robot file");
  if (code == missing)
    return described_fault(offender, "descriptions-missing", "the Python package robot_descriptions is not there",
                           "python3 -m pip install robot_descriptions, or give the robot file");
  if (code != 0)
    return described_fault(offender, "descriptions-robot",
                           code ? fmt::format("robot_descriptions says: {}", last_line_of(complaints))
                                : "robot_descriptions has no answer",
                           "torsor list --all names those that there are");
  const auto text = read_text_file(said);
  if (!text) return text.faults();
  std::vector<std::string> lines;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

bool is_described(const std::string& robot) { return robot.starts_with(prefix); }

Result<std::string> described_robot(const std::string& robot, LoadOptions& options) {
  const auto lines = lines_of(robot, {"path", robot.substr(prefix.size())});
  if (!lines) return lines.faults();
  // fetching may print, too: the path is the line after which only arguments come
  std::size_t last = lines->size();
  while (last > 0 && (*lines)[last - 1].find('=') != std::string::npos &&
         (*lines)[last - 1].find('/') == std::string::npos)
    --last;
  if (last == 0)
    return described_fault(robot, "descriptions-robot", "robot_descriptions names no file", "give the robot file");
  for (std::size_t k = last; k < lines->size(); ++k) {
    const std::string& line = (*lines)[k];
    options.arguments.emplace(line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  }
  return (*lines)[last - 1];
}

Result<std::vector<DescribedRobot>> described_robots() {
  const auto lines = lines_of("robot_descriptions", {"list"});
  if (!lines) return lines.faults();
  std::vector<DescribedRobot> out;
  for (const std::string& line : *lines) {
    std::istringstream words(line);
    DescribedRobot robot;
    std::getline(words, robot.name, '\t');
    std::getline(words, robot.format, '\t');
    std::getline(words, robot.maker, '\t');
    robot.name = std::string(prefix) + robot.name;
    out.push_back(std::move(robot));
  }
  return out;
}

}  // namespace torsor
