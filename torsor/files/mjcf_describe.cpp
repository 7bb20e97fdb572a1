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

#include "torsor/files/mjcf_described.hpp"
#include "torsor/model/linear_spring.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/model/dh.hpp"

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

class Describer : MjcfDescribed {
 public:
  Describer(const MjcfModel& read, Faults& faults, Faults& passed_over, MjcfLoops* found)
      : MjcfDescribed{read, faults, passed_over}, loops(found) {
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
    describe_drives(*this);
    close();
    tools();
    return std::move(d);
  }

 private:
  MjcfLoops* loops;
  std::unordered_set<std::string> links, joints;  // names that are taken
  std::vector<std::string> link_of;               // body -> the name of its link
  std::vector<Vec3<double>> origin;               // body -> its origin in that link, times -1
  std::unordered_map<std::string, const MjcfCoupling*> held;
  std::vector<double> ref;  // per link
  int unnamed = 0;

  static std::string unused(std::unordered_set<std::string>& taken, std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
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
