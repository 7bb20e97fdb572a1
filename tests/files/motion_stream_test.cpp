#include "torsor/files/motion_stream.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

Model<double> model_with(const std::vector<std::pair<std::string, JointKind>>& joints) {
  Description d;
  for (const auto& [name, kind] : joints) {
    LinkDescription link{.name = name, .joint_name = name, .kind = kind};
    link.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
    d.links.push_back(std::move(link));
  }
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

Model<double> two_hinges() { return model_with({{"waist", JointKind::revolute}, {"elbow", JointKind::revolute}}); }

std::vector<MotionRow> rows_of(MotionStream& stream) {
  std::vector<MotionRow> rows;
  for (MotionRow row; stream.next(row);) rows.push_back(row);
  return rows;
}

}  // namespace

TEST_CASE("columns are found by number or by the joints' names, in any order") {
  const Model<double> model = two_hinges();
  std::istringstream in("qdd.elbow,elbow,t,q1,qd2,qd.waist,qdd1\n6,2,0,1,4,3,5\n");
  MotionStream stream(model, in, "m.csv");
  const std::vector<MotionRow> rows = rows_of(stream);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].q == std::vector<double>{1, 2});
  CHECK(rows[0].qd == std::vector<double>{3, 4});
  CHECK(rows[0].qdd == std::vector<double>{5, 6});
  CHECK(stream.reader().ok());
}

TEST_CASE("missing velocities and accelerations are derived") {
  const Model<double> model = two_hinges();
  std::ostringstream text;
  text.precision(17);
  text << "t,q1,q2\n";
  for (int k = 0; k <= 400; ++k) {
    const double t = 0.005 * k;
    text << t << ',' << std::sin(t) << ',' << 2 + 3 * t + 0.5 * t * t << '\n';
  }
  std::istringstream in(text.str());
  MotionStream stream(model, in, "m.csv");
  const std::vector<MotionRow> rows = rows_of(stream);
  REQUIRE(rows.size() == 401);
  CHECK(stream.reader().derivation().what == Derived::rates);
  CHECK(stream.reader().derivation().cutoff == doctest::Approx(20));
  // away from the ends the filter passes so slow a motion unchanged; a parabola it passes everywhere
  const MotionRow& middle = rows[200];
  CHECK(middle.qd[0] == doctest::Approx(std::cos(1.0)).epsilon(1e-8));
  CHECK(middle.qdd[0] == doctest::Approx(-std::sin(1.0)).epsilon(1e-8));
  CHECK(rows[0].qd[1] == doctest::Approx(3).epsilon(1e-8));
  CHECK(rows[400].qdd[1] == doctest::Approx(1).epsilon(1e-7));
}

TEST_CASE("the rows before the first fault are given, and every fault after it is found") {
  const Model<double> model = two_hinges();
  std::istringstream in(
      "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,1,1,1,1,1,1\n1,2,2,2,2,2,2\n2,x,2,2,2,2,2\n3,3,3,3,3,3,3\n4,4,4,4,nan,4,4\n");
  MotionStream stream(model, in, "m.csv");
  CHECK(rows_of(stream).size() == 2);
  const Faults errors = stream.reader().faults();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].where.line == 4);
  CHECK(errors[1].where.line == 6);
}

TEST_CASE("quaternions are brought to unit length, and one that is none is a fault with its line") {
  const Model<double> model = model_with({{"ball", JointKind::spherical}});
  const std::string header = "q1,q2,q3,q4,qd1,qd2,qd3,qdd1,qdd2,qdd3\n";
  std::istringstream in(
      header + "1.0004,0,0,0,1,2,3,4,5,6\n0.6,0,0.8,0,1,2,3,4,5,6\n1,0,0,0.5,1,2,3,4,5,6\n1,1,1,1,1,2,3,4,5,6\n");
  MotionStream stream(model, in, "m.csv");
  const std::vector<MotionRow> rows = rows_of(stream);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].q == std::vector<double>{1, 0, 0, 0});
  CHECK(rows[0].qdd == std::vector<double>{4, 5, 6});
  const Faults errors = stream.reader().faults();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].rule == "quaternion-unit");
  CHECK(errors[0].where.line == 4);
  CHECK(errors[1].where.line == 5);
}

