#include "torsor/files/mjcf_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/mjcf_pose.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

using FromGeoms = MjcfSettings::FromGeoms;

void read_compiler(UrdfElement& e, MjcfSettings& s) {
  refuse_unknown(e, {"autolimits",   "boundmass",  "boundinertia", "settotalmass",  "balanceinertia",
                     "strippath",    "coordinate", "angle",        "fitaabb",       "eulerseq",
                     "meshdir",      "texturedir", "assetdir",     "discardvisual", "usethread",
                     "fusestatic",   "alignfree",  "conflict",     "saveinertial",  "inertiafromgeom",
                     "exactmeshinertia", "maxhullvert", "inertiagrouprange"});
  if (const auto word = read_word(e, "angle", {"degree", "radian"}))
    s.angle = *word == "radian" ? 1 : MjcfSettings{}.angle;
  if (const auto word = e.text("coordinate"); word && *word != "local")
    e.fault("coordinate", "coordinate-global", fmt::format("it is \"{}\"", excerpt(*word)),
            "only local coordinates are read: load and save the file with MuJoCo 2.3.3 or older");
  if (const auto seq = e.text("eulerseq")) {
    const bool fits = seq->size() == 3 && seq->find_first_not_of("xyzXYZ") == std::string::npos;
    if (fits)
      s.eulerseq = *seq;
    else
      e.fault("eulerseq", "eulerseq", fmt::format("it is \"{}\"", excerpt(*seq)),
              "write three of x y z (axes that move with the body) or X Y Z (fixed axes)");
  }
  for (const char* key : {"assetdir", "meshdir"})
    if (const auto folder = e.text(key)) s.meshdir = *folder;
  s.strippath = read_bool(e, "strippath", s.strippath);
  s.autolimits = read_bool(e, "autolimits", s.autolimits);
  s.alignfree = read_bool(e, "alignfree", s.alignfree);
  s.balance = read_bool(e, "balanceinertia", s.balance);
  if (const auto word = read_word(e, "inertiafromgeom", {"true", "false", "auto"}))
    s.inertia = *word == "true" ? FromGeoms::always : *word == "false" ? FromGeoms::never : FromGeoms::automatic;
  if (const auto range = read_list(e, "inertiagrouprange", 2, 2)) {
    s.first_group = (*range)[0];
    s.last_group = (*range)[1];
  }
  for (const auto& [key, value] : {std::pair<const char*, double*>{"boundmass", &s.least_mass},
                                   {"boundinertia", &s.least_inertia},
                                   {"settotalmass", &s.total_mass}})
    if (const auto number = e.number(key)) *value = *number;
}

void read_option(MjcfDocument& document, const MjcfNode& node, UrdfElement& e, MjcfSettings& s) {
  if (const auto gravity = e.vector("gravity")) s.gravity = *gravity;
  const double density = e.number("density").value_or(0), viscosity = e.number("viscosity").value_or(0);
  if (density != 0 || viscosity != 0)
    e.note("medium-unused", "forces of the fluid around the robot (density, viscosity, wind) are not computed");
  for (const MjcfNode& child : document.children(node)) {
    if (child.xml->name != "flag") continue;
    UrdfElement flag(*child.xml, "option, flag", child.file->log);
    const auto off = [&](std::string_view key) { return read_word(flag, key, {"enable", "disable"}) == "disable"; };
    if (off("gravity")) s.gravity = {};
    const bool passive = off("passive");
    if (off("spring") || passive) s.springs = false;
    if (off("damper") || passive) s.dampers = false;
    if (off("frictionloss") || off("constraint")) s.friction = false;
    if (off("equality") || off("constraint")) s.equalities = false;
  }
}

bool is_rotation(std::string_view attribute) {
  return std::ranges::find(mjcf_rotations, attribute) != std::end(mjcf_rotations);
}

}  // namespace

