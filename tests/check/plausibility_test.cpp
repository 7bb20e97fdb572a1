// The check that explains: sound robots pass without a word, and a slip is found, in its link, with the right cause.
#include "tests/support/places.hpp"
#include "torsor/check/plausibility.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/random_robot.hpp"
#include "tests/support/shaped_robot.hpp"
#include "torsor/check/examination.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using testing::Random;
namespace fs = std::filesystem;

namespace {

using Six = std::array<double, 6>;
Six six(const Sym3<double>& a) { return {a.xx, a.yy, a.zz, a.xy, a.xz, a.yz}; }
Sym3<double> sym(const Six& a) { return {a[0], a[1], a[2], a[3], a[4], a[5]}; }

void scale_entry(Part& part, int entry, double factor) {
  Six a = six(part.tensor);
  a[static_cast<std::size_t>(entry)] *= factor;
  part.tensor = sym(a);
}

void refer_to_frame(Part& part) {
  part.tensor = inertia_about_centre(part.mass, part.com, part.tensor).I;
  part.about = InertiaAbout::frame_origin;
}

void turn_signs(Part& part) {
  Six a = six(part.tensor);
  for (std::size_t k = 3; k < 6; ++k) a[k] = -a[k];
  part.tensor = sym(a);
}

Transform<double>& placement(LinkDescription& link) { return std::get<JointPlacement>(link.geometry).X_parent_joint; }

/// A slip that any author may make in any link; `found`: the least part of the cases in which it shows at all.
struct SlipCase {
  const char *name, *cause;
  double found;
  std::function<void(Random&, LinkDescription&)> make;
};

const std::vector<SlipCase> slips{
    {"a moment without its decimal point, two places", "decimal-point", 0.95,
     [](Random& r, auto& l) { scale_entry(l.parts[0], r.below(3), 100); }},
    {"a moment without its decimal point, three places", "decimal-point", 0.95,
     [](Random& r, auto& l) { scale_entry(l.parts[0], r.below(3), 1000); }},
    {"a mass ten times too large", "decimal-point", 0.95, [](Random&, auto& l) { l.parts[0].mass *= 10; }},
    {"a mass a hundred times too large", "decimal-point", 0.95, [](Random&, auto& l) { l.parts[0].mass *= 100; }},
    // products of the other sign often belong to a body that can be: a mirror image of the right one
    {"products of the other sign, about the mass centre", "product-signs", 0.4,
     [](Random&, auto& l) { turn_signs(l.parts[0]); }},
    {"products of the other sign, about the frame", "product-signs", 0.95,
     [](Random&, auto& l) { refer_to_frame(l.parts[0]), turn_signs(l.parts[0]); }},
    {"a list of rows taken for moments and products", "row-order", 0.95,
     [](Random&, auto& l) {
       const Six a = six(l.parts[0].tensor);
       l.parts[0].tensor = sym({a[0], a[3], a[4], a[1], a[5], a[2]});
     }},
    {"moments and products taken for a list of rows", "row-order", 0.95,
     [](Random&, auto& l) {
       const Six a = six(l.parts[0].tensor);
       l.parts[0].tensor = sym({a[0], a[3], a[5], a[1], a[2], a[4]});
     }},
    // it takes a slender body to tell its length
    {"about the frame, given as about the mass centre", "reference-point", 0.75,
     [](Random&, auto& l) { refer_to_frame(l.parts[0]), l.parts[0].about = InertiaAbout::mass_centre; }},
    {"about the mass centre, given as about the frame", "reference-point", 0.95,
     [](Random&, auto& l) { l.parts[0].about = InertiaAbout::frame_origin; }},
    {"grams", "units", 0.95, [](Random&, auto& l) { l.parts[0].mass *= 1e3; }},
    {"kg mm^2", "units", 0.95, [](Random&, auto& l) { l.parts[0].tensor = l.parts[0].tensor * 1e6; }},
    {"g mm^2", "units", 0.95, [](Random&, auto& l) { l.parts[0].tensor = l.parts[0].tensor * 1e9; }},
    {"grams and g mm^2", "units", 0.95,
     [](Random&, auto& l) { l.parts[0].mass *= 1e3, l.parts[0].tensor = l.parts[0].tensor * 1e9; }},
    {"a mass centre in millimetres", "units", 0.95, [](Random&, auto& l) { l.parts[0].com = l.parts[0].com * 1e3; }},
    // ten times too far in a short link may still be within reach of a longer one
    {"a mass centre without its decimal point", "decimal-point", 0.5,
     [](Random&, auto& l) { l.parts[0].com = l.parts[0].com * 10.0; }},
    {"a placement in millimetres", "units", 0.95, [](Random&, auto& l) { placement(l).p = placement(l).p * 1e3; }},
    {"roll, pitch, yaw in degrees", "degrees", 0.95,
     [](Random& r, auto& l) {
       const double angles[] = {0, 30, 45, 60, 90, 180, -90, -45};
       placement(l).R = rotation_rpy(angles[r.below(8)], angles[1 + r.below(7)], angles[r.below(8)]);
     }},
    {"limits in degrees", "degrees", 0.95,
     [](Random& r, auto& l) {
       l.kind = JointKind::revolute;
       l.limits.lower = -20 - r.below(160);
       l.limits.upper = 30 + r.below(150);
     }},
};

/// A link 0.5 m long with a bar between its joint and the next, and the next.
Description two_bars() {
  Description d;
  d.name = "bars", d.file = "bars.toml";
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = i == 0 ? "upper" : "lower";
    link.joint_name = link.name + "_joint";
    link.where = {"bars.toml", 10 * (i + 1)};
    link.geometry = JointPlacement{{Mat3<double>::identity(), {0.5 * i, 0, 0}}, {0, 0, 1}};
    link.parts = {testing::solid_part(solid_box({0.5, 0.08, 0.06}), 2000, Mat3<double>::identity(), {0.25, 0, 0})};
    d.links.push_back(link);
  }
  return d;
}

