#include "torsor/report/dh_table.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "torsor/spatial/roll_pitch_yaw.hpp"

using namespace torsor;

namespace {

Description two_joint_arm(Convention convention) {
  Description d;
  d.name = "arm";
  d.convention = convention;
  const double right = std::numbers::pi / 2;
  for (const auto& [name, kind, row] : {std::tuple{"waist", JointKind::revolute, DhRow{right, 0.5, 0, -right}},
                                        std::tuple{"a_b", JointKind::prismatic, DhRow{0, 0.25, 0.125, 0}}}) {
    LinkDescription l{.name = name, .joint_name = name, .kind = kind};
    l.geometry = row;
    d.links.push_back(l);
  }
  return d;
}

}  // namespace

TEST_CASE("the table has a row per joint, angles in degrees too, and names its convention") {
  const auto table = dh_table(two_joint_arm(Convention::standard_dh), 6);
  REQUIRE(table);
  CHECK(table->caption == "standard DH: A = Rz(theta) Tz(d) Tx(a) Rx(alpha)");
  REQUIRE(table->rows.size() == 2);
  CHECK(std::get<double>(table->rows[0][1]) == 90);
  CHECK(std::get<double>(table->rows[0][4]) == -90);
  CHECK(std::get<std::string>(table->rows[0].back()) == "theta + q_1");
  CHECK(std::get<std::string>(table->rows[1].back()) == "d + q_2");
  CHECK(dh_table(two_joint_arm(Convention::modified_dh), 6)->caption ==
        "modified DH: A = Tx(a) Rx(alpha) Rz(theta) Tz(d)");
}

TEST_CASE("the fifth parameter has a column only where it is used") {
  Description d = two_joint_arm(Convention::standard_dh);
  const std::size_t columns = dh_table(d, 6)->columns.size();
  std::get<DhRow>(d.links[0].geometry).beta = 1e-3;
  CHECK(dh_table(d, 6)->columns.size() == columns + 1);
  CHECK(dh_table_latex(d, 6)->find("\\beta_i") != std::string::npos);
}

TEST_CASE("LaTeX shows the variables as q_i and escapes names") {
  const auto text = dh_table_latex(two_joint_arm(Convention::standard_dh), 6);
  REQUIRE(text);
  CHECK(text->find("waist & $q_{1} + 90$ & $0.5$ & $0$ & $-90$ \\\\") != std::string::npos);
  CHECK(text->find("a\\_b & $0$ & $q_{2} + 0.25$ & $0.125$ & $0$ \\\\") != std::string::npos);
}

TEST_CASE("a robot with a placement has no table") {
  Description d = two_joint_arm(Convention::standard_dh);
  d.links[1].geometry = JointPlacement{};
  CHECK(!dh_table(d, 6));
  CHECK(!dh_table_latex(d, 6));
}

TEST_CASE("LaTeX names the convention above the rows, with the indices of its formula, and writes powers of ten") {
  Description d = two_joint_arm(Convention::standard_dh);
  std::get<DhRow>(d.links[1].geometry).a = 1.25e-6;
  const auto standard = dh_table_latex(d, 6);
  CHECK(standard->find("{standard DH: $A_i = R_z(\\theta_i)\\,T_z(d_i)\\,T_x(a_i)\\,R_x(\\alpha_i)$} \\\\") !=
        std::string::npos);
  CHECK(standard->find("$1.25 \\times 10^{-6}$") != std::string::npos);
  CHECK(standard->find("e-6") == std::string::npos);
  d.convention = Convention::modified_dh;
  const auto modified = dh_table_latex(d, 6);
  CHECK(modified->find("$A_i = T_x(a_{i-1})\\,R_x(\\alpha_{i-1})\\,R_z(\\theta_i)\\,T_z(d_i)$") != std::string::npos);
  CHECK(modified->find("$a_{i-1}$ (m) & $\\alpha_{i-1}$") != std::string::npos);
}

