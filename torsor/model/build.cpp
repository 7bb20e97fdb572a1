// Description -> Model<double>: names resolved, parents sorted first, joints brought to canonical form, inertias moved
// to body frames.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "torsor/model/check.hpp"
#include "torsor/model/default_tool.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/numeric/invert.hpp"

namespace torsor {
namespace {

/// Position of each link in the order of bodies: parents first, else as in the file. Faults were excluded by check().
std::vector<int> sorted_links(const Description& d, const std::vector<int>& parent) {
  std::vector<int> order;
  std::vector<char> placed(d.links.size(), 0);
  for (std::size_t start = 0; start < d.links.size(); ++start) {
    // climb to the nearest placed ancestor, then place the path downwards
    std::vector<int> path;
    for (int i = static_cast<int>(start); i >= 0 && !placed[i]; i = parent[i]) path.push_back(i);
    for (; !path.empty(); path.pop_back()) {
      order.push_back(path.back());
      placed[path.back()] = 1;
    }
  }
  return order;
}

/// Where the joint frame sits in the parent's link frame, and where the link frame sits in the joint's moving frame.
struct Geometry {
  Transform<double> X_parentlink_joint, X_body_link;
};

Geometry geometry(const LinkDescription& link, Convention convention) {
  if (const auto* dh = std::get_if<DhRow>(&link.geometry)) {
    if (convention == Convention::standard_dh) return {{}, standard_dh(*dh)};
    return {modified_dh(*dh), {}};
  }
  const auto& placement = std::get<JointPlacement>(link.geometry);
  if (!has_axis(link.kind)) return {placement.X_parent_joint, {}};
  const Transform<double> align{rotation_z_onto(unit(placement.axis)), {}};
  return {placement.X_parent_joint * align, inverse(align)};
}

class Builder {
 public:
  explicit Builder(const Description& description) : d(description) {
    m.name = d.name;
    m.base = d.base;
    m.gravity = d.gravity;
    for (std::size_t i = 0; i < d.links.size(); ++i) link_of_joint.emplace(d.links[i].joint_name, static_cast<int>(i));
  }

  Result<Model<double>> run(const std::vector<int>& parent) {
    const std::vector<int> order = sorted_links(d, parent);
    body_of.assign(d.links.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) body_of[order[i]] = static_cast<int>(i);
    for (const int i : order) add_link(d.links[i], parent[i]);
    settled.assign(d.links.size(), false);
    for (const int i : order) share_coordinates(i);
    for (Body<double>& b : m.bodies) add_columns(b);
    m.rotor.assign(static_cast<std::size_t>(m.nv), 0.0);
    for (const int i : order) add_drive(i);
    for (const TransmissionDescription& t : d.transmissions) add_transmission(t);
    add_frames();
    if (!errors.empty()) return errors;
    return std::move(m);
  }

 private:
  const Description& d;
  Model<double> m;
  Faults errors;
  std::vector<int> body_of;  // link -> body
  std::unordered_map<std::string, int> link_of_joint;
  std::vector<bool> settled;  // link -> its coordinate is known

  Body<double>& body(int link) { return m.bodies[body_of[link]]; }

  void add_link(const LinkDescription& link, int parent) {
    const auto [X_parentlink_joint, X_body_link] = geometry(link, d.convention);
    Body<double> b;
    b.kind = link.kind;
    b.pitch = link.pitch;
    b.link = X_body_link;
    b.inertia = X_body_link * inertia_of(link.parts);
    b.placement = X_parentlink_joint;
    if (parent >= 0) {
      b.parent = body_of[parent];
      b.placement = m[b.parent].link * X_parentlink_joint;
    }
    if (!link.mimic) new_coordinates(b, link);
    m.bodies.push_back(b);
    m.link_names.push_back(link.name);
    m.joint_names.push_back(link.joint_name);
  }

