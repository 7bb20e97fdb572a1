#include "torsor/structure/exact_structure.hpp"

#include <doctest/doctest.h>

#include "tests/structure/table_robots.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

ExactRobot exact(const Description& description, GeometryTolerance tolerance = {}) {
  Result<ExactRobot> robot = exact_robot(description, tolerance);
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  return *std::move(robot);
}

int nonzero(const Description& description, Level level, GeometryTolerance tolerance = {}) {
  return total(exact_structure(exact(description, tolerance), level).nonzero_counts());
}

struct Expected {
  CoefficientCounts counts;
  std::vector<std::string> zero;
  std::vector<int> constant_self;
};

Expected expected(const Json& table_row) {
  const Json& c = table_row.at("counts");
  return {{c.at("dii"), c.at("dij"), c.at("centrifugal"), c.at("coriolis"), c.at("G")},
          table_row.at("identically_zero"),
          table_row.at("constant_dii")};
}

void check(const ExactStructure& found, const Expected& want) {
  CHECK(found.nonzero_counts() == want.counts);
  std::vector<std::string> zero;
  std::vector<int> constant_self;
  for (std::size_t e = 0; e < found.coefficients.size(); ++e) {
    if (!found.nonzero[e]) zero.push_back(to_text(found.coefficients[e], found.n));
    if (found.coefficients[e].kind == CoefficientKind::self_inertia && found.constant(e))
      constant_self.push_back(found.coefficients[e].i + 1);
  }
  std::vector<std::string> wanted = want.zero;
  std::ranges::sort(zero);
  std::ranges::sort(wanted);
  CHECK(zero == wanted);
  CHECK(constant_self == want.constant_self);
  CHECK(found.error.log2_error < -100);
}

}  // namespace

TEST_CASE("the robots of Tourassis and Neuman have the golden structure, row by row") {
  const Json file = golden("structure_002");
  int rows = 0;
  for (const Json& row : file.at("rows")) {
    if (!row.contains("DH")) continue;  // those with numbers follow
    CAPTURE(row.at("name").get<std::string>());
    bool round = false;
    for (const Json& link : row.at("links")) round = round || link.contains("sym");
    check(exact_structure(exact(described(row)), round ? Level::equal_moments : Level::zeros), expected(row));
    ++rows;
  }
  CHECK(rows == 12);
}

TEST_CASE("the numbers of the PUMA 560 have the golden structure") {
  const Json file = golden("structure_002");
  for (const Json& row : file.at("rows"))
    if (row.at("name") == "PUMA 560 actual Corke numbers")
      check(exact_structure(exact(puma()), Level::numbers), expected(row));
}

TEST_CASE("the four levels of the PUMA 560 tell whose zeros they are") {
  const Description d = puma();
  CHECK(nonzero(d, Level::numbers) == 79);
  CHECK(nonzero(d, Level::equal_moments) == 79);
  CHECK(nonzero(d, Level::zeros) == 88);
  CHECK(nonzero(d, Level::generic) == 95);
}

TEST_CASE("right angles typed as 1.5708 are what they stand for, or else general angles") {
  Description d = puma();
  for (LinkDescription& link : d.links) {
    double& alpha = std::get<DhRow>(link.geometry).alpha;
    if (alpha != 0) alpha = alpha > 0 ? 1.5708 : -1.5708;
  }
  const ExactRobot meant = exact(d), typed = exact(d, {.snap = false});
  CHECK(meant.snaps.size() == 4);
  CHECK(meant.general_angles.empty());
  CHECK(total(exact_structure(meant, Level::numbers).nonzero_counts()) == 79);
  CHECK(typed.snaps.empty());
  REQUIRE(typed.general_angles.size() == 1);  // 1.5708 and -1.5708 share it
  CHECK(typed.general_angles[0].uses == 4);
  CHECK(std::abs(typed.general_angles[0].size - (1.5708 - std::numbers::pi / 2)) < 1e-15);
  CHECK(total(exact_structure(typed, Level::numbers).nonzero_counts()) == 83);
}

