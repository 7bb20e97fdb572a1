// The bodies of an MJCF: <worldbody> with its frames, copies and attached models, flattened into a list.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/mjcf_pose.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

// copies of copies of copies grow beyond any file
constexpr int most_elements = 200'000;
constexpr std::size_t most_attached = 8;

/// A geom that may weigh something: that is known when all joints are.
struct Geom {
  XmlElement xml;
  MjcfFile* file;
  Transform<double> X_body_frame;
};

struct Scope {
  int body;  // -1: the world
  Transform<double> X_body_frame;
  std::string childclass, suffix;
};

class TreeReader {
 public:
  TreeReader(MjcfContext& shared, const std::vector<std::string>& files, MjcfModel& read_model, Faults& faults,
             Faults& passed_over)
      : context(shared), attached(files), model(read_model), errors(faults), notes(passed_over) {}

  void run() {
    for (const MjcfNode& world : context.document.sections("worldbody")) walk(world, {-1, {}, "", ""});
    weigh();
    settle_inertias(context.settings, model.bodies);
  }

 private:
  MjcfContext& context;
  const std::vector<std::string>& attached;
  MjcfModel& model;
  Faults& errors;
  Faults& notes;
  std::vector<std::vector<Geom>> geoms;         // per body
  std::vector<std::optional<Part>> inertials;  // per body
  std::vector<char> is_attached;               // per body: it has its masses already
  int count = 0;

  UrdfElement view(const MjcfNode& node) { return {*node.xml, node.xml->name, node.file->log}; }

  void walk(const MjcfNode& node, const Scope& scope) {
    for (const MjcfNode& child : context.document.children(node)) {
      if (is_full(child)) return;
      element(child, scope);
    }
  }

  /// Whether there have been too many elements; the first one too many is a fault.
  bool is_full(const MjcfNode& node) {
    if (++count == most_elements)
      view(node).fault("", "mjcf-size", fmt::format("there are more than {} elements", most_elements),
                       "check the count of <replicate>");
    return count >= most_elements;
  }

  void element(const MjcfNode& node, const Scope& scope) {
    const std::string& name = node.xml->name;
    if (name == "body") return body(node, scope);
    if (name == "geom") {
      if (scope.body >= 0)
        geoms[static_cast<std::size_t>(scope.body)].push_back(
            {context.defaults.applied(node, "geom", scope.childclass), node.file, scope.X_body_frame});
      return;
    }
    if (name == "frame") return frame(node, scope);
    if (name == "site") return site(node, scope);
    if (name == "joint" || name == "freejoint") return joint(node, scope);
    if (name == "inertial") return inertial(node, scope);
    if (name == "replicate") return replicate(node, scope);
    if (name == "attach") return attach(node, scope);
    if (name == "camera" || name == "light") return;
    refuse(node);
  }

  // What a level of the tree leaves on the stack is small: all that does not go deeper is a call of its own.

  [[gnu::noinline]] void refuse(const MjcfNode& node) {
    const std::string& name = node.xml->name;
    UrdfElement e = view(node);
    if (name == "composite" || name == "flexcomp" || name == "plugin")
      return e.fault("", "element-refused", fmt::format("<{}> makes bodies or forces that are not read", name),
                     "load the file in MuJoCo and save it, or leave the element out");
    const std::vector<std::string_view> known{"body",   "geom",      "frame",  "site",  "joint", "freejoint",
                                              "inertial", "replicate", "attach", "light", "camera"};
    e.fault("", "element-unknown", fmt::format("MJCF has no <{}> here", excerpt(name)),
            hint_or(did_you_mean(name, known), "leave it out"));
  }

  static std::string named(UrdfElement& e, std::string_view rule, const std::string& suffix) {
    if (!e.has("name") || e.text("name")->empty()) return "";
    const std::string name = e.name("name", rule);
    return name.empty() ? name : name + suffix;
  }