/// `triangle:upper units, mass-zero:lower -`: what is found and the cause of it.
std::string summary(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += (text.empty() ? "" : ", ") + f.subject + ' ' + (f.cause.empty() ? "-" : f.cause);
  return text;
}

std::string doubts(const std::function<void(Description&)>& change) {
  Description d = two_bars();
  change(d);
  return summary(plausibility(d));
}

}  // namespace

TEST_CASE("no sound robot of solid links is doubted") {
  Random random(11);
  for (int draw = 0; draw < testing::draws(1000); ++draw) {
    const Description robot = testing::shaped_robot(random, draw % 2 == 0);
    const auto examination = examine(robot, testing::built(robot));
    REQUIRE_MESSAGE(examination.findings.empty(), to_string(examination.findings.front().error));
  }
}

TEST_CASE("no sound robot of point masses, of any joints and conventions, is doubted") {
  Random random(12);
  const int robots = testing::draws(1000);
  int dense = 0;
  for (int draw = 0; draw < robots; ++draw) {
    testing::RobotOptions options;
    options.links = 1 + random.below(8);
    options.rotors = draw % 2 == 0;
    options.rotor_bodies = draw % 3 == 0;
    options.mimics = draw % 5 == 0;
    options.transmission = draw % 7 == 0;
    const Description robot = testing::random_robot(random, options).description;
    for (const Finding& finding : examine(robot, testing::built(robot)).findings) {
      REQUIRE_MESSAGE(finding.error.rule == "density", to_string(finding.error));
      ++dense;
    }
  }
  // four points by chance in a line are indeed denser than any matter: not one in a thousand robots
  CHECK(dense <= robots / 5000);
}

TEST_CASE("a slip in any link is found there, and there alone, with the right cause first nine times out of ten") {
  for (const SlipCase& slip : slips) {
    CAPTURE(slip.name);
    Random random(13);
    int made = 0, found = 0, right = 0, elsewhere = 0;
    for (int draw = 0; draw < testing::draws(240); ++draw) {
      const Description sound = testing::shaped_robot(random);
      for (std::size_t i = 0; i < sound.links.size(); ++i) {
        Description robot = sound;
        slip.make(random, robot.links[i]);
        const auto findings = plausibility(robot);
        const auto here = [&](const Finding& f) {
          return f.subject.ends_with(":link" + std::to_string(i)) || f.subject.ends_with(":joint" + std::to_string(i));
        };
        const auto first = std::ranges::find_if(findings, here);
        ++made;
        found += first != findings.end();
        right += first != findings.end() && first->cause == slip.cause;
        elsewhere += !std::ranges::all_of(findings, here);
      }
    }
    REQUIRE(made > 100);
    CAPTURE(made);
    CAPTURE(found);
    CAPTURE(right);
    CHECK(found >= slip.found * made);
    CHECK(right >= 0.9 * found);
    CHECK(elsewhere == 0);
  }
}

