#include "torsor/codegen/generate.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/random_robot.hpp"
#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/prove.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/embedded_robots.hpp"

using namespace torsor;
namespace fs = std::filesystem;
using torsor::testing::Random;
using enum CodeFunction;

namespace {

const bool thorough = std::getenv("TORSOR_FULL") != nullptr;
const std::vector<CodeFunction> usual{id, bias, gravity, mass, fd, fk, jacobian};
const std::vector<CodeFunction> all{id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives};

Description robot_named(const std::string& name) {
  auto description = load_robot(name);
  REQUIRE(description);
  return *std::move(description);
}

/// Generates, compiles and runs; gives the largest difference of all functions but fd, whose own is checked against what
/// rounding explains: it grows with the condition of the mass matrix.
double proven(const Model<double>& model, const std::vector<CodeFunction>& functions, const CReal& real,
              int straight_up_to = 10, const CodeIk* form = nullptr) {
  const CodeSubject subject{.model = &model, .tool = model.frames.back(), .ik = form};
  CodeOptions options;
  options.functions = functions;
  options.real = real;
  options.straight_up_to = straight_up_to;
  const auto code = codegen(subject, options);
  REQUIRE(code);
  CodeProofOptions how;
  how.states = 10;
  if (!thorough) how.flags = "-std=c99 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";
  const auto proof = prove_code(*code, subject, real, nullptr, how);
  for (const Fault& error : proof.faults()) MESSAGE(to_string(error));
  REQUIRE(proof);
  CHECK(proof->holds());
  double worst = 0;
  for (std::size_t k = 0; k < functions.size(); ++k)
    if (code->functions[k].function != fd) worst = std::max(worst, proof->functions[k].generated);
  return worst;
}

}  // namespace

TEST_CASE("generated code of every built-in robot gives the library's numbers, straight and in loops") {
  int number = 0;
  for (const EmbeddedRobot& robot : embedded_robots()) {
    CAPTURE(std::string(robot.name));
    const Model<double> model = testing::built(robot_named(std::string(robot.name)));
    // straight code of a humanoid is what the C compiler takes longest for, and what nobody asks for
    const bool straight = model.nv <= 10;
    if (thorough || straight) CHECK(proven(model, thorough ? all : usual, c_double, 100) < 1e-13);
    if (thorough || !straight || ++number % 4 == 0)
      CHECK(proven(model, thorough ? all : std::vector{id, mass, fk, jacobian}, c_double, 0) < 1e-13);
    if (thorough) CHECK(proven(model, all, c_float) < 1e-5);
  }
}

TEST_CASE("angles of any size keep their digits where frames are offset from those of the file") {
  Description tilted = robot_named("puma560");
  tilted.gravity = {1, 2, -9};
  Model<double> model = testing::built(tilted);
  for (const double size : {1e2, 1e5, 1e7, 1e20}) {
    CAPTURE(size);
    for (Limits& limits : model.limits) limits.lower = -size, limits.upper = size;
    CHECK(proven(model, {id, mass}, c_double, 100) < 1e-13);
    CHECK(proven(model, {id, mass}, c_double, 0) < 1e-13);
  }
}

TEST_CASE("the Coriolis matrix of a general arm of thirty joints is generated in a moment") {
  Random random(30);
  const Model<double> model = testing::built(testing::random_dh_arm(random, 30, Convention::modified_dh));
  CHECK(proven(model, {coriolis}, c_double) < 1e-12);
}

TEST_CASE("derivatives and the Coriolis matrix, too") {
  for (const char* name : {"puma560_drives", "stanford", "floating"}) {
    CAPTURE(std::string(name));
    const Model<double> model = testing::built(robot_named(name));
    CHECK(proven(model, {coriolis, derivatives}, c_double) < 1e-13);
  }
}

TEST_CASE("trees of all joints, mimics, rotors, transmissions and friction are generated, straight and in loops") {
  Random random(3);
  for (int k = 0; k < (thorough ? 40 : 4); ++k) {
    CAPTURE(k);
    testing::RobotOptions options{.links = 3 + random.below(9), .rotors = true, .friction = true};
    options.mimics = k % 2 == 1;
    options.transmission = k % 4 == 2;
    options.rotor_bodies = k % 4 == 3;
    const Model<double> model = testing::built(testing::random_robot(random, options).description);
    CHECK(proven(model, thorough ? all : std::vector{id, mass, fd, jacobian}, c_double, k % 2 == 0 ? 0 : 100) < 1e-13);
  }
}

