#include "torsor/fast/fast_dynamics.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/jacobian.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// every question to both, at one state
void compare(const Model<double>& model, const State& state, TreeDynamics<double>& tree, FastDynamics& fast,
             double bound = 1e-13) {
  const auto nv = static_cast<std::size_t>(model.nv);
  Numbers expected(nv), tau(nv), M_expected(nv * nv), M(nv * nv);
  tree.mass(state.q, M_expected);
  tree.bias(state.q, state.qd, tau);
  const double size = largest(times(M_expected, state.qdd)) + largest(tau);  // the shares of tau, which may cancel
  tree.inverse(state.q, state.qd, state.qdd, expected);
  fast.inverse(state.q, state.qd, state.qdd, tau);
  CHECK(difference(tau, expected) < bound * size);
  fast.mass(state.q, M);
  CHECK(relative(M, M_expected) < bound);
  tree.gravity(state.q, expected);
  fast.inverse(state.q, {}, {}, tau);
  CHECK(difference(tau, expected) < bound * (1 + largest(expected)));

  // under these torques the accelerations come back: what rounding of tau makes of them is as large for the tree's own
  tree.inverse(state.q, state.qd, state.qdd, expected);
  Numbers qdd(nv), again(nv);
  REQUIRE(fast.forward(state.q, state.qd, expected, qdd) == -1);
  fast.inverse(state.q, state.qd, qdd, again);
  CHECK(difference(again, expected) < 20 * bound * size);
}

}  // namespace

TEST_CASE("a canonical chain has the efforts, masses and accelerations of its model") {
  Random random(1);
  int chains = 0;
  for (int k = 0; k < draws(300); ++k) {
    CAPTURE(k);
    const Model<double> model = built(random_dh_arm(random, 1 + random.below(14), Convention::modified_dh, 0.25));
    TreeDynamics<double> tree(model);
    for (const InstructionSet set : instruction_sets()) {
      FastDynamics fast(model, set);
      chains += fast.canonical();
      REQUIRE(fast.canonical());
      compare(model, random_state(random, model), tree, fast);
    }
  }
  CHECK(chains > 0);
}

TEST_CASE("every robot has a fast path: trees, floating bases, balls, mimic joints, friction of any law") {
  Random random(2);
  int canonical = 0, trees = 0;
  for (int k = 0; k < draws(200); ++k) {
    CAPTURE(k);
    const RobotOptions options{.links = 1 + random.below(8),
                               .branching = random.chance(0.5) ? 0 : 0.3,
                               .one_dof = random.chance(0.7),
                               .rotors = true,
                               .friction = true,
                               .mimics = random.chance(0.2),
                               .transmission = random.chance(0.3)};
    const Model<double> model = built(random_robot(random, options).description);
    if (model.nv == 0) continue;
    TreeDynamics<double> tree(model);
    FastDynamics fast(model);
    (fast.canonical() ? canonical : trees) += 1;
    CHECK(fast.canonical() == fast.why_not().empty());
    compare(model, random_state(random, model), tree, fast);
  }
  CHECK(canonical > 10);
  CHECK(trees > 10);
}

TEST_CASE("the robots of the house agree, and the arms among them are chains") {
  Random random(3);
  for (const char* name :
       {"puma560", "panda", "iiwa14", "ur5", "stanford", "scara", "sixr_angeles", "sixr_sim", "cartesian3",
        "cylindrical3", "spherical3", "articulated3", "two_link", "theta_d", "two_arm", "floating"}) {
    CAPTURE(name);
    const auto description = load_robot(name);
    REQUIRE(description);
    const Model<double> model = built(*description);
    TreeDynamics<double> tree(model);
    FastDynamics fast(model);
    CHECK(fast.canonical() == (std::string_view(name) != "two_arm" && std::string_view(name) != "floating"));
    for (int k = 0; k < 20; ++k) compare(model, random_state(random, model), tree, fast);
  }
}

TEST_CASE("the base may move and the last link be pushed; a push elsewhere takes the tree") {
  Random random(4);
  for (int k = 0; k < draws(100); ++k) {
    const Model<double> model = built(random_dh_arm(random, 2 + random.below(6), Convention::standard_dh, 0.25));
    TreeDynamics<double> tree(model);
    FastDynamics fast(model);
    tree.loads.base = {random.vector(1), random.vector(2), random.vector(3)};
    fast.set_loads(tree.loads);
    compare(model, random_state(random, model), tree, fast);
    std::vector<Force<double>> push(model.bodies.size());
    push.back() = random.force(10);
    tree.loads.external = push;
    fast.set_loads(tree.loads);
    compare(model, random_state(random, model), tree, fast);
    push = random_forces(random, model, 5);
    tree.loads.external = push;
    fast.set_loads(tree.loads);
    compare(model, random_state(random, model), tree, fast);
  }
}

