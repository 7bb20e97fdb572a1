// What couples and drives the joints of an MJCF: equalities, tendons, actuators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

void read_coupling(UrdfElement& e, MjcfModel& model) {
  MjcfCoupling coupling;
  coupling.where = e.where();
  coupling.joint = e.name("joint1", "equality-joint");
  coupling.other = e.text("joint2").value_or("");
  const auto typed = read_list(e, "polycoef", 1, 5);
  std::vector<double> poly = e.has("polycoef") ? typed.value_or(std::vector<double>{}) : std::vector<double>{0, 1};
  poly.resize(5, 0);
  if (poly[2] != 0 || poly[3] != 0 || poly[4] != 0)
    return e.fault(
        "polycoef", "equality-polynomial",
        "one joint is a polynomial of the other, and a joint of a robot can follow another only by a constant "
        "ratio and offset",
        "give its tangent as two numbers where that is near enough, or write active=\"false\", which lets both "
        "joints move by themselves");
  coupling.constant = poly[0];
  coupling.ratio = poly[1];
  model.couplings.push_back(std::move(coupling));
}

void read_loop(UrdfElement& e, MjcfModel& model) {
  refuse_unknown(e, {"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "site1", "site2",
                     "relpose", "torquescale"});
  MjcfLoop loop;
  loop.where = e.where();
  loop.weld = e.xml().name == "weld";
  loop.rigid = loop.weld && e.number("torquescale").value_or(1) != 0;
  loop.name = e.text("name").value_or("");
  loop.sites = e.has("site1") || e.has("site2");
  if (!e.has(loop.sites ? "site1" : "body1") || (loop.sites && !e.has("site2")))
    return e.fault("", "loop-bodies", "it says not what it holds together", "give body1, or site1 and site2");
  loop.one = e.text(loop.sites ? "site1" : "body1").value_or("");
  loop.two = e.text(loop.sites ? "site2" : "body2").value_or("");
  loop.anchor = e.vector("anchor").value_or(Vec3<double>{});
  if (const auto pose = read_list(e, "relpose", 7, 7); loop.weld && pose) {
    const std::vector<double>& x = *pose;
    // a quaternion of zeros says that the pose is not given
    if (const double size = std::sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]); size > 0)
      loop.X_one_two = Transform<double>{
          rotation(Quaternion<double>{x[3] / size, x[4] / size, x[5] / size, x[6] / size}), {x[0], x[1], x[2]}};
  }
  model.loops.push_back(std::move(loop));
}

/// sum of c_i (q_i - ref_i) = constant, over the joints of one fixed tendon, or of two: of two joints one follows the other.
void read_tendon_coupling(UrdfElement& e, MjcfModel& model) {
  const auto typed = read_list(e, "polycoef", 1, 5);
  std::vector<double> poly = e.has("polycoef") ? typed.value_or(std::vector<double>{}) : std::vector<double>{0, 1};
  poly.resize(5, 0);
  if (!e.has("tendon1")) return e.missing_attribute("tendon1", "name a fixed tendon");
  if (poly[2] != 0 || poly[3] != 0 || poly[4] != 0)
    return e.fault(
        "polycoef", "equality-polynomial",
        "one tendon is a polynomial of the other, and joints of a robot can follow each other only by constant "
        "ratios and offsets",
        "give its tangent as two numbers where that is near enough, or write active=\"false\", which lets the "
        "joints move by themselves");
  std::vector<std::pair<std::string, double>> sum;
  const auto add = [&](std::string_view key, double factor) {
    const std::string name = e.text(key).value_or("");
    const auto tendon = std::ranges::find(model.tendons, name, &MjcfTendon::name);
    if (tendon == model.tendons.end()) {
      e.fault(
          key, "equality-tendon", fmt::format("there is no fixed tendon \"{}\"", excerpt(name)),
          "name one of this file; tendons along sites are not read: leave the equality out, or write active=\"false\"");
      return false;
    }
    for (const auto& [joint, coefficient] : tendon->joints) {
      const auto known = std::ranges::find(sum, joint, &std::pair<std::string, double>::first);
      if (known == sum.end())
        sum.emplace_back(joint, factor * coefficient);
      else
        known->second += factor * coefficient;
    }
    return true;
  };
  if (!add("tendon1", 1) || (e.has("tendon2") && !add("tendon2", -poly[1]))) return;
  std::erase_if(sum, [](const auto& term) { return term.second == 0; });
  if (sum.empty() || sum.size() > 2)
    return e.fault(
        "", "equality-tendon", fmt::format("it couples {} joints", sum.size()),
        "an equality of tendons is read where it couples one or two joints: leave it out, or write active=\"false\"");
  MjcfCoupling coupling;
  coupling.where = e.where();
  coupling.joint = sum[0].first;
  coupling.constant = poly[0] / sum[0].second;
  if (sum.size() == 2) coupling.other = sum[1].first, coupling.ratio = -sum[1].second / sum[0].second;
  model.couplings.push_back(std::move(coupling));
}

void read_equality(UrdfElement& e, MjcfModel& model) {
  const std::string& kind = e.xml().name;
  if (!read_bool(e, "active", true)) return e.note("equality-unused", "equalities that are not active are not read");
  if (kind == "joint") return read_coupling(e, model);
  if (kind == "tendon") return read_tendon_coupling(e, model);
  if (kind == "connect" || kind == "weld") return read_loop(e, model);
  e.fault("", "equality-kind", fmt::format("an equality of kind <{}> is not read", excerpt(kind)),
          "leave it out, or write active=\"false\"");
}

