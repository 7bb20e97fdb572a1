// Planar, ball and free joints against chains of one-dof joints with massless links between: two slides and a turn for a planar joint,
// Rz Ry Rx for a ball, three slides before it for a free joint, away from the pitch of a right angle where the chain is singular.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The same robot with joints of one degree of freedom only.
Description unfolded(const Description& d) {
  Description out = d;
  out.links.clear();
  for (const LinkDescription& link : d.links) {
    if (row(link.kind).nv <= 1) {
      out.links.push_back(link);
      continue;
    }
    struct Step {
      const char* name;
      JointKind kind;
      Vec3<double> axis;
    };
    const auto& place = std::get<JointPlacement>(link.geometry);
    const bool planar = link.kind == JointKind::planar;
    const Mat3<double> along = planar ? rotation_z_onto(place.axis * (1 / norm(place.axis))) : Mat3<double>::identity();
    std::vector<Step> steps;
    if (link.kind != JointKind::spherical)
      steps = {{".px", JointKind::prismatic, along.x}, {".py", JointKind::prismatic, along.y}};
    if (link.kind == JointKind::free) steps.push_back({".pz", JointKind::prismatic, along.z});
    steps.push_back({".yaw", JointKind::revolute, along.z});
    if (!planar)
      steps.insert(steps.end(),
                   {{".pitch", JointKind::revolute, {0, 1, 0}}, {".roll", JointKind::revolute, {1, 0, 0}}});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      LinkDescription step;
      step.name = link.name + steps[k].name;
      step.joint_name = link.joint_name + steps[k].name;
      step.kind = steps[k].kind;
      step.geometry = JointPlacement{{}, steps[k].axis};
      if (k == 0) {
        step.parent = link.parent;
        std::get<JointPlacement>(step.geometry).X_parent_joint = place.X_parent_joint;
      }
      if (k + 1 == steps.size()) {
        step.name = link.name;
        step.parts = link.parts;
      }
      out.links.push_back(step);
    }
  }
  return out;
}

/// The state of the model as given that moves as the chain does.
State folded(const Model<double>& balls, const Model<double>& chain, const State& s) {
  const auto at = [&](const std::string& name) {
    const auto found = std::find(chain.velocity_names.begin(), chain.velocity_names.end(), name);
    REQUIRE(found != chain.velocity_names.end());
    return static_cast<std::size_t>(found - chain.velocity_names.begin());
  };
  const auto moving = [&](const std::string& name) {
    return Time2{{s.q[at(name)], {s.qd[at(name)]}}, {Time1{s.qd[at(name)], {s.qdd[at(name)]}}}};
  };
  const auto position = [](const Time2& x) { return x.value; };
  const auto speed = [](const Time2& x) { return x.tangent[0]; };

  State out{Numbers(static_cast<std::size_t>(balls.nq)), Numbers(static_cast<std::size_t>(balls.nv)),
            Numbers(static_cast<std::size_t>(balls.nv))};
  const auto put_velocity = [&](int v, const Vec3<Time1>& u) {
    const Numbers now = flat(value(u)), later = flat(rate(u));
    std::copy(now.begin(), now.end(), out.qd.begin() + v);
    std::copy(later.begin(), later.end(), out.qdd.begin() + v);
  };
  for (int i = 0; i < balls.size(); ++i) {
    const Body<double>& b = balls[i];
    const std::string& joint = balls.joint_names[i];
    if (row(b.kind).nv == 1) {
      const std::size_t k = at(joint);
      out.q[b.q] = s.q[k];
      out.qd[b.v] = s.qd[k];
      out.qdd[b.v] = s.qdd[k];
    }
    if (b.kind == JointKind::planar) {
      const Time2 yaw = moving(joint + ".yaw");
      const Mat3<Time1> R = rotation_z(position(yaw));
      const Vec3<Time1> v = ~R * Vec3<Time1>{speed(moving(joint + ".px")), speed(moving(joint + ".py")), Time1(0.0)};
      put_velocity(b.v, {speed(yaw), v.x, v.y});
      out.q[b.q] = yaw.value.value;
      for (int k : {1, 2}) out.q[b.q + k] = s.q[at(joint + (k == 1 ? ".px" : ".py"))];
    }
    if (b.kind != JointKind::spherical && b.kind != JointKind::free) continue;
    // body angular velocity from R^T dR/dt, both still functions of time
    const Mat3<Time2> R =
        rotation_z(moving(joint + ".yaw")) * rotation_y(moving(joint + ".pitch")) * rotation_x(moving(joint + ".roll"));
    const Mat3<Time1> R_now = cast<Time1>(R, position), R_rate = cast<Time1>(R, speed);
    put_velocity(b.v, axial(~R_now * R_rate));
    const Numbers e = flat(quaternion(value(R_now)));
    std::copy(e.begin(), e.end(), out.q.begin() + b.q);
    if (b.kind == JointKind::spherical) continue;
    const Vec3<Time2> p{moving(joint + ".px"), moving(joint + ".py"), moving(joint + ".pz")};
    put_velocity(b.v + 3, ~R_now * cast<Time1>(p, speed));
    const Numbers origin = flat(value(cast<Time1>(p, position)));
    std::copy(origin.begin(), origin.end(), out.q.begin() + b.q + 4);
  }
  return out;
}

