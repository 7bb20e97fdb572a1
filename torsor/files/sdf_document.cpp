// The models of an SDF with those it includes in their places. An included model is read with the version of its own
// file; `merge` puts its parts beside those of the model that includes it, and a frame in place of its own.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "torsor/files/mjcf_document.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/files/sdf_element.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor::detail {
namespace {

// files that include each other twice would grow without end
constexpr int most_includes = 1000;
constexpr std::size_t most_nested_includes = 16;
constexpr int oldest_minor = 3, newest_minor = 12;

class SdfReader {
 public:
  SdfReader(const OpenUri& open_uri, Faults& faults, Faults& passed_over)
      : open(open_uri), errors(faults), notes(passed_over) {}

  SdfDocument run(std::string_view text, const std::string& path) {
    SdfDocument document;
    document.world.is_world = true;
    Result<XmlElement> xml = parse_xml(text, path);
    if (!xml)
      errors = xml.faults();
    else
      read_root(*xml, path, document);
    for (SdfFile& file : files) {
      if (file.log.count() > 0) append(errors, file.log.faults());
      for (Fault& note : file.log.notes()) {
        // whoever computes torques should see it, not only who checks the file
        if (note.rule == "gravity-unused" || note.rule == "decay-unused" || note.rule == "kinematic-unused")
          note.severity = Severity::warning;
        notes.push_back(std::move(note));
      }
    }
    return document;
  }

 private:
  const OpenUri& open;
  Faults& errors;
  Faults& notes;
  std::deque<SdfFile> files;
  std::vector<std::string> path_to_here;
  int includes = 0;

  static void append(Faults& to, const Faults& from) { to.insert(to.end(), from.begin(), from.end()); }

  void read_root(const XmlElement& xml, const std::string& path, SdfDocument& document) {
    SdfFile& file = files.emplace_back(SdfFile{UrdfLog(path), 0});
    UrdfElement root(xml, "sdf", file.log);
    if (xml.name != "sdf" && xml.name != "gazebo")
      return root.fault("", "root-element", "the root element is not <sdf>", "give an SDF file");
    if (!read_version(root, file)) return;
    path_to_here.push_back(path);
    document.world.where = root.where();
    int worlds = 0;
    root.children("world", [&](UrdfElement& e) {
      if (++worlds > 1)
        return e.fault("", "several-worlds", "the file has another world already", "give one <world> per file");
      read_world(e, file, document);
    });
    root.children("model", [&](UrdfElement& e) { document.world.models.push_back(read_model(e, file)); });
    root.children("include", [&](UrdfElement& e) { include(e, file, document.world); });
    pass_over(root, {"actor", "light"});
    if (document.world.models.empty() && worlds == 0)
      root.fault("", "robot-empty", "it has no <model>", "give a <model> with at least one <link>");
    root.finish();
    path_to_here.pop_back();
  }

  static bool read_version(UrdfElement& root, SdfFile& file) {
    const auto version = root.text("version");
    if (!version)
      return root.missing_attribute("version", "write version=\"1.11\", or the version that it is"), false;
    for (int minor = oldest_minor; minor <= newest_minor; ++minor)
      if (*version == fmt::format("1.{}", minor)) file.minor = minor;
    if (file.minor > 0) return true;
    const bool old = *version == "1.0" || *version == "1.1" || *version == "1.2";
    root.fault("version", "sdf-version", fmt::format("it is \"{}\"", excerpt(*version)),
               old ? "versions before 1.3 are too old: let Gazebo write a later one, gz sdf -p FILE"
                   : fmt::format("write 1.{} to 1.{}, the versions there are", oldest_minor, newest_minor));
    return false;
  }

  void read_world(UrdfElement& e, SdfFile& file, SdfDocument& document) {
    SdfModel& world = document.world;
    if (e.has("name")) world.name = e.name("name", "robot-name");
    // what the format takes where a world says nothing
    document.gravity = Vec3<double>{0, 0, -9.8};
    const auto read_gravity = [&](UrdfElement& gravity) {
      if (const auto n = content_numbers(gravity, 3)) document.gravity = Vec3<double>{(*n)[0], (*n)[1], (*n)[2]};
    };
    // 1.5 and before had it among the settings of the engine
    e.children("physics", [&](UrdfElement& physics) {
      physics.child("gravity", read_gravity);
      physics.leave_rest();
    });
    e.child("gravity", read_gravity);
    e.children("model", [&](UrdfElement& model) { world.models.push_back(read_model(model, file)); });
    read_parts(e, file, world);
    e.child("wind", [&](UrdfElement& wind) {
      wind.child("linear_velocity", [&](UrdfElement& speed) {
        const auto n = content_numbers(speed, 3);
        if (n && std::ranges::any_of(*n, [](double x) { return x != 0; }))
          speed.note("wind-unused", "wind is not computed");
      });
    });
    e.children("population", [&](UrdfElement& population) {
      population.fault("", "element-refused", "a population of models is not read",
                       "write out its models, or leave it out");
      population.leave_rest();
    });
    pass_over(e, {"light", "actor", "scene", "gui", "state", "audio", "road", "spherical_coordinates", "atmosphere",
                  "magnetic_field", "plugin"});
  }