/// Forces of a tendon are not computed; its armature changes the mass matrix.
void judge_forces(UrdfElement& e, const MjcfSettings& s, bool fixed) {
  const auto has = [&](std::string_view key) {
    const auto numbers = read_list(e, key, 1, 8);
    return numbers && std::ranges::any_of(*numbers, [](double x) { return x != 0; });
  };
  const bool spring = has("stiffness"), damper = has("damping"), friction = has("frictionloss");
  if ((spring && s.springs) || (damper && s.dampers) || (friction && s.friction))
    e.note("tendon-force-unused",
           "stiffness, damping and frictionloss of tendons are not computed: torques are those that motors and tendons "
           "give together, and motions lack them");
  if (!fixed && has("armature"))
    e.fault(
        "armature", "tendon-force",
        "the armature of a tendon along sites is an inertia that changes with the position, which a robot cannot hold",
        "write armature=\"0\" for a robot without it, or give the joints a constant armature where that is near "
        "enough");
}

void read_tendon(const MjcfContext& context, const MjcfNode& node, UrdfElement& e, MjcfModel& model) {
  const bool fixed = node.xml->name == "fixed";
  judge_forces(e, context.settings, fixed);
  if (!fixed) return e.note("tendon-unused", "tendons along sites are not read");
  MjcfTendon tendon;
  tendon.where = e.where();
  if (e.has("name")) tendon.name = e.name("name", "tendon-name");
  tendon.armature = e.number("armature").value_or(0);
  for (const MjcfNode& child : context.document.children(node)) {
    if (child.xml->name != "joint") continue;
    UrdfElement joint(*child.xml, e.title() + ", joint", child.file->log);
    if (!joint.has("coef")) joint.missing_attribute("coef", "give the length of tendon per unit of the joint");
    tendon.joints.emplace_back(joint.name("joint", "tendon-joint"), joint.number("coef").value_or(0));
  }
  if (e.has("range")) e.note("limit-unused", "limits of tendons are not read");
  model.tendons.push_back(std::move(tendon));
}

/// The largest magnitude of a range that counts; 0 if it does not.
double read_bound(UrdfElement& e, const MjcfSettings& s, std::string_view key, std::string_view word_key) {
  const auto range = read_list(e, key, 2, 2);
  const std::string word = read_word(e, word_key, {"true", "false", "auto"}).value_or("auto");
  if (!range || word == "false" || (word == "auto" && !(s.autolimits && (*range)[0] < (*range)[1]))) return 0;
  return std::max(std::abs((*range)[0]), std::abs((*range)[1]));
}

void read_actuator(const MjcfContext& context, UrdfElement& e, MjcfModel& model) {
  MjcfActuator actuator;
  actuator.where = e.where();
  if (e.has("name")) actuator.name = e.name("name", "actuator-name");
  actuator.joint = e.text("joint").value_or(e.text("jointinparent").value_or(""));
  actuator.tendon = e.text("tendon").value_or("");
  if (actuator.joint.empty() && actuator.tendon.empty()) {
    if (read_coefficient(e, "armature") != 0)
      e.fault("armature", "actuator-armature",
              "the armature of an actuator that drives no joint and no tendon changes the mass matrix, and is not read",
              "write armature=\"0\" for a robot without it, or give it to the joints");
    return e.note("actuator-unused", "actuators that drive no joint and no tendon are not read");
  }
  const std::vector<double> gear = read_list(e, "gear", 1, 6).value_or(std::vector<double>{1});
  actuator.gear = gear.front();
  actuator.armature = read_coefficient(e, "armature");
  actuator.damping = context.settings.dampers ? read_coefficient(e, "damping") : 0;
  actuator.effort = read_bound(e, context.settings, "forcerange", "forcelimited");
  // the control of a motor is its force
  if (e.xml().name == "motor") {
    const double control = read_bound(e, context.settings, "ctrlrange", "ctrllimited");
    if (control > 0) actuator.effort = actuator.effort > 0 ? std::min(actuator.effort, control) : control;
  }
  model.actuators.push_back(std::move(actuator));
}

}  // namespace

void read_mjcf_drives(MjcfContext& context, MjcfModel& model) {
  MjcfDocument& document = context.document;
  const auto each_of = [&](std::string_view section, const auto& visit) {
    for (const MjcfNode& node : document.sections(section))
      for (const MjcfNode& child : document.children(node)) visit(child);
  };
  const auto title = [](const MjcfNode& node) {
    const std::string* name = node.xml->attribute("name");
    return name ? fmt::format("{} \"{}\"", node.xml->name, excerpt(*name)) : node.xml->name;
  };
  each_of("tendon", [&](const MjcfNode& node) {
    const XmlElement merged = context.defaults.applied(node, "tendon", "");
    UrdfElement e(merged, "tendon, " + title(node), node.file->log);
    read_tendon(context, node, e, model);
  });
  // equalities may name tendons
  if (context.settings.equalities)
    each_of("equality", [&](const MjcfNode& node) {
      const XmlElement merged = context.defaults.applied(node, "equality", "");
      UrdfElement e(merged, "equality, " + title(node), node.file->log);
      read_equality(e, model);
    });
  each_of("actuator", [&](const MjcfNode& node) {
    const XmlElement merged = context.defaults.applied(node, "actuator", "");
    UrdfElement e(merged, "actuator, " + title(node), node.file->log);
    read_actuator(context, e, model);
  });
}

}  // namespace torsor::detail
