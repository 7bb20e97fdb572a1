// Random robots: trees of any branching, all joint kinds, both DH conventions and explicit placements, links made of point masses (so
// that every tensor is physically possible and an independent witness can do without tensors), any base pose and gravity.
// Masses stay within one order of magnitude and links within half a metre: what is tested is the algorithms, not ill-conditioning.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/check/body_doubts.hpp"
#include "torsor/check/inertia_slips.hpp"
#include "torsor/check/plausibility.hpp"
#include "torsor/check/robot_units.hpp"
#include "torsor/drives/assign_drives.hpp"
#include "torsor/model/chain_links.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/dh_matrices.hpp"
#include "torsor/model/dh_matrix.hpp"
#include "torsor/model/finding.hpp"
#include "torsor/model/friction.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/model/geometry.hpp"
#include "torsor/model/joint.hpp"
#include "torsor/model/joint_displacement.hpp"
#include "torsor/model/link_length.hpp"
#include "torsor/model/link_scale.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/motor.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/model/serial_part.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/model/tame_quaternions.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/model/unit_quaternions.hpp"
#include "torsor/spatial/articulated_inertia.hpp"
#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/mat4.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/transform.hpp"
#include "torsor/spatial/turn.hpp"
#include "torsor/spatial/turning.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor::testing {

struct RobotOptions {
  int links = 6;
  double branching = 0.3;     // how often a link hangs from any earlier one instead of the one before it
  bool one_dof = false;       // no planar, spherical and free joints
  bool floating = false;      // the first joint is free
  bool rotors = false;        // on some joints, as a diagonal
  bool rotor_bodies = false;  // on some joints, as a body
  bool friction = false;
  bool mimics = false;
  bool transmission = false;  // two joints behind a coupling matrix, with rotors
};

struct PointMass {
  double mass;
  Vec3<double> at;
};

struct RandomRobot {
  Description description;
  std::vector<std::vector<PointMass>> particles;  // per link, in its frame: what its parts were computed from
};

/// The model of a description that must be without faults.
inline Model<double> built(const Description& description) {
  Result<Model<double>> model = build(description);
  for (const Fault& error : model.faults()) MESSAGE(to_string(error));
  REQUIRE(model);
  return *std::move(model);
}

/// The part that these points make: tensor entries are -sum m x y off the diagonal.
inline Part part_of(const std::vector<PointMass>& points, InertiaAbout about) {
  Part part;
  part.about = about;
  for (const auto& [mass, at] : points) {
    part.mass += mass;
    part.com += at * mass;
  }
  part.com = part.com * (1 / part.mass);
  for (const auto& [mass, at] : points) {
    const Vec3<double> r = about == InertiaAbout::mass_centre ? at - part.com : at;
    part.tensor +=
        Sym3<double>{
            r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y, -r.x * r.y, -r.x * r.z, -r.y * r.z} *
        mass;
  }
  return part;
}

namespace detail {

inline std::vector<PointMass> random_points(Random& random) {
  const Vec3<double> centre = random.vector(0.25);
  std::vector<PointMass> points(6);
  for (PointMass& point : points) point = {random.uniform(0.2, 1), centre + random.vector(0.2)};
  return points;
}

inline Friction<double> random_friction(Random& random) {
  Friction<double> law;
  law.viscous = random.uniform(0, 0.5);
  if (random.chance(0.5)) {
    law.coulomb_positive = random.uniform(0, 1);
    law.coulomb_negative = random.uniform(0, 1);
  }
  if (random.chance(0.5)) {
    law.breakaway_positive = law.coulomb_positive + random.uniform(0, 1);
    law.breakaway_negative = law.coulomb_negative + random.uniform(0, 1);
    law.stribeck_velocity = random.uniform(0.05, 0.5);
  }
  if (random.chance(0.3)) law.table = {{}, {-1, 0, 1}, {-random.uniform(0, 1), 0, random.uniform(0, 1)}};
  return law;
}

inline void place(Random& random, LinkDescription& link, Convention convention) {
  if (convention != Convention::placement && row(link.kind).nv <= 1 && random.chance(0.8)) {
    DhRow dh{random.uniform(-3, 3), random.uniform(-0.3, 0.3), random.uniform(-0.4, 0.4), random.uniform(-3, 3)};
    if (random.chance(0.3)) dh.beta = random.uniform(-0.3, 0.3);
    link.geometry = dh;
    return;
  }
  const double axis_length = random.uniform(0.5, 2);
  link.geometry = JointPlacement{random.transform(0.3), random.direction() * axis_length};
}

inline void drive(Random& random, LinkDescription& link, const RobotOptions& options) {
  if (link.kind == JointKind::spherical && options.rotors && random.chance(0.5))
    link.rotor = Rotor{.inertia = random.uniform(0.01, 0.3)};
  if (row(link.kind).nv != 1) return;
  if (options.rotors && random.chance(0.5))
    link.rotor = Rotor{.inertia = random.uniform(1e-4, 1e-3), .gear = random.either_sign(5, 30)};
  if (options.rotor_bodies && random.chance(0.5))
    link.rotor = Rotor{.inertia = random.uniform(1e-3, 1e-2), .gear = random.either_sign(2, 10), .as_body = true};
  if (options.friction && random.chance(0.7)) link.friction = random_friction(random);
}

}  // namespace detail

