#include "cli/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cli/child_process.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/sdf_writer.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

struct EngineRow {
  std::string_view name, package;
};
constexpr std::array<EngineRow, 3> engines{{{"pinocchio", "pin"}, {"mujoco", "mujoco"}, {"drake", "drake"}}};

constexpr int patience_seconds = 300;
constexpr int not_installed = 3, refused = 4;

Fault engine_fault(const EngineRequest& request, const char* rule, std::string what, std::string remedy) {
  return {{}, fmt::format("--against {}", request.engine), rule, std::move(what), std::move(remedy)};
}

/// States inside the limits, velocities and accelerations of order one: the columns of a motion.
std::string states_csv(const Model<double>& model, int states, std::uint64_t seed) {
  std::string text;
  for (const char* kind : {"q", "qd", "qdd"})
    for (const std::string& name : model.velocity_names)
      text += fmt::format("{}{}.{}", text.empty() ? "" : ",", kind, name);
  text += '\n';
  std::mt19937_64 engine(seed);
  for (int state = 0; state < states; ++state) {
    std::vector<double> row = random_position(model, engine);
    for (int k = 0; k < 2 * model.nv; ++k) row.push_back(2 * uniform(engine) - 1);
    for (std::size_t k = 0; k < row.size(); ++k) text += (k == 0 ? "" : ",") + print_number(row[k]);
    text += '\n';
  }
  return text;
}

/// The root element of the user's own file where the engine can be given that; else empty.
std::string own_format(const EngineRequest& request) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(request.robot_file, ignored)) return "";
  const auto text = read_text_file(request.robot_file);
  if (!text) return "";
  const std::string root = xml_root_name(*text);
  const bool taken = root == "mujoco" || (root == "robot" && text->find("xmlns:xacro") == std::string::npos) ||
                     (root == "sdf" && request.engine == "drake");
  return taken ? root : "";
}

/// The robot as a URDF for an engine that is not given the file; or as what holds what a URDF cannot: an SDF for Drake, an MJCF for the others.
Result<std::string> written_for(const EngineRequest& request, const Robot& robot, const WorkFolder& folder,
                                std::string& note) {
  const auto written = [&](const char* what, const char* file, const std::string& text) {
    note += fmt::format("{}it is given the robot as {} that was written for it", note.empty() ? "" : "; ", what);
    return folder.write(file, text);
  };
  const auto urdf = write_urdf(robot.description());
  // MuJoCo's own format holds what it would refuse or leave out of a URDF
  if (urdf && request.engine != "mujoco") return written("a URDF", "given.urdf", *urdf);
  if (request.engine == "drake")
    if (const auto sdf = write_sdf(robot.description())) return written("an SDF", "given.sdf", *sdf);
  const auto mjcf = write_mjcf(robot.description());
  if (!mjcf && urdf) return written("a URDF", "given.urdf", *urdf);
  if (!mjcf) return mjcf.faults();
  return written("an MJCF", "given.xml", *mjcf);
}

}  // namespace

bool is_engine(const std::string& name) { return std::ranges::find(engines, name, &EngineRow::name) != engines.end(); }

Result<EngineRecord> run_engine(const EngineRequest& request, const Robot& robot, const WorkFolder& folder) {
  const Model<double>& model = robot.model();
  if (model.nq != model.nv)
    return engine_fault(request, "engine-robot",
                        "joints with several coordinates are not compared: each engine has its own",
                        "take a chain behind them: --base LINK");
  if (!folder.is_there())
    return engine_fault(request, "file-write", "no temporary folder can be made",
                        "set TMPDIR to a folder with free space");
  EngineRecord record;
  const auto script = folder.write("engine.py", engine_script());
  if (!script) return script.faults();
  const auto states = folder.write("states.csv", states_csv(model, request.states, request.seed));
  if (!states) return states.faults();
  record.file = folder.file("torques.csv");
  const std::string said = folder.file("said"), complaints = folder.file("complaints");
  const auto run = [&](const std::string& file) {
    return run_program({request.python, *script, request.engine, file, *states, record.file}, said, complaints,
                       patience_seconds);
  };
  const std::string own = own_format(request);
  std::optional<int> code = own.empty() ? refused : run(request.robot_file);
  // Drake knows few of the joints of an SDF, and we write those it knows
  if (own == "sdf" && code == refused)
    record.note = fmt::format("it does not take this file: {}", last_line_of(complaints));
  if (own.empty() || (own == "sdf" && code == refused)) {
    const auto file = written_for(request, robot, folder, record.note);
    if (!file) return file.faults();
    code = run(*file);
  }
  const auto row = std::ranges::find(engines, request.engine, &EngineRow::name);
  if (code == no_process)
    return engine_fault(request, "engine-python",
                        fmt::format("no process can be started: {}", std::generic_category().message(errno)),
                        "allow more processes (ulimit -u)");
  if (code == no_such_program)
    return engine_fault(request, "engine-python", fmt::format("\"{}\" cannot be run", printable(request.python)),
                        "install Python 3, or say where it is: --python PATH");
  if (code == not_installed)
    return engine_fault(
        request, "engine-missing",
        fmt::format("its package is not there for {}: {}", printable(request.python), last_line_of(complaints)),
        fmt::format("{} -m pip install {}", printable(request.python), row->package));
  if (!code)
    return engine_fault(request, "engine-failed", "it died, or had no answer after five minutes",
                        "try fewer --states, or the engine by itself");
  if (*code != 0)
    return engine_fault(request, "engine-refused",
                        fmt::format("it does not take this robot: {}", last_line_of(complaints)),
                        "try the engine by itself on this file");
  record.version = last_line_of(said);
  // what it did to the robot on its own account
  if (const std::string complaint = last_line_of(complaints); !complaint.empty())
    record.note += fmt::format("{}it says: {}", record.note.empty() ? "" : "; ", complaint);
  return record;
}

}  // namespace torsor
