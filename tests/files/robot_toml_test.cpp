// The robot file: every way of writing a thing means the same thing, and the shipped robots mean what was published.
#include "tests/support/places.hpp"
#include "torsor/files/robot_toml.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>

#include "tests/files/file_text.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/shape.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using std::numbers::pi;

Description read_robot(const std::string& text) {
  const auto robot = read_robot_toml(text, "test.toml");
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  CHECK(build(*robot));
  return *robot;
}

LinkDescription read_one(const std::string& lines, const std::string& joint = "\"revolute\"") {
  return read_robot(one_link(lines, joint)).links.at(0);
}

double distance(const Vec3<double>& a, const Vec3<double>& b) { return norm(a - b); }
double distance(const Mat3<double>& a, const Mat3<double>& b) {
  return std::max({distance(a.x, b.x), distance(a.y, b.y), distance(a.z, b.z)});
}
double distance(const Sym3<double>& a, const Sym3<double>& b) { return distance(full(a), full(b)); }

// mass, first moment and tensor about the link's frame, however the file splits them
Inertia<double> total(const LinkDescription& link) {
  Inertia<double> sum;
  for (const Part& part : link.parts)
    sum += part.about == InertiaAbout::mass_centre ? inertia_about_centre(part.mass, part.com, part.tensor)
                                                   : Inertia<double>{part.mass, part.com * part.mass, part.tensor};
  return sum;
}

void check_same(const Inertia<double>& a, const Inertia<double>& b) {
  CHECK(a.m == doctest::Approx(b.m).epsilon(1e-14));
  CHECK(distance(a.h, b.h) < 1e-14);
  CHECK(distance(a.I, b.I) < 1e-14);
}

Mat3<double> placement_rotation(const std::string& pose) {
  return std::get<JointPlacement>(read_one("placement = { " + pose + " }").geometry).X_parent_joint.R;
}

}  // namespace

TEST_CASE("the smallest robot file has one link, and the rest is default") {
  const Description robot = read_robot(one_link(""));
  CHECK(robot.name == "test");
  CHECK(robot.file == "test.toml");
  CHECK(robot.convention == Convention::placement);
  CHECK(distance(robot.gravity, {0, 0, -9.81}) == 0);
  const LinkDescription& link = robot.links.at(0);
  CHECK(link.name == "a");
  CHECK(link.joint_name == "a");
  CHECK_FALSE(link.parent);
  CHECK(link.parts.empty());
  CHECK(distance(std::get<JointPlacement>(link.geometry).axis, {0, 0, 1}) == 0);
  CHECK(link.limits.upper == std::numeric_limits<double>::infinity());
}

TEST_CASE("units by suffix are converted to the nearest double") {
  const LinkDescription link = read_one(
      "mass_g = 1234.5\ncom_mm = [431.8, -20, 1]\ninertia_kgmm2 = [130, 524, 539]\n"
      "limits = { position_deg = [-90, 180], velocity_deg = 270 }\nrotor = { inertia_gcm2 = 330 }\n"
      "placement = { position_cm = [43.18, 0, 2] }\n");
  const Part& part = link.parts.at(0);
  CHECK(part.mass == 1.2345);
  CHECK(distance(part.com, {0.4318, -0.02, 0.001}) == 0);
  CHECK(distance(part.tensor, {0.00013, 0.000524, 0.000539}) == 0);
  CHECK(link.limits.lower == -pi / 2);
  CHECK(link.limits.upper == pi);
  CHECK(link.limits.velocity == 1.5 * pi);
  CHECK(link.rotor->inertia == 0.000033);
  CHECK(distance(std::get<JointPlacement>(link.geometry).X_parent_joint.p, {0.4318, 0, 0.02}) < 1e-17);
  CHECK(read_one("rotor = { inertia_kgcm2 = 2 }").rotor->inertia == 0.0002);
  CHECK(read_one("rotor = { inertia_gmm2 = 2 }").rotor->inertia == 2e-9);
}

