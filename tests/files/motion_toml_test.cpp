#include "torsor/files/motion_toml.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "tests/files/file_text.hpp"
#include "tests/support/motion_at.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/places.hpp"
#include "tests/support/rule_table.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/spatial/turning.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/published_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::vector<std::string> examples() { return toml_blocks(contents(places::in_project("docs/motion-file.md"))); }

Model<double> shipped_model(const std::string& robot) { return *build(*load_robot(robot)); }

// `# robot: puma560` in its first line
Result<PlannedMotion> read_plan(const std::string& text) {
  const std::string mark = "# robot: ";
  if (!text.starts_with(mark)) return read_motion_toml(text, "motion.toml");
  const Model<double> model = shipped_model(text.substr(mark.size(), text.find('\n') - mark.size()));
  return read_motion_toml(text, "motion.toml", &model);
}

const std::string two_points_toml = "[[point]]\nq = [0, 1]\n[[point]]\nq = [1, -1]\n";

}  // namespace

TEST_CASE("every example of the page is a motion that begins and ends at its points") {
  const auto blocks = examples();
  REQUIRE(blocks.size() >= 9);
  int joints = 0, tools = 0;
  for (const std::string& text : blocks) {
    CAPTURE(text);
    const auto motion = read_plan(text);
    for (const Fault& error : motion.faults()) MESSAGE(to_string(error));
    REQUIRE(motion);
    CHECK(motion->duration() > 0);
    (motion->joints() ? joints : tools) += 1;
    CHECK(motion->notes.empty());
    // velocities are the derivatives of positions: central differences, an error of h^2 and of rounding
    const double T = motion->duration(), h = 1e-5 * T;
    for (const double u : {0.2, 0.43, 0.71}) {
      if (const Trajectory* m = motion->joints()) {
        const MotionRow a = at(*m, u * T - h), b = at(*m, u * T), c = at(*m, u * T + h);
        for (std::size_t k = 0; k < m->size(); ++k) {
          CHECK((c.q[k] - a.q[k]) / (2 * h) == doctest::Approx(b.qd[k]).epsilon(1e-5));
          CHECK((c.qd[k] - a.qd[k]) / (2 * h) == doctest::Approx(b.qdd[k]).epsilon(1e-4));
        }
      } else {
        const auto a = motion->tool()->sample(u * T - h), b = motion->tool()->sample(u * T),
                   c = motion->tool()->sample(u * T + h);
        CHECK(norm((c.X.p - a.X.p) * (0.5 / h) - b.twist.v) < 1e-6);
        CHECK(norm((c.twist.w - a.twist.w) * (0.5 / h) - b.acceleration.w) < 1e-4);
      }
    }
  }
  CHECK(joints >= 5);
  CHECK(tools >= 4);
}

TEST_CASE("a file of version 0.1, whose word for the tool is hand, is read, and says so") {
  int tools = 0;
  for (const std::string& text : examples()) {
    const std::string word = "motion = \"tool\"";
    const std::size_t at = text.find(word);
    if (at == std::string::npos) continue;
    ++tools;
    std::string former = text;
    former.replace(at, word.size(), "motion = \"hand\"");
    const auto motion = read_plan(text), old = read_plan(former);
    REQUIRE(motion);
    REQUIRE(old);
    CHECK(old->tool());
    CHECK(old->duration() == motion->duration());
    REQUIRE(old->notes.size() == 1);
    CHECK(old->notes[0].find("\"tool\"") != std::string::npos);
  }
  CHECK(tools > 3);
}