TEST_CASE(
    "units that are wrong throughout a file are one finding of the robot, and the right ones nine times out of ten") {
  struct Throughout {
    const char* text;
    double mass, placement, centre, tensor;
  };
  for (const Throughout& u : {Throughout{"masses in grams, inertias in g m^2", 1e3, 1, 1, 1e3},
                              {"masses in grams", 1e3, 1, 1, 1},
                              {"inertias in kg mm^2", 1, 1, 1, 1e6},
                              {"inertias in g mm^2", 1, 1, 1, 1e9},
                              {"lengths in millimetres", 1, 1e3, 1e3, 1},
                              {"lengths in millimetres, inertias in kg mm^2", 1, 1e3, 1e3, 1e6},
                              {"masses in grams, lengths in millimetres, inertias in g mm^2", 1e3, 1e3, 1e3, 1e9},
                              {"mass centres in millimetres", 1, 1, 1e3, 1},
                              {"lengths in centimetres, inertias in kg cm^2", 1, 1e2, 1e2, 1e4}}) {
    CAPTURE(u.text);
    Random random(15);
    int made = 0, found = 0, right = 0;
    for (int draw = 0; draw < testing::draws(100); ++draw) {
      Description robot = testing::shaped_robot(random);
      robot.where = {"shaped.toml", 3};
      for (LinkDescription& link : robot.links) {
        placement(link).p = placement(link).p * u.placement;
        if (link.kind == JointKind::prismatic) link.limits.lower *= u.placement, link.limits.upper *= u.placement;
        for (Part& part : link.parts) {
          part.mass *= u.mass;
          part.com = part.com * u.centre;
          part.tensor = part.tensor * u.tensor;
        }
      }
      const auto findings = plausibility(robot);
      ++made;
      if (findings.size() != 1 || findings[0].error.rule != "robot-units") continue;
      ++found;
      CHECK(findings[0].error.where.line == 3);
      CHECK(findings[0].cause == "units");
      right += findings[0].error.remedy.find(std::string("units, ") + u.text + ":") != std::string::npos;
    }
    CAPTURE(made);
    CAPTURE(found);
    CAPTURE(right);
    CHECK(found >= 0.85 * made);
    CHECK(right >= 0.9 * found);
  }
}

TEST_CASE("one link in other units than the rest is told of that link") {
  CHECK(doubts([](Description& d) { d.links[0].parts[0].mass *= 1e3; }).ends_with(":upper units"));
}

TEST_CASE("inertias about the frame in every link are told as that, not as units") {
  const std::string found = doubts([](Description& d) {
    for (LinkDescription& link : d.links) {
      refer_to_frame(link.parts[0]);
      link.parts[0].about = InertiaAbout::mass_centre;
    }
  });
  CHECK(found == "inertia-point:upper reference-point, inertia-point:lower reference-point");
}

TEST_CASE("a link without mass is told whether what it carries has any") {
  const auto told = [](const std::function<void(Description&)>& change) {
    Description d = two_bars();
    change(d);
    const auto findings = plausibility(d);
    return findings.empty() ? "" : findings[0].error.what;
  };
  CHECK(told([](auto& d) { d.links[0].parts.clear(); }) ==
        "it has no mass of its own; the links it carries have 4.8 kg");
  CHECK(told([](auto& d) { d.links[1].parts.clear(); }) == "neither it nor any link it carries has mass");
}

