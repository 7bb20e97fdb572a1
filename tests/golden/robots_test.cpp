// The files of robots/ against reference values: torques along motions, closed forms, and which coefficients vanish.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tests/support/golden.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/numeric/ldlt.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description robot(const std::string& name) {
  Result<Description> description = load_robot(places::in_project("robots/") + name + ".toml");
  for (const Fault& error : description.faults()) MESSAGE(to_string(error));
  REQUIRE(description);
  return *std::move(description);
}

/// Disagreement of the torques with the expected ones, relative to the torques of the state.
double torque_error(const Model<double>& model, const Json& q_json, const Json& qd_json, const Json& qdd_json,
                    const Json& tau) {
  const Numbers q = numbers(q_json), qd = numbers(qd_json), qdd = numbers(qdd_json);
  return disagreement(inverse(model, q, qd, qdd), numbers(tau), mass_matrix(model, q), qdd,
                      velocity_torques(model, q, qd), gravity(model, q));
}

/// Checks D, h and c of a robot against closed forms of (q, qd) at random states.
template <class ClosedForm>
void check_closed_form(const Model<double>& model, const ClosedForm& closed_form) {
  Random random(7);
  for (int k = 0; k < draws(50); ++k) {
    const auto [q, qd, qdd] = random_state(random, model);
    const auto [D, h, c] = closed_form(q, qd);
    CHECK(relative(mass_matrix(model, q), D) < 1e-14);
    CHECK(disagreement(inverse(model, q, qd, qdd), sum(times(D, qdd), sum(h, c)), D, qdd, h, c) < 1e-14);
  }
}

struct ClosedTerms {
  Numbers D, h, c;
};

/// The independent coefficients of a three-axis arm by the names of the table: d12, c33(1), G2, ...
std::map<std::string, double> coefficients(const Model<double>& model, View q) {
  const Numbers D = mass_matrix(model, q), G = gravity(model, q);
  std::vector<Numbers> C;  // C is linear in the speeds: C[m][3 i + j] = c_jm(i)
  for (const Numbers& unit : {Numbers{1, 0, 0}, Numbers{0, 1, 0}, Numbers{0, 0, 1}})
    C.push_back(coriolis(model, q, unit));
  std::map<std::string, double> named;
  const auto centrifugal_or_coriolis = [&](int j, int m, int i) {
    named[fmt::format("c{}{}({})", j, m, i)] = C[m - 1][3 * (i - 1) + j - 1];
  };
  for (int i = 1; i <= 3; ++i) {
    named[fmt::format("G{}", i)] = G[i - 1];
    for (int j = i; j <= 3; ++j) named[fmt::format("d{}{}", i, j)] = D[3 * (i - 1) + j - 1];
    for (int j = 1; j <= 3; ++j)
      if (i != j) centrifugal_or_coriolis(j, j, i);
  }
  centrifugal_or_coriolis(1, 2, 3);
  centrifugal_or_coriolis(2, 3, 1);
  return named;
}

}  // namespace

TEST_CASE("the six-axis arm of Angeles, Ma and Rojas has the golden torques of its distal frames") {
  const Json file = golden("sixr_000");
  const Model<double> model = built(robot("sixr_angeles"));
  int checked = 0;
  for (const auto& [name, variant] : file.at("variants").items()) {
    if (!name.ends_with("inertia_distal_frames")) continue;
    for (const Json& row : variant.at("rows")) {
      CHECK(torque_error(model, row.at("q"), row.at("qd"), row.at("qdd"), row.at("tau")) < 1e-12);
      ++checked;
    }
  }
  CHECK(checked == 202);
}

TEST_CASE("the six-axis robot of Sim, Yoo and Lee has its golden torques and hand poses, with either mass centres") {
  const Json file = golden("robot001");
  REQUIRE(file.at("series").size() == 3);
  for (const Json& series : file.at("series")) {
    Description description = robot("sixr_sim");
    const Json& variant = file.at("meta").at("variants").at(series.at("variant").get<std::string>());
    // the file has reading A; for B the other mass centres are put in, that of link 1 counted from its upper end
    if (series.at("variant") == "B") {
      for (std::size_t i = 0; i < 6; ++i) description.links[i].parts[0].com = vector(variant.at("com")[i]);
      description.links[0].parts[0].com.z -= 1.5;
      description.tools[0].X_link_tool.p.z = variant.at("Lh");
    }
    const Model<double> model = built(description);
    REQUIRE(series.at("t").size() == 201);
    for (std::size_t k = 0; k < 201; ++k) {
      CHECK(torque_error(model, series.at("q")[k], series.at("qd")[k], series.at("qdd")[k], series.at("tau")[k]) <
            1e-12);
      const std::vector<Transform<double>> X = poses(model, numbers(series.at("q")[k]));
      const Transform<double> tool = frame_pose(model.frames.back(), std::span<const Transform<double>>(X));
      CHECK(apart(tool.p, vector(series.at("hand_position")[k])) < 1e-12);
      CHECK(apart(tool.R, matrix(series.at("hand_A")[k])) < 1e-12);
    }
  }
}