TEST_CASE("a DH table is read in either convention, in SI and in other units") {
  const std::string si = "dh = { a = 0.4318, alpha = 1.5707963267948966, d = 0.15, theta = -0.1 }\n";
  const std::string other = "dh = { a_mm = 431.8, alpha_deg = 90, d_cm = 15, theta = -0.1 }\n";
  for (const auto& [word, convention] :
       {std::pair{"standard-dh", Convention::standard_dh}, {"modified-dh", Convention::modified_dh}})
    for (const std::string& row : {si, other}) {
      const Description robot = read_robot("convention = \"" + std::string(word) + "\"\n" + one_link(row));
      CHECK(robot.convention == convention);
      const DhRow dh = std::get<DhRow>(robot.links.at(0).geometry);
      CHECK(dh.a == 0.4318);
      CHECK(dh.alpha == pi / 2);
      CHECK(dh.d == 0.15);
      CHECK(dh.theta == -0.1);
    }
}

TEST_CASE("one rotation written in every way is the same") {
  // 120 degrees about (1, 1, 1): x to y, y to z, z to x
  const Mat3<double> cycle{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  CHECK(distance(placement_rotation("matrix = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]"), cycle) == 0);
  CHECK(distance(placement_rotation("quaternion = [3, 3, 3, 3]"), cycle) < 1e-15);
  CHECK(distance(placement_rotation("axis = [2, 2, 2], angle_deg = 120"), cycle) < 1e-15);
  CHECK(distance(placement_rotation("rpy_deg = [90, 0, 90]"), cycle) == 0);
  CHECK(distance(placement_rotation("rpy = [0.3, -0.4, 0.5]"), rotation_rpy(0.3, -0.4, 0.5)) < 1e-15);
}

TEST_CASE("a matrix of seven digits is made exactly orthonormal") {
  const Mat3<double> R = placement_rotation("matrix = [[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 1]]");
  CHECK(distance(~R * R, Mat3<double>::identity()) < 1e-15);
  CHECK(distance(R, rotation_z(pi / 6)) < 1e-7);
}

TEST_CASE("the base and the tools have poses") {
  const Description robot = read_robot("base = { position_mm = [1, 2, 3], rpy_deg = [180, 0, 0] }\n" + one_link("") +
                                 "[[tool]]\nname = \"tip\"\nposition = [0, 0, 1]\n");
  CHECK(distance(robot.base.p, {0.001, 0.002, 0.003}) == 0);
  CHECK(distance(robot.base.R, rotation_x(-1.0, 0.0)) == 0);
  CHECK(robot.tools.at(0).name == "tip");
  CHECK(robot.tools.at(0).link == "a");
  CHECK(distance(robot.tools.at(0).X_link_tool.p, {0, 0, 1}) == 0);
}

TEST_CASE("the joint is a word or a table") {
  const LinkDescription screw =
      read_one("", R"({ kind = "helical", name = "screw", axis = [0, 2, 0], pitch_mm_per_turn = 5 })");
  CHECK(screw.kind == JointKind::helical);
  CHECK(screw.joint_name == "screw");
  CHECK(screw.pitch == doctest::Approx(0.005 / (2 * pi)).epsilon(1e-15));
  CHECK(distance(std::get<JointPlacement>(screw.geometry).axis, {0, 2, 0}) == 0);
  for (const JointRow& row : joint_rows)
    if (row.name != "helical") CHECK(read_one("", '"' + std::string(row.name) + '"').kind == joint_kind(row.name));
}

TEST_CASE("an inertia means the same about the frame, about the centre, and with either sign of its products") {
  const Inertia<double> expected =
      inertia_about_centre(2.0, Vec3<double>{0.1, -0.2, 0.3}, Sym3<double>{0.5, 0.6, 0.7, 0.01, -0.02, 0.03});
  const std::string mass = "mass = 2\ncom = [0.1, -0.2, 0.3]\n";
  check_same(
      total(read_one(
          mass +
          "inertia = { xx = 0.5, yy = 0.6, zz = 0.7, xy = 0.01, xz = -0.02, yz = 0.03, products = \"tensor\" }")),
      expected);
  check_same(total(read_one(mass + "inertia = { xx = 0.5, yy = 0.6, zz = 0.7, xy = -0.01, xz = 0.02, yz = -0.03, "
                                   "products = \"integral\", about = \"com\" }")),
             expected);
  check_same(total(read_one(mass + "inertia = [[0.5, 0.01, -0.02], [0.01, 0.6, 0.03], [-0.02, 0.03, 0.7]]")), expected);
  check_same(
      total(read_one(
          mass +
          "inertia_kgcm2 = { xx = 5e3, yy = 6e3, zz = 7e3, xy = 1e2, xz = -2e2, yz = 3e2, products = \"tensor\" }")),
      expected);
  // Steiner by hand: about the frame each moment has m (b^2 + c^2) more, each product m a b less
  check_same(total(read_one(mass + "inertia = { xx = 0.76, yy = 0.8, zz = 0.8, xy = 0.05, xz = -0.08, yz = 0.15, "
                                   "products = \"tensor\", about = \"frame\" }")),
             expected);
}

TEST_CASE("a part placed in the link is moved and turned, whatever its inertia is about") {
  const Transform<double> X{rotation_rpy(0.1, 0.2, 0.3), {0.4, 0.5, 0.6}};
  const std::string pose = "position = [0.4, 0.5, 0.6]\nrpy = [0.1, 0.2, 0.3]\n";
  const std::string mass = "mass = 2\ncom = [0.1, 0, 0]\n";
  check_same(total(read_one("[[link.part]]\n" + pose + mass + "inertia = [1, 2, 2.5]\n")),
             X * inertia_about_centre(2.0, Vec3<double>{0.1, 0, 0}, Sym3<double>{1, 2, 2.5}));
  check_same(
      total(read_one("[[link.part]]\n" + pose + mass + "inertia = { xx = 1, yy = 2, zz = 2.5, about = \"frame\" }\n")),
      X * Inertia<double>{2, {0.2, 0, 0}, {1, 2, 2.5}});
}

TEST_CASE("parts of a link add up, listed or in blocks") {
  const std::string listed =
      "parts = [{ mass = 1, com = [1, 0, 0] }, { mass = 3, position = [0, 1, 0], com = [0, 0, 1] }]\n";
  const std::string blocks =
      "[[link.part]]\nmass = 1\ncom = [1, 0, 0]\n[[link.part]]\nmass = 3\nposition = [0, 1, 0]\ncom = [0, 0, 1]\n";
  for (const std::string& text : {listed, blocks}) {
    const Inertia<double> sum = total(read_one(text));
    CHECK(sum.m == 4);
    CHECK(distance(sum.h, {1, 3, 3}) == 0);
  }
}

TEST_CASE("a shape has the mass and inertia of its solid, laid along its axis") {
  const Part box = read_one("shape = { box_cm = [10, 20, 30], density = 500, position = [0, 0, 1] }").parts.at(0);
  const Solid solid = solid_box({0.1, 0.2, 0.3});
  CHECK(box.mass == doctest::Approx(3).epsilon(1e-14));
  CHECK(distance(box.com, {0, 0, 1}) == 0);
  CHECK(distance(box.tensor, solid.tensor_per_mass * 3.0) < 1e-15);

  const Sym3<double> z = solid_tube(0.05, 0.04, 0.6).tensor_per_mass * 2.0;
  const std::string tube = "shape = { tube = { outer_mm = 50, inner_mm = 40, length = 0.6 }, mass = 2";
  CHECK(distance(read_one(tube + " }").parts.at(0).tensor, z) < 1e-15);
  CHECK(distance(read_one(tube + ", axis = \"x\" }").parts.at(0).tensor, {z.zz, z.xx, z.xx}) < 1e-15);
  CHECK(distance(read_one(tube + ", axis = \"y\" }").parts.at(0).tensor, {z.xx, z.zz, z.xx}) < 1e-15);
  CHECK(distance(read_one(tube + ", axis = \"x\", rpy_deg = [0, 0, 90] }").parts.at(0).tensor, {z.xx, z.zz, z.xx}) <
        1e-15);

  CHECK(distance(read_one("shape = { cylinder = { radius = 1, length = 2 }, mass = 3 }").parts.at(0).tensor,
                 solid_cylinder(1, 2).tensor_per_mass * 3.0) == 0);
  CHECK(distance(read_one("shape = { sphere = { radius = 2 }, mass = 3 }").parts.at(0).tensor,
                 solid_sphere(2).tensor_per_mass * 3.0) == 0);
}

TEST_CASE("friction has levels for each direction, a Stribeck speed and a table") {
  const LinkDescription link = read_one(
      "friction = { viscous = 1, coulomb = [2, 3], breakaway = 4, stribeck_velocity = 0.5, "
      "table = { q_deg = [0, 90], qd = [-1, 0, 1], effort = [[1, 2, 3], [4, 5, 6]] } }");
  const Friction<double>& law = *link.friction;
  CHECK(law.viscous == 1);
  CHECK(law.coulomb_positive == 2);
  CHECK(law.coulomb_negative == 3);
  CHECK(law.breakaway_positive == 4);
  CHECK(law.breakaway_negative == 4);
  CHECK(law.stribeck_velocity == 0.5);
  CHECK_FALSE(link.friction_at_motor);
  CHECK(evaluate(law.table, pi / 2, 0.5) == doctest::Approx(5.5).epsilon(1e-15));
  CHECK(read_one("friction = { table = { qd = [0, 1], effort = [5, 7] } }").friction->table.q.empty());
}

TEST_CASE("rotor, mimic and transmission are read") {
  const Description robot =
      read_robot(one_link("rotor = { inertia = 2e-4, gear = -50, as = \"body\" }\n") +
           "[[link]]\nname = \"b\"\njoint = \"prismatic\"\nmimic = { joint = \"a\", ratio = -2, offset_mm = 5 }\n"
           "limits = { position_mm = [0, 10], velocity_cm = 3, effort = 7 }\n"
           "[[link]]\nname = \"c\"\njoint = \"revolute\"\nparent = \"a\"\n[[link]]\nname = \"d\"\njoint = "
           "\"revolute\"\nparent = \"base\"\n"
           "[[transmission]]\nmotors = [\"m\", \"n\"]\njoints = [\"c\", \"d\"]\nmatrix = [[1, 2], [3, "
           "4]]\nrotor_inertia_kgcm2 = [5, 6]\n");
  const LinkDescription &a = robot.links[0], &b = robot.links[1];
  CHECK(a.rotor->inertia == 2e-4);
  CHECK(a.rotor->gear == -50);
  CHECK(a.rotor->as_body);
  CHECK(a.rotor->where.line == 4);
  CHECK(b.mimic->joint == "a");
  CHECK(b.mimic->ratio == -2);
  CHECK(b.mimic->offset == 0.005);
  CHECK(b.limits.upper == 0.01);
  CHECK(b.limits.velocity == 0.03);
  CHECK(b.limits.effort == 7);
  CHECK(robot.links[2].parent == "a");
  CHECK(robot.links[3].parent == "base");
  const TransmissionDescription& t = robot.transmissions.at(0);
  CHECK(t.motors == std::vector<std::string>{"m", "n"});
  CHECK(t.joints == std::vector<std::string>{"c", "d"});
  CHECK(t.matrix == std::vector<std::vector<double>>{{1, 2}, {3, 4}});
  CHECK(t.rotor_inertia == std::vector<double>{5e-4, 6e-4});
}

TEST_CASE("the example of the documentation reads and builds") {
  const std::string page = contents(places::in_project("docs/robot-file.md"));
  const std::vector<std::string> blocks = toml_blocks(page);
  REQUIRE(!blocks.empty());
  const Description robot = read_robot(blocks[0]);
  CHECK(robot.links.size() == 7);
  CHECK(build(robot)->nv == 6);
}

TEST_CASE("the PUMA with its drives gives the published mass matrix and torques") {
  const Description robot = read_robot(contents(places::in_project("robots/puma560_drives.toml")));
  const Model<double> model = *build(robot);
  TreeDynamics<double> dynamics(model);
  // the values are printed to four decimals and to six digits
  const std::vector<double> q{0, pi / 4, pi, 0, pi / 4, 0}, one(6, 1.0);
  const double diagonal[] = {3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941};
  const double with_friction[] = {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781};
  const double at_rest[] = {3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133};
  std::vector<double> M(36), tau(6), tau_at_rest(6);
  dynamics.mass(q, M);
  dynamics.inverse(q, one, one, tau);
  dynamics.inverse(q, {}, one, tau_at_rest);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(std::abs(M[7 * i] - diagonal[i]) < 0.5001e-4);
    CHECK(tau[i] == doctest::Approx(with_friction[i]).epsilon(5e-6));
    CHECK(tau_at_rest[i] == doctest::Approx(at_rest[i]).epsilon(5e-6));
  }
}