TEST_CASE("the published straight line comes out of its description") {
  const auto blocks = examples();
  for (const auto& [name, mark] : {std::pair{"sixr_angeles", "rpy_deg = [0, 62.9, 0]"}, {"sixr_sim", "ramp = 0.25"}}) {
    const std::string robot = name;
    CAPTURE(robot);
    const auto block = std::find_if(blocks.begin(), blocks.end(),
                                    [m = mark](const std::string& text) { return text.find(m) != std::string::npos; });
    REQUIRE(block != blocks.end());
    const auto motion = read_plan(*block);
    REQUIRE(motion);
    const PathMotion published = published_path(robot)->make();
    CHECK(motion->duration() == doctest::Approx(published.duration()).epsilon(1e-14));
    for (const double t : {0.0, 0.1, 0.37, 0.9}) {
      const CartesianState a = motion->tool()->sample(t), b = published.sample(t);
      CHECK(norm(a.X.p - b.X.p) < 1e-13);
      CHECK(norm(a.X.R.x - b.X.R.x) + norm(a.X.R.y - b.X.R.y) < 1e-13);
      CHECK(norm(a.twist.v - b.twist.v) + norm(a.twist.w - b.twist.w) < 1e-12);
      CHECK(norm(a.acceleration.v - b.acceleration.v) + norm(a.acceleration.w - b.acceleration.w) < 1e-11);
    }
  }
}

TEST_CASE("degrees are for turns: a slide stays in metres") {
  const Model<double> model = shipped_model("stanford");
  const std::string text =
      "motion = \"joints\"\n[[point]]\nq_deg = [0, 90, 0.5, 0, 0, 0]\n[[point]]\nq_deg = [180, 90, 0.6, 0, 0, "
      "0]\nduration = 1\n";
  const auto motion = read_motion_toml(text, "m.toml", &model);
  REQUIRE(motion);
  const MotionRow end = at(*motion->joints(), 1);
  CHECK(end.q[0] == doctest::Approx(std::numbers::pi));
  CHECK(end.q[2] == 0.6);
}

TEST_CASE("time is scaled to the robot's torques, and what decides is told") {
  const Model<double> model = shipped_model("puma560");
  std::string text =
      "motion = \"joints\"\n[[point]]\nq = [0, 0.8, -1.6, 0, 0.8, 0]\n[[point]]\nq = [1, 0.5, -1, 0, 1, 0]\n"
      "duration = 1\n[scale]\nrobot = [\"effort\"]\n";
  const auto motion = read_motion_toml(text, "m.toml", &model);
  REQUIRE(motion);
  REQUIRE(motion->scaling);
  CHECK(motion->scaling->status == ScalingStatus::ok);
  CHECK(motion->duration() == doctest::Approx(motion->scaling->factor));
  // the limit is touched: scaling once more changes nothing
  const auto again = smallest_time_factor(model, *motion->joints(), limits_of(model));
  REQUIRE(again);
  CHECK(again->factor == doctest::Approx(1).epsilon(1e-6));
  CHECK(faults_of(read_motion_toml(text + "effort = 9\n", "m.toml", &model)) == "8 key-twice");
  CHECK(faults_of(read_motion_toml(text + "velocity_deg = -1\n", "m.toml", &model)) == "9 motion-limit");
  const std::string own = text.substr(0, text.find("robot"));
  CHECK(faults_of(read_motion_toml(own + "robot = [\"velocity\", \"efort\"]\n", "m.toml", &model)) ==
        "8 motion-limit, 8 word-unknown");
  CHECK(faults_of(read_motion_toml(own, "m.toml", &model)) == "7 motion-limit");
  const auto heavy = read_motion_toml(own + "effort = 0.5\n", "m.toml", &model);
  REQUIRE(heavy);
  CHECK(heavy->scaling->status == ScalingStatus::impossible);
}

TEST_CASE("positions must fit the robot, and those beyond its limits are told") {
  const Model<double> model = shipped_model("puma560");
  CHECK(faults_of(read_motion_toml("motion = \"joints\"\n" + two_points_toml + "duration = 1\n", "m.toml", &model)) ==
        "3 motion-size, 5 motion-size");
  const auto far = read_motion_toml(
      "motion = \"joints\"\n[[point]]\nq = [0, 0, 2, 0, 0, 0]\n[[point]]\nq = [0, 0, 0, 0, 0, 0]\nduration = 1\n",
      "m.toml", &model);
  REQUIRE(far);
  REQUIRE(far->notes.size() == 1);
  CHECK(far->notes[0] == "point 1 is 1.215 rad beyond the limits of \"elbow\"");
  const Model<double> floating = shipped_model("floating");
  CHECK(faults_of(read_motion_toml("motion = \"joints\"\n" + two_points_toml, "m.toml", &floating)) ==
        "1 motion-coordinates");
}