TEST_CASE("the rotary arm of Hollerbach and Sahar has its golden torques with general and with simple inertias") {
  const Json file = golden("wrist_torques_50");
  const Model<double> general = built(robot("rotary_hollerbach")), simple = built(robot("rotary_hollerbach_simple"));
  REQUIRE(file.at("states").size() == 20);
  for (const Json& s : file.at("states")) {
    CHECK(torque_error(general, s.at("q"), s.at("qd"), s.at("qdd"), s.at("tau_general_g")) < 1e-12);
    CHECK(torque_error(simple, s.at("q"), s.at("qd"), s.at("qdd"), s.at("tau_simplified_g")) < 1e-12);
  }
}

TEST_CASE("the ceiling-mounted two-link arm has the equations of its comment") {
  const double m1 = 4, m2 = 2.5, d1 = 0.5, d2 = 0.4, g = 9.8062;
  check_closed_form(built(robot("two_link_ceiling")), [=](const Numbers& q, const Numbers& qd) {
    const double k = m2 * d1 * d2 * std::cos(q[1]), n = m2 * d1 * d2 * std::sin(q[1]), s12 = std::sin(q[0] + q[1]);
    return ClosedTerms{{(m1 + m2) * d1 * d1 + m2 * d2 * d2 + 2 * k, m2 * d2 * d2 + k, m2 * d2 * d2 + k, m2 * d2 * d2},
                       {-n * (2 * qd[0] * qd[1] + qd[1] * qd[1]), n * qd[0] * qd[0]},
                       {(m1 + m2) * g * d1 * std::sin(q[0]) + m2 * g * d2 * s12, m2 * g * d2 * s12}};
  });
}

TEST_CASE("the theta-d arm has the equations of its comment") {
  const double m1 = 6, r1 = 0.4, m2 = 3, g = 9.8062;
  check_closed_form(built(robot("theta_d")), [=](const Numbers& q, const Numbers& qd) {
    return ClosedTerms{{m1 * r1 * r1 + m2 * q[1] * q[1], 0, 0, m2},
                       {2 * m2 * q[1] * qd[0] * qd[1], -m2 * q[1] * qd[0] * qd[0]},
                       {(m1 * r1 + m2 * q[1]) * g * std::cos(q[0]), m2 * g * std::sin(q[0])}};
  });
}

TEST_CASE(
    "the three-axis arms of Tourassis and Neuman have the structure told: which coefficients vanish or are constant") {
  const Json file = golden("structure_002");
  struct Arm {
    const char *robot, *row;
  };
  for (const Arm& arm : {Arm{"cartesian3", "Cartesian z-x-y"}, Arm{"cylindrical3", "Cylindrical theta-z-r"},
                         Arm{"spherical3", "Spherical theta-phi-r"}, Arm{"articulated3", "Articulated, general"}}) {
    CAPTURE(arm.robot);
    const Json* found = nullptr;
    for (const Json& row : file.at("rows"))
      if (row.at("name") == arm.row) found = &row;
    REQUIRE(found);
    const Model<double> model = built(robot(arm.robot));
    std::map<std::string, Numbers> values;
    Random random(3);
    for (int k = 0; k < 20; ++k)
      for (const auto& [key, value] : coefficients(model, random_state(random, model).q)) values[key].push_back(value);
    REQUIRE(values.size() == 17);
    const std::vector<std::string> zero = found->at("identically_zero");
    const std::vector<int> constant = found->at("constant_dii");
    for (const auto& named : values) {
      const std::string& key = named.first;
      const Numbers& drawn = named.second;
      const auto& which = key;  // clang captures no structured binding
      CAPTURE(which);
      const bool vanishes = std::ranges::find(zero, key) != zero.end();
      CHECK((vanishes ? largest(drawn) < 1e-13 : largest(drawn) > 1e-4));
      if (key[0] != 'd' || key[1] != key[2]) continue;
      const auto [least, greatest] = std::ranges::minmax(drawn);
      const bool stays = std::ranges::find(constant, key[1] - '0') != constant.end();
      CHECK((greatest - least < 1e-12) == stays);
    }
  }
}

TEST_CASE("the arms of the two-arm torso are two UR5, and do not feel each other while the torso stands") {
  const Model<double> pair = built(robot("two_arm")), single = built(robot("ur5"));
  Random random(11);
  const Numbers q = random_state(random, pair).q, M = mass_matrix(pair, q);
  REQUIRE(q.size() == 13);
  for (const std::size_t start : {1U, 7U}) {
    const Numbers own = mass_matrix(single, View(q).subspan(start, 6));
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        CHECK(M[(start + i) * 13 + start + j] == doctest::Approx(own[6 * i + j]).epsilon(1e-12));
  }
  for (std::size_t i = 1; i < 7; ++i)
    for (std::size_t j = 7; j < 13; ++j) CHECK(std::abs(M[i * 13 + j]) < 1e-14);
}

TEST_CASE("every robot of the library builds, cites its source and has a positive definite mass matrix anywhere") {
  int robots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(places::in_project("robots"))) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const Description description = robot(name);
    CHECK(!description.source.empty());
    const Model<double> model = built(description);
    Random random(5);
    for (int k = 0; k < 20; ++k) {
      Numbers M = mass_matrix(model, random_state(random, model).q);
      ldlt_factor<double>(M, model.nv);
      CHECK(ldlt_first_bad_pivot<double>(M, model.nv) == -1);
    }
    ++robots;
  }
  CHECK(robots >= 20);
}