TEST_CASE("a helical joint moves d, too") {
  Description d = two_joint_arm(Convention::standard_dh);
  d.links[0].kind = JointKind::helical;
  d.links[0].pitch = -0.02;
  CHECK(std::get<std::string>(dh_table(d, 6)->rows[0].back()) == "theta + q_1, d - 0.02 q_1 m/rad");
  CHECK(dh_table_latex(d, 6)->find("$q_{1} + 90$ & $-0.02\\,q_{1}\\,\\mathrm{m/rad} + 0.5$") != std::string::npos);
}

TEST_CASE("joints that mimic show the coordinate they follow, and coordinates are counted without them") {
  Description d = two_joint_arm(Convention::standard_dh);
  d.links.push_back(d.links[0]);
  d.links.push_back(d.links[0]);
  d.links[2].joint_name = "third";
  d.links[3].joint_name = "fourth";
  const auto variable = [&](std::size_t i) { return std::get<std::string>(dh_table(d, 6)->rows[i].back()); };
  d.links[1].mimic = Mimic{"waist", 0.05, 0.01};  // a slide that follows a turn
  d.links[2].mimic = Mimic{"fourth", -2, 0.3};
  CHECK(variable(0) == "theta + q_1");
  CHECK(variable(1) == "d + 0.05 q_1 m/rad + 0.01 m");
  CHECK(variable(2) == "theta - 2 q_2 + 0.3 rad");
  CHECK(variable(3) == "theta + q_2");
  const auto latex = dh_table_latex(d, 6);
  CHECK(latex->find("a\\_b & $0$ & $0.05\\,q_{1}\\,\\mathrm{m/rad} + 0.26$") != std::string::npos);
  CHECK(latex->find("third & $-2\\,q_{2} + 107.189$") != std::string::npos);

  // through a chain of mimics: -2 (0.5 q_1 + 0.1) + 0.3
  d.links[3].mimic = Mimic{"waist", 0.5, 0.1};
  CHECK(variable(2) == "theta - q_1 + 0.1 rad");
  // and a turn that follows a slide
  d.links[1].mimic.reset();
  d.links[2].mimic = Mimic{"a_b", 4, 0};
  CHECK(variable(2) == "theta + 4 q_2 rad/m");
  CHECK(dh_table_latex(d, 6)->find("third & $229.183\\,q_{2}\\,\\mathrm{deg/m} + 90$") != std::string::npos);
  // a circle is for build() to refuse
  d.links[2].mimic->joint = "fourth";
  d.links[3].mimic->joint = "third";
  CHECK(variable(2).empty());
}

TEST_CASE("what stands before frame 0 and behind the last frame is told where it is not the identity") {
  Description d = two_joint_arm(Convention::standard_dh);
  CHECK(dh_ends(d, {}).empty());
  const double right = std::numbers::pi / 2;
  const Transform<double> base{rotation_x(0.0, 1.0), {1, 2, 3}};
  d.base = base * Transform<double>{rotation_z(0.0, 1.0), {0, 0, 0.5}};
  d.tools = {{"camera", "waist", {}, {}}, {"tip", "a_b", {Mat3<double>::identity(), {0.4, 0, 0}}, {}}};
  const auto ends = dh_ends(d, base);
  REQUIRE(ends.size() == 3);
  CHECK(to_text(ends[0], 6) == "world -> base: position (1, 2, 3) m, rpy (90, 0, 0) deg");
  CHECK(to_text(ends[1], 6) == "base -> frame 0: position (0, 0, 0.5) m, rpy (0, 0, 90) deg");
  CHECK(to_text(ends[2], 6) == "frame 2 -> tip: position (0.4, 0, 0) m, rpy (0, 0, 0) deg");
  CHECK(roll_pitch_yaw(ends[0].X.R).roll == right);
  const auto latex = dh_table_latex(d, 6, ends);
  CHECK(latex->find("base $\\to$ frame 0: position $(0, 0, 0.5)$ m, roll, pitch, yaw $(0, 0, 90)^\\circ$} \\\\\n") !=
        std::string::npos);
}