TEST_CASE("each broken motion file has exactly the faults it announces, all found at once") {
  const auto read = [](const std::string& text, const std::string& file) { return read_motion_toml(text, file); };
  const auto [files, rules] = check_broken_files("tests/broken_motion", ".toml", read);
  CHECK(files >= 30);
  CHECK(rules.size() >= 20);
}

TEST_CASE("a law that the jerk limit of the robot forbids is refused by that name") {
  Model<double> model = shipped_model("scara");
  for (Limits& limits : model.limits) limits.velocity = limits.acceleration = limits.deceleration = 1;
  const auto read = [&](const std::string& head) {
    return read_motion_toml(
        "motion = \"joints\"\n" + head + "\n[[point]]\nq = [0, 0, 0, 0]\n[[point]]\nq = [0.1, 0.1, 0.1, 0.1]\n",
        "motion.toml", &model);
  };
  const std::string trapezoid = "law = \"trapezoid\"\nlimits = { velocity = 1 }";
  CHECK(read(trapezoid));
  model.limits[2].jerk = 9;
  const auto refused = read(trapezoid);
  REQUIRE_FALSE(refused);
  REQUIRE(refused.faults().size() == 1);
  CHECK(refused.faults()[0].rule == "motion-limit");
  CHECK(refused.faults()[0].what.find("the robot's joint \"" + model.velocity_names[2] + "\" has a jerk limit of 9") !=
        std::string::npos);
  CHECK(read("law = \"s-curve\"\nlimits = { velocity = 1 }"));
  // one of the motion's own is its own affair
  const auto own = read("law = \"trapezoid\"\nlimits = { velocity = 1, jerk = 5 }");
  REQUIRE_FALSE(own);
  CHECK(own.faults()[0].what.find("robot") == std::string::npos);
}

TEST_CASE("a misspelt word is answered with the likely one") {
  const auto message = [](const std::string& text) {
    return to_string(read_motion_toml(text, "m.toml").faults().at(0));
  };
  CHECK(message("motion = \"joint\"").find("did you mean \"joints\"?") != std::string::npos);
  CHECK(message("motion = \"joints\"\nlaw = \"septik\"\n" + two_points_toml + "duration = 1\n") ==
        "m.toml:2: law: it is the text \"septik\" [time-law]; did you mean \"septic\"? it may be \"cycloidal\", "
        "\"cubic\", "
        "\"quintic\", \"septic\", \"trapezoid\", \"s-curve\" or \"smooth-trapezoid\"");
}

TEST_CASE("whatever happens to the bytes, a motion that can be sampled or faults come out") {
  const std::vector<std::string> pieces = {"[[point]]\n",
                                           "[scale]\n",
                                           "q = [1, 2]\n",
                                           "= ",
                                           "duration = 1\n",
                                           "_deg",
                                           "limits = { acceleration = 1 }\n",
                                           "\"",
                                           "]",
                                           "}",
                                           "path = \"arc\"\n"};
  const std::vector<std::string> numbers = {"1e308", "-1e308", "nan",    "inf",
                                            "0",     "-1",     "1e-308", "99999999999999999999"};
  const auto texts = examples();
  torsor::testing::Random random(5);
  int sound = 0;
  for (int k = 0; k < 3000; ++k) {
    const std::string text = torsor::testing::mutated(
        texts[static_cast<std::size_t>(random.below(static_cast<int>(texts.size())))], {pieces, numbers}, random);
    const auto motion = read_motion_toml(text, "m.toml");
    if (!motion) {
      CHECK_FALSE(motion.faults().empty());
      continue;
    }
    ++sound;
    CHECK(motion->duration() > 0);
    if (motion->joints())
      at(*motion->joints(), motion->duration() / 3);
    else
      motion->tool()->sample(motion->duration() / 3);
  }
  CHECK(sound > 50);
}