TEST_CASE("velocities of a joint with several degrees of freedom are not guessed from its positions") {
  const Model<double> model = model_with({{"cart", JointKind::planar}});
  std::istringstream in("t,q1,q2,q3\n0,0,0,0\n1,1,1,1\n");
  MotionStream stream(model, in, "m.csv");
  CHECK(rows_of(stream).empty());
  REQUIRE(stream.reader().faults().size() == 1);
  CHECK(stream.reader().faults()[0].offender == "joint \"cart\"");
  CHECK(stream.reader().faults()[0].remedy == "give columns for every qd and qdd, of every joint: qd.cart.wz, ...");
  // some of them: the rest is missing, and nothing is said of deriving
  std::istringstream some("t,q1,q2,q3,qd1\n0,0,0,0,0\n");
  MotionStream partial(model, some, "m.csv");
  CHECK(rows_of(partial).empty());
  REQUIRE(partial.reader().faults().size() == 3);  // qd2, qd3, and every qdd at once
  CHECK(partial.reader().faults()[0].remedy == "give one column for each coordinate");
  std::istringstream speeds("t,q1,q2,q3,qd1,qd2,qd3\n0,0,0,0,0,0,0\n");
  MotionStream fast(model, speeds, "m.csv");
  CHECK(rows_of(fast).empty());
  CHECK(fast.reader().faults().size() == 1);
}

TEST_CASE("efforts are read in the place of accelerations, and are never derived") {
  const Model<double> model = two_hinges();
  std::istringstream in("t,q1,q2,qd1,qd2,tau.elbow,tau1\n0,1,2,3,4,6,5\n");
  MotionStream stream(model, in, "m.csv", {}, MotionContent::torques);
  const std::vector<MotionRow> rows = rows_of(stream);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].qdd == std::vector<double>{5, 6});

  std::istringstream bare("t,q1,q2\n0,1,2\n1,2,3\n");
  MotionStream none(model, bare, "m.csv", {}, MotionContent::torques);
  CHECK(rows_of(none).empty());
  REQUIRE(none.reader().faults().size() == 4);
  CHECK(none.reader().faults()[3].offender == "column \"tau2\"");
}

TEST_CASE("a file in degrees is the same motion, by its headings or by the option") {
  Model<double> model = model_with({{"waist", JointKind::revolute}, {"lift", JointKind::prismatic}});
  const auto rows_in = [&model](const std::string& text, bool degrees) {
    std::istringstream in(text);
    MotionStream stream(model, in, "m.csv", {.degrees = degrees});
    const std::vector<MotionRow> rows = rows_of(stream);
    CHECK(stream.reader().ok());
    REQUIRE(rows.size() == 1);
    return rows[0];
  };
  const std::string numbers = "90,0.25,180,2,-90,3\n";
  for (const MotionRow& row :
       {rows_in("q.waist_deg,q.lift,qd.waist_deg_s,qd.lift,qdd.waist_deg_s2,qdd.lift\n" + numbers, false),
        rows_in("q1,q2,qd1,qd2,qdd1,qdd2\n" + numbers, true)}) {
    CHECK(row.q == std::vector<double>{std::numbers::pi / 2, 0.25});
    CHECK(row.qd == std::vector<double>{std::numbers::pi, 2});
    CHECK(row.qdd == std::vector<double>{-std::numbers::pi / 2, 3});
  }
}

TEST_CASE("positions beyond the limits that degrees would explain are noticed") {
  Model<double> model = two_hinges();
  for (Limits& limits : model.limits) limits.lower = -(limits.upper = 2.8);
  const auto looks = [&model](const std::string& text, bool degrees = false) {
    std::istringstream in(text);
    MotionStream stream(model, in, "m.csv", {.derivatives = 0, .degrees = degrees});
    rows_of(stream);
    return !stream.degree_suspicion().empty();
  };
  CHECK(looks("q1,q2\n0,45\n10,-90\n"));
  CHECK_FALSE(looks("q1,q2\n0,45\n10,-90\n", true));
  CHECK_FALSE(looks("q1 (deg),q2 (deg)\n0,400\n"));  // too far, but in degrees already
  CHECK_FALSE(looks("q1,q2\n0,3\n"));                // a little too far
  CHECK_FALSE(looks("q1,q2\n0,0\n1000,0\n"));       // too far in degrees, too
  CHECK(looks("q1,q2\n0,45\n1000,0\n"));            // but of one joint only, and of both as radians
  CHECK_FALSE(looks("q1 (rad),q2 (rad)\n0,45\n"));   // radians by their own word
  // some in degrees, and others of which nothing is said
  CHECK(looks("q1_deg,q2\n45,1\n"));
  CHECK_FALSE(looks("q1_deg,q2\n45,1\n", true));
  CHECK_FALSE(looks("q1_deg,q2 (rad)\n45,1\n"));
}

TEST_CASE("a slide is no angle beside columns in degrees") {
  const Model<double> model = model_with({{"waist", JointKind::revolute}, {"lift", JointKind::prismatic}});
  std::istringstream in("q1_deg,q2\n45,1\n");
  MotionStream stream(model, in, "m.csv", {.derivatives = 0});
  rows_of(stream);
  CHECK(stream.degree_suspicion().empty());
}