  void new_coordinates(Body<double>& b, const LinkDescription& link) {
    const JointRow& kind = row(b.kind);
    b.q = m.nq;
    b.v = m.nv;
    m.nq += kind.nq;
    m.nv += kind.nv;
    const auto name = [&](std::string_view coordinate) {
      return coordinate.empty() ? link.joint_name : link.joint_name + "." + std::string(coordinate);
    };
    for (int k = 0; k < kind.nq; ++k) m.position_names.push_back(name(kind.position_names[k]));
    for (int k = 0; k < kind.nv; ++k) {
      m.velocity_names.push_back(name(kind.velocity_names[k]));
      m.limits.push_back(link.limits);
    }
  }

  /// A mimic joint takes the coordinate of its master, through any chain of mimics: up to one that has it, then down again,
  /// so that a chain costs no more than its length.
  void share_coordinates(int link) {
    std::vector<int> followers;
    for (; d.links[link].mimic && !settled[link]; link = link_of_joint.at(d.links[link].mimic->joint))
      followers.push_back(link);
    for (int master = link; !followers.empty(); master = followers.back(), followers.pop_back()) {
      const LinkDescription& follower = d.links[followers.back()];
      const Body<double>& of = body(master);
      Body<double>& b = body(followers.back());
      b.offset = follower.mimic->offset + follower.mimic->ratio * of.offset;
      b.ratio = follower.mimic->ratio * of.ratio;
      b.q = of.q;
      b.v = of.v;
      settled[followers.back()] = true;
      narrow_limits(follower, b);
    }
  }

  /// The limits of a mimic joint hold for the coordinate that moves it; it has no drive whose torque could be limited.
  void narrow_limits(const LinkDescription& link, const Body<double>& b) {
    if (b.ratio == 0) return;
    Limits& shared = m.limits[static_cast<std::size_t>(b.v)];
    const double one = (link.limits.lower - b.offset) / b.ratio, other = (link.limits.upper - b.offset) / b.ratio;
    shared.lower = std::max(shared.lower, std::min(one, other));
    shared.upper = std::min(shared.upper, std::max(one, other));
    for (double Limits::*rate : {&Limits::velocity, &Limits::acceleration, &Limits::deceleration, &Limits::jerk})
      shared.*rate = std::min(shared.*rate, link.limits.*rate / abs(b.ratio));
    if (shared.lower <= shared.upper) return;
    errors.push_back({{d.file, link.limits_where.line},
                      "joint \"" + link.joint_name + "\"",
                      "limits-order",
                      "its limits and those of the joint it mimics leave no position for both",
                      "widen one of them, or correct ratio and offset"});
  }

  void add_columns(Body<double>& b) {
    b.column = static_cast<int>(m.S.size());
    b.nv = row(b.kind).nv;
    for (int k = 0; k < b.nv; ++k) m.S.push_back(joint_motion(b.kind, k, b.pitch) * b.ratio);
  }

  void add_drive(int link_index) {
    const LinkDescription& link = d.links[link_index];
    const Body<double> b = body(link_index);
    if (link.friction) {
      Friction<double> law = *link.friction;
      if (link.friction_at_motor) refer_to_joint(law, link.rotor ? link.rotor->gear : 1.0);
      m.friction.push_back({body_of[link_index], std::move(law)});
    }
    if (!link.rotor) return;
    if (link.kind == JointKind::spherical) {
      for (int k = 0; k < b.nv; ++k) m.rotor[b.v + k] += link.rotor->inertia;
      return;  // no motor turns it
    }
    const double gear = link.rotor->gear;
    m.transmissions.push_back({{link.joint_name}, {b.v}, {1 / gear}});
    if (!link.rotor->as_body) {
      m.rotor[b.v] += b.ratio * b.ratio * gear * gear * link.rotor->inertia;
      return;
    }
    // the rotor spins on the parent link about the joint's axis, gear times as fast: a body that mimics the joint
    Body<double> rotor;
    rotor.parent = b.parent;
    rotor.kind = JointKind::revolute;
    rotor.q = b.q;
    rotor.v = b.v;
    rotor.ratio = gear * b.ratio;
    rotor.placement = b.placement;
    rotor.inertia.I.zz = link.rotor->inertia;
    add_columns(rotor);
    m.bodies.push_back(rotor);
    m.link_names.push_back(link.name + ".rotor");
    m.joint_names.push_back(link.joint_name + ".rotor");
  }