struct Pair {
  Model<double> balls, chain;
  State of_balls, of_chain;
  Numbers G;  // velocities of the balls = G * velocities of the chain
};

Pair random_pair(Random& random, int links) {
  const Description d = random_robot(random, {.links = links}).description;
  Pair pair{built(d), built(unfolded(d)), {}, {}, {}};
  pair.of_chain = random_state(random, pair.chain);
  for (std::size_t k = 0; k < pair.chain.velocity_names.size(); ++k)
    if (pair.chain.velocity_names[k].ends_with(".pitch")) pair.of_chain.q[k] = random.uniform(-1, 1);
  pair.of_balls = folded(pair.balls, pair.chain, pair.of_chain);

  const auto n = static_cast<std::size_t>(pair.chain.nv);
  Numbers columns;
  for (std::size_t k = 0; k < n; ++k) {
    State unit{pair.of_chain.q, Numbers(n, 0.0), Numbers(n, 0.0)};
    unit.qd[k] = 1;
    const Numbers column = folded(pair.balls, pair.chain, unit).qd;
    columns.insert(columns.end(), column.begin(), column.end());
  }
  pair.G = n == 0 ? Numbers{} : transposed(columns, n);
  return pair;
}

}  // namespace

TEST_CASE("planar, ball and free joints carry the links as chains of one-dof joints do") {
  Random random(4000);
  for (int k = 0; k < draws(50); ++k) {
    const Pair pair = random_pair(random, 1 + random.below(8));
    const std::vector<Transform<double>> X = poses(pair.balls, pair.of_balls.q), Y = poses(pair.chain, pair.of_chain.q);
    const BodyMotions<double> a = motions(pair.balls, pair.of_balls.q, pair.of_balls.qd, pair.of_balls.qdd);
    const BodyMotions<double> b = motions(pair.chain, pair.of_chain.q, pair.of_chain.qd, pair.of_chain.qdd);
    for (int i = 0; i < pair.balls.size(); ++i) {
      const int j = pair.chain.body_index(pair.balls.link_names[i]);
      REQUIRE(j >= 0);
      // compared at the author's link frame, since a chain's last joint turns about x
      const Transform<double>&link = pair.balls[i].link, &same = pair.chain[j].link;
      CHECK(apart(X[i] * link, Y[j] * same) < 1e-12);
      CHECK(apart(~link * a.v[i], ~same * b.v[j]) < 1e-11);
      CHECK(apart(~link * a.a[i], ~same * b.a[j]) < 1e-10);
    }
  }
}

TEST_CASE("planar, ball and free joints need the efforts that chains of one-dof joints need") {
  Random random(4001);
  int compared = 0;
  for (int k = 0; k < draws(50); ++k) {
    const Pair pair = random_pair(random, 1 + random.below(8));
    const std::size_t n = static_cast<std::size_t>(pair.balls.nv), N = static_cast<std::size_t>(pair.chain.nv);
    if (n == 0) continue;
    REQUIRE(n == N);
    compared += pair.balls.size() < pair.chain.size();

    // the same power for every motion: tau_chain = G^T tau_balls
    const auto& [q, qd, qdd] = pair.of_balls;
    const Numbers tau = inverse(pair.balls, q, qd, qdd),
                  tau_chain = inverse(pair.chain, pair.of_chain.q, pair.of_chain.qd, pair.of_chain.qdd);
    CHECK(relative(times(transposed(pair.G, N), tau), tau_chain) < 1e-11);

    // the same kinetic energy for every motion: M_chain = G^T M_balls G
    const Numbers M = product(transposed(pair.G, N), product(mass_matrix(pair.balls, q), pair.G, N), N);
    CHECK(relative(M, mass_matrix(pair.chain, pair.of_chain.q)) < 1e-12);

    // and the same accelerations of the bodies under the same torques
    State moved = pair.of_chain;
    TreeDynamics<double>(pair.chain).forward(moved.q, moved.qd, tau_chain, moved.qdd);
    Numbers back(n);
    TreeDynamics<double>(pair.balls).forward(q, qd, tau, back);
    CHECK(relative(folded(pair.balls, pair.chain, moved).qdd, back) < 1e-9);
  }
  CHECK(compared > draws(25));
}