TEST_CASE("the same number on the diagonal is a placeholder where a ball of that inertia is no link") {
  const auto with = [](double mass, double moment, int links) {
    return doubts([=](Description& d) {
      LinkDescription tool = d.links[1];
      tool.name = "hand", tool.joint_name = "hand_joint";
      d.links.push_back(tool);
      for (int i = 0; i < links; ++i) {
        Part& part = d.links[static_cast<std::size_t>(2 - i)].parts[0];
        part.mass = mass + i, part.tensor = {moment, moment, moment, 0, 0, 0};
      }
    });
  };
  CHECK(with(5, 1, 1) == "inertia-placeholder:hand placeholder");
  // a ball of 5 kg with a radius of 0.16 m
  CHECK(with(5, 0.05, 1) == "");
  // one radius of 0.45 m is nobody's slip, three alike in links of different mass are a placeholder
  CHECK(with(5, 0.4, 1) == "");
  CHECK(with(5, 0.4, 2) == "");
  CHECK(with(5, 0.4, 3).find("inertia-placeholder:lower placeholder") != std::string::npos);
}

TEST_CASE("the rules about bodies begin where they say") {
  CHECK(doubts([](auto&) {}) == "");
  const auto with_tensor = [](const Sym3<double>& I) {
    return doubts([&I](Description& d) { d.links[0].parts[0].tensor = I; });
  };
  // the triangle: a thin plate and a rod are at its edge, and few decimals do not push them over
  CHECK(with_tensor({0.05, 0.05, 0.1, 0, 0, 0}) == "");
  CHECK(with_tensor({0.033333, 0.033333, 0.066667, 0, 0, 0}) == "");
  CHECK(with_tensor({0, 0.1, 0.1, 0, 0, 0}) == "");
  CHECK(with_tensor({0.05, 0.05, 0.101, 0, 0, 0}) == "triangle:upper -");
  CHECK(with_tensor({0.1, 0.1, 0.1, 0, 0, 0.1000001}) == "triangle:upper decimal-point");
  // a negative principal moment although the diagonal is positive
  CHECK(with_tensor({0.1, 0.1, 0.1, 0.15, 0, 0}).starts_with("moment-negative:upper"));
  // one slip is one line, though the radius of gyration is out of proportion, too
  CHECK(with_tensor({0.004, 0.1, 102, 0, 0, 0}) == "triangle:upper decimal-point");
  // a placeholder
  CHECK(with_tensor({100, 100, 100, 0, 0, 0}) == "gyration:upper placeholder");
  CHECK(with_tensor({1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6}).ends_with("placeholder"));

  // radius of gyration 3 times the extent, 0.5 m, with the mass of the bar, 4.8 kg
  const double widest = 4.8 * 1.5 * 1.5;
  CHECK(with_tensor({0.99 * widest, 0.98 * widest, 0.97 * widest, 0, 0, 0}).find("gyration") == std::string::npos);
  CHECK(with_tensor({1.01 * widest, 0.98 * widest, 0.97 * widest, 0, 0, 0}).starts_with("gyration:upper"));
  // a density of 25 000 kg/m^3: 4.8 kg in a sphere of radius 35.8 mm
  const auto ball = [&](double radius) {
    const double I = 0.4 * 4.8 * radius * radius;
    return with_tensor({I, I, I, 0, 0, 0});
  };
  CHECK(ball(0.0362) == "");
  CHECK(ball(0.0354).starts_with("density:upper"));
}

TEST_CASE("the rules about lengths and angles begin where they say") {
  const auto limits = [](double lower, double upper, JointKind kind = JointKind::revolute) {
    return doubts([=](Description& d) {
      d.links[0].kind = kind;
      d.links[0].limits.lower = lower;
      d.links[0].limits.upper = upper;
    });
  };
  CHECK(limits(-12.5, 10) == "");
  CHECK(limits(-9.42, 18.85) == "");  // turns, rounded
  CHECK(limits(-1000, 1e16) == "");   // as good as none
  CHECK(limits(-15, 3) == "limits-degrees:upper_joint degrees");
  CHECK(limits(0, 180) == "limits-degrees:upper_joint degrees");
  CHECK(limits(-100, 29, JointKind::prismatic) == "");
  CHECK(limits(0, 350, JointKind::prismatic) == "length-millimetres:upper_joint units");

  const auto dh = [](const DhRow& row) {
    return doubts([&row](Description& d) {
      d.convention = Convention::modified_dh;
      d.links[0].geometry = row;
    });
  };
  CHECK(dh({6.2832, 0, 0, -6.2832}) == "");
  CHECK(dh({0, 0, 0, 90}) == "angle-degrees:upper degrees");
  CHECK(dh({-45, 0, 0, 90}) == "angle-degrees:upper degrees, angle-degrees:upper degrees");
  CHECK(dh({0, 0.2, 29, 0}) == "");
  CHECK(dh({0, 0, 31, 0}) == "length-millimetres:upper units");

  const auto turned = [](const Mat3<double>& R) {
    return doubts([&R](Description& d) { placement(d.links[1]).R = R; });
  };
  CHECK(turned(rotation_rpy(1.5708, -3.14159, 6.0)) == "");
  CHECK(turned(rotation_rpy(0.0, 90.0, 0.0)) == "angle-degrees:lower degrees");
  CHECK(turned(rotation_about(Vec3<double>{0.6, 0, 0.8}, 45.0)) == "angle-degrees:lower degrees");
}

