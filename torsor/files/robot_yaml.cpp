#include "torsor/files/robot_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_set>

#include "torsor/files/load_robot.hpp"
#include "torsor/files/loop_drives.hpp"
#include "torsor/files/yaml_subset.hpp"
#include "torsor/model/check.hpp"
#include "torsor/text/column_heading.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

using detail::XacroDict;
using detail::XacroList;
using detail::XacroValue;

constexpr std::array<std::string_view, 5> loop_file_keys = {"closed_loop", "type", "name_mot", "joint_name",
                                                            "joint_type"};

class LoopFileReader {
 public:
  LoopFileReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Result<Description> run(const LoadOptions& options) {
    const auto content = parse();
    if (!content) return std::move(errors_);
    const auto urdf = find_urdf();
    if (!urdf) return std::move(errors_);
    Result<Description> tree = load_robot(*urdf, options);
    if (!tree) return tree;
    robot_ = *std::move(tree);
    robot_.file = file_;
    std::erase_if(robot_.notes, [](const Fault& note) { return note.rule == "loops-beside"; });
    // the lines are those of the URDF
    for (LinkDescription& link : robot_.links)
      for (Where* where : {&link.where, &link.geometry_where, &link.limits_where}) name_file(*where, *urdf);
    close(*content);
    change_joints(*content);
    name_motors(*content);
    if (!errors_.empty()) return std::move(errors_);
    std::vector<int> parents;
    if (Faults faults = check_structure(robot_, parents); !faults.empty()) return faults;
    return std::move(robot_);
  }

 private:
  std::string_view text_;
  std::string file_;
  Description robot_;
  Faults errors_;

  static void name_file(Where& where, const std::string& file) {
    if (where.file.empty()) where.file = file;
  }