MjcfSettings read_mjcf_settings(MjcfDocument& document) {
  MjcfSettings s;
  for (const MjcfNode& node : document.sections("compiler")) {
    UrdfElement e(*node.xml, "compiler", node.file->log);
    read_compiler(e, s);
  }
  for (const MjcfNode& node : document.sections("option")) {
    UrdfElement e(*node.xml, "option", node.file->log);
    read_option(document, node, e, s);
  }
  return s;
}

bool is_actuator(std::string_view element) {
  constexpr std::string_view kinds[] = {"general",  "motor",  "position", "velocity", "intvelocity", "damper",
                                        "cylinder", "muscle", "adhesion", "dcmotor",  "plugin", "orientation"};
  return std::ranges::find(kinds, element) != std::end(kinds);
}

MjcfDefaults::MjcfDefaults(MjcfDocument& document) {
  classes_[main_];
  for (const MjcfNode& node : document.sections("default")) read(document, node, nullptr);
}

void MjcfDefaults::read(MjcfDocument& document, const MjcfNode& node, const Class* parent) {
  const std::string* name = node.xml->attribute("class");
  UrdfElement e(*node.xml, "default", node.file->log);
  if (parent && (!name || name->empty()))
    return e.missing_attribute("class", "give each class inside another a name");
  if (!parent && name && *name != main_) {
    // the outermost class may have a name of its own
    classes_[*name] = classes_[main_];
    classes_.erase(main_);
    main_ = *name;
  }
  Class& own = classes_[parent ? *name : main_];
  if (parent) {
    if (own.file)
      return e.fault("class", "class-twice", fmt::format("there is a class \"{}\" already", excerpt(*name)),
                     "give each class a name of its own");
    own.kinds = parent->kinds;
  }
  own.file = node.file;
  const std::vector<MjcfNode> children = document.children(node);
  for (const MjcfNode& child : children) {
    if (child.xml->name == "default") continue;
    XmlElement& kind = own.kinds[is_actuator(child.xml->name) ? "actuator" : child.xml->name];
    for (const XmlAttribute& a : child.xml->attributes) {
      const auto known = std::ranges::find(kind.attributes, a.name, &XmlAttribute::name);
      if (known == kind.attributes.end())
        kind.attributes.push_back(a);
      else
        *known = a;
    }
  }
  for (const MjcfNode& child : children)
    if (child.xml->name == "default") read(document, child, &own);
}

const MjcfDefaults::Class* MjcfDefaults::find(const MjcfNode& node, const std::string& name) const {
  const auto found = classes_.find(name.empty() ? main_ : name);
  if (found != classes_.end()) return &found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, unused] : classes_) names.push_back(known);
  UrdfElement e(*node.xml, node.xml->name, node.file->log);
  e.fault(node.xml->attribute("class") ? "class" : "childclass", "class-unknown",
          fmt::format("there is no class \"{}\"", excerpt(name)),
          hint_or(did_you_mean(name, names), "name a class of <default>"));
  return nullptr;
}

std::string MjcfDefaults::class_inside(const MjcfNode& node, const std::string& around) const {
  const std::string* name = node.xml->attribute("childclass");
  if (!name) return around;
  return find(node, *name) ? *name : around;
}

XmlElement MjcfDefaults::applied(const MjcfNode& node, std::string_view kind, const std::string& around) const {
  XmlElement merged;
  merged.name = node.xml->name;
  merged.line = node.xml->line;
  merged.attributes = node.xml->attributes;
  const std::string* own = node.xml->attribute("class");
  const Class* from = find(node, own ? *own : around);
  if (!from) return merged;
  const auto found = from->kinds.find(kind);
  if (found == from->kinds.end()) return merged;
  const bool turned = std::ranges::any_of(merged.attributes, [](const XmlAttribute& a) { return is_rotation(a.name); });
  for (const XmlAttribute& a : found->second.attributes)
    if (!merged.attribute(a.name) && !(turned && is_rotation(a.name))) {
      merged.attributes.push_back(a);
      if (from->file != node.file)
        merged.attributes.back().line = merged.line;  // lines of another file say nothing here
    }
  return merged;
}

}  // namespace torsor::detail
