#include "cli/studio_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/mechanism_argument.hpp"
#include "cli/studio_loops.hpp"
#include "torsor/reduction/reduced_model.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/control.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/loops_of_mjcf.hpp"
#include "torsor/files/loops_of_sdf.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_things = 12, most_files = 400, most_dropped = 500, longest_text = 400'000;

constexpr std::array<std::string_view, 7> endings{".toml", ".urdf", ".xacro", ".xml", ".mjcf", ".sdf", ".world"};

bool is_below(const fs::path& path, const fs::path& root) {
  const auto [at, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return at == root.end();
}

/// The bytes that a text of base64 stands for.
std::string bytes_of_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int v = c >= 'A' && c <= 'Z'   ? c - 'A'
                  : c >= 'a' && c <= 'z' ? c - 'a' + 26
                  : c >= '0' && c <= '9' ? c - '0' + 52
                  : c == '+'             ? 62
                  : c == '/'             ? 63
                                         : -1;
    if (v < 0) refuse_call("base64", "call-field", "it is not base64");
    bits = bits << 6U | static_cast<unsigned>(v);
    if ((count += 6) >= 8) out += static_cast<char>(bits >> static_cast<unsigned>(count -= 8) & 0xffU);
  }
  return out;
}

/// A relative path of plain names; refused are others.
fs::path plain_path(const std::string& name) {
  fs::path path(name);
  bool plain = !name.empty() && name.size() < 400 && path.is_relative();
  int depth = 0;
  for (const fs::path& part : path) {
    const std::string word = part.string();
    plain =
        plain && !word.empty() && word != ".." && word != "." && word.find('\0') == std::string::npos && ++depth < 16;
  }
  if (!plain) refuse_call(name, "file-name", "it is not the name of a file in a folder that was dropped");
  return path;
}

/// An SDF or MJCF whose loops no robot has, as a mechanism that can move; or none.
std::optional<Mechanism> mechanism_of_loops_in(const std::string& file, const LoadOptions& load) {
  const auto text = file.empty() ? Result<std::string>(std::string()) : read_text_file(file);
  if (!text) return std::nullopt;
  auto found = text->find("<mujoco") != std::string::npos ? read_mjcf_mechanism(*text, file)
               : text->find("<sdf") != std::string::npos  ? read_sdf_mechanism(*text, file, load)
                                                          : Result<MechanismDescription>(Faults{{}});
  if (!found) return std::nullopt;
  auto built = build(*found);
  if (!built) return std::nullopt;
  MechanismState state = described_state(*built);
  if (!start_simulated(*built, state).empty()) return std::nullopt;
  return *std::move(built);
}

bool is_mechanism_file(const std::string& path) {
  const auto text = path.ends_with(".toml") ? read_text_file(path) : Result<std::string>(std::string());
  return text && kind_of_file(*text) == FileKind::mechanism;
}

}  // namespace

HttpAnswer StudioSession::call(const std::string& body) {
  const auto refused = [](const Faults& faults) {
    StudioAnswer out;
    out.json.begin_object();
    write_faults(out.json, "faults", faults);
    out.json.end_object();
    return out.finish();
  };
  try {
    const auto value = parse_json(body, "call");
    if (!value) return refused(value.faults());
    StudioAnswer out;
    out.json.begin_object();
    answer(StudioRequest(*value), out);
    out.json.end_object();
    return out.finish();
  } catch (const Error& error) {
    return refused(error.faults());
  } catch (const std::exception& error) {
    return refused({{{}, "call", "system", error.what(), ""}});
  }
}