TEST_CASE("pose and Jacobian of the tool are those of the model") {
  Random random(5);
  for (int k = 0; k < draws(200); ++k) {
    CAPTURE(k);
    const RobotOptions options{
        .links = 1 + random.below(7), .branching = random.chance(0.7) ? 0 : 0.3, .one_dof = random.chance(0.8)};
    Model<double> model = built(random_robot(random, options).description);
    if (model.nv == 0) continue;
    if (random.chance(0.5)) model.frames.push_back({"tool", random.below(model.size()), random.transform(0.3)});
    FastDynamics fast(model);
    const State state = random_state(random, model);
    Configuration<double> at(model);
    at.set(model, state.q);
    std::vector<Transform<double>> X(model.bodies.size());
    forward_kinematics(model, at, std::span(X));
    const int body = model.frames.empty() ? model.size() - 1 : model.frames.back().body;
    const Transform<double> tool = model.frames.empty() ? X[body] : X[body] * model.frames.back().X_body_frame;
    Numbers J(6 * model.nv), expected(J.size());
    jacobian(model, std::span<const Transform<double>>(X), body, tool.p, std::span(expected));
    CHECK(apart(fast.tool_pose_and_jacobian(state.q, J), tool) < 1e-13);
    CHECK(difference(J, expected) < 1e-13);
  }
}

TEST_CASE("axes that are nearly parallel keep their accuracy") {
  // the common normal of such axes lies up to kilometres away
  Random random(6);
  for (const double angle : {1e-13, 1e-10, 1e-7, 3.7e-6, 1e-4, 1e-2, 0.1})
    for (int k = 0; k < 20; ++k) {
      CAPTURE(angle);
      Description arm = random_dh_arm(random, 6, Convention::modified_dh);
      for (LinkDescription& link : arm.links)
        if (random.chance(0.5))
          std::get<DhRow>(link.geometry).alpha = angle * random.either_sign(0.5, 1) + (random.chance(0.3) ? M_PI : 0);
      const Model<double> model = built(arm);
      TreeDynamics<double> tree(model);
      FastDynamics fast(model);
      REQUIRE(fast.canonical());
      compare(model, random_state(random, model), tree, fast, 1e-12);
    }
}

TEST_CASE("a coordinate that moves no mass is told as the tree tells it") {
  Description arm;
  arm.gravity = {0, 0, -9.81};
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.kind = JointKind::revolute;
    link.geometry = JointPlacement{Transform<double>::translation({0.3 * i, 0, 0}), {0, 0, 1}};
    if (i == 0) link.parts = {Part{.mass = 1, .com = {0.1, 0, 0}, .tensor = {0.1, 0.1, 0.1, 0, 0, 0}}};
    arm.links.push_back(link);
  }
  const Model<double> model = built(arm);
  TreeDynamics<double> tree(model);
  FastDynamics fast(model);
  const Numbers zero(2, 0.0);
  Numbers qdd(2);
  CHECK(fast.forward(zero, zero, zero, qdd) == tree.forward(zero, zero, zero, qdd));
  CHECK(fast.forward(zero, zero, zero, qdd) == 1);
}

TEST_CASE("where slides are absurdly long, what has no mass beside them is told as the tree tells it") {
  Random random(71);
  int massless = 0, sound = 0;
  for (const int joints : {5, 9, 14})
    for (int k = 0; k < 8; ++k) {
      const Model<double> model = built(random_dh_arm(random, joints, Convention::modified_dh, 0.4));
      TreeDynamics<double> tree(model);
      for (const double size : {1.0, 1e3, 1e5, 1e6, 1e8, 1e20, 1e80, 1e150, 1e300}) {
        CAPTURE(joints);
        CAPTURE(size);
        State state = random_state(random, model);
        for (int i = 0; i < model.size(); ++i)
          if (model[i].kind == JointKind::prismatic) state.q[static_cast<std::size_t>(model[i].q)] *= size;
        Numbers expected(static_cast<std::size_t>(joints)), qdd(expected);
        const int answer = tree.forward(state.q, state.qd, state.qdd, expected);
        (answer < 0 ? sound : massless) += 1;
        for (const InstructionSet set : instruction_sets()) {
          FastDynamics fast(model, set);
          CHECK(fast.forward(state.q, state.qd, state.qdd, qdd) == answer);
        }
      }
    }
  CHECK(massless > 10);
  CHECK(sound > 10);
}

TEST_CASE("long chains and large trees agree, whatever acts on them") {
  Random random(8);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const bool arm = k % 3 == 0;
    const Model<double> model =
        arm ? built(random_dh_arm(random, 11 + random.below(20), Convention::modified_dh, 0.1))
            : built(random_robot(random, {.links = 5 + random.below(16), .branching = 0.35, .one_dof = k % 3 == 1,
                                          .floating = k % 2 == 0, .rotors = true, .friction = k % 4 == 0})
                        .description);
    TreeDynamics<double> tree(model);
    FastDynamics fast(model);
    compare(model, random_state(random, model), tree, fast);
    const std::vector<Force<double>> push = random_forces(random, model, 5);
    tree.loads = {{random.vector(1), random.vector(2), random.vector(3)}, push};
    fast.set_loads(tree.loads);
    compare(model, random_state(random, model), tree, fast);
  }
}