  void fault(std::string_view key, std::string offender, std::string rule, std::string what, std::string remedy) {
    errors_.push_back({where(key), std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  /// The line on which a key of the file's map stands.
  Where where(std::string_view key) const {
    int line = 1;
    for (std::size_t at = 0; at < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (!key.empty() && text_.substr(at, end - at).starts_with(key)) return {file_, line};
      at = end + 1;
    }
    return {file_, 0};
  }

  std::optional<XacroDict> parse() {
    try {
      const XacroValue value = detail::read_yaml(text_, [](const std::string& code) -> double {
        throw detail::XacroError(fmt::format("\"{}\" is a number with a unit, and none is wanted", excerpt(code)), "");
      });
      const auto* map = value.as<XacroDict>();
      if (!map) {
        fault("", "", "yaml-form", "it is no map of keys", "give closed_loop, type and name_mot");
        return std::nullopt;
      }
      // what is not understood may change the robot
      for (const auto& [key, entry] : *map->pairs) {
        const std::string name = detail::to_text(key);
        if (std::ranges::find(loop_file_keys, name) == loop_file_keys.end()) {
          const std::vector<std::string_view> known(loop_file_keys.begin(), loop_file_keys.end());
          const std::string hint = did_you_mean(name, known);
          fault(name, fmt::format("\"{}\"", excerpt(name)), "yaml-key", "nothing is known of this key",
                hint.empty() ? fmt::format("known are {}", fmt::join(loop_file_keys, ", ")) : hint);
        }
      }
      if (!errors_.empty()) return std::nullopt;
      return *map;
    } catch (const detail::XacroError& error) {
      errors_.push_back({{file_, 0}, "", "yaml", error.what(), error.remedy});
      return std::nullopt;
    }
  }

  std::optional<std::string> find_urdf() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::path same = fs::path(file_).replace_extension(".urdf");
    if (fs::is_regular_file(same, ignored)) return same.string();
    std::vector<std::string> found;
    const fs::path folder = fs::path(file_).has_parent_path() ? fs::path(file_).parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".urdf") found.push_back(entry.path().string());
    if (found.size() == 1) return found.front();
    fault("", "", "yaml-urdf",
          found.empty() ? fmt::format("there is no URDF beside it whose loops it could close")
                        : fmt::format("there are {} URDF beside it", found.size()),
          fmt::format("put {} into its folder, or one URDF alone", same.filename().string()));
    return std::nullopt;
  }

  /// The entries of a list of words; none where the key is not there.
  std::vector<std::string> words(const XacroDict& content, std::string_view key, bool wanted) {
    const XacroValue* value = find_key(content, XacroValue(key));
    if (!value) {
      if (wanted)
        fault("", fmt::format("\"{}\"", key), "yaml-key-missing", "it is missing", fmt::format("write {}: [...]", key));
      return {};
    }
    return words_of(*value, key);
  }

  std::vector<std::string> words_of(const XacroValue& value, std::string_view key) {
    const auto* list = value.as<XacroList>();
    std::vector<std::string> out;
    bool good = list != nullptr;
    if (list)
      for (const XacroValue& each : *list->items) {
        const auto* word = each.as<std::string>();
        good = good && word;
        out.push_back(word ? *word : "");
      }
    if (!good)
      fault(key, fmt::format("\"{}\"", key), "yaml-list", "it is no list of names",
            fmt::format("write {}: [a, b]", key));
    return good ? out : std::vector<std::string>{};
  }

  LinkDescription* joint_named(const std::string& name) {
    const auto found = std::ranges::find(robot_.links, name, &LinkDescription::joint_name);
    return found == robot_.links.end() ? nullptr : &*found;
  }

  /// A link, or the link that the joint of that name carries; empty after a fault.
  std::string link_of_frame(const std::string& name) {
    if (name == robot_.base_name || std::ranges::find(robot_.links, name, &LinkDescription::name) != robot_.links.end())
      return name;
    if (const LinkDescription* joint = joint_named(name)) return joint->name;
    fault("closed_loop", fmt::format("frame \"{}\"", excerpt(name)), "loop-link",
          "the URDF has no link or joint of this name", "name two links, or joints, for their child links");
    return "";
  }

  void change_joints(const XacroDict& content) {
    const std::vector<std::string> names = words(content, "joint_name", false),
                                   types = words(content, "joint_type", false);
    if (names.size() != types.size())
      return fault("joint_type", "\"joint_type\"", "yaml-list",
                   fmt::format("it has {} entries, and joint_name {}", types.size(), names.size()),
                   "give one type for each joint");
    for (std::size_t k = 0; k < names.size(); ++k) {
      LinkDescription* link = joint_named(names[k]);
      if (!link) {
        fault("joint_name", fmt::format("joint \"{}\"", excerpt(names[k])), "loop-joint", "the URDF has no such joint",
              "name joints of the URDF");
        continue;
      }
      if (types[k] != "SPHERICAL" && types[k] != "UJOINT_XY" && types[k] != "FIXED") {
        fault("joint_type", fmt::format("joint \"{}\"", names[k]), "joint-kind",
              fmt::format("unknown type \"{}\"", excerpt(types[k])), "known are SPHERICAL, UJOINT_XY, FIXED");
        continue;
      }
      // what the URDF says of the joint was said of another one
      link->limits = {};
      link->friction.reset(), link->rotor.reset(), link->mimic.reset();
      if (types[k] == "FIXED") {
        link->kind = JointKind::fixed;
      } else if (types[k] == "SPHERICAL") {
        link->kind = JointKind::spherical;
      } else {
        link->kind = JointKind::revolute;
        auto& place = std::get<JointPlacement>(link->geometry);
        LinkDescription cross;
        cross.name = unused_link(link->joint_name + "_cross");
        cross.joint_name = link->joint_name + "_x";
        cross.parent = link->parent;
        cross.kind = JointKind::revolute;
        cross.geometry = JointPlacement{place.X_parent_joint, {1, 0, 0}};
        cross.where = link->where, cross.geometry_where = link->geometry_where;
        place = {{}, {0, 1, 0}};
        link->parent = cross.name;
        link->joint_name += "_y";
        robot_.links.insert(robot_.links.begin() + (link - robot_.links.data()), std::move(cross));
      }
    }
  }

  std::string unused_link(std::string name) const {
    while (std::ranges::find(robot_.links, name, &LinkDescription::name) != robot_.links.end()) name += '_';
    return name;
  }

  void close(const XacroDict& content) {
    const std::vector<std::string> types = words(content, "type", true);
    const XacroValue* pairs = find_key(content, XacroValue("closed_loop"));
    const auto* loops = pairs ? pairs->as<XacroList>() : nullptr;
    if (!loops)
      return fault("", "\"closed_loop\"", "yaml-key-missing", "it is missing, or no list",
                   "write closed_loop: [[frame, frame], ...]");
    if (types.size() != loops->items->size())
      return fault("type", "\"type\"", "yaml-list",
                   fmt::format("it has {} entries, and closed_loop {}", types.size(), loops->items->size()),
                   "give 6d or 3d for each loop");
    std::unordered_set<std::string> names;
    for (std::size_t k = 0; k < types.size(); ++k) {
      const std::vector<std::string> frames = words_of((*loops->items)[k], "closed_loop");
      const std::string type = lower_case(types[k]);
      if (frames.size() != 2) {
        fault("closed_loop", fmt::format("loop {}", k + 1), "yaml-list", "it does not name two frames",
              "write closed_loop: [[frame, frame], ...]");
        continue;
      }
      if (type != "6d" && type != "3d")
        fault("type", fmt::format("loop {}", k + 1), "loop-kind", fmt::format("unknown type \"{}\"", excerpt(types[k])),
              "write 6d for frames that meet in pose, 3d for points that meet");
      LoopDescription loop;
      loop.name = frames[0] + " = " + frames[1];
      while (!names.insert(loop.name).second) loop.name += '_';
      loop.kind = type == "6d" ? MechanismJointKind::fixed : MechanismJointKind::spherical;
      loop.links = {link_of_frame(frames[0]), link_of_frame(frames[1])};
      loop.where = where("closed_loop");
      robot_.loops.push_back(std::move(loop));
    }
  }

  void name_motors(const XacroDict& content) {
    const std::vector<std::string> motors = words(content, "name_mot", true);
    for (const std::string& motor : motors)
      if (!joint_named(motor))
        fault("name_mot", fmt::format("joint \"{}\"", excerpt(motor)), "loop-joint", "the robot has no such joint",
              "name joints of the URDF");
    detail::name_driven({motors.begin(), motors.end()}, robot_);
  }
};

}  // namespace

Result<Description> read_robot_yaml(std::string_view text, const std::string& file, const LoadOptions& options) {
  return LoopFileReader(text, file).run(options);
}

Faults loops_beside(const std::string& urdf) {
  namespace fs = std::filesystem;
  const fs::path beside = fs::path(urdf).parent_path() / "robot.yaml";
  std::error_code ignored;
  if (!fs::is_regular_file(beside, ignored)) return {};
  const Result<std::string> text = read_text_file(beside.string());
  if (!text || text->find("closed_loop") == std::string::npos) return {};
  return {{{urdf, 0},
           "",
           "loops-beside",
           "robot.yaml beside it closes loops: they are not in this robot",
           fmt::format("take the robot with its loops from {}", beside.string()),
           Severity::note}};
}

}  // namespace torsor