void StudioSession::answer(const StudioRequest& in, StudioAnswer& out) {
  const std::string call = in.text("call");
  if (call == "catalogue") return catalogue(out);
  if (call == "open") return open(in, out);
  if (call == "look") return jobs_.look(in.whole("job", 1, 1 << 30), out);
  if (call == "cancel") return jobs_.cancel(in.whole("job", 1, 1 << 30));
  const std::shared_ptr<Thing> held = thing(in);
  if (call == "start") {
    out.json.field("job",
                   jobs_.start(in.text("question"), held->subject, in.text_or("motion", ""), in.text_or("drives", "")));
    return;
  }
  const std::scoped_lock lock(held->mutex);
  struct RobotCall {
    std::string_view name;
    void (StudioRobot::*run)(const StudioRequest&, StudioAnswer&);
  };
  constexpr RobotCall robot_calls[] = {
      {"state", &StudioRobot::state},   {"worked_example", &StudioRobot::worked_example},
      {"solve", &StudioRobot::solve},   {"motion", &StudioRobot::motion},
      {"drives", &StudioRobot::drives}, {"motion_file", &StudioRobot::motion_file},
      {"cloud", &StudioRobot::cloud},   {"check_run", &StudioRobot::check_run},
      {"begin_run", &StudioRobot::begin_run}, {"go_on", &StudioRobot::go_on}};
  struct MechanismCall {
    std::string_view name;
    void (StudioMechanism::*run)(const StudioRequest&, StudioAnswer&);
  };
  constexpr MechanismCall mechanism_calls[] = {{"run", &StudioMechanism::run},
                                               {"drive", &StudioMechanism::drive},
                                               {"modes", &StudioMechanism::modes},
                                               {"reach", &StudioMechanism::reach},
                                               {"assemblies", &StudioMechanism::assemblies},
                                               {"place", &StudioMechanism::place}};
  if (held->robot) {
    if (call == "shapes") return held->robot->shapes(held->file, held->load, out);
    for (const RobotCall& each : robot_calls)
      if (each.name == call) return (*held->robot.*each.run)(in, out);
  } else {
    for (const MechanismCall& each : mechanism_calls)
      if (each.name == call) return (*held->mechanism.*each.run)(in, out);
  }
  refuse_call(call, "call-unknown", fmt::format("there is no such call of a {}", held->robot ? "robot" : "mechanism"));
}

std::shared_ptr<StudioSession::Thing> StudioSession::thing(const StudioRequest& in) {
  const int id = in.whole("id", 0, 1 << 30);
  const std::scoped_lock lock(mutex_);
  const auto found = things_.find(id);
  if (found == things_.end())
    refuse_call(fmt::format("id {}", id), "thing-unknown", "nothing is open under this number", "open it again");
  return found->second;
}

void StudioSession::catalogue(StudioAnswer& out) {
  JsonWriter& json = out.json;
  json.field("version", TORSOR_VERSION).field("file", rules_.file);
  const auto write_robot = [&json](std::string_view name, const Robot& robot) {
    json.begin_object().field("name", name).field("title", robot.name());
    json.field("joints", joints_of(robot) + (robot.loops() ? " in loops" : ""));
    json.field("source", robot.description().source).end_object();
  };
  json.key("robots").begin_array();
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const auto robot = Robot::try_load(std::string(embedded.name));
    if (robot) write_robot(embedded.name, *robot);
  }
  for (const std::string& name : Robot::names_with_loops())
    if (const auto robot = Robot::try_load(name)) write_robot(name, *robot);
  json.end_array().key("mechanisms").begin_array();
  for (const EmbeddedFile& embedded : embedded_mechanisms()) {
    const auto mechanism = load_mechanism(std::string(embedded.name));
    if (!mechanism) continue;
    json.begin_object()
        .field("name", embedded.name)
        .field("title", mechanism->name)
        .field("source", mechanism->source)
        .end_object();
  }
  json.end_array().key("laws").begin_array();
  for (const ControlLawRow& row : control_laws())
    json.begin_object().field("name", row.name).field("title", row.title).field("source", row.source).end_object();
  json.end_array();
  files_below(out);
}

void StudioSession::files_below(StudioAnswer& out) const {
  std::vector<std::string> found;
  for (const fs::path& root : rules_.roots) {
    std::error_code error;
    fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error), end;
    for (std::size_t seen = 0; !error && it != end && found.size() < most_files && seen < 20000;
         it.increment(error), ++seen) {
      if (it->path().filename().string().starts_with('.')) {
        if (it->is_directory(error)) it.disable_recursion_pending();
        continue;
      }
      const std::string ending = it->path().extension().string();
      if (std::ranges::find(endings, ending) != endings.end() && it->is_regular_file(error))
        found.push_back(it->path().string());
    }
  }
  std::ranges::sort(found);
  out.json.key("files").value(std::span<const std::string>(found));
}

std::string StudioSession::allowed(const std::string& given) const {
  if (given == rules_.file && !given.empty()) return given;
  std::error_code error;
  const fs::path path = fs::canonical(given, error);
  const bool inside =
      !error && std::ranges::any_of(rules_.roots, [&](const fs::path& root) { return is_below(path, root); });
  // whether a file is there is nobody's business outside of the folders
  if (!inside || !fs::is_regular_file(path, error))
    refuse_call(given, "file-outside", "it is no file below the folders that were given",
                "start the Studio with --root DIR");
  return path.string();
}

