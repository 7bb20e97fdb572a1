#include "torsor/files/mechanism_toml.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>
#include <string>

#include "tests/files/file_text.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/rule_table.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/mechanism.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using std::numbers::pi;

// the first block of TOML on a page
std::string example_of(const std::string& page) { return toml_blocks(text_of(page)).at(0); }

const std::string bar = "[[body]]\nname = \"bar\"\nmass = 1\ninertia = [1, 1, 1]\n";
const std::string hinge =
    "[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bar\"]\npoint = [0, 0, 0]\naxis = [0, "
    "0, 1]\n";

TimeFunction driven_by(const std::string& function) {
  const auto m = read_mechanism_toml(bar + hinge + "[[driver]]\njoint = \"pivot\"\n" + function + "\n", "m.toml");
  CAPTURE(faults_of(m));
  REQUIRE(m);
  return m->drivers.at(0).function;
}

}  // namespace

TEST_CASE("the annotated example of the documentation is read, and means what it says") {
  const auto m = read_mechanism_toml(example_of("docs/mechanism-file.md"), "press.toml");
  CAPTURE(faults_of(m));
  REQUIRE(m);
  CHECK(m->name == "press");
  REQUIRE(m->bodies.size() == 7);
  CHECK(m->bodies[0].name == "feeder.link1");
  CHECK(m->bodies[2].name == "crank");
  CHECK(m->bodies[2].com.x == 0.06);
  CHECK(m->bodies[2].I.yy == 0.004);
  CHECK(m->bodies[3].m == doctest::Approx(0.5 * 0.03 * 0.02 * 7800));
  CHECK(m->joints[0].name == "feeder.q1");
  // two of the robot, five, the ends of the spring, and the box on its carrier
  CHECK(m->joints.size() == 9);
  CHECK(m->couplings.at(0).terms.at(1).factor == doctest::Approx(-60.0 / 90));
  CHECK(m->springs.at(0).rest == 0.4);
  CHECK(m->actuators.size() == 3);
  CHECK(m->drivers.at(1).joint == 8);
  CHECK(m->carriers.at(0).position[2](1).f == 0.3);
  CHECK(m->carriers.at(0).turns.at(0).angle(2).f == doctest::Approx(pi / 2));
  CHECK(m->forces.at(0).force[0](0).f == -100);
  CHECK_FALSE(m->forces.at(0).force[1]);
}

TEST_CASE("every built-in mechanism is read and built, closes, cites its source, and has the freedoms it should") {
  const std::vector<std::tuple<std::string, int, int>> expected{{"andrews_squeezer", 1, 9},
                                                                {"bricard", 1, 1},
                                                                {"double_four_bar", 1, 6},
                                                                {"four_bar", 1, 3},
                                                                {"geared_two_link", 2, 0},
                                                                {"hand_driven_robot", 6, 0},
                                                                {"palletiser", 3, 9},
                                                                {"pendulum", 1, 0},
                                                                {"rssr", 1, 0},
                                                                {"slider_crank", 1, 3},
                                                                {"spatial_slider_crank", 1, 0},
                                                                {"stewart_platform", 6, 0}};
  REQUIRE(embedded_mechanisms().size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto& [known, freedoms, redundant] = expected[k];
    const std::string name = known;
    CAPTURE(name);
    REQUIRE(embedded_mechanisms()[k].name == name);
    const auto description = load_mechanism(name);
    CAPTURE(faults_of(description));
    REQUIRE(description);
    CHECK(description->source.size() > 10);
    const auto mechanism = build(*description);
    REQUIRE(mechanism);
    MechanismState state = described_state(*mechanism);
    Assembly assembly(*mechanism, EquationSet::all);
    assembly.expect_redundancy(true);
    CHECK(assembly.positions(state).closed);
    CHECK(assembly.velocities(state).gap < 1e-12);
    const MobilityReport report = mobility(*mechanism, state, EquationSet::without_drivers);
    CHECK(report.freedoms == freedoms);
    CHECK(report.redundant == redundant);
    // a start that is given with velocities is given with the right ones
    if (description->drivers.empty())
      for (int b = 0; b < mechanism->bodies(); ++b) {
        const MechanismBody& body = description->bodies[static_cast<std::size_t>(b)];
        const BodyState& at = state.bodies[static_cast<std::size_t>(b)];
        CHECK(norm(at.w - body.velocity.w) < 1e-12);
        CHECK(norm(at.v - body.velocity.v - cross(body.velocity.w, body.X_world_body.R * body.com)) < 1e-12);
      }
  }
}