  void body(const MjcfNode& node, const Scope& scope) {
    add_body(node, scope);
    walk(node, {static_cast<int>(model.bodies.size()) - 1, {}, context.defaults.class_inside(node, scope.childclass),
                scope.suffix});
  }

  [[gnu::noinline]] void add_body(const MjcfNode& node, const Scope& scope) {
    UrdfElement e = view(node);
    refuse_unknown(e, {"name", "childclass", "pos", "quat", "mocap", "axisangle", "xyaxes", "zaxis", "euler",
                       "gravcomp", "user", "sleep"});
    MjcfBody body;
    body.where = e.where();
    body.name = named(e, "link-name", scope.suffix);
    if (!body.name.empty()) e.rename(fmt::format("body \"{}\"", body.name));
    body.parent = scope.body;
    body.X_parent_body = scope.X_body_frame * read_mjcf_pose(e, context.settings);
    if (e.number("gravcomp").value_or(0) != 0)
      e.note("gravcomp-unused",
             "gravcomp is not computed: torques are those that motors and compensation give together");
    model.bodies.push_back(std::move(body));
    geoms.emplace_back();
    inertials.emplace_back();
    is_attached.push_back(0);
  }

  [[gnu::noinline]] void frame(const MjcfNode& node, Scope scope) {
    UrdfElement e = view(node);
    refuse_unknown(e, {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
    scope.X_body_frame = scope.X_body_frame * read_mjcf_pose(e, context.settings);
    scope.childclass = context.defaults.class_inside(node, scope.childclass);
    walk(node, scope);
  }

  [[gnu::noinline]] void replicate(const MjcfNode& node, const Scope& scope) {
    UrdfElement e = view(node);
    refuse_unknown(e, {"count", "sep", "offset", "euler", "childclass"});
    if (!e.has("count")) return e.missing_attribute("count", "say how many copies there are");
    const double copies = e.number("count").value_or(0);
    if (!(copies >= 0 && copies <= most_elements))
      return e.fault("count", "mjcf-size", fmt::format("it is {}", copies), fmt::format("at most {}", most_elements));
    const Transform<double> step{euler_rotation(e.vector("euler").value_or(Vec3<double>{}), context.settings),
                                 e.vector("offset").value_or(Vec3<double>{})};
    const std::string sep = e.text("sep").value_or("");
    const int n = static_cast<int>(copies);
    const std::size_t digits = std::to_string(std::max(n - 1, 0)).size();
    Scope each = scope;
    each.childclass = context.defaults.class_inside(node, scope.childclass);
    for (int k = 0; k < n && !is_full(node); ++k) {
      each.suffix = fmt::format("{}{}{:0{}}", scope.suffix, sep, k, digits);
      walk(node, each);
      each.X_body_frame = each.X_body_frame * step;
    }
  }

  [[gnu::noinline]] void site(const MjcfNode& node, const Scope& scope) {
    const XmlElement merged = context.defaults.applied(node, "site", scope.childclass);
    UrdfElement e(merged, "site", node.file->log);
    refuse_unknown(e, {"name", "class", "type", "group", "pos", "quat", "material", "size", "fromto", "axisangle",
                       "xyaxes", "zaxis", "euler", "rgba", "user"});
    const std::string name = named(e, "tool-name", scope.suffix);
    if (name.empty()) return;
    e.rename(fmt::format("site \"{}\"", name));
    if (scope.body < 0) e.note("site-unused", "sites of the world are no tools");
    Transform<double> X = read_mjcf_pose(e, context.settings);
    if (const auto ends = read_list(e, "fromto", 6, 6)) {
      const Vec3<double> from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
      X = {norm(from - to) > 1e-15 ? rotation_z_onto(unit(from - to)) : Mat3<double>::identity(), (from + to) * 0.5};
    }
    (scope.body < 0 ? model.sites : model.bodies[static_cast<std::size_t>(scope.body)].sites)
        .push_back({name, scope.X_body_frame * X, e.where()});
  }

  [[gnu::noinline]] void joint(const MjcfNode& node, const Scope& scope) {
    const bool bare = node.xml->name == "freejoint";
    const XmlElement merged = bare ? *node.xml : context.defaults.applied(node, "joint", scope.childclass);
    UrdfElement e(merged, "joint", node.file->log);
    if (scope.body < 0) return e.fault("", "world-joint", "the world cannot move", "put the joint into a <body>");
    MjcfBody& body = model.bodies[static_cast<std::size_t>(scope.body)];
    MjcfJoint joint = bare ? read_free_joint(e, context) : read_mjcf_joint(e, context, scope.X_body_frame);
    if (!joint.name.empty()) joint.name += scope.suffix;
    const auto is = [](JointKind kind) { return [kind](const MjcfJoint& j) { return j.kind == kind; }; };
    if (joint.kind == JointKind::free && (body.parent >= 0 || !body.joints.empty()))
      return e.fault("", "free-joint",
                     body.parent >= 0 ? "its body hangs from another body" : "its body has another joint",
                     "a free joint is the only one of a body of the world");
    if (std::ranges::any_of(body.joints, is(JointKind::free)))
      return e.fault("", "free-joint", "its body moves freely already", "leave this joint out");
    if (std::ranges::any_of(body.joints, is(JointKind::spherical)) && joint.kind != JointKind::prismatic)
      return e.fault("", "joint-after-ball", "it rotates a body that has a ball joint before it",
                     "a ball joint can be the last rotation of a body");
    body.joints.push_back(std::move(joint));
  }

  [[gnu::noinline]] void inertial(const MjcfNode& node, const Scope& scope) {
    UrdfElement e = view(node);
    if (scope.body < 0) return e.fault("", "world-inertial", "the world has no inertia", "put it into a <body>");
    const std::size_t body = static_cast<std::size_t>(scope.body);
    if (!model.bodies[body].name.empty()) e.rename(fmt::format("body \"{}\", inertial", model.bodies[body].name));
    if (inertials[body]) return e.fault("", "element-twice", "the body has an <inertial> already", "keep one of them");
    inertials[body] = read_mjcf_inertial(e, context.settings);
  }

  /// What bodies weigh; of one that never moves nobody asks.
  void weigh() {
    std::vector<char> moves(model.bodies.size(), 0);
    for (std::size_t i = 0; i < geoms.size(); ++i) {
      MjcfBody& body = model.bodies[i];
      if (is_attached[i] != 0) continue;
      moves[i] = !attached.empty() || !body.joints.empty() ||
                 (body.parent >= 0 && moves[static_cast<std::size_t>(body.parent)] != 0);
      const MjcfSettings::FromGeoms choice = context.settings.inertia;
      const bool from_geoms = choice == MjcfSettings::FromGeoms::always ||
                              (choice == MjcfSettings::FromGeoms::automatic && !inertials[i]);
      if (!from_geoms) {
        if (inertials[i]) body.parts = {*inertials[i]};
        continue;
      }
      if (moves[i] == 0 && !(context.settings.total_mass > 0)) continue;
      for (const Geom& geom : geoms[i]) {
        UrdfElement e(geom.xml, body.name.empty() ? "geom" : fmt::format("body \"{}\", geom", body.name),
                      geom.file->log);
        for (Part& part : read_mjcf_geom(e, context, geom.X_body_frame)) body.parts.push_back(std::move(part));
      }
    }
  }

  void attach(const MjcfNode& node, const Scope& scope) {
    UrdfElement e = view(node);
    refuse_unknown(e, {"model", "body", "prefix"});
    const std::string name = e.text("model").value_or(""), root = e.text("body").value_or("");
    const std::string prefix = e.text("prefix").value_or("");
    std::string file;
    for (const MjcfNode& asset : context.document.sections("asset"))
      for (const MjcfNode& each : context.document.children(asset)) {
        if (each.xml->name != "model" || !each.xml->attribute("file")) continue;
        const std::string path = *each.xml->attribute("file");
        const std::string* called = each.xml->attribute("name");
        if ((called ? *called : std::filesystem::path(path).stem().string()) == name) file = path;
      }
    if (file.empty())
      return e.fault("model", "attach-model", fmt::format("there is no <model> \"{}\" among the assets", excerpt(name)),
                     "name one: <asset><model name=\"...\" file=\"...\"/></asset>");
    if (context.document.is_outside(file))
      return e.fault("model", "include-outside",
                     fmt::format("\"{}\" lies outside the folder of the main file", excerpt(file, 200)),
                     "name models by a path relative to that folder, ending in .xml or .mjcf, or give its folder: "
                     "--packages DIR");
    const std::string path = context.document.beside(file);
    std::vector<std::string> files = attached;
    files.push_back(context.document.path());
    if (std::ranges::find(files, path) != files.end() || files.size() > most_attached)
      return e.fault("model", "attach-cycle",
                     fmt::format("\"{}\" attaches itself, or attaches others too deeply", excerpt(path, 200)),
                     "a model cannot be a part of itself");
    const Result<std::string> text = context.document.reader()(path);
    if (!text)
      return e.fault("model", "include-read", fmt::format("\"{}\": {}", excerpt(path, 200), text.faults().front().what),
                     "names of files are relative to the folder of the main file");
    MjcfDocument other(path, context.document.reader(), context.document.roots());
    if (!other.parse(*text)) {
      errors.insert(errors.end(), other.errors().begin(), other.errors().end());
      return;
    }
    splice(read_mjcf_model(other, files, errors, notes), root, prefix, scope, e, node);
  }

  /// The bodies below one body of another model, or all of them, with what couples and drives their joints.
  void splice(MjcfModel part, const std::string& root, const std::string& prefix, const Scope& scope, UrdfElement& e,
              const MjcfNode& node) {
    const auto renamed = [&](const std::string& name) { return name.empty() ? name : prefix + name + scope.suffix; };
    std::vector<int> at(part.bodies.size(), -2);  // where each body went; -2: nowhere
    std::vector<std::string> joints;
    std::set<std::string> held;  // bodies and sites that came along
    for (std::size_t i = 0; i < part.bodies.size(); ++i) {
      MjcfBody& body = part.bodies[i];
      const bool top = root.empty() ? body.parent < 0 : body.name == root;
      const int above = body.parent < 0 ? -2 : at[static_cast<std::size_t>(body.parent)];
      if (!top && above == -2) continue;
      if (is_full(node)) return;
      at[i] = static_cast<int>(model.bodies.size());
      if (top) body.X_parent_body = scope.X_body_frame * body.X_parent_body;
      body.parent = top ? scope.body : above;
      for (MjcfJoint& joint : body.joints) {
        joints.push_back(joint.name);
        if (joint.kind == JointKind::free && body.parent >= 0)
          e.fault("", "free-joint", "a body with a free joint is attached to a body", "attach it to the world");
        joint.name = renamed(joint.name);
      }
      for (MjcfSite& site : body.sites) {
        held.insert("site " + site.name);
        site.name = renamed(site.name);
      }
      held.insert("body " + body.name);
      body.name = renamed(body.name);
      model.bodies.push_back(std::move(body));
      geoms.emplace_back();
      inertials.emplace_back();
      is_attached.push_back(1);
    }
    if (std::ranges::all_of(at, [](int where) { return where == -2; }) && !root.empty())
      e.fault("body", "attach-body", fmt::format("the model has no body \"{}\"", excerpt(root)), "name a body of it");
    const auto has = [&](const std::string& joint) {
      return joint.empty() || std::ranges::find(joints, joint) != joints.end();
    };
    for (MjcfCoupling& each : part.couplings)
      if (has(each.joint) && has(each.other)) {
        each.joint = renamed(each.joint), each.other = renamed(each.other);
        model.couplings.push_back(std::move(each));
      }
    for (MjcfLoop& each : part.loops) {
      const std::string kind = each.sites ? "site " : "body ";
      const auto is_there = [&](const std::string& name) { return name.empty() || held.contains(kind + name); };
      if (!is_there(each.one) || !is_there(each.two)) continue;
      each.name = renamed(each.name), each.one = renamed(each.one), each.two = renamed(each.two);
      model.loops.push_back(std::move(each));
    }
    for (MjcfTendon& each : part.tendons)
      if (std::ranges::all_of(each.joints, [&](const auto& joint) { return has(joint.first); })) {
        each.name = renamed(each.name);
        for (auto& [joint, unused] : each.joints) joint = renamed(joint);
        model.tendons.push_back(std::move(each));
      }
    for (MjcfActuator& each : part.actuators)
      if (has(each.joint)) {
        each.name = renamed(each.name), each.joint = renamed(each.joint), each.tendon = renamed(each.tendon);
        model.actuators.push_back(std::move(each));
      }
  }
};

void check_sections(MjcfDocument& document) {
  constexpr std::string_view read[] = {"compiler", "option", "default",  "worldbody",
                                       "equality", "tendon", "actuator", "include"};
  constexpr std::string_view passed[] = {"size",    "visual", "statistic", "custom",   "asset",
                                         "contact", "sensor", "keyframe",  "extension"};
  for (const MjcfNode& node : document.children(document.root())) {
    const std::string& name = node.xml->name;
    UrdfElement e(*node.xml, "mujoco", node.file->log);
    if (std::ranges::find(read, name) != std::end(read)) continue;
    if (std::ranges::find(passed, name) != std::end(passed)) {
      if (name == "contact" || name == "sensor" || name == "keyframe" || name == "visual")
        e.note("element-ignored", "contacts, sensors, keyframes and looks are not read");
      continue;
    }
    if (name == "deformable")
      e.fault("", "element-refused", "deformable bodies are not read", "leave them out");
    else
      e.fault(
          "", "element-unknown", fmt::format("MJCF has no <{}> here", excerpt(name)),
          hint_or(did_you_mean(name, std::vector<std::string_view>(std::begin(read), std::end(read))), "leave it out"));
  }
}

/// The default tool, as our own writer leaves it: <custom><text name="torsor_tool" data="..."/></custom>.
std::string read_tool(MjcfDocument& document) {
  for (const MjcfNode& section : document.sections("custom"))
    for (const MjcfNode& text : document.children(section))
      if (const std::string* name = text.xml->attribute("name"); name && *name == "torsor_tool")
        if (const std::string* data = text.xml->attribute("data")) return *data;
  return "";
}

}  // namespace

MjcfModel read_mjcf_model(MjcfDocument& document, const std::vector<std::string>& attached, Faults& errors,
                          Faults& notes) {
  MjcfModel model;
  MjcfContext context{document, read_mjcf_settings(document), MjcfDefaults(document)};
  if (const std::string* name = document.root().xml->attribute("model")) model.name = single_line(*name);
  model.gravity = context.settings.gravity;
  model.tool = read_tool(document);
  check_sections(document);
  TreeReader(context, attached, model, errors, notes).run();
  read_mjcf_drives(context, model);
  for (MjcfFile& file : document.files()) {
    if (file.log.count() > 0) {
      const Faults found = file.log.faults();
      errors.insert(errors.end(), found.begin(), found.end());
    }
    for (Fault& note : file.log.notes()) {
      // whoever computes torques should see it, not only who checks the file
      constexpr std::string_view changes_torques[] = {"gravcomp-unused", "medium-unused", "joint-force-unused",
                                                      "tendon-force-unused"};
      if (std::ranges::find(changes_torques, note.rule) != std::end(changes_torques)) note.severity = Severity::warning;
      notes.push_back(std::move(note));
    }
  }
  return model;
}

}  // namespace torsor::detail