std::string StudioSession::keep_dropped(const StudioRequest& in, Thing& thing) const {
  thing.folder = std::make_unique<WorkFolder>();
  if (!thing.folder->is_there())
    refuse_call("open", "file-write", "no temporary folder can be made", "set TMPDIR to a folder with free space");
  const fs::path top = fs::path(thing.folder->file(""));
  const std::vector<StudioRequest> files = in.items("files");
  if (files.empty() || files.size() > most_dropped)
    refuse_call("files", "call-field", fmt::format("there are 1 to {} of them", most_dropped));
  for (const StudioRequest& file : files) {
    const fs::path path = plain_path(file.text("name"));
    std::error_code error;
    fs::create_directories((top / path).parent_path(), error);
    const auto written = thing.folder->write(
        path.string(), file.has("base64") ? bytes_of_base64(file.text("base64")) : file.text("text"));
    if (!written) throw_error(written.faults());
  }
  thing.load.package_folders = {top.string()};
  return (top / plain_path(in.text("main"))).string();
}

void StudioSession::open(const StudioRequest& in, StudioAnswer& out) {
  auto thing = std::make_shared<Thing>();
  bool mechanism = false;
  if (in.has("name")) {
    thing->subject = in.text("name");
    const auto is_named = [&](const EmbeddedFile& f) { return f.name == thing->subject; };
    mechanism = std::ranges::any_of(embedded_mechanisms(), is_named);
    const std::vector<std::string> loops = Robot::names_with_loops();
    if (!mechanism && std::ranges::none_of(embedded_robots(), is_named) &&
        std::ranges::find(loops, thing->subject) == loops.end())
      refuse_call(thing->subject, "robot-unknown", "no robot or mechanism of this name is built in");
  } else {
    thing->subject = thing->file = in.has("path") ? allowed(in.text("path")) : keep_dropped(in, *thing);
    mechanism = is_mechanism_file(thing->file);
  }
  // faults have lines: the text stands beside them, whatever becomes of it
  if (!thing->file.empty())
    if (const auto text = read_text_file(thing->file); text && text->size() <= longest_text)
      out.json.field("text", *text);
  Faults faults;
  if (mechanism) {
    const auto read = load_mechanism(thing->subject);
    const auto built = read ? build(*read) : Result<Mechanism>(read.faults());
    if (built)
      thing->mechanism = std::make_unique<StudioMechanism>(*built);
    else
      faults = built.faults();
  } else {
    const auto robot = Robot::try_load(thing->subject, thing->load);
    if (!robot) {
      faults = robot.faults();
      const bool of_loops = std::ranges::any_of(faults, [](const Fault& f) { return f.rule.starts_with("loop"); });
      if (auto closed = of_loops ? mechanism_of_loops_in(thing->file, thing->load) : std::nullopt) {
        thing->mechanism = std::make_unique<StudioMechanism>(*std::move(closed));
        faults.clear();
      }
    } else if (!robot->loops())
      thing->robot = std::make_unique<StudioRobot>(*robot, thing->subject, in.text_or("tool", ""));
    else if (const auto loops = mechanism_of_loops(*robot); !loops)
      faults = loops.faults();
    else if (const auto built = build(loops->mechanism); !built)
      faults = built.faults();
    else
      thing->mechanism = std::make_unique<StudioMechanism>(*built, loops->ranges, loops->hidden, *robot);
  }
  // what was dropped has its own names, not those of our folder
  const auto plain = [&](Faults list) {
    for (Fault& f : list)
      if (thing->folder)
        for (std::string* text : {&f.where.file, &f.what, &f.remedy})
          for (std::size_t at; (at = text->find(thing->folder->file(""))) != std::string::npos;)
            text->erase(at, thing->folder->file("").size());
    return list;
  };
  if (!faults.empty()) {
    write_faults(out.json, "faults", plain(std::move(faults)));
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    things_[++last_] = thing;
    if (things_.size() > most_things) things_.erase(things_.begin());
    out.json.field("id", last_);
  }
  out.json.field("subject", in.has("name") || in.has("path") ? thing->subject : in.text("main"));
  const std::scoped_lock lock(thing->mutex);
  if (thing->robot)
    thing->robot->describe(out);
  else
    thing->mechanism->describe(out);
}

}  // namespace torsor