TEST_CASE("a counterbalance counts if its decimals do balance") {
  // the mass centre of link 2 on axis 2: nothing about q2 is left but the inertia
  Description d;
  d.name = "balanced";
  d.convention = Convention::standard_dh;
  d.gravity = {0, -9.81, 0};
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.geometry = DhRow{0, 0, i == 0 ? 0.43 : 0.35, 0};
    link.parts = {{2.0 - 0.5 * i, {i == 0 ? -0.2 : -0.35, 0, 0}, {0.1, 0.1, 0.1}}};
    d.links.push_back(link);
  }
  const int balanced = nonzero(d, Level::numbers);
  CHECK(balanced == 4);                  // d11, d22, d12 and G1
  CHECK(nonzero(d, Level::zeros) == 7);  // c11(2), c22(1), G2 come with any other mass centre
  d.links[1].parts[0].com.x = -0.3499;
  CHECK(nonzero(d, Level::numbers) == 7);
}

TEST_CASE("whole and hundredth degrees are exact, whatever they cancel to") {
  // three axes in a row, each 60 degrees from the one before, all through one point: axis 4 is axis 1 turned by 180
  for (const double step : {60.0, 22.5, 0.01}) {
    Description d;
    d.name = "fan";
    d.convention = Convention::modified_dh;
    for (int i = 0; i < 2; ++i) {
      LinkDescription link;
      link.name = "link" + std::to_string(i);
      link.joint_name = "joint" + std::to_string(i);
      link.kind = JointKind::prismatic;
      link.geometry = DhRow{0, 0, 0, (i == 0 ? step : 90 - step) * std::numbers::pi / 180};
      link.parts = {{1.5, {}, {}}};
      d.links.push_back(link);
    }
    // between slide 1 and gravity there is `step`, between slide 2 and gravity a right angle
    const ExactRobot robot = exact(d);
    CHECK(robot.general_angles.empty());
    CHECK(robot.hundredths == (step != 60.0));
    const ExactStructure found = exact_structure(robot, Level::numbers);
    CHECK(found.nonzero_counts() == CoefficientCounts{2, 1, 0, 0, 1});
    CHECK(found.constant_counts() == CoefficientCounts{2, 1, 0, 0, 1});
    CHECK(found.error.log2_error < -100);
  }
}

TEST_CASE("a general angle and its opposite undo each other, and quarter turns beside it are exact") {
  // a tilted slide, then an axis tilted back to gravity (a turn), or on to a right angle with it (a slide)
  Description d;
  d.name = "tilted";
  d.convention = Convention::modified_dh;
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = link.joint_name = i == 0 ? "tilted" : "back";
    link.kind = i == 0 ? JointKind::prismatic : JointKind::revolute;
    link.geometry = DhRow{0, 0, 0, i == 0 ? 0.3 : -0.3};
    link.parts = {{1.5, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}}};
    d.links.push_back(link);
  }
  CHECK(exact(d).general_angles.size() == 1);
  CHECK(exact_structure(exact(d), Level::generic).nonzero_counts()[4] == 1);
  std::get<DhRow>(d.links[1].geometry).alpha = 0.3;
  CHECK(exact_structure(exact(d), Level::generic).nonzero_counts()[4] == 2);
  d.links[1].kind = JointKind::prismatic;
  CHECK(exact_structure(exact(d), Level::generic).nonzero_counts()[4] == 2);
  std::get<DhRow>(d.links[1].geometry).alpha = std::numbers::pi / 2 - 0.3;
  CHECK(exact(d).general_angles.size() == 1);
  CHECK(exact_structure(exact(d), Level::generic).nonzero_counts()[4] == 1);
}