  /// Motor-side friction seen at the joint: speeds times the gear, torques times the gear; a reversing gear swaps the
  /// directions.
  static void refer_to_joint(Friction<double>& law, double gear) {
    const double size = abs(gear);
    law.viscous *= gear * gear;
    for (double* level :
         {&law.coulomb_positive, &law.coulomb_negative, &law.breakaway_positive, &law.breakaway_negative})
      *level *= size;
    law.stribeck_velocity /= size;
    if (law.function)
      law.function = [f = law.function, gear](const double& q, const double& qd) {
        return gear * f(gear * q, gear * qd);
      };
    if (gear < 0) {
      std::swap(law.coulomb_positive, law.coulomb_negative);
      std::swap(law.breakaway_positive, law.breakaway_negative);
    }
  }

  /// Rotors behind a coupling matrix A: the joints feel A^-T diag(J) A^-1.
  void add_transmission(const TransmissionDescription& t) {
    Transmission out;
    out.motors = t.motors;
    for (const std::string& joint : t.joints) out.dofs.push_back(body(link_of_joint.at(joint)).v);
    for (const auto& matrix_row : t.matrix) out.matrix.insert(out.matrix.end(), matrix_row.begin(), matrix_row.end());
    const int n = static_cast<int>(t.joints.size());
    if (!t.rotor_inertia.empty()) {
      const std::vector<double> B = *invert(out.matrix, n);  // motor speeds from joint speeds
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          double sum = 0;
          for (int k = 0; k < n; ++k) sum += B[k * n + i] * t.rotor_inertia[k] * B[k * n + j];
          if (i == j)
            m.rotor[out.dofs[i]] += sum;
          else if (i < j && sum != 0)
            m.rotor_coupling.push_back({out.dofs[i], out.dofs[j], sum});
        }
    }
    m.transmissions.push_back(std::move(out));
  }

  /// Named tools, and always the last link of the file, so that there is a default tool.
  void add_frames() {
    for (const ToolDescription& tool : d.tools) {
      const int b = m.body_index(tool.link);
      m.frames.push_back({tool.name, b, m[b].link * tool.X_link_tool});
    }
    if (m.frames.empty() && !d.links.empty()) {
      const int b = default_tool_body(m, body_of);
      m.frames.push_back({m.link_names[b], b, m[b].link});
    }
  }
};

}  // namespace

Inertia<double> inertia_of(const std::vector<Part>& parts) {
  Inertia<double> sum;
  for (const Part& part : parts)
    sum += part.about == InertiaAbout::mass_centre ? inertia_about_centre(part.mass, part.com, part.tensor)
                                                   : Inertia<double>{part.mass, part.com * part.mass, part.tensor};
  return sum;
}

Faults refuse_loops(const Description& d) {
  if (d.loops.empty()) return {};
  return {{d.loops.front().where, fmt::format("robot \"{}\"", d.name), "robot-loops",
           fmt::format("it has closed loops (\"{}\"{}), and this is for trees only", d.loops.front().name,
                       d.loops.size() > 1 ? fmt::format(" and {} more", d.loops.size() - 1) : ""),
           "check, show, id, fd and terms take loops, and dynamics in C++, C and Python; see docs/loops.md"}};
}

Result<Model<double>> build(const Description& description) {
  if (Faults loops = refuse_loops(description); !loops.empty()) return loops;
  return build_tree(description);
}

Result<Model<double>> build_tree(const Description& description) {
  std::vector<int> parent;
  Faults errors = check_structure(description, parent);
  if (!errors.empty()) return errors;
  return Builder(description).run(parent);
}

}  // namespace torsor