TEST_CASE("a robot that is a part brings its gravity, where the file says nothing of it") {
  const std::string sideways = "[[robot]]\nfile = \"two_link\"\nname = \"a\"\nrpy_deg = [90, 0, 0]\n";
  const auto robot = load_robot("two_link");
  REQUIRE(robot);
  const Vec3<double> g = robot->gravity;
  const auto alone = read_mechanism_toml("robot = \"two_link\"\n", "m.toml");
  REQUIRE(alone);
  CHECK(norm(alone->gravity - g) < 1e-15);
  const auto turned = read_mechanism_toml(sideways, "m.toml");
  REQUIRE(turned);
  CHECK(norm(turned->gravity - Vec3<double>{g.x, -g.z, g.y}) < 1e-12);
  // what the file says counts, and is noted where the robot says otherwise
  const auto said = read_mechanism_toml("gravity = [0, 0, -1.62]\n" + sideways, "m.toml");
  REQUIRE(said);
  CHECK(said->gravity.z == -1.62);
  REQUIRE(said->notes.size() == 1);
  CHECK(said->notes[0].rule == "robot-gravity");
  CHECK(faults_of(read_mechanism_toml("[[robot]]\nfile = \"two_link\"\nname = \"b\"\n" + sideways, "m.toml")) ==
        "5 robot-gravity");
}

TEST_CASE("a driver takes the orientation of a body alone") {
  const auto m = read_mechanism_toml(bar +
                                         "[[carrier]]\nname = \"table\"\n[[carrier.turn]]\naxis = [0, 0, 1]\nangle = "
                                         "\"t\"\n[[driver]]\nbody = \"bar\"\ncarrier = \"table\"\ndrive = "
                                         "\"orientation\"\n",
                                     "m.toml");
  CAPTURE(faults_of(m));
  REQUIRE(m);
  CHECK(m->joints.at(0).kind == MechanismJointKind::orientation);
  CHECK(m->drivers.at(0).joint == 0);
}

TEST_CASE("moments of inertia that no body has are noted, those left at zero are not") {
  const auto with = [](const std::string& inertia) {
    const auto m =
        read_mechanism_toml("[[body]]\nname = \"bar\"\nmass = 1\ninertia = " + inertia + "\n" + hinge, "m.toml");
    REQUIRE(m);
    return m->notes;
  };
  REQUIRE(with("[1, 1, 3]").size() == 1);
  CHECK(with("[1, 1, 3]")[0].rule == "triangle");
  CHECK(with("[1, 1, 2]").empty());
  CHECK(with("[0, 0, 3]").empty());
}

TEST_CASE("a joint given in the world has the frames it has in the bodies") {
  const std::string arm =
      "[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 2, 3]\nrpy_deg = [0, 0, 90]\n";
  const auto m =
      read_mechanism_toml(bar + arm + hinge +
                              "[[joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbodies = [\"bar\", \"arm\"]\n"
                              "point = [1, 1, 3]\naxis = [0, 0, 2]\nreference = [1, 0, 5]\n",
                          "m.toml");
  REQUIRE(m);
  const MechanismJoint& elbow = m->joints[1];
  CHECK(norm(elbow.i.X.p - Vec3<double>{1, 1, 3}) < 1e-15);
  CHECK(norm(elbow.i.X.R.x - Vec3<double>{1, 0, 0}) < 1e-15);
  CHECK(norm(elbow.j.X.p - Vec3<double>{-1, 0, 0}) < 1e-15);
  CHECK(norm(elbow.j.X.R.x - Vec3<double>{0, -1, 0}) < 1e-15);
  CHECK(norm(elbow.j.X.R.z - Vec3<double>{0, 0, 1}) < 1e-15);
}

TEST_CASE("frames in bodies share their reference where only one has it") {
  const auto m = read_mechanism_toml(
      "[[body]]\nname = \"bar\"\nmass = 1\ninertia = [1, 1, 1]\nrpy_deg = [0, 0, 30]\n[[joint]]\nname = "
      "\"pivot\"\nkind = \"revolute\"\n"
      "bodies = [\"ground\", \"bar\"]\npoint_i = [0, 0, 0]\naxis_i = [0, 0, 1]\naxis_j = [0, 0, 1]\nreference_j = [0, "
      "1, 0]\n",
      "m.toml");
  REQUIRE(m);
  // y of the bar points to 120 degrees, and the angle is zero there
  CHECK(m->joints[0].i.X.R.x.x == doctest::Approx(std::cos(2 * pi / 3)));
  CHECK(m->joints[0].i.X.R.x.y == doctest::Approx(std::sin(2 * pi / 3)));
}