TEST_CASE("one robot has one structure in either convention, as placements, and with its base turned under gravity") {
  const Description standard = puma(), placed = *to_placements(standard);
  Description down = placed, sideways = placed, tilted = standard;
  down.base.R = rotation_y(std::numbers::pi);
  down.gravity = {0, 0, 9.81};
  sideways.base.R = rotation_y(std::numbers::pi / 2);
  sideways.gravity = {-9.81, 0, 0};
  tilted.base.R = rotation_y(std::numbers::pi / 6);
  const ExactStructure one = exact_structure(exact(standard), Level::numbers);
  for (const Description& same : {to_dh(standard, Convention::modified_dh)->description, placed, down, sideways}) {
    const ExactStructure other = exact_structure(exact(same), Level::numbers, {.seed = 7});
    CHECK(other.nonzero == one.nonzero);
    CHECK(other.depends == one.depends);
  }
  // on a tilted base gravity reaches the waist, and the tool cannot keep out of it: 79 and G1, and G6 is still 0
  CHECK(nonzero(tilted, Level::numbers) == 80);
}

TEST_CASE("the structure of random trees is what doubles show at random positions") {
  Random random(631);
  for (int k = 0; k < draws(12); ++k) {
    // special geometry: right angles, some lengths and inertias zero, numbers of three digits
    Description d =
        random_robot(random,
                     {.links = 2 + random.below(5), .one_dof = true, .rotor_bodies = k % 4 == 1, .mimics = k % 4 == 3})
            .description;
    const auto number = [&] { return random.chance(0.5) ? 0 : std::round(random.uniform(-999, 999)) / 1000; };
    d.base.R = rotation_x((k % 4) * std::numbers::pi / 2);
    d.gravity = {0, 0, -9.81};
    const double right = std::numbers::pi / 2;
    for (LinkDescription& link : d.links) {
      if (auto* row = std::get_if<DhRow>(&link.geometry)) {
        *row = {random.below(4) * right, number(), number(), random.below(4) * right};
      } else {
        const Vec3<double> axes[] = {{0, 0, 2}, {1, 0, 0}, {0, -1, 0}, {0, 1, 1}};
        link.geometry = JointPlacement{
            {rotation_rpy(random.below(4) * right, 0.0, random.below(3) * right / 3), {number(), number(), number()}},
            axes[random.below(4)]};
      }
      link.pitch = std::round(link.pitch * 1000) / 1000;
      if (link.mimic) *link.mimic = {link.mimic->joint, random.below(2) == 0 ? -1.5 : 2.0, 0, {}};
      link.parts = {{1 + std::abs(number()), {number(), number(), number()}, {0.1, 0.2, 0.3, 0, 0, number() / 100}}};
    }
    const ExactRobot robot = exact(d);
    const ExactStructure found = exact_structure(robot, Level::numbers);
    REQUIRE(found.error.log2_error < -100);

    // doubles: the largest of each coefficient, and of its change with each coordinate
    const Model<double> model = built(d);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    CoefficientsWork<double> work(model);
    Numbers size(found.coefficients.size(), 0.0), change(size.size() * n, 0.0);
    const auto values = [&](const Numbers& q) {
      Numbers D(n * n), c(n * n * n), G(n), out;
      coefficients_composite_body<double>(model, configured(model, q), work, D, c, G);
      for (const Coefficient& which : found.coefficients) out.push_back(value_of<double>(which, model.nv, D, c, G));
      return out;
    };
    for (int t = 0; t < 4; ++t) {
      const Numbers q = random_state(random, model).q, f = values(q), other = random_state(random, model).q;
      for (std::size_t e = 0; e < f.size(); ++e) size[e] = std::max(size[e], std::abs(f[e]));
      for (std::size_t l = 0; l < n; ++l) {
        Numbers moved = q;
        moved[l] = other[l];
        const Numbers g = values(moved);
        for (std::size_t e = 0; e < f.size(); ++e)
          change[e * n + l] = std::max(change[e * n + l], std::abs(g[e] - f[e]));
      }
    }
    const double rounding = 1e-11 * (1 + largest(size));
    for (std::size_t e = 0; e < size.size(); ++e) {
      CAPTURE(to_text(found.coefficients[e], found.n));
      CHECK((found.nonzero[e] != 0) == (size[e] > rounding));
      for (std::size_t l = 0; l < n; ++l)
        CHECK(found.depends_on(e, static_cast<int>(l)) == (change[e * n + l] > rounding));
    }
  }
}