/// Trees of every kind by turns: one-dof joints alone, floating bases, any joints; friction every other time.
inline RobotOptions any_kind(Random& random, int k, bool mimics, bool transmission) {
  return {.links = 1 + random.below(9),
          .branching = 0.3,
          .one_dof = k % 3 == 0,
          .floating = k % 3 == 1,
          .rotors = true,
          .friction = k % 2 == 0,
          .mimics = mimics,
          .transmission = transmission};
}

/// Two hinges, of which the second moves no mass.
inline Description arm_with_nothing() {
  Description d;
  for (const char* name : {"arm", "nothing"}) {
    LinkDescription link;
    link.name = link.joint_name = name;
    link.geometry = JointPlacement{Transform<double>::translation({0.3, 0, 0}), {0, 0, 1}};
    if (d.links.empty()) link.parts = {part_of({{1, {0.1, 0, 0}}, {1, {0, 0.1, 0}}}, InertiaAbout::mass_centre)};
    d.links.push_back(link);
  }
  return d;
}

inline RandomRobot random_robot(Random& random, const RobotOptions& options) {
  RandomRobot robot;
  Description& d = robot.description;
  d.name = "random";
  d.convention = static_cast<Convention>(random.below(3));
  d.base = random.transform(1);
  d.gravity = random.direction() * 9.81;

  for (int i = 0; i < options.links; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    if (i == 0 || random.chance(options.branching)) {
      const int parent = random.below(i + 1) - 1;
      link.parent = parent < 0 ? "base" : "link" + std::to_string(parent);
    }
    // any kind, but mostly revolute, like robots
    do
      link.kind = random.chance(0.3) ? JointKind::revolute
                                     : static_cast<JointKind>(random.below(static_cast<int>(joint_rows.size())));
    while (options.one_dof && row(link.kind).nv > 1);
    if (i == 0 && options.floating) link.kind = JointKind::free;
    if (link.kind == JointKind::helical) link.pitch = random.uniform(-0.2, 0.2);
    detail::place(random, link, d.convention);
    detail::drive(random, link, options);

    // one part about its mass centre, or two of them and one about the frame
    const std::vector<PointMass> points = detail::random_points(random);
    robot.particles.push_back(points);
    if (random.chance(0.5)) {
      link.parts = {part_of(points, InertiaAbout::mass_centre)};
    } else {
      link.parts = {part_of({points.begin(), points.begin() + 2}, InertiaAbout::mass_centre),
                    part_of({points.begin() + 2, points.end()}, InertiaAbout::frame_origin)};
    }
    d.links.push_back(std::move(link));
  }

  // some joints follow an earlier one, which may itself follow
  std::vector<int> one_dof;
  for (int i = 0; i < options.links; ++i)
    if (row(d.links[i].kind).nv == 1) one_dof.push_back(i);
  if (options.mimics)
    for (std::size_t k = 1; k < one_dof.size(); ++k)
      if (LinkDescription& link = d.links[one_dof[k]]; !link.rotor && random.chance(0.4))
        link.mimic = Mimic{d.links[one_dof[random.below(static_cast<int>(k))]].joint_name,
                           random.either_sign(0.3, 2),
                           random.uniform(-1, 1),
                           {}};

  if (options.transmission) {
    std::vector<std::string> free_joints;
    for (const int i : one_dof)
      if (!d.links[i].rotor && !d.links[i].mimic) free_joints.push_back(d.links[i].joint_name);
    if (free_joints.size() >= 2)
      d.transmissions.push_back({{"motor0", "motor1"},
                                 {free_joints.front(), free_joints.back()},
                                 {{0.1, 0.02}, {-0.05, 0.08}},
                                 {1e-3, 2e-3},
                                 {}});
  }
  return robot;
}

struct State {
  Numbers q, qd, qdd;
};

/// Positions anywhere, speeds and accelerations of order one.
inline State random_state(Random& random, const Model<double>& model) {
  State state{{}, random.numbers(model.nv, 1), random.numbers(model.nv, 2)};
  for (const std::string& name : model.position_names) {
    const bool displacement = name.ends_with(".px") || name.ends_with(".py") || name.ends_with(".pz");
    state.q.push_back(displacement ? random.uniform(-0.5, 0.5) : random.uniform(-3, 3));
  }
  for (const Body<double>& b : model.bodies) {
    if (b.kind == JointKind::prismatic) state.q[b.q] = random.uniform(-0.3, 0.3);
    if (b.kind != JointKind::spherical && b.kind != JointKind::free) continue;
    const Numbers e = flat(random.quaternion());
    std::copy(e.begin(), e.end(), state.q.begin() + b.q);
  }
  return state;
}

inline std::vector<Force<double>> random_forces(Random& random, const Model<double>& model, double size) {
  std::vector<Force<double>> forces;
  for (int i = 0; i < model.size(); ++i) forces.push_back(random.force(size));
  return forces;
}

/// A serial arm written as a DH table, every row and every inertia general.
inline Description random_dh_arm(Random& random, int n, Convention convention, double prismatic = 0) {
  Description arm;
  arm.name = "random arm";
  arm.convention = convention;
  arm.base = random.transform(0.3);
  arm.gravity = random.vector(9);
  for (int i = 0; i < n; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.kind = random.chance(prismatic) ? JointKind::prismatic : JointKind::revolute;
    link.geometry = DhRow{random.uniform(-3, 3), random.uniform(-0.3, 0.3), random.uniform(-0.4, 0.4),
                          random.either_sign(0.3, 2.8), 0};
    link.parts = {part_of(detail::random_points(random), InertiaAbout::mass_centre)};
    arm.links.push_back(std::move(link));
  }
  return arm;
}

}  // namespace torsor::testing