TEST_CASE("single precision keeps six digits") {
  for (const char* name : {"puma560_drives", "panda", "two_arm"}) {
    CAPTURE(std::string(name));
    CHECK(proven(testing::built(robot_named(name)), {id, gravity, mass, fk, jacobian}, c_float) < 2e-6);
  }
}

TEST_CASE("every closed form without cases is generated, and has the solutions of another solver, in both precisions") {
  struct Form {
    const char* robot;
    bool place_only;
    int rows;
    const char* value;
  };
  // elbow; parallel; a wrist at the tool; at the base, joint 7 held; by the swivel angle; few joints
  for (const Form& each :
       {Form{"puma560", false, 8, ""}, {"ur5", false, 8, ""}, {"stanford", false, 8, ""}, {"rotary_hollerbach", false, 8, ""},
        {"panda", false, 8, "held"}, {"iiwa14", false, 8, "psi"}, {"scara", false, 2, ""}, {"two_link", false, 1, ""},
        {"two_link", true, 2, ""}, {"articulated3", false, 2, ""}, {"articulated3", true, 4, ""},
        {"spherical3", true, 4, ""}}) {
    CAPTURE(std::string(each.robot));
    CAPTURE(each.place_only);
    const Robot robot = Robot::load(each.robot);
    const auto form = code_ik(robot, robot.tool(), each.place_only);
    REQUIRE(form);
    CHECK(form->rows == each.rows);
    CHECK(form->value == each.value);
    CHECK(proven(robot.model(), {ik}, c_double, 10, &*form) < 1e-13);
    CHECK(proven(robot.model(), {ik}, c_float, 10, &*form) < 1e-5);
  }
}

TEST_CASE("a solution that another solver has and the code has not, or the other way round, is a difference") {
  const Robot robot = Robot::load("panda");
  const auto form = code_ik(robot, robot.tool());
  REQUIRE(form);
  CodeOptions options;
  options.functions = {ik};
  const CodeSubject subject{.model = &robot.model(), .tool = robot.tool(), .ik = &*form};
  const auto code = codegen(subject, options);
  REQUIRE(code);
  CodeProofOptions how;
  how.states = 10;
  how.flags = "-std=c99 -O0";
  for (const bool more : {false, true}) {
    CodeIk other = *form;
    other.other = [&form, more](const Transform<double>& X, double value) {
      auto all = form->other(X, value);
      if (all.empty()) return all;
      if (more)
        all.push_back(CodeIk::Angles{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, value});
      else
        all.pop_back();
      return all;
    };
    CodeSubject compared = subject;
    compared.ik = &other;
    const auto proof = prove_code(*code, compared, c_double, nullptr, how);
    REQUIRE(proof);
    CHECK(!proof->holds());
  }
}

TEST_CASE("joints of any geometry are generated by elimination, and have the library's solutions") {
  // six, seven with one held, five
  for (const char* name : {"crx10ia", "xarm6", "gen3", "xarm7", "so101"}) {
    CAPTURE(std::string(name));
    const Robot robot = Robot::load(name);
    const auto form = code_ik(robot, robot.tool());
    REQUIRE(form);
    REQUIRE(form->general);
    CHECK(form->rows == 16);
    CHECK(form->value == (form->joints == 7 ? "held" : ""));
    CHECK(proven(robot.model(), {ik}, c_double, 10, &*form) < 1e-11);
    CodeOptions options;
    options.functions = {ik};
    options.real = c_float;
    const auto code = codegen({.model = &robot.model(), .tool = robot.tool(), .ik = &*form}, options);
    REQUIRE(!code);
    CHECK(code.faults()[0].what.find("float") != std::string::npos);
  }
}

TEST_CASE("random arms of four to seven joints, one on a rail: elimination in C has the library's solutions") {
  Random random(41);
  for (int k = 0; k < (thorough ? 60 : 6); ++k) {
    const int joints = 4 + k % 4;
    const bool on_rail = k % 6 == 5;
    CAPTURE(k);
    Description drawn = testing::random_dh_arm(random, on_rail ? 7 : joints, Convention::standard_dh);
    if (on_rail) drawn.links[static_cast<std::size_t>(k % 3)].kind = JointKind::prismatic;
    const auto robot = Robot::try_build(drawn);
    REQUIRE(robot);
    const auto form = code_ik(*robot, robot->tool());
    REQUIRE(form);
    REQUIRE(form->general);
    CHECK(form->general->held == (on_rail ? k % 3 : form->joints == 7 ? 6 : -1));
    CHECK(proven(robot->model(), {ik}, c_double, 10, &*form) < 1e-11);
  }
}