TEST_CASE("mass and moment may be missing only where nothing moves or others have them") {
  CHECK(doubts([](auto& d) { d.links[0].parts.clear(); }) == "mass-zero:upper -");
  CHECK(doubts([](auto& d) { d.links[0].kind = JointKind::fixed, d.links[0].parts.clear(); }) == "");
  CHECK(doubts([](auto& d) { d.links[1].kind = JointKind::fixed, d.links[0].parts.clear(); }) == "");
  CHECK(doubts([](auto& d) { d.links[0].parts.clear(), d.links[1].parts.clear(); }) == "mass-zero:bars -");
  CHECK(doubts([](auto& d) { d.links[1].parts[0].tensor = {}; }) == "moment-zero:lower -");
  // what only slides needs no moment of inertia
  CHECK(doubts([](auto& d) {
          for (LinkDescription& link : d.links) link.kind = JointKind::prismatic, link.parts[0].tensor = {};
        }) == "");
}

TEST_CASE("a link that stands for a rotor is not judged: it follows a joint and has a moment about its axis alone") {
  const auto subjects = [](const char* mimic, const char* inertia, const char* more) {
    const auto robot =
        read_robot_text(std::string("[[link]]\nname = \"arm\"\njoint = \"revolute\"\n"
                                    "shape = { box_mm = [400, 80, 80], density = 1500, position_mm = [200, 0, 0] }\n"
                                    "[[link]]\nname = \"rotor\"\nparent = \"base\"\nmass = 0\njoint = \"revolute\"\n") +
                            mimic + "inertia = " + inertia + "\n" + more,
                        "r.toml");
    for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
    REQUIRE(robot);
    std::set<std::string> found;
    for (const Finding& finding : plausibility(*robot)) found.insert(finding.subject);
    return found;
  };
  const char* follows = "mimic = { joint = \"arm\", ratio = 100 }\n";
  CHECK(subjects(follows, "[0, 0, 1e-4]", "").empty());
  CHECK(subjects(follows, "[0, 0, 0]", "") == std::set<std::string>{"mass-zero:rotor"});
  CHECK(subjects("", "[0, 0, 1e-4]", "") == std::set<std::string>{"mass-zero:rotor", "triangle:rotor"});
  CHECK(subjects(follows, "[0, 1e-4, 1e-2]", "") == std::set<std::string>{"mass-zero:rotor", "triangle:rotor"});
  CHECK(subjects(follows, "[0, 0, 1e-4]", "[[link]]\nname = \"disc\"\njoint = \"fixed\"\nmass = 0\n")
            .contains("triangle:rotor"));
}

TEST_CASE("a lever that turns about a point near its middle is not taken for an inertia about the frame") {
  const auto lever = [](double centre) {
    return doubts([centre](Description& d) {
      d.links[1].parts = {
          testing::solid_part(solid_box({0.5, 0.01, 0.01}), 2000, Mat3<double>::identity(), {centre, 0, 0})};
    });
  };
  CHECK(lever(0.05) == "");
  CHECK(lever(0.25) == "");
  // 0.12 m from the middle of a rod half a metre long: what a rod of 0.14 m has about its end
  CHECK(lever(0.12) == "inertia-point:lower reference-point");
}

TEST_CASE("a slip is sought in the axes the file gives the tensor in") {
  Random random(14);
  for (int draw = 0; draw < 50; ++draw) {
    Description d = two_bars();
    Part& part = d.links[0].parts[0];
    const Mat3<double> R = random.rotation();
    part.typed_in = R;
    Sym3<double> typed = rotate(~R, part.tensor);
    typed.zz *= 100;
    part.tensor = rotate(R, typed);
    const auto findings = plausibility(d);
    REQUIRE_FALSE(findings.empty());
    CHECK(findings[0].cause == "decimal-point");
    CHECK(findings[0].error.remedy.find("inertia zz = ") != std::string::npos);
  }
}