TEST_CASE("the error is computed from the data, and rounds are added until it is small enough") {
  const ExactRobot robot = exact(puma());
  const ExactError usual = exact_error(robot, Level::numbers);
  CHECK(usual.rounds == 3);
  CHECK(usual.degree == 4 * 6 + 4);  // six angles, one drawn again
  CHECK(usual.log2_error < -100);
  CHECK(usual.log2_error > 3 * usual.log2_round);  // many answers, each may err
  const ExactError careful = exact_error(robot, Level::numbers, {.log2_error = -400});
  CHECK(careful.rounds > 3);
  CHECK(careful.log2_error < -400);
  CHECK(exact_error(robot, Level::generic).degree == usual.degree + 3);

  // more digits, more primes that could be unlucky
  Description d = puma();
  d.links[2].parts[0].com.x = -0.020300000001;
  CHECK(exact_error(exact(d), Level::numbers).bits > usual.bits + 50);
  // angles of 36 degrees take a larger field
  std::get<DhRow>(d.links[2].geometry).alpha = std::numbers::pi / 5;
  CHECK(exact_error(exact(d), Level::numbers).bits > 4 * usual.bits);
}

TEST_CASE("a seed replays its primes, another draws others, and all find the same") {
  const ExactRobot robot = exact(puma());
  const ExactStructure a = exact_structure(robot, Level::zeros, {.seed = 4}),
                       b = exact_structure(robot, Level::zeros, {.seed = 4});
  CHECK(a.primes == b.primes);
  for (std::uint64_t seed = 5; seed < 5 + static_cast<std::uint64_t>(draws(10)); ++seed) {
    const ExactStructure other = exact_structure(robot, Level::zeros, {.seed = seed});
    CHECK(other.primes != a.primes);
    CHECK(other.nonzero == a.nonzero);
    CHECK(other.depends == a.depends);
  }
}

TEST_CASE("robots without joints have no structure, and ball joints no coordinates") {
  Description nothing;
  nothing.name = "nothing";
  LinkDescription link{.name = "plate", .joint_name = "plate", .kind = JointKind::fixed};
  link.parts = {{1, {}, {}}};
  nothing.links = {link};
  const ExactStructure none = exact_structure(exact(nothing), Level::numbers);
  CHECK(none.coefficients.empty());

  nothing.links[0].kind = JointKind::spherical;
  const Result<ExactRobot> ball = exact_robot(nothing);
  REQUIRE_FALSE(ball);
  CHECK(ball.faults()[0].rule == "structure-joint");

  nothing.links.assign(most_coordinates + 1, link);
  for (std::size_t i = 0; i < nothing.links.size(); ++i) {
    nothing.links[i].kind = JointKind::revolute;
    nothing.links[i].name = nothing.links[i].joint_name = "j" + std::to_string(i);
  }
  const Result<ExactRobot> many = exact_robot(nothing);
  REQUIRE_FALSE(many);
  CHECK(many.faults()[0].rule == "structure-size");
}

TEST_CASE("numbers along y and z of links that are a quarter turn apart balance each other") {
  // on the crank of joint 1: 1 kg at -0.5 m, and 1 kg at 0.4 m and 0.1 m more, along y of a link turned by 90 degrees
  Description d;
  d.convention = Convention::standard_dh;
  d.gravity = {0, -9.81, 0};
  d.links.resize(2);
  d.links[0].name = "crank";
  d.links[0].geometry = DhRow{0, 0, 0, -std::numbers::pi / 2};
  d.links[0].parts = {Part{1, {0, 0, -0.5}, {}}};
  d.links[1].name = "weight";
  d.links[1].kind = JointKind::fixed;
  d.links[1].geometry = DhRow{0, 0.4, 0, std::numbers::pi / 2};
  d.links[1].parts = {Part{1, {0, 0.1, 0}, {}}};
  d.links[0].joint_name = "joint1";
  d.links[1].joint_name = "joint2";
  const auto gravity_is_zero = [&] { return exact_structure(exact(d), Level::numbers).nonzero.back() == 0; };
  CHECK(gravity_is_zero());
  d.links[1].parts[0].com.y = -0.1;
  CHECK_FALSE(gravity_is_zero());
}