TEST_CASE("functions of time come out in SI units, whatever way they are written") {
  CHECK(driven_by("function_deg = 90")(3).f == doctest::Approx(pi / 2));
  CHECK(driven_by("function = \"2*t^2\"")(3).fdd == 4);
  CHECK(driven_by("function = { expression = \"2*t^2\" }")(3).fd == 12);
  CHECK(driven_by("function_deg = { polynomial = [0, 180] }")(1).fd == doctest::Approx(pi));
  CHECK(driven_by("function = { harmonic = { amplitude = 2, frequency = 1, phase_deg = 90 } }")(0).f ==
        doctest::Approx(2));
  const TimeFunction law = driven_by("function_deg = { law = \"cycloidal\", from = 10, to = 100, start = 1, end = 3 }");
  CHECK(law(0).f == doctest::Approx(pi / 18));
  CHECK(law(2).fd == doctest::Approx(pi / 2));
  const TimeFunction table = driven_by("function = { table = [[0, 0], [1, 1], [2, 4], [3, 9]] }");
  CHECK(table(1.5).f == doctest::Approx(2.25));
  CHECK(table(1.5).fdd == doctest::Approx(2));
}

TEST_CASE("tables come from the sources a reader is given, by column") {
  MechanismSources sources;
  sources.text = [](const std::string& name) -> Result<std::string> {
    if (name != "way.csv") return Fault{{}, "", "file-read", "there is no such file", "none"};
    return std::string("t,a,b\n0,0,0\n1,1,2\n2,4,8\n3,9,18\n");
  };
  const auto with = [&](const std::string& table) {
    return read_mechanism_toml(bar + hinge + "[[driver]]\njoint = \"pivot\"\nfunction = { " + table + " }\n", "m.toml",
                               sources);
  };
  CHECK(with("table = \"way.csv\"")->drivers[0].function(1.5).f == doctest::Approx(2.25));
  CHECK(with("table = \"way.csv\", column = \"b\"")->drivers[0].function(1.5).f == doctest::Approx(4.5));
  CHECK(faults_of(with("table = \"way.csv\", column = \"c\"")) == "13 csv-column");
  CHECK(faults_of(with("table = \"other.csv\"")) == "13 file-read");
}

TEST_CASE("couplings say how the second joint follows the first") {
  const std::string two = bar + "[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n" +
                          hinge +
                          "[[joint]]\nname = \"elbow\"\nkind = \"cylindrical\"\nbodies = [\"bar\", \"arm\"]\n"
                          "point = [1, 0, 0]\naxis = [0, 0, 1]\n[[coupling]]\njoints = [\"pivot\", \"elbow\"]\n";
  const auto coupled = [&](const std::string& keys) {
    const auto m = read_mechanism_toml(two + keys + "\n", "m.toml");
    CAPTURE(faults_of(m));
    REQUIRE(m);
    REQUIRE(m->couplings.size() == 1);
    REQUIRE(m->couplings[0].terms.size() == 2);
    CHECK(m->couplings[0].terms[0].measure.joint == 1);
    CHECK(m->couplings[0].terms[0].factor == 1);
    return m->couplings[0];
  };
  // 1 * second - ratio * first = constant
  CHECK(coupled("kind = \"gear\"\nratio = 3").terms[1].factor == -3);
  CHECK(coupled("kind = \"gear\"\nteeth = [20, 40]").terms[1].factor == 0.5);
  CHECK(coupled("kind = \"gear\"\nteeth = [20, 40]\nmesh = \"inside\"").terms[1].factor == -0.5);
  CHECK(coupled("kind = \"belt\"\nradii_mm = [10, 40]").terms[1].factor == -0.25);
  CHECK(coupled("kind = \"belt\"\nradii_mm = [10, 40]\nrun = \"crossed\"").terms[1].factor == 0.25);
  CHECK(coupled("kind = \"belt\"\nteeth = [10, 40]").terms[1].factor == -0.25);
  const MechanismCoupling rack = coupled("kind = \"rack-and-pinion\"\nradius_mm = 30");
  CHECK(rack.terms[1].factor == doctest::Approx(-0.03));
  CHECK(rack.terms[0].measure.what == Measure::What::slide);
  CHECK_FALSE(rack.offset);
  const MechanismCoupling cam = coupled(
      "kind = \"cam\"\nprofile_mm = { table_deg = [[0, 0], [90, 5], [180, 10], [270, 5], [360, 0]], ends = "
      "\"periodic\" }");
  CHECK(cam.offset == 0.0);
  CHECK(cam.terms[1].factor == -1);
  REQUIRE(cam.terms[1].profile);
  CHECK(cam.terms[1].profile(pi).f == doctest::Approx(0.01));
  CHECK(cam.terms[1].profile(5 * pi).f == doctest::Approx(0.01));
  const MechanismCoupling formula = coupled("kind = \"cam\"\nprofile = \"0.01*(1 - cos(x))\"");
  CHECK(formula.terms[1].profile(pi).f == doctest::Approx(0.02));
}

