// The canonical chains of the fast path and the base parameters regroup alike: the few numbers that a chain keeps of each
// link have the base parameters of all that its links had, in the frames of the chain.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/identification/base_parameters.hpp"
#include "torsor/fast/canonical_chain.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The arm in the frames of its chain, with the inertias that it had.
Model<double> in_canonical_frames(const Model<double>& model, const CanonicalChain& chain) {
  Model<double> out;
  out.base = model.base;
  out.gravity = model.gravity;
  for (int i = 0; i < chain.n(); ++i) {
    const CanonicalLink<double>& link = chain.links[i];
    Body<double> b;
    b.parent = i - 1;
    b.kind = link.prismatic ? JointKind::prismatic : JointKind::revolute;
    b.q = b.v = b.column = i;
    b.nv = 1;
    const Mat3<double> R = rotation_x(link.ca, link.sa) * rotation_z(link.c0, link.s0);
    const Vec3<double> p =
        i == 0 ? Vec3<double>{} : Vec3<double>{chain.links[i - 1].a, chain.links[i - 1].b, chain.links[i - 1].d};
    b.placement = i == 0 ? chain.X_base_0 * Transform<double>{R, {}} : Transform<double>{R, p};
    out.S.push_back(joint_motion(b.kind, 0, b.pitch));
    out.bodies.push_back(b);
    out.rotor.push_back(0);
    out.position_names.push_back("q" + std::to_string(i + 1));
    out.joint_names.push_back(out.position_names.back());
  }
  out.velocity_names = out.link_names = out.joint_names;
  out.limits.resize(out.bodies.size());
  out.nq = out.nv = chain.n();
  for (int i = 0; i < model.size(); ++i)
    if (const int k = chain.link_of_body[i]; k >= 0) out.bodies[k].inertia += chain.X_link_body[i] * model[i].inertia;
  return out;
}

/// With what the chain keeps of them: moments J become the tensor tr J - J.
Model<double> with_kept_inertias(Model<double> model, const CanonicalChain& chain) {
  for (int i = 0; i < chain.n(); ++i) {
    const CanonicalLink<double>& link = chain.links[i];
    model.bodies[i].inertia = {link.m,
                               {link.hx, link.hy, link.hz},
                               {link.oyy, link.oxx, link.oxx + link.oyy, -link.oxy, -link.oxz, -link.oyz}};
  }
  return model;
}

void check_groups(const Model<double>& model) {
  const auto chain = canonical_chain(model);
  REQUIRE(chain);
  const Model<double> full = in_canonical_frames(model, *chain), kept = with_kept_inertias(full, *chain);
  const BaseParameters base = base_parameters(full, dynamic_parameters(full, {DriveColumns::none, DriveColumns::none}));
  const Numbers expected = base.values(parameter_values<double>(full, base.parameters));
  CHECK(relative(base.values(parameter_values<double>(kept, base.parameters)), expected) < 1e-12);
  // which is no matter of course: without the regrouping they would differ
  CHECK(relative(parameter_values<double>(kept, base.parameters), parameter_values<double>(full, base.parameters)) >
        1e-3);
}

}  // namespace

TEST_CASE("canonical chains keep the base parameters of robots") {
  for (const char* name : {"puma560", "stanford", "panda", "ur5", "scara", "sixr_angeles"}) {
    CAPTURE(name);
    check_groups(built(*load_robot(name)));
  }
}

TEST_CASE("canonical chains keep the base parameters of random arms, slides included") {
  Random random(161);
  for (int draw = 0; draw < draws(40); ++draw)
    check_groups(built(random_dh_arm(random, 2 + random.below(6), Convention::standard_dh, 0.3)));
}
