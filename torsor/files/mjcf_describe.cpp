// An MJCF model as a Description. A body with several joints becomes as many links, all but the last without mass; with
// p and a the position and axis of a joint in the frame of its body B, and P the parent,
//
//   X_PB(q) = X_PB prod_i [ T(p_i) J(a_i, q_i - ref_i) T(-p_i) ].
//
// A link of ours has its joint at its origin: it is B moved by p, and B itself becomes a frame on it wherever p lies beside
// the axis. The coordinates q are those of MuJoCo: constant displacements go into the placements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/model/linear_spring.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/numeric/invert.hpp"

namespace torsor::detail {
namespace {

Transform<double> displaced(const MjcfJoint& joint, double by) {
  if (by == 0 || row(joint.kind).nv != 1) return {};
  const Vec3<double> u = unit(joint.axis);
  if (joint.kind == JointKind::prismatic) return {Mat3<double>::identity(), u * by};
  const auto [c, s] = exact_cos_sin(by);
  const Mat3<double> Z = rotation_z_onto(u);
  return {Z * rotation_z(c, s) * ~Z, {}};
}

Transform<double> moved(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

/// Where the joint acts: its position, but the body's own origin wherever that makes no difference.
Vec3<double> anchor(const MjcfJoint& joint) {
  if (joint.kind == JointKind::prismatic || joint.kind == JointKind::free || joint.kind == JointKind::fixed) return {};
  if (joint.kind == JointKind::spherical) return joint.pos;
  const Vec3<double> u = unit(joint.axis), beside = joint.pos - u * dot(u, joint.pos);
  return norm(beside) <= 1e-15 * (1 + norm(joint.pos)) ? Vec3<double>{} : joint.pos;
}

/// A free joint is the only one of its body.
bool floats(const MjcfBody& body) { return !body.joints.empty() && body.joints.front().kind == JointKind::free; }

bool is_zero(const Vec3<double>& p) { return p.x == 0 && p.y == 0 && p.z == 0; }

class Describer {
 public:
  Describer(const MjcfModel& read, Faults& faults, Faults& passed_over, MjcfLoops* found)
      : model(read), errors(faults), notes(passed_over), loops(found) {
    for (const MjcfBody& body : model.bodies) {
      links.insert(body.name);
      for (const MjcfJoint& joint : body.joints) joints.insert(joint.name);
    }
    links.insert("world");
  }

  Description run() {
    d.name = model.name;
    d.base_name = "world";
    d.gravity = model.gravity;
    for (const MjcfCoupling& coupling : model.couplings)
      if (coupling.other.empty() || coupling.ratio == 0) held.emplace(coupling.joint, &coupling);
    for (const MjcfBody& body : model.bodies) add(body);
    for (const MjcfCoupling& coupling : model.couplings)
      if (!coupling.other.empty() && coupling.ratio != 0) couple(coupling);
    drive();
    close();
    tools();
    return std::move(d);
  }

 private:
  const MjcfModel& model;
  Faults& errors;
  Faults& notes;
  MjcfLoops* loops;
  Description d;
  std::unordered_set<std::string> links, joints;  // names that are taken
  std::unordered_set<std::string> unfolded;       // free joints that are four
  std::vector<std::string> link_of;               // body -> the name of its link
  std::vector<Vec3<double>> origin;               // body -> its origin in that link, times -1
  std::unordered_map<std::string, std::size_t> index;  // joint -> its place in d.links
  std::unordered_map<std::string, const MjcfCoupling*> held;
  std::vector<double> ref, armature;  // per link
  int unnamed = 0;

  static std::string unused(std::unordered_set<std::string>& taken, std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  }

  void fault(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }
  void note(const Where& where, std::string offender, std::string rule, std::string what) {
    const auto same = [&](const Fault& known) { return known.rule == rule && known.what == what; };
    if (std::ranges::none_of(notes, same))
      notes.push_back({where, std::move(offender), std::move(rule), std::move(what), ""});
  }

  /// The joints of a body. Armature is an inertia without weight on the diagonal of MuJoCo's mass matrix, whose linear
  /// velocity of a free joint is along the world. Ours is along the body, where such a diagonal a would also ask for a torque
  /// of velocities, a w x v; so the joint is three prismatic ones and a spherical one, whose coordinates are MuJoCo's.
  std::vector<MjcfJoint> joints_of(const MjcfBody& body, const std::string& name) {
    if (!floats(body) || body.joints.front().armature == 0) return body.joints;
    MjcfJoint ball = body.joints.front();
    if (ball.name.empty()) ball.name = unused(joints, name + "_joint");
    ball.kind = JointKind::spherical;
    unfolded.insert(ball.name);
    std::vector<MjcfJoint> out(3, ball);
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k < 3; ++k) {
      out[k].kind = JointKind::prismatic;
      out[k].axis = axes[k];
      out[k].name = unused(joints, fmt::format("{}.{}", ball.name, "xyz"[k]));
    }
    out.push_back(std::move(ball));
    return out;
  }

  void add(const MjcfBody& body) {
    const std::string name = body.name.empty() ? unused(links, fmt::format("body_{}", ++unnamed)) : body.name;
    std::string parent = d.base_name;
    Transform<double> X = body.X_parent_body;
    if (body.parent >= 0) {
      const std::size_t above = static_cast<std::size_t>(body.parent);
      parent = link_of[above];
      X = moved(origin[above] * -1.0) * X;
    }
    Vec3<double> p;
    const std::vector<MjcfJoint> own = joints_of(body, name);
    const std::size_t n = own.size();
    // the free joint's coordinates are absolute: where the file puts the body is one of its positions
    if (floats(body)) X = {};
    if (n == 0) {
      add_link(name, unused(joints, name + "_fixed"), parent, JointKind::fixed, X, {0, 0, 1}, body.where);
      ref.push_back(0), armature.push_back(0);
    }
    for (std::size_t k = 0; k < n; ++k) {
      MjcfJoint joint = own[k];
      const std::string joint_name =
          !joint.name.empty() ? joint.name
                              : unused(joints, n == 1 ? name + "_joint" : fmt::format("{}_joint{}", name, k + 1));
      const auto stop = held.find(joint_name);
      const bool fixed = stop != held.end() && row(joint.kind).nv == 1;
      const Vec3<double> next = anchor(joint);
      const Transform<double> J = displaced(joint, fixed ? stop->second->constant : -joint.ref);
      X = X * moved(next - p) * J;
      if (fixed) {
        const Where where = joint.where;
        joint = {};
        joint.kind = JointKind::fixed;
        joint.where = where;
      }
      p = next;
      const bool last = k + 1 == n;
      const std::string link = last ? name : unused(links, fmt::format("{}.{}", name, joint_name));
      add_link(link, joint_name, parent, joint.kind, X, joint.axis, joint.where);
      d.links.back().limits = joint.limits;
      d.links.back().friction = friction(joint);
      ref.push_back(joint.ref), armature.push_back(joint.armature);
      parent = link;
      X = {};
    }
    link_of.push_back(name);
    origin.push_back(p);
    d.links.back().parts = body.parts;
    for (Part& part : d.links.back().parts) part.com = part.com - p;
  }

  void add_link(const std::string& name, const std::string& joint, const std::string& parent, JointKind kind,
                const Transform<double>& X, const Vec3<double>& axis, const Where& where) {
    index.emplace(joint, d.links.size());
    d.links.push_back({.name = name, .joint_name = joint, .parent = parent, .kind = kind,
                       .geometry = JointPlacement{X, axis}, .where = where});
  }

  static std::optional<Friction<double>> friction(const MjcfJoint& joint) {
    if (joint.damping == 0 && joint.frictionloss == 0 && joint.stiffness == 0) return std::nullopt;
    Friction<double> law;
    law.viscous = joint.damping;
    law.coulomb_positive = law.coulomb_negative = joint.frictionloss;
    if (joint.stiffness != 0) law.table = spring_table({joint.stiffness, joint.springref});
    return law;
  }

  /// The place of a joint that has one coordinate; -1, with a fault, where there is none.
  int joint_named(const std::string& name, const Where& where, const std::string& offender, const char* rule) {
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

  bool follows(int link, int master) const {
    for (int k = 0; link >= 0 && k <= static_cast<int>(d.links.size()); ++k) {
      if (link == master) return true;
      const auto& mimic = d.links[static_cast<std::size_t>(link)].mimic;
      link = mimic ? static_cast<int>(index.at(mimic->joint)) : -1;
    }
    return false;
  }

  void couple(const MjcfCoupling& c) {
    int one = joint_named(c.joint, c.where, "equality", "equality-joint");
    int two = joint_named(c.other, c.where, "equality", "equality-joint");
    if (one < 0 || two < 0) return;
    double ratio = c.ratio;
    double offset = c.constant + ref[static_cast<std::size_t>(one)] - ratio * ref[static_cast<std::size_t>(two)];
    const auto is_free = [&](int follower, int master) {
      return !d.links[static_cast<std::size_t>(follower)].mimic && !follows(master, follower);
    };
    if (!is_free(one, two)) {
      std::swap(one, two);
      offset = -offset / ratio;
      ratio = 1 / ratio;
    }
    if (!is_free(one, two))
      return fault(c.where, "equality", "equality-cycle",
                   fmt::format("joints \"{}\" and \"{}\" are coupled already", c.joint, c.other),
                   "couple each joint to one other");
    d.links[static_cast<std::size_t>(one)].mimic =
        Mimic{d.links[static_cast<std::size_t>(two)].joint_name, ratio, offset, c.where};
  }

  /// The joint whose coordinate moves this one, and the ratio of their speeds.
  std::pair<std::size_t, double> master(std::size_t link) const {
    double ratio = 1;
    while (d.links[link].mimic) {
      ratio *= d.links[link].mimic->ratio;
      link = index.at(d.links[link].mimic->joint);
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

  void drive() {
    // what follows another joint loads that one
    std::vector<double> diagonal(d.links.size(), 0);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (armature[i] != 0) {
        const auto [of, ratio] = master(i);
        diagonal[of] += ratio * ratio * armature[i];
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
        note(a.where, offender, "actuator-unused", "an actuator with a gear of 0 is not read");
        continue;
      }
      if (!a.joint.empty()) {
        const auto found = index.find(a.joint);
        if (found != index.end() && row(d.links[found->second].kind).nv != 1) {
          note(a.where, offender, "actuator-unused", "actuators of ball, free and held joints are not read");
          // MuJoCo adds the square of the first gear to each velocity of a ball
          if (d.links[found->second].kind == JointKind::spherical && !unfolded.contains(a.joint))
            diagonal[found->second] += a.gear * a.gear * a.armature;
          else if (row(d.links[found->second].kind).nv > 1)
            refuse_armature(a, offender, "of a free joint");
          continue;
        }
        const int joint = joint_named(a.joint, a.where, offender, "actuator-joint");
        if (joint < 0) continue;
        add_term(motor, static_cast<std::size_t>(joint), a.gear);
      } else {
        const auto found = tendon_of.find(a.tendon);
        if (found == tendon_of.end()) {
          note(a.where, offender, "actuator-unused", "actuators of tendons along sites are not read");
          refuse_armature(a, offender, "of a tendon along sites");
          continue;
        }
        for (const auto& [name, coefficient] : found->second->joints)
          if (const int joint = joint_named(name, found->second->where, "tendon", "tendon-joint"); joint >= 0)
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
          fault(a.where, offender, "tendon-force", "the damping of a motor of several joints is not read",
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

  /// A tendon adds armature c c^T: of one joint to its own, of several only together with a motor of its own.
  void tendon_inertia(const std::unordered_set<const MjcfTendon*>& driven, std::vector<double>& diagonal) {
    for (const MjcfTendon& tendon : model.tendons) {
      if (tendon.armature == 0 || driven.contains(&tendon)) continue;
      Motor all;
      for (const auto& [name, coefficient] : tendon.joints)
        if (const int joint = joint_named(name, tendon.where, "tendon", "tendon-joint"); joint >= 0)
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
    fault(actuator.where, offender, "actuator-armature",
          fmt::format("the armature of an actuator {} changes the mass matrix, and is not read", place),
          "write armature=\"0\" for a robot without it, or give it to the joints");
  }

  void refuse_armature(const Where& where) {
    fault(where, "tendon", "tendon-force",
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
        note(motor.where, fmt::format("actuator \"{}\"", motor.name), "actuator-unused",
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
          note(first.where, fmt::format("actuator \"{}\"", first.name), "transmission-unused",
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

  /// A frame that a loop names: the body it is on (-1: the world), and its pose in there.
  struct Held {
    int body = -1;
    Transform<double> X;
  };

  using HeldByName = std::unordered_map<std::string, Held>;

  HeldByName named_frames(bool sites) const {
    HeldByName out;
    if (!sites) out[""] = out["world"] = {};
    if (sites)
      for (const MjcfSite& site : model.sites) out.emplace(site.name, Held{-1, site.X_body_site});
    for (int i = 0; i < static_cast<int>(model.bodies.size()); ++i) {
      const MjcfBody& body = model.bodies[static_cast<std::size_t>(i)];
      if (!sites) out.emplace(body.name, Held{i, {}});
      if (sites)
        for (const MjcfSite& site : body.sites) out.emplace(site.name, Held{i, site.X_body_site});
    }
    return out;
  }

  Held held_by(const MjcfLoop& loop, const std::string& name, const HeldByName& frames) {
    if (const auto found = frames.find(name); found != frames.end()) return found->second;
    fault(loop.where, "equality", "loop-bodies",
          fmt::format("there is no {} \"{}\"", loop.sites ? "site" : "body", excerpt(name)), "name one of this file");
    return {};
  }

  /// Where the file puts the bodies, and what holds some of them together.
  void close() {
    if (!loops) return;
    std::vector<Transform<double>> world;  // at first
    for (const MjcfBody& body : model.bodies)
      world.push_back(body.parent < 0 ? body.X_parent_body
                                      : world[static_cast<std::size_t>(body.parent)] * body.X_parent_body);
    const auto place = [&](int body) { return body < 0 ? Transform<double>{} : world[static_cast<std::size_t>(body)]; };
    const auto in_link = [&](int body, const Transform<double>& X) {
      return body < 0 ? X : moved(origin[static_cast<std::size_t>(body)] * -1.0) * X;
    };
    const auto link = [&](int body) { return body < 0 ? d.base_name : link_of[static_cast<std::size_t>(body)]; };
    std::unordered_set<std::string> names = joints;
    const HeldByName bodies = named_frames(false), sites = named_frames(true);
    for (const MjcfLoop& loop : model.loops) {
      const HeldByName& frames = loop.sites ? sites : bodies;
      Held one = held_by(loop, loop.one, frames), two = held_by(loop, loop.two, frames);
      if (!loop.sites) {
        const Transform<double> X = loop.X_one_two.value_or(inverse(place(one.body)) * place(two.body));
        one.X = loop.weld ? X * moved(loop.anchor) : moved(loop.anchor);
        two.X = loop.weld ? moved(loop.anchor) : inverse(X) * moved(loop.anchor);
      }
      const std::string called = loop.name.empty() ? loop.weld ? "weld" : "connect" : loop.name;
      loops->closings.push_back({unused(names, called), loop.rigid, link(one.body), link(two.body),
                                 in_link(one.body, one.X), in_link(two.body, two.X), loop.where});
    }
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (row(d.links[i].kind).nv == 1) loops->start[d.links[i].joint_name] = {ref[i]};
    std::unordered_map<std::string, const LinkDescription*> link_named;
    for (const LinkDescription& each : d.links) link_named.emplace(each.name, &each);
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (floats(model.bodies[i])) {
        const Quaternion<double> e = quaternion(world[i].R);
        const Vec3<double>& p = world[i].p;
        const LinkDescription* carrier = link_named.at(link_of[i]);
        if (carrier->kind == JointKind::free) {
          loops->start[carrier->joint_name] = {e.e0, e.e1, e.e2, e.e3, p.x, p.y, p.z};
          continue;
        }
        loops->start[carrier->joint_name] = {e.e0, e.e1, e.e2, e.e3};
        for (const double along : {p.z, p.y, p.x}) {
          carrier = link_named.at(*carrier->parent);
          loops->start[carrier->joint_name] = {along};
        }
      }
  }

  /// Frames of bodies whose link is another, then sites; the last one is the default tool.
  void tools() {
    std::unordered_set<std::string> taken;
    const auto add = [&](const std::string& name, const std::string& link, const Transform<double>& X,
                         const Where& where) {
      std::string free = unused(taken, taken.contains(name) ? name + "_site" : name);
      d.tools.push_back({std::move(free), link, X, where});
    };
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (!is_zero(origin[i])) add(link_of[i], link_of[i], moved(origin[i] * -1.0), model.bodies[i].where);
    const bool frames = !d.tools.empty();
    bool sites = false;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      for (const MjcfSite& site : model.bodies[i].sites) {
        add(site.name, link_of[i], moved(origin[i] * -1.0) * site.X_body_site, site.where);
        sites = true;
      }
    if (frames && !sites && is_zero(origin.back())) add(link_of.back(), link_of.back(), {}, model.bodies.back().where);
    const auto chosen = std::ranges::find(d.tools, model.tool, &ToolDescription::name);
    if (!model.tool.empty() && chosen != d.tools.end()) std::rotate(chosen, chosen + 1, d.tools.end());
  }
};

}  // namespace

Description describe_mjcf(const MjcfModel& model, Faults& errors, Faults& notes, MjcfLoops* loops) {
  return Describer(model, errors, notes, loops).run();
}

}  // namespace torsor::detail