TEST_CASE("a robot is one line, and its motors may be chosen") {
  const auto whole = read_mechanism_toml("robot = \"puma560\"\n", "m.toml");
  REQUIRE(whole);
  CHECK(whole->bodies.size() == 6);
  CHECK(whole->actuators.size() == 6);
  CHECK(whole->notes.at(0).rule == "massless-link");
  CHECK(whole->notes.at(0).where.line == 1);
  const auto some =
      read_mechanism_toml("[[robot]]\nfile = \"two_link\"\nactuators = [\"q2\"]\nname = \"left\"\n", "m.toml");
  REQUIRE(some);
  REQUIRE(some->actuators.size() == 1);
  CHECK(some->actuators[0].name == "left.q2");
}

TEST_CASE("a mechanism that is neither file nor built in is answered with the likely name") {
  const auto none = load_mechanism("fourbar");
  REQUIRE_FALSE(none);
  CHECK(none.faults()[0].rule == "mechanism-unknown");
  CHECK(none.faults()[0].remedy.find("did you mean \"four_bar\"?") == 0);
  CHECK(load_mechanism("no/such/file.toml").faults()[0].rule == "file-read");
}

TEST_CASE("each broken mechanism file has exactly the faults it announces, all found at once") {
  const auto read = [](const std::string& text, const std::string& file) { return read_mechanism_toml(text, file); };
  const auto [files, rules] = check_broken_files("tests/broken_mechanism", ".toml", read);
  CHECK(files >= 70);
  CHECK(rules.size() >= 30);
}

TEST_CASE("the table of rules has every id that a mechanism file can break") {
  std::set<std::string> words{"expression"};
  for (const char* part : {"torsor/files/mechanism_toml.cpp", "torsor/files/mechanism_toml_joint.cpp",
                           "torsor/files/mechanism_toml_drive.cpp", "torsor/files/mechanism_toml_function.cpp",
                           "torsor/files/mechanism_parameters.cpp",
                           "torsor/mechanism/build.cpp", "torsor/mechanism/coupling_check.cpp"})
    words.merge(testing::quoted_words(testing::text_of(part)));
  std::set<std::string> ours = testing::hyphenated(words);
  ours.insert("expression");
  ours.insert("mechanism-rotor");  // of a robot that is taken as a mechanism
  // kinds of couplings, and what other tables explain
  ours.erase("rack-and-pinion");
  for (const std::string& rule : testing::rule_table("docs/check.md")) ours.erase(rule);
  for (const std::string& rule : testing::rule_table("docs/motion-file.md")) ours.erase(rule);
  CHECK(ours == testing::rule_table("docs/mechanism-file.md"));
}

TEST_CASE("whatever happens to the bytes, a mechanism that builds or faults come out") {
  const std::vector<std::string> pieces = {
      "[[body]]\n", "[[joint]]\n", "[[driver]]\n", "kind = \"screw\"\n", "= ",         "_deg",      "axes = ", "\"",
      "]",          "}",           "point = [0,",  "function = \"",      "\"ground\"", "terms = [{"};
  const std::vector<std::string> numbers = {"1e308", "-1e308", "nan",    "inf",
                                            "0",     "-1",     "1e-308", "99999999999999999999"};
  std::vector<std::string> texts{example_of("docs/mechanism-file.md")};
  for (const EmbeddedFile& file : embedded_mechanisms()) texts.emplace_back(file.text);
  testing::Random random(5);
  int sound = 0;
  for (int k = 0; k < testing::draws(600); ++k) {
    const std::string text = testing::mutated(
        texts[static_cast<std::size_t>(random.below(static_cast<int>(texts.size())))], {pieces, numbers}, random);
    const auto mechanism = read_mechanism_toml(text, "m.toml");
    if (!mechanism) {
      CHECK_FALSE(mechanism.faults().empty());
      continue;
    }
    ++sound;
    CHECK(build(*mechanism));
  }
  CHECK(sound > 50);
}