TEST_CASE("arms without a closed form that has a text are refused inverse kinematics, with the reason") {
  const Robot seven = Robot::load("gen3"), few = Robot::load("articulated3"), slides = Robot::load("cylindrical3");
  const auto none = code_ik(slides, slides.tool());
  REQUIRE(!none);
  CHECK(none.faults()[0].rule == "codegen-ik");
  CHECK(none.faults()[0].what.find("prismatic") != std::string::npos);
  CHECK(!code_ik(seven, seven.tool(), true));
  const CodeSubject subject{.model = &few.model(), .tool = few.tool()};
  CodeOptions options;
  options.functions = {ik};
  CHECK(!codegen(subject, options));
}

TEST_CASE("friction that is a function in code has no text") {
  Model<double> model = testing::built(robot_named("two_link"));
  Friction<double> law;
  law.function = [](double, double qd) { return qd; };
  model.friction.push_back({0, law});
  const CodeSubject subject{.model = &model, .tool = model.frames.back()};
  CodeOptions options;
  options.functions = {id, bias};
  const auto code = codegen(subject, options);
  REQUIRE(!code);
  CHECK(code.faults().size() == 1);
  CHECK(code.faults()[0].rule == "codegen-friction");
  options.functions = {fk};
  CHECK(codegen(subject, options));
}

TEST_CASE("numbers that cannot be written are refused: constants beyond a float, accelerations without mass") {
  Model<double> model = testing::built(robot_named("two_link"));
  model.gravity = {0, 0, -1e200};
  model.base = Transform<double>::rotation(rotation_x(0.3));
  const CodeSubject subject{.model = &model, .tool = model.frames.back()};
  CodeOptions options;
  options.real = c_float;
  const auto beyond = codegen(subject, options);
  REQUIRE(!beyond);
  CHECK(beyond.faults()[0].rule == "codegen-float");

  Model<double> light = testing::built(robot_named("two_link"));
  light.bodies[1].inertia = {};
  const CodeSubject weightless{.model = &light, .tool = light.frames.back()};
  options.real = c_double;
  options.functions = {fd};
  const auto undetermined = codegen(weightless, options);
  REQUIRE(!undetermined);
  CHECK(undetermined.faults()[0].rule == "codegen-finite");
}

TEST_CASE("few operations are left, and the file says how many") {
  const Model<double> model = testing::built(robot_named("puma560"));
  const CodeSubject subject{.model = &model, .tool = model.frames.back()};
  CodeOptions options;
  options.functions = {id, mass};
  const auto code = codegen(subject, options);
  REQUIRE(code);
  const OperationCount& cost = code->functions[0].count;
  CHECK(cost.multiplications <= 200);
  CHECK(cost.additions <= 175);
  CHECK(code->functions[1].count.multiplications <= 90);
  CHECK(code->source.find(std::to_string(cost.multiplications) + " multiplications, " + std::to_string(cost.additions) +
                          " additions") != std::string::npos);
  CHECK(code->source.find("malloc") == std::string::npos);
  CHECK(code->source.find("math.h") == std::string::npos);
  CHECK(code->header.find("void puma_560_id(const double q[6]") != std::string::npos);
}

TEST_CASE("a name of any kind becomes one that C takes") {
  CHECK(c_identifier("PUMA 560") == "puma_560");
  CHECK(c_identifier("3-axis arm (v2)") == "robot_3_axis_arm_v2");
  CHECK(c_identifier("*/ int") == "int");
  CHECK(c_identifier("") == "robot");
}

TEST_CASE(
    "quaternions of any length are divided by it, straight and in loops, in both precisions: the self-test has a long "
    "one") {
  const Model<double> model = testing::built(robot_named("floating"));
  const CodeSubject subject{.model = &model, .tool = model.frames.back()};
  for (const CReal& real : {c_double, c_float})
    for (const int straight : {0, 100}) {
      CAPTURE(real.type);
      CAPTURE(straight);
      CodeOptions options;
      options.functions = {id, mass, fd, fk, jacobian};
      options.real = real;
      options.straight_up_to = straight;
      const auto code = codegen(subject, options);
      REQUIRE(code);
      const std::string file =
          (fs::temp_directory_path() / ("torsor-quaternions-" + std::to_string(getpid()))).string();
      std::ofstream(file + ".c") << code->source;
      REQUIRE(
          std::system(("cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -DTORSOR_SELF_TEST -o " +
                       file + " " + file + ".c -lm")
                          .c_str()) == 0);
      CHECK(std::system((file + " > /dev/null").c_str()) == 0);
      // what is to be held together: some quaternion is too long for its square
      CHECK(code->source.find(real.is_float() ? "e+23" : "e+159") != std::string::npos);
      for (const char* end : {"", ".c"}) fs::remove(file + end);
    }
}