  /// What models and worlds both may have.
  void read_parts(UrdfElement& e, SdfFile& file, SdfModel& model) {
    e.children("frame", [&](UrdfElement& each) { model.frames.push_back(read_frame(each, file)); });
    e.children("joint", [&](UrdfElement& each) { model.joints.push_back(read_sdf_joint(each, file)); });
    e.children("include", [&](UrdfElement& each) { include(each, file, model); });
  }

  static SdfFrame read_frame(UrdfElement& e, const SdfFile& file) {
    SdfFrame frame;
    frame.where = e.where();
    frame.name = e.name("name", "tool-name");
    if (!frame.name.empty()) e.rename("frame \"" + frame.name + '"');
    if (e.has("torsor:name")) frame.shown = e.name("torsor:name", "tool-name");
    frame.attached_to = e.text("attached_to").value_or("");
    frame.pose = read_sdf_pose(e, file);
    e.refuse_unread({"attach", "pose", "relative", "origin"}, "write attached_to=\"...\" and <pose>");
    return frame;
  }

  SdfModel read_model(UrdfElement& e, SdfFile& file) {
    SdfModel model;
    model.where = e.where();
    model.name = e.name("name", "robot-name");
    if (!model.name.empty()) e.rename("model \"" + model.name + '"');
    model.canonical_link = e.text("canonical_link").value_or("");
    model.placement_frame = e.text("placement_frame").value_or("");
    model.pose = read_sdf_pose(e, file);
    model.is_static = sdf_flag(e, "static", false);
    e.children("link", [&](UrdfElement& each) { model.links.push_back(read_sdf_link(each, file)); });
    e.children("model", [&](UrdfElement& each) { model.models.push_back(read_model(each, file)); });
    read_parts(e, file, model);
    model.tool = sdf_word(e, "torsor:tool");
    for (const char* name : {"drake:joint", "drake:linear_bushing_rpy", "drake:ball_constraint",
                             "drake:distance_constraint", "drake:tendon_constraint", "drake:weld_constraint"})
      e.children(name, [&](UrdfElement& each) {
        each.fault("", "element-refused", fmt::format("<{}> makes joints or forces that are not read", name),
                   "leave it out");
        each.leave_rest();
      });
    for (const char* name : {"self_collide", "allow_auto_disable", "enable_wind", "drake:collision_filter_group"})
      e.leave(name);
    pass_over(e, {"plugin", "gripper", "sensor"});
    e.refuse_unread(
        {"pose", "origin", "link", "joint", "frame", "model", "include", "static", "placement", "canonical", "gravity"},
        "write <pose>, <static>, <link>, <joint>, <frame>, <model> and <include>");
    return model;
  }

  void include(UrdfElement& e, SdfFile& file, SdfModel& into) {
    const std::string uri = sdf_word(e, "uri"), name = sdf_word(e, "name");
    const SdfPose pose = read_sdf_pose(e, file);
    const std::string placement = sdf_word(e, "placement_frame");
    std::optional<bool> is_static;
    e.child("static", [&](UrdfElement& flag) { is_static = content_flag(flag, false); });
    const bool merge = read_bool(e, "merge", false);
    pass_over(e, {"plugin"});
    e.children("experimental:params", [&](UrdfElement& params) {
      params.fault("", "element-refused", "changes of the included model are not read",
                   "write the changed model into a file of its own");
      params.leave_rest();
    });
    e.refuse_unread({"uri", "name", "pose", "static", "placement", "merge"},
                    "write <uri>, <name>, <pose>, <placement_frame> and <static>");
    if (uri.empty()) return e.missing_element("uri", "write <uri>model://NAME</uri>, or the name of a file");
    std::optional<SdfModel> model = read_included(e, uri);
    if (!model) return;
    if (!name.empty()) model->name = name;
    if (e.xml().child("pose")) model->pose = pose;
    if (!placement.empty()) {
      if (!e.xml().child("pose"))
        return e.fault("", "placement-pose", "there is a placement_frame, and no pose of it",
                       "give the <pose> of that frame");
      model->placement_frame = placement;
    }
    if (is_static) model->is_static = *is_static;
    model->where = e.where();
    if (!merge)
      into.models.push_back(*std::move(model));
    else if (into.is_world)
      e.fault("merge", "include-merge", "a model is merged into a world",
              "merge it into a <model>, or leave out merge");
    else
      splice(*std::move(model), into, e);
  }