TEST_CASE("parameters stand for numbers wherever a number may stand, and are set from outside") {
  const std::string text =
      "[parameters]\nlength = 0.5\nhalf = \"= length/2\"\nspeed = 2\n"
      "[[body]]\nname = \"bar\"\nmass = \"= 3*length^2 + 1e-3\"\ninertia = [1, \"= half\", 1]\ncom_mm = [\"= "
      "1000*half\", 0, 0]\n" +
      hinge + "[[driver]]\njoint = \"pivot\"\nfunction_deg = \"= speed*t + sin(half*t)\"\n";
  const auto as_written = read_mechanism_toml(text, "m.toml");
  CAPTURE(faults_of(as_written));
  REQUIRE(as_written);
  CHECK(as_written->bodies[0].m == doctest::Approx(0.751));
  CHECK(as_written->bodies[0].I.yy == 0.25);
  CHECK(as_written->bodies[0].com.x == 0.25);
  CHECK(as_written->drivers[0].function(1.5).f == doctest::Approx((3 + std::sin(0.375)) * pi / 180));
  const std::vector<ParameterSetting> settings{{"length", 2}, {"speed", -1}};
  const auto set = read_mechanism_toml(text, "m.toml", {}, settings);
  REQUIRE(set);
  CHECK(set->bodies[0].m == doctest::Approx(12.001));
  CHECK(set->bodies[0].com.x == 1);
  CHECK(set->drivers[0].function(1.5).f == doctest::Approx((-1.5 + std::sin(1.5)) * pi / 180));
  // a parameter that is set although it is a formula is that number
  const std::vector<ParameterSetting> half{{"half", 1}};
  CHECK(read_mechanism_toml(text, "m.toml", {}, half)->bodies[0].com.x == 1);
  const std::vector<ParameterSetting> unknown{{"lenght", 1}};
  const auto refused = read_mechanism_toml(text, "m.toml", {}, unknown);
  REQUIRE_FALSE(refused);
  CHECK(refused.faults().front().rule == "parameter-unknown");
  CHECK(refused.faults().front().remedy.find("length") != std::string::npos);
}

TEST_CASE("what is wrong with a formula of parameters is at its column of the file") {
  const auto told = [](const std::string& mass, const std::string& function) {
    const auto m = read_mechanism_toml("[parameters]\nlength = 0.125\n[[body]]\nname = \"bar\"\nmass = \"" + mass +
                                           "\"\ninertia = [1, 1, \"= length\"]\n" + hinge +
                                           "[[driver]]\njoint = \"pivot\"\nfunction = \"" + function + "\"\n",
                                       "m.toml");
    return m ? std::string() : m.faults().front().what;
  };
  CHECK(told("= 2*length", "= length*t") == "");
  // the place of what is too much, counted from the sign of equality
  const std::string mass = "= length*length*)", function = "= length*t*)";
  CHECK_MESSAGE(told(mass, "t").find("column " + std::to_string(mass.find(')') + 1)) != std::string::npos, told(mass, "t"));
  CHECK_MESSAGE(told("= 1", function).find("column " + std::to_string(function.find(')') + 1)) != std::string::npos, told("= 1", function));
}

TEST_CASE("points and stops are read") {
  const auto m = read_mechanism_toml(bar + hinge +
                                         "[[point]]\nname = \"P\"\nbody = \"bar\"\nposition_mm = [100, 0, 50]\n"
                                         "[[stop]]\njoint = \"pivot\"\nlower_deg = -90\nstiffness = 10\ndamping = 1\n",
                                     "m.toml");
  CAPTURE(faults_of(m));
  REQUIRE(m);
  REQUIRE(m->points.size() == 1);
  CHECK(m->points[0].body == 0);
  CHECK(m->points[0].point.z == 0.05);
  REQUIRE(m->springs.size() == 1);
  REQUIRE(m->springs[0].play);
  CHECK(m->springs[0].play->lower == doctest::Approx(-pi / 2));
  CHECK(std::isinf(m->springs[0].play->upper));
}