TEST_CASE("the table of rules has every id that a motion file can break") {
  std::set<std::string> words;
  for (const char* part : {"motion_toml.cpp", "motion_toml_tool.cpp", "motion_toml_joints.cpp"})
    words.merge(testing::quoted_words(testing::text_of(std::string("torsor/files/") + part)));
  // what the library finds in what the file said, and the command in the robot's answer
  for (const char* part :
       {"torsor/trajectory/pace.cpp", "torsor/trajectory/position_path.cpp", "torsor/trajectory/spline_motion.cpp",
        "torsor/trajectory/blended_motion.cpp", "torsor/trajectory/point_to_point.cpp",
        "torsor/numeric_ik/scale_path.hpp", "cli/motion_job.cpp", "cli/limit_report.cpp"})
    words.merge(testing::quoted_words(testing::text_of(part)));
  for (const char* value : {"cubic-spline", "quintic-spline", "s-curve", "smooth-trapezoid"}) words.erase(value);
  // no file can break these: its numbers are finite, and times add up
  for (const char* never : {"motion-finite", "spline-times"}) words.erase(never);
  for (const char* of_command : {"option-value", "limit-passed"}) words.erase(of_command);
  for (const std::string& rule : testing::rule_table("docs/check.md")) words.erase(rule);
  CHECK(testing::hyphenated(words) == testing::rule_table("docs/motion-file.md"));
}

TEST_CASE("a circle by centre, normal and angle comes back to its start, the hand kept or turning along") {
  const std::string circle =
      "motion = \"tool\"\npath = \"circle\"\ncentre = [0.4, 0.1, 0.7]\nnormal = [0, 0, 2]\nduration = 2\n";
  const std::string start = "[[point]]\nposition = [0.5, 0.1, 0.6]\nrpy_deg = [0, 90, 0]\n";
  const auto kept = read_plan(circle + start);
  REQUIRE(kept);
  const PathMotion& motion = *kept->tool();
  CHECK(motion.length() == doctest::Approx(0.2 * std::numbers::pi));
  CHECK(norm(motion.sample(0).X.p - motion.sample(2).X.p) < 1e-15);
  CHECK(norm(motion.sample(1).X.p - Vec3<double>{0.3, 0.1, 0.6}) < 1e-15);  // half way, across the centre
  CHECK(norm(motion.sample(0.7).X.R.y - motion.sample(0).X.R.y) < 1e-15);
  const auto quarter = read_plan(circle + "angle_deg = -90\norientation = \"along\"\n" + start);
  REQUIRE(quarter);
  const CartesianState end = quarter->tool()->sample(2), begin = quarter->tool()->sample(0);
  CHECK(norm(end.X.p - Vec3<double>{0.4, 0.0, 0.6}) < 1e-15);
  // a quarter turn back about z takes x to -y
  CHECK(norm(end.X.R.z - Vec3<double>{begin.X.R.z.y, -begin.X.R.z.x, begin.X.R.z.z}) < 1e-15);
  CHECK(quarter->tool()->sample(1).twist.w.z < 0);
  CHECK(faults_of(read_plan(circle + start + start)) == "6 motion-points");
  CHECK(faults_of(read_plan("motion = \"tool\"\npath = \"circle\"\nduration = 1\n" + start)) ==
        "1 key-missing, 1 key-missing");
  CHECK(faults_of(read_plan(circle + "angle = 0\n" + start)) == "6 arc-axis");
}

