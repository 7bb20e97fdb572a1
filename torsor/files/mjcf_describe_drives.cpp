#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/mjcf_described.hpp"
#include "torsor/numeric/invert.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {

void MjcfDescribed::fault(const Where& where, std::string offender, std::string rule, std::string what,
                          std::string remedy) {
  errors.push_back({where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
}

void MjcfDescribed::note(const Where& where, std::string offender, std::string rule, std::string what) {
  const auto same = [&](const Fault& known) { return known.rule == rule && known.what == what; };
  if (std::ranges::none_of(notes, same))
    notes.push_back({where, std::move(offender), std::move(rule), std::move(what), ""});
}

int MjcfDescribed::joint_named(const std::string& name, const Where& where, const std::string& offender,
                               const char* rule) {
  const auto found = index.find(name);
  if (found != index.end() && row(d.links[found->second].kind).nv == 1) return static_cast<int>(found->second);
  std::vector<std::string_view> names;
  if (index.size() < 1000)
    for (const auto& [known, unused] : index) names.push_back(known);
  fault(where, offender, rule,
        found == index.end() ? fmt::format("there is no joint \"{}\"", excerpt(name))
                             : fmt::format("joint \"{}\" is not a hinge or \"slide\" that can move", excerpt(name)),
        hint_or(did_you_mean(name, names), "name a hinge or \"slide\" joint of this file"));
  return -1;
}

namespace {

/// Armature is inertia on the diagonal of the mass matrix: that of motors stands in the rotors of their joints, or, where a
/// motor drives several, in its own.
class Drives {
 public:
  explicit Drives(MjcfDescribed& described) : robot(described), model(described.model), d(described.d) {}

  void run() {
    // what follows another joint loads that one
    std::vector<double> diagonal(d.links.size(), 0);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (robot.armature[i] != 0) {
        const auto [of, ratio] = master(i);
        diagonal[of] += ratio * ratio * robot.armature[i];
      }
    std::unordered_map<std::string, const MjcfTendon*> tendon_of;
    std::unordered_set<const MjcfTendon*> driven;
    for (const MjcfTendon& tendon : model.tendons) tendon_of.emplace(tendon.name, &tendon);
    std::vector<Motor> motors;
    std::unordered_map<std::size_t, int> actuators;  // per coordinate
    std::unordered_map<std::size_t, double> bounds;
    for (const MjcfActuator& a : model.actuators) {
      Motor motor{a.name.empty() ? fmt::format("motor{}", motors.size() + 1) : a.name, {}, 0, a.where};
      const std::string offender = fmt::format("actuator \"{}\"", motor.name);
      if (a.gear == 0) {
        robot.note(a.where, offender, "actuator-unused", "an actuator with a gear of 0 is not read");
        continue;
      }
      if (!a.joint.empty()) {
        const auto found = robot.index.find(a.joint);
        if (found != robot.index.end() && row(d.links[found->second].kind).nv != 1) {
          robot.note(a.where, offender, "actuator-unused", "actuators of ball, free and held joints are not read");
          // MuJoCo adds the square of the first gear to each velocity of a ball
          if (d.links[found->second].kind == JointKind::spherical && !robot.unfolded.contains(a.joint))
            diagonal[found->second] += a.gear * a.gear * a.armature;
          else if (row(d.links[found->second].kind).nv > 1)
            refuse_armature(a, offender, "of a free joint");
          continue;
        }
        const int joint = robot.joint_named(a.joint, a.where, offender, "actuator-joint");
        if (joint < 0) continue;
        add_term(motor, static_cast<std::size_t>(joint), a.gear);
      } else {
        const auto found = tendon_of.find(a.tendon);
        if (found == tendon_of.end()) {
          robot.note(a.where, offender, "actuator-unused", "actuators of tendons along sites are not read");
          refuse_armature(a, offender, "of a tendon along sites");
          continue;
        }
        for (const auto& [name, coefficient] : found->second->joints)
          if (const int joint = robot.joint_named(name, found->second->where, "tendon", "tendon-joint"); joint >= 0)
            add_term(motor, static_cast<std::size_t>(joint), a.gear * coefficient);
        if (motor.row.size() > 1 && driven.insert(found->second).second)
          motor.rotor = found->second->armature / (a.gear * a.gear);
      }
      std::erase_if(motor.row, [](const auto& term) { return term.second == 0; });
      if (motor.row.size() == 1) {
        const auto& [of, ratio] = motor.row.front();
        diagonal[of] += ratio * ratio * a.armature;
        if (a.damping != 0) add_damping(d.links[of], ratio * ratio * a.damping);
      } else {
        motor.rotor += a.armature;
        if (a.damping != 0)
          robot.fault(a.where, offender, "tendon-force", "the damping of a motor of several joints is not read",
                      "give it to the joints");
      }
      for (const auto& [of, coefficient] : motor.row) ++actuators[of];
      if (motor.row.size() == 1 && a.effort > 0)
        bounds.emplace(motor.row.front().first, a.effort * std::abs(motor.row.front().second));
      if (!motor.row.empty()) motors.push_back(std::move(motor));
    }
    for (const auto& [of, bound] : bounds)
      if (actuators[of] == 1) d.links[of].limits.effort = std::min(d.links[of].limits.effort, bound);
    tendon_inertia(driven, diagonal);
    transmissions(motors, diagonal);
  }

 private:
  MjcfDescribed& robot;
  const MjcfModel& model;
  Description& d;

  /// The joint whose coordinate moves this one, and the ratio of their speeds.
  std::pair<std::size_t, double> master(std::size_t link) const {
    double ratio = 1;
    while (d.links[link].mimic) {
      ratio *= d.links[link].mimic->ratio;
      link = robot.index.at(d.links[link].mimic->joint);
    }
    return {link, ratio};
  }

  /// A motor: its speed per speed of the coordinates.
  struct Motor {
    std::string name;
    std::vector<std::pair<std::size_t, double>> row;
    double rotor = 0;
    Where where;
  };

  void add_term(Motor& motor, std::size_t link, double coefficient) const {
    const auto [of, ratio] = master(link);
    const auto known = std::ranges::find(motor.row, of, &std::pair<std::size_t, double>::first);
    if (known == motor.row.end())
      motor.row.emplace_back(of, coefficient * ratio);
    else
      known->second += coefficient * ratio;
  }

  static void add_damping(LinkDescription& link, double coefficient) {
    if (!link.friction) link.friction.emplace();
    link.friction->viscous += coefficient;
  }

  /// A tendon adds armature c c^T: of one joint to its own, of several only together with a motor of its own.
  void tendon_inertia(const std::unordered_set<const MjcfTendon*>& driven, std::vector<double>& diagonal) {
    for (const MjcfTendon& tendon : model.tendons) {
      if (tendon.armature == 0 || driven.contains(&tendon)) continue;
      Motor all;
      for (const auto& [name, coefficient] : tendon.joints)
        if (const int joint = robot.joint_named(name, tendon.where, "tendon", "tendon-joint"); joint >= 0)
          add_term(all, static_cast<std::size_t>(joint), coefficient);
      if (all.row.size() == 1)
        diagonal[all.row[0].first] += tendon.armature * all.row[0].second * all.row[0].second;
      else
        refuse_armature(tendon.where);
    }
  }

  /// An actuator that is not read, and would change the mass matrix.
  void refuse_armature(const MjcfActuator& actuator, const std::string& offender, std::string_view place) {
    if (actuator.armature == 0) return;
    robot.fault(actuator.where, offender, "actuator-armature",
                fmt::format("the armature of an actuator {} changes the mass matrix, and is not read", place),
                "write armature=\"0\" for a robot without it, or give it to the joints");
  }

  void refuse_armature(const Where& where) {
    robot.fault(
        where, "tendon", "tendon-force",
        "the armature of a tendon couples the accelerations of several joints, which a robot holds only as rotors of "
        "as many "
        "motors as joints",
        "let as many actuators drive tendons as these have joints, or write armature=\"0\", or give each joint its "
        "own");
  }

  void transmissions(const std::vector<Motor>& motors, const std::vector<double>& diagonal) {
    // coordinates that one motor moves together belong together
    std::vector<std::size_t> group(d.links.size());
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
    const auto root = [&](std::size_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    std::unordered_set<std::size_t> coupled;
    for (const Motor& motor : motors)
      for (std::size_t k = 1; k < motor.row.size(); ++k) group[root(motor.row[k].first)] = root(motor.row[0].first);
    for (const Motor& motor : motors)
      if (motor.row.size() > 1) coupled.insert(root(motor.row[0].first));
    std::unordered_map<std::size_t, std::vector<const Motor*>> together;
    std::unordered_map<std::size_t, double> gear;
    for (const Motor& motor : motors) {
      const auto& [of, ratio] = motor.row.front();
      if (coupled.contains(root(of))) {
        together[root(of)].push_back(&motor);
      } else if (const auto [known, fresh] = gear.emplace(of, ratio); !fresh && known->second != ratio) {
        robot.note(motor.where, fmt::format("actuator \"{}\"", motor.name), "actuator-unused",
                   "a second actuator of a joint with another gear is not read");
      }
    }
    std::unordered_map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (coupled.contains(root(i))) members[root(i)].push_back(i);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (const auto found = together.find(i); found != together.end()) {
        const auto& own = members.at(i);
        const bool bare = std::ranges::all_of(own, [&](std::size_t k) { return diagonal[k] == 0; });
        if (!bare || !transmission(found->second, own)) {
          const Motor& first = *found->second.front();
          for (const Motor* motor : found->second)
            if (motor->rotor != 0) refuse_armature(motor->where);
          robot.note(
              first.where, fmt::format("actuator \"{}\"", first.name), "transmission-unused",
              "tendons whose motors are not as many as their joints, or whose joints have armature, are not read as "
              "transmissions");
        }
      }
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const auto found = gear.find(i);
      const double ratio = found == gear.end() ? 1 : found->second;
      if (ratio == 1 && diagonal[i] == 0) continue;
      d.links[i].rotor = Rotor{diagonal[i] / (ratio * ratio), ratio, false, d.links[i].where};
    }
  }

  bool transmission(const std::vector<const Motor*>& motors, const std::vector<std::size_t>& own) {
    const std::size_t n = own.size();
    if (motors.size() != n || n > 64) return false;
    std::vector<double> B(n * n, 0);  // motor speeds from joint speeds
    for (std::size_t k = 0; k < n; ++k)
      for (const auto& [of, coefficient] : motors[k]->row)
        B[k * n + static_cast<std::size_t>(std::ranges::find(own, of) - own.begin())] = coefficient;
    const auto A = invert(B, static_cast<int>(n));
    if (!A) return false;
    TransmissionDescription t;
    t.where = motors.front()->where;
    for (std::size_t i = 0; i < n; ++i) {
      t.motors.push_back(motors[i]->name);
      t.joints.push_back(d.links[own[i]].joint_name);
      t.matrix.emplace_back(A->begin() + static_cast<std::ptrdiff_t>(i * n),
                            A->begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
      t.rotor_inertia.push_back(motors[i]->rotor);
    }
    if (std::ranges::all_of(t.rotor_inertia, [](double J) { return J == 0; })) t.rotor_inertia.clear();
    d.transmissions.push_back(std::move(t));
    return true;
  }
};

}  // namespace

void describe_drives(MjcfDescribed& robot) { Drives(robot).run(); }

}  // namespace torsor::detail