  /// The one model of another file; an SDF, or a URDF or MJCF as Drake and Gazebo take them.
  std::optional<SdfModel> read_included(UrdfElement& e, const std::string& uri) {
    const auto refuse = [&](std::string_view rule, std::string what, std::string remedy) {
      e.fault("", rule, fmt::format("\"{}\": {}", excerpt(uri, 200), what), std::move(remedy));
      return std::nullopt;
    };
    if (++includes > most_includes)
      return refuse("include-count", fmt::format("there are more than {} includes", most_includes),
                    "include fewer files");
    const Result<SdfText> found = open(uri, path_to_here.back());
    if (!found) return refuse(found.faults().front().rule, found.faults().front().what, found.faults().front().remedy);
    if (std::ranges::find(path_to_here, found->path) != path_to_here.end() ||
        path_to_here.size() > most_nested_includes)
      return refuse("include-cycle", "it includes itself, or includes others too deeply",
                    "a model cannot be a part of itself");
    Result<XmlElement> xml = parse_xml(found->text, found->path);
    if (!xml) {
      append(errors, xml.faults());
      return std::nullopt;
    }
    if (xml->name == "robot" || xml->name == "mujoco") {
      const auto no_files = [](const std::string& path) -> Result<std::string> {
        return Fault{{path, 0}, "", "file-read", "files of an included MJCF are not read", "write it as one file"};
      };
      const Result<Description> robot =
          xml->name == "robot" ? read_urdf(*xml, found->path) : read_mjcf(found->text, found->path, no_files);
      if (robot) return sdf_model_of(*robot, errors);
      append(errors, robot.faults());
      return std::nullopt;
    }
    SdfDocument inner;
    read_root(*xml, found->path, inner);
    if (inner.gravity || inner.world.models.size() != 1)
      return refuse("include-model",
                    fmt::format("it holds {}, and one model is wanted",
                                inner.gravity ? "a world" : fmt::format("{} models", inner.world.models.size())),
                    "include a file with one <model>");
    return std::move(inner.world.models.front());
  }

  /// A merged model: its parts get a frame where its own one was.
  static void splice(SdfModel part, SdfModel& into, UrdfElement& e) {
    if (part.is_static != into.is_static)
      e.note("static-unused", "a merged model is static where the model around it is");
    const std::string own = fmt::format("_merged__{}__model__", part.name);
    const auto refer = [&](std::string& name, bool always) {
      if (name == "__model__" || (always && name.empty())) name = own;
    };
    std::string canonical = part.canonical_link;
    if (canonical.empty() && !part.links.empty()) canonical = part.links.front().name;
    if (canonical.empty() && !part.models.empty()) canonical = part.models.front().name;
    if (part.pose.relative_to.empty()) part.pose.relative_to = "__model__";
    into.frames.push_back({own, canonical, part.pose, part.placement_frame, part.where});
    for (SdfLink& each : part.links) refer(each.pose.relative_to, true), into.links.push_back(std::move(each));
    for (SdfModel& each : part.models) refer(each.pose.relative_to, true), into.models.push_back(std::move(each));
    for (SdfFrame& each : part.frames) {
      refer(each.attached_to, true), refer(each.pose.relative_to, false);
      into.frames.push_back(std::move(each));
    }
    for (SdfJoint& each : part.joints) {
      for (std::string* name :
           {&each.pose.relative_to, &each.parent, &each.child, &each.axis.expressed_in, &each.axis2.expressed_in})
        refer(*name, false);
      into.joints.push_back(std::move(each));
    }
  }
};

}  // namespace

SdfDocument read_sdf_document(std::string_view text, const std::string& file, const OpenUri& open, Faults& errors,
                              Faults& notes) {
  return SdfReader(open, errors, notes).run(text, file);
}

}  // namespace torsor::detail
