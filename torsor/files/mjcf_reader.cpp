#include "torsor/files/mjcf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "torsor/files/loop_drives.hpp"
#include "torsor/files/mjcf_described.hpp"
#include "torsor/model/check.hpp"
#include "torsor/text/fault_log.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

Faults first_hundred(const Faults& all) {
  FaultLog log;
  for (const Fault& each : all) log.add(each);
  return log.faults();
}

constexpr std::size_t most_loops = 300;  // their equations are dense

/// Joints that an actuator drives, by itself or through a tendon.
std::unordered_set<std::string> driven_joints(const detail::MjcfModel& model) {
  std::unordered_set<std::string> driven;
  for (const detail::MjcfActuator& a : model.actuators) {
    if (a.gear == 0) continue;
    if (!a.joint.empty()) driven.insert(a.joint);
    for (const detail::MjcfTendon& tendon : model.tendons)
      if (!a.tendon.empty() && tendon.name == a.tendon)
        for (const auto& [joint, coefficient] : tendon.joints)
          if (coefficient != 0) driven.insert(joint);
  }
  return driven;
}

/// The loops as those of a robot, closed near where the file puts its joints.
void close(const detail::MjcfLoops& loops, const std::unordered_set<std::string>& driven, Description& robot) {
  if (loops.closings.empty()) return;
  for (const detail::MjcfClosing& each : loops.closings) {
    LoopDescription& loop = robot.loops.emplace_back();
    loop.name = each.name;
    loop.kind = each.rigid ? MechanismJointKind::fixed : MechanismJointKind::spherical;
    loop.links = {each.one, each.two};
    loop.X_link_loop = {each.X_one, each.X_two};
    loop.where = each.where;
  }
  for (LinkDescription& link : robot.links)
    if (const auto start = loops.start.find(link.joint_name);
        start != loops.start.end() && row(link.kind).nv == 1 && !link.mimic)
      link.start = start->second.front();
  // armature alone is no motor
  detail::name_driven(driven, robot);
}

}  // namespace

Result<Description> read_mjcf(std::string_view text, const std::string& file, const LoadOptions& options) {
  return detail::read_mjcf_tree(text, file, detail::read_plain_file, options, nullptr);
}

Result<Description> read_mjcf(std::string_view text, const std::string& file,
                              const std::function<Result<std::string>(const std::string& path)>& read) {
  return detail::read_mjcf_tree(text, file, read, {}, nullptr);
}

Result<std::string> detail::read_plain_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return Fault{{path, 0}, "", "file-read", "there is no such file", "give a file that can be read"};
  return read_text_file(path);
}

Result<Description> detail::read_mjcf_tree(std::string_view text, const std::string& file,
                                           const std::function<Result<std::string>(const std::string& path)>& read,
                                           const LoadOptions& options, MjcfLoops* loops) {
  std::vector<std::string> roots = options.package_folders;
  for (const auto& [name, folder] : options.packages) roots.push_back(folder);
  detail::MjcfDocument document(file, read, std::move(roots));
  if (!document.parse(text)) return document.errors();
  Faults errors, notes;
  const detail::MjcfModel model = detail::read_mjcf_model(document, {}, errors, notes);
  if (!loops && model.loops.size() > most_loops)
    errors.push_back({model.loops[most_loops].where, "equality", "loop",
                      fmt::format("{} loops are closed, and a robot has at most {}", model.loops.size(), most_loops),
                      "leave them out for the open tree (active=\"false\"), or load the file as a mechanism"});
  if (!errors.empty()) return first_hundred(errors);
  if (model.bodies.empty())
    return Fault{{file, document.root().xml->line},
                 "mujoco",
                 "robot-empty",
                 "it has no bodies",
                 "give at least one <body> in <worldbody>"};
  MjcfLoops own;
  Description robot = detail::describe_mjcf(model, errors, notes, loops ? loops : &own);
  robot.file = file;
  robot.where = {file, document.root().xml->line};
  if (robot.name.empty()) robot.name = std::filesystem::path(file).stem().string();
  if (!loops) close(own, driven_joints(model), robot);
  std::vector<int> parents;
  for (Fault& error : check_structure(robot, parents)) errors.push_back(std::move(error));
  if (!errors.empty()) return first_hundred(errors);
  robot.notes = std::move(notes);
  return robot;
}

}  // namespace torsor