TEST_CASE("a body that does not move, or hardly matters, is judged leniently") {
  Part bad;
  bad.mass = 1, bad.tensor = {0.1, 0.1, 0.1, 0.15, 0, 0};
  const auto severity = [&](const std::function<void(Description&)>& change) {
    Description d = two_bars();
    change(d);
    for (const Finding& f : plausibility(d))
      if (f.error.rule == "moment-negative") return static_cast<int>(f.severity);
    return -1;
  };
  CHECK(severity([&](auto& d) { d.links[0].parts = {bad}; }) == static_cast<int>(Severity::error));
  CHECK(severity([&](auto& d) { d.base_parts = {bad}; }) == static_cast<int>(Severity::warning));
  // a frame with a token mass
  const auto token = [](JointKind kind) {
    return doubts([kind](Description& d) {
      LinkDescription frame = d.links[1];
      frame.name = "frame", frame.joint_name = "frame_joint", frame.kind = kind;
      frame.parts[0].mass = 1e-3, frame.parts[0].com = {}, frame.parts[0].tensor = {1e-4, 1e-4, 1e-4, 0, 0, 0};
      d.links.push_back(frame);
    });
  };
  CHECK(token(JointKind::fixed) == "");
  CHECK(token(JointKind::revolute) == "density:frame placeholder");
}

TEST_CASE("each doubtful file has exactly the findings it announces") {
  int files = 0;
  std::set<std::string> rules, causes;
  for (const auto& entry : fs::directory_iterator(places::in_project("tests/doubtful"))) {
    CAPTURE(entry.path().filename().string());
    std::ifstream file(entry.path());
    std::multiset<std::string> expected, found;
    for (std::string line; std::getline(file, line);)
      for (const std::string severity : {"warning", "error"}) {
        const std::string announce = "expect-" + severity + ": ";
        const auto at = line.find(announce);
        if (at == std::string::npos) continue;
        std::istringstream words(line.substr(at + announce.size()));
        std::string number, rule, cause;
        words >> number >> rule >> cause;
        expected.insert(severity + ' ' + number + ' ' + rule + ' ' + cause);
      }
    const auto robot = load_robot(entry.path().string());
    REQUIRE(robot);
    for (const Finding& f : examine(*robot, testing::built(*robot)).findings) {
      found.insert((f.severity == Severity::error ? "error " : "warning ") + std::to_string(f.error.where.line) + ' ' +
                   f.error.rule + ' ' + (f.cause.empty() ? "-" : f.cause));
      CHECK(f.error.where.file == entry.path().string());
      CHECK_FALSE(f.error.what.empty());
      CHECK_FALSE(f.error.remedy.empty());
      rules.insert(f.error.rule);
      causes.insert(f.cause);
    }
    CHECK_FALSE(expected.empty());
    CHECK(found == expected);
    ++files;
  }
  CHECK(files >= 20);
  CHECK(rules.size() >= 13);
  CHECK(causes.size() >= 8);
}

TEST_CASE("every robot of the library is without errors") {
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(std::string(embedded.name));
    const auto robot = load_robot(std::string(embedded.name));
    REQUIRE(robot);
    CHECK(examine(*robot, testing::built(*robot)).count(Severity::error) == 0);
  }
}

TEST_CASE("a warning that the file accepts is set apart, an error is not, and an acceptance of nothing is told") {
  Description d = two_bars();
  d.links[0].parts[0].tensor = {0.05, 0.05, 0.101, 0, 0, 0};
  d.links[1].parts[0].tensor = {0.1, 0.1, 0.1, 0.15, 0, 0};
  d.accepted = {"triangle:upper", "moment-negative:lower", "triangle:lower"};
  const Examination e = examine(d, testing::built(d));
  CHECK(summary(e.accepted) == "triangle:upper -");
  CHECK(e.count(Severity::error) >= 1);
  CHECK(e.count(Severity::warning) == 0);
  CHECK(e.count(Severity::note) == 2);
  CHECK(e.findings.back().error.rule == "accept-unused");
}