TEST_CASE("linear and angular limits of the hand hold together, and the tighter one is reached") {
  const std::string points =
      "[[point]]\nposition = [0, 0, 0]\neuler = [0, 0.3, 0]\n[[point]]\nposition = [1, 0, 0]\neuler = [2, 1.5, -1]\n";
  const auto peak = [](const PlannedMotion& planned, bool turning) {
    double most = 0;
    for (int k = 0; k <= 4000; ++k) {
      const Motion<double> twist = planned.tool()->sample(planned.duration() * k / 4000).twist;
      most = std::max(most, norm(turning ? twist.w : twist.v));
    }
    return most;
  };
  const auto read_with = [&](const std::string& limits) {
    return read_plan("motion = \"tool\"\npath = \"line\"\nlimits = { " + limits + " }\n" + points);
  };
  const auto fast = read_with("velocity = 0.5, acceleration = 4"),
             slow = read_with("velocity = 0.5, acceleration = 4, angular_velocity = 0.6");
  REQUIRE(fast);
  REQUIRE(slow);
  CHECK(peak(*fast, false) == doctest::Approx(0.5));
  CHECK(peak(*fast, true) > 0.7);
  CHECK(peak(*slow, true) <= 0.6 * (1 + 1e-9));
  CHECK(peak(*slow, true) > 0.59);
  CHECK(slow->duration() > fast->duration());
  CHECK(faults_of(read_with("velocity = 1, angular_velocity = -1")) == "3 motion-limit");
  // a turn on the spot has no way, but an angle
  const std::string spot =
      "[[point]]\nposition = [0, 0, 0]\nrpy = [0, 0, 0]\n[[point]]\nposition = [0, 0, 0]\nrpy = [0, 0, 1]\n";
  const std::string head = "motion = \"tool\"\npath = \"line\"\nlimits = ";
  const auto turn = read_plan(head + "{ angular_velocity_deg = 30, angular_acceleration = 3 }\n" + spot);
  REQUIRE(turn);
  CHECK(peak(*turn, true) == doctest::Approx(std::numbers::pi / 6));
  CHECK(faults_of(read_plan(head + "{ velocity = 1, acceleration = 1 }\n" + spot)) == "3 motion-points");
}

TEST_CASE("a rounding that a side cuts short is told, with its corner") {
  const auto notes_with = [](const std::string& rounding) {
    const auto planned =
        read_plan("motion = \"tool\"\npath = \"polygon\"\nduration = 1\nrounding = " + rounding +
                  "\n[[point]]\nposition = [0, 0, 0]\n[[point]]\nposition = [1, 0, 0]\n"
                  "[[point]]\nposition = [2, 1, 0]\n");
    REQUIRE(planned);
    return planned->notes;
  };
  CHECK(notes_with("0.5").empty());
  REQUIRE(notes_with("0.6").size() == 1);
  CHECK(notes_with("0.6")[0] == "the corner at point 2 is rounded from 0.5 m on, half of a side there, not 0.6 m");
}

TEST_CASE("faults of a circle are told at the key that each is about") {
  const auto faults_with = [](const std::string& normal, const std::string& angle, const std::string& start) {
    return faults_of(read_plan("motion = \"tool\"\npath = \"circle\"\ncentre = [0, 0, 0]\nnormal = " + normal +
                               "\nangle_deg = " + angle + "\nduration = 1\n[[point]]\nposition = " + start + "\n"));
  };
  CHECK(faults_with("[0, 0, 1]", "90", "[1, 0, 0]") == "");
  CHECK(faults_with("[0, 0, 0]", "0", "[1, 0, 0]") == "4 arc-axis, 5 arc-axis");
  CHECK(faults_with("[0, 0, 1]", "90", "[0, 0, 1]") == "7 arc-axis");
}

TEST_CASE("what [scale] asks of the joints along a motion of the hand is kept for whoever finds them") {
  const Model<double> model = shipped_model("puma560");
  const std::string points = "[[point]]\nposition = [0.4, 0.2, 0.6]\n[[point]]\nposition = [0.4, -0.2, 0.7]\n";
  const std::string line = "motion = \"tool\"\npath = \"line\"\n",
                    scale = "[scale]\nrobot = [\"effort\"]\nvelocity_deg = 90\n";
  const auto given = read_motion_toml(line + "duration = 1\n" + points + scale, "m.toml", &model);
  REQUIRE(given);
  REQUIRE(given->tool_scaling);
  CHECK_FALSE(given->tool_scaling->only_slower);
  CHECK(given->tool_scaling->limits.effort == limits_of(model).effort);
  CHECK(given->tool_scaling->limits.velocity == std::vector<double>(6, std::numbers::pi / 2));
  CHECK(given->duration() == 1);
  const auto limited = read_motion_toml(line + "limits = { acceleration = 1 }\n" + points + scale, "m.toml", &model);
  REQUIRE(limited);
  CHECK(limited->tool_scaling->only_slower);
  CHECK(faults_of(read_motion_toml(line + "duration = 1\n" + points + scale, "m.toml")) == "8 motion-robot");
}
