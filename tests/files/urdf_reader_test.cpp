// URDF as robots: what each element becomes, what is noted, what is refused; and files made to bring a reader down.
#include "torsor/files/urdf_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tests/files/file_text.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/patience.hpp"
#include "tests/support/random.hpp"
#include "torsor/check/examination.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description read_arm(const std::string& text) {
  auto robot = read_urdf(text, "arm.urdf");
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  return *std::move(robot);
}

// named so because `link` is a function of the system
std::string body(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>\n";
}
std::string robot(const std::string& inside) { return "<robot name='test'>\n" + inside + "</robot>\n"; }

// a base, an arm on one joint, and whatever else
std::string one_joint(const std::string& type, const std::string& inside, const std::string& more = "") {
  return robot(body("base") + body("arm") + joint("j", type, "base", "arm", inside) + more);
}

LinkDescription only_link(const std::string& type, const std::string& inside) {
  return read_arm(one_joint(type, inside)).links.at(0);
}

const JointPlacement& placement(const LinkDescription& l) { return std::get<JointPlacement>(l.geometry); }

std::string notes(const Description& d) { return faults_of(d.notes); }

// a chain of so many links, each as wordy as real ones
std::string chain(int links) {
  std::string text = "<robot name='chain'><link name='l0'/>\n";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i);
    text += "<link name='l" + n +
            "'><inertial><origin xyz='0 0 0.1'/><mass value='1'/>"
            "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n"
            "<joint name='j" +
            n + "' type='revolute'><parent link='l" + std::to_string(i - 1) + "'/><child link='l" + n +
            "'/><origin xyz='0 0 0.2' rpy='0 0 0'/><axis xyz='0 1 0'/>"
            "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>\n";
  }
  return text + "</robot>";
}

}  // namespace

TEST_CASE("each broken URDF has exactly the faults it announces, all found at once") {
  const auto read = [](const std::string& text, const std::string& file) { return read_urdf(text, file); };
  const auto [files, rules] = check_broken_files("tests/broken", ".urdf", read);
  CHECK(files >= 60);
  CHECK(rules.size() >= 30);
}

TEST_CASE("every joint type becomes its kind") {
  const std::string limit = "<limit lower='-1' upper='2' effort='3' velocity='4'/>";
  const auto revolute = only_link("revolute", limit);
  CHECK(revolute.kind == JointKind::revolute);
  CHECK(revolute.limits.lower == -1);
  CHECK(revolute.limits.upper == 2);
  CHECK(revolute.limits.effort == 3);
  CHECK(revolute.limits.velocity == 4);
  CHECK(only_link("prismatic", limit).kind == JointKind::prismatic);
  CHECK(only_link("fixed", "").kind == JointKind::fixed);
  CHECK(only_link("floating", "").kind == JointKind::free);
  CHECK(only_link("planar", "").kind == JointKind::planar);
  CHECK(only_link("spherical", "").kind == JointKind::spherical);
  const auto continuous = only_link("continuous", "<limit effort='3' velocity='4'/>");
  CHECK(continuous.kind == JointKind::revolute);
  CHECK(std::isinf(continuous.limits.upper));
  CHECK(continuous.limits.effort == 3);
}

TEST_CASE("a joint sits where its origin says, about an axis that is x unless given") {
  const auto plain = only_link("continuous", "");
  CHECK(apart(placement(plain).X_parent_joint, Transform<double>{}) == 0);
  CHECK(apart(placement(plain).axis, Vec3<double>{1, 0, 0}) == 0);
  const auto l = only_link("continuous", "<origin xyz=' 1\t2\n3 ' rpy='0.1 0.2 0.3'/><axis xyz='0 -1 0'/>");
  CHECK(apart(placement(l).X_parent_joint.p, Vec3<double>{1, 2, 3}) == 0);
  CHECK(apart(placement(l).X_parent_joint.R, rotation_rpy(0.1, 0.2, 0.3)) < 1e-16);
  CHECK(apart(placement(l).axis, Vec3<double>{0, -1, 0}) == 0);
  CHECK(l.parent == "base");
  CHECK(l.where.line == 4);
}

TEST_CASE("quarter turns are exact when written with all digits, and left alone when rounded") {
  const auto exact = only_link("fixed", "<origin rpy='1.5707963267948966 0 -3.141592653589793'/>");
  const Mat3<double>& R = placement(exact).X_parent_joint.R;
  for (const double entry : testing::flat(R)) CHECK((entry == 0 || std::abs(entry) == 1));
  const auto rounded = only_link("fixed", "<origin rpy='1.5708 0 0'/>");
  CHECK(placement(rounded).X_parent_joint.R.y.y == std::cos(1.5708));
}

TEST_CASE("the inertia is turned into the axes of the link") {
  const auto d = read_arm(robot(body("base") +
                                body("arm",
                                     "<inertial><origin xyz='0.1 0.2 0.3' rpy='0 0 1.5707963267948966'/>"
                                     "<mass value='2'/>"
                                     "<inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='3'/></inertial>") +
                                joint("j", "continuous", "base", "arm")));
  const Part& part = d.links[0].parts.at(0);
  CHECK(part.mass == 2);
  CHECK(apart(part.com, Vec3<double>{0.1, 0.2, 0.3}) == 0);
  CHECK(part.about == InertiaAbout::mass_centre);
  // x of the inertial frame is y of the link, its y is minus x
  const Sym3<double> expected{2, 1, 3, -0.1, -0.3, 0.2};
  CHECK(apart(part.tensor, expected) == 0);
}

TEST_CASE("a link without inertial has no mass, and a root with one keeps it") {
  const auto d = read_arm(
      robot(body("world",
                 "<inertial><mass value='7'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>") +
            body("arm") + joint("j", "continuous", "world", "arm")));
  CHECK(d.base_name == "world");
  REQUIRE(d.base_parts.size() == 1);
  CHECK(d.base_parts[0].mass == 7);
  CHECK(d.links[0].parts.empty());
  CHECK(build(d));
}

TEST_CASE("damping and friction, mimic and gears are read") {
  const auto d = read_arm(one_joint(
      "continuous", "<dynamics damping='0.5' friction='0.25'/>",
      body("hand") + joint("k", "prismatic", "arm", "hand", "<mimic joint='j' multiplier='-2' offset='0.1'/>") +
          "<transmission name='t'><type>transmission_interface/SimpleTransmission</type><joint "
          "name='j'/><actuator name='m'><mechanicalReduction>-50</mechanicalReduction>"
          "<drake:rotor_inertia value='1e-4'/></actuator></transmission>"));
  REQUIRE(d.links[0].friction);
  CHECK(d.links[0].friction->viscous == 0.5);
  CHECK(d.links[0].friction->coulomb_positive == 0.25);
  CHECK(d.links[0].friction->coulomb_negative == 0.25);
  REQUIRE(d.links[0].rotor);
  CHECK(d.links[0].rotor->gear == -50);
  CHECK(d.links[0].rotor->inertia == 1e-4);
  REQUIRE(d.links[1].mimic);
  CHECK(d.links[1].mimic->joint == "j");
  CHECK(d.links[1].mimic->ratio == -2);
  CHECK(d.links[1].mimic->offset == 0.1);
  const auto direct = only_link("continuous", "<dynamics damping='0'/>");
  CHECK_FALSE(direct.friction);
}

TEST_CASE("reductions are found where the different dialects put them") {
  const auto gear = [](const std::string& transmission) {
    const auto d = read_arm(one_joint("continuous", "", transmission));
    return d.links[0].rotor ? d.links[0].rotor->gear : 1.0;
  };
  CHECK(gear("<transmission name='t' type='SimpleTransmission'><actuator name='m'/><joint name='j'/>"
             "<mechanicalReduction>63.2</mechanicalReduction></transmission>") == 63.2);
  CHECK(gear("<ros2_control name='s' type='system'><transmission name='t'>"
             "<plugin>transmission_interface/SimpleTransmission</plugin><actuator name='m' role='actuator1'/>"
             "<joint name='j' role='joint1'><mechanical_reduction>100</mechanical_reduction></joint>"
             "</transmission></ros2_control>") == 100);
  CHECK(gear("<transmission name='t'><type>SimpleTransmission</type><joint name='j'/><actuator name='m'>"
             "<drake:gear_ratio value='30'/></actuator></transmission>") == 30);
  CHECK(gear("<transmission name='t'><type>SimpleTransmission</type><joint name='j'/><actuator name='m'>"
             "<mechanicalReduction>1</mechanicalReduction></actuator></transmission>") == 1);
}

TEST_CASE("a differential couples two joints by its matrix") {
  const auto d = read_arm(one_joint(
      "continuous", "",
      body("hand") + joint("k", "continuous", "arm", "hand") +
          "<transmission name='t'><type>transmission_interface/DifferentialTransmission</type>"
          "<actuator name='m2'><role>actuator2</role><mechanicalReduction>20</mechanicalReduction></actuator>"
          "<actuator name='m1'><role>actuator1</role><mechanicalReduction>-10</mechanicalReduction></actuator>"
          "<joint name='j'><role>joint1</role><mechanicalReduction>2</mechanicalReduction></joint>"
          "<joint name='k'><role>joint2</role></joint></transmission>"));
  REQUIRE(d.transmissions.size() == 1);
  const TransmissionDescription& t = d.transmissions[0];
  CHECK(t.motors == std::vector<std::string>{"m1", "m2"});
  CHECK(t.joints == std::vector<std::string>{"j", "k"});
  CHECK(t.matrix == std::vector<std::vector<double>>{{-1 / 40.0, 1 / 80.0}, {-1 / 20.0, -1 / 40.0}});
  CHECK(build(d));
}

TEST_CASE("links come parents first, else in the order of the joints, from a root anywhere in the file") {
  const auto d = read_arm(robot(body("d") + body("c") + body("root") + body("b") + body("a") +
                                joint("jd", "fixed", "c", "d") + joint("ja", "fixed", "root", "a") +
                                joint("jc", "fixed", "b", "c") + joint("jb", "fixed", "root", "b")));
  CHECK(d.base_name == "root");
  std::string order;
  for (const LinkDescription& l : d.links) order += l.name;
  CHECK(order == "bcda");
  CHECK(build(d));
}

TEST_CASE("shapes, meshes and colours are kept as text, whatever they refer to") {
  const auto d = read_arm(robot(
      "<material name='red'><color rgba='1 0 0 1'/></material>" +
      body("base", "<visual><geometry><box size='1 1 1'/></geometry></visual>") +
      body("arm", "<collision name='c'><geometry><mesh filename='package://pkg/a&amp;b.stl'/></geometry></collision>") +
      joint("j", "fixed", "base", "arm")));
  CHECK(d.links[0].urdf_extra.xml.find("filename=\"package://pkg/a&amp;b.stl\"") != std::string::npos);
  CHECK(d.base_urdf_extra.xml.find("<box size=\"1 1 1\"/>") != std::string::npos);
  CHECK(d.urdf_materials.find("rgba=\"1 0 0 1\"") != std::string::npos);
  CHECK(d.notes.empty());
}

TEST_CASE("faults of shapes and materials are notes, since nothing is computed from them") {
  const Description robot = read_arm(
      "<robot name='arm'><material name='red'><color rgba='1 0 0 1'/></material><link name='base'>\n"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='red'/></visual>\n"
      "<visual><geometry><capsule radius='1' length='1'/></geometry><material name='own'><color rgba='1 0 0 "
      "1'/></material></visual>\n"
      "<visual><geometry><mesh filename='a.stl'/></geometry><material name='own'/></visual></link>\n"
      "<link name='tip'><visual><geometry/></visual>\n"
      "<visual><geometry><mesh/></geometry><material name='steel'/></visual></link>\n"
      "<joint name='hinge' type='fixed'><parent link='base'/><child link='tip'/></joint></robot>");
  std::string notes;
  for (const Fault& note : robot.notes) notes += std::to_string(note.where.line) + ' ' + note.rule + ", ";
  CHECK(notes == "5 shape-missing, 6 mesh-file, 6 material-unknown, ");
}

TEST_CASE("sizes of shapes that other programs would refuse are noted") {
  const auto noted = [](const std::string& shape) {
    return notes(read_arm(robot(body("base", "<visual><geometry>" + shape + "</geometry></visual>") + body("arm") +
                                joint("j", "fixed", "base", "arm"))));
  };
  for (const char* scale : {"", "1 1", "1 1 x", "1 1 1 1", "0 0 0", "1 0 1"}) {
    CAPTURE(scale);
    CHECK(noted(std::string("<mesh filename='a.stl' scale='") + scale + "'/>") == "2 mesh-scale");
  }
  for (const char* shape : {"<box/>", "<box size='1 2'/>", "<box size='1 -2 3'/>", "<sphere radius='-1'/>", "<sphere/>",
                            "<cylinder radius='1'/>", "<cylinder length='1'/>", "<capsule radius='1' length='x'/>"}) {
    CAPTURE(shape);
    CHECK(noted(shape) == "2 shape-dimensions");
  }
  CHECK(noted("<box size='1 1 1'/><sphere radius='1'/>") == "2 shapes-several");
  for (const char* shape :
       {"<mesh filename='a.stl' scale='0.001 -0.001 0.001'/>", "<box size='1 2 0'/>", "<sphere radius='1'/>",
        "<cylinder radius='1' length='2'/>", "<capsule radius='1' length='2'/>"}) {
    CAPTURE(shape);
    CHECK(noted(shape) == "");
  }
}

TEST_CASE("what is passed over or assumed is noted, once for each kind") {
  const auto d = read_arm(robot("<gazebo/>\n<gazebo/>\n" + body("base", "<inertal/>") + body("arm") +
                                joint("j", "revolute", "base", "arm",
                                      "<axis xyz='0 0 2' name='a'/><safety_controller/>") +
                                "<gazebo/>"));
  CHECK(notes(d) ==
        "2 element-ignored, 4 element-ignored, 6 axis-length, 6 attribute-ignored, 6 limit-missing, 6 element-ignored");
  CHECK(to_string(d.notes[0]) ==
        "arm.urdf:2: robot: <gazebo> in <robot> is not read (and 2 more times) [element-ignored]");
  CHECK(d.notes[1].remedy == "did you mean \"inertial\"?");
  CHECK(notes(read_arm(one_joint("revolute", "<limit lower='0' upper='1' effort='0' velocity='0'/>"))) ==
        "4 limit-zero, 4 limit-zero");
  CHECK(notes(read_arm(one_joint("planar", "<limit effort='1' velocity='1'/><dynamics damping='0'/>"))) ==
        "4 limit-unused");
  CHECK(notes(read_arm(one_joint("fixed", "<dynamics damping='1'/>"))) == "");
  CHECK(notes(read_arm(one_joint("fixed", "<mimic joint='x'/>"))) == "4 mimic-unused");
  CHECK(notes(read_arm(one_joint("fixed", "<origin/><origin/>"))) == "4 element-twice");
}

TEST_CASE("an attribute that seems to be of physics is refused, with a remedy that is taken, and others are noted") {
  const auto refused = read_urdf(
      robot(body("base") + body("arm") + joint("j", "fixed", "base", "arm", "<origin quat_wxyz='1 0 0 0' note='x'/>")),
      "arm.urdf");
  REQUIRE(!refused);
  REQUIRE(refused.faults().size() == 2);
  CHECK(refused.faults()[0].rule == "rotation-quaternion");
  CHECK(refused.faults()[1].rule == "attribute-ignored");
  CHECK(refused.faults()[0].remedy.find("rpy=") != std::string::npos);
  CHECK(notes(read_arm(one_joint("fixed", "<origin rpy='0 0 1' note='x' prototype='y'/>"))) ==
        "4 attribute-ignored, 4 attribute-ignored");
  CHECK(notes(read_arm(one_joint("continuous", "<limit effort='1' velocity='1' acceleration='2' jerk='1'/>"
                                               "<dynamics damping='1' spring_stiffness='0.0'/>"))) ==
        "4 limit-version, 4 limit-version, 4 attribute-ignored");
}

TEST_CASE(
    "an element, text or near miss that seems to be of physics is refused, and those of other programs are noted") {
  const auto rule = [](const std::string& in_inertial, const std::string& in_link, const std::string& in_joint) {
    const std::string mass = "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
    const auto read =
        read_urdf(robot(body("base") + body("arm", "<inertial>" + mass + in_inertial + "</inertial>" + in_link) +
                        joint("j", "continuous", "base", "arm", in_joint)),
                  "arm.urdf");
    std::string rules;
    for (const Fault& error : read.faults()) rules += error.rule + (error.remedy.empty() ? "" : " ");
    return rules;
  };
  for (const char* unknown : {"<orgin xyz='1 0 0'/>", "<Origin xyz='1 0 0'/>", "<pose>1 0 0 0 0 0</pose>",
                              "<origin><xyz>1 0 0</xyz></origin>"}) {
    CAPTURE(unknown);
    CHECK(rule(unknown, "", "") == "element-unknown ");
    CHECK(rule("", "", unknown) == "element-unknown ");
  }
  CHECK(rule("<origin>1 0 0</origin>", "", "") == "text-unknown ");
  CHECK(rule("<origin frame='base' xyz='1 0 0'/>", "", "") == "attribute-unknown ");
  CHECK(rule("<origin xzy='1 0 0'/>", "", "") == "attribute-unknown ");
  CHECK(rule("<origin><quat_xyzw>0 0 0 1</quat_xyzw></origin>", "", "") == "rotation-quaternion ");
  CHECK(rule("", "<inertal><mass value='1'/></inertal>", "") == "element-unknown ");
  CHECK(rule("", "<inertia ixx='1' iyy='1' izz='1'/>", "") == "element-unknown ");
  CHECK(rule("", "", "<axes xyz='0 1 0'/>") == "element-unknown ");
  CHECK(rule("", "", "<axis xyz='0 1 0' frame='base'/>") == "attribute-unknown ");
  CHECK(rule("", "", "<limits effort='1'/>") == "element-unknown ");
  // of drives, as published ANYmals have them, and of nobody
  CHECK(rule("", "", "<limit effort='1' velocity='1' command_effort='1' gear_velocity='2' current='3'/>") == "");
  CHECK(rule("", "", "<limit effort='1' velocity='1' motor_velocity='2'/>") == "attribute-unknown ");

  // an axis that is turned by nothing, a link that is where it is: files of others have them
  const std::string harmless =
      joint("j", "continuous", "base", "arm",
            "<axis xyz='0 1 0' rpy='0 0 0'/><safety_controller k_velocity='1'/><calibration rising='1'/>"
            "<drake:rotor_inertia value='1'/><joint_properties damping='1'/>stray words");
  const auto read =
      read_urdf(robot(body("base", "<origin xyz='0 0 0' rpy='0 -0 0'/><gravity>0</gravity><comment>3 of 4</comment>") +
                      body("arm",
                           "<contact><friction value='1'/></contact><sensor/><verbose value='1'/>"
                           "<colision><pose>1 2 3</pose></colision>") +
                      harmless),
                "arm.urdf");
  REQUIRE(read);
  CHECK(notes(*read) ==
        "2 element-ignored, 2 element-ignored, 2 element-ignored, 3 element-ignored, 3 element-ignored, "
        "3 element-ignored, 3 element-ignored, 4 attribute-ignored, 4 dynamics-unused, 4 element-ignored, "
        "4 element-ignored, 4 element-ignored, 4 text-ignored");
}

TEST_CASE("what another program would compute with is read, warned of, or refused") {
  const auto read = [](const std::string& in_joint, const std::string& beside) {
    return read_urdf(one_joint("continuous", in_joint, beside), "arm.urdf");
  };
  const auto said = [&](const std::string& in_joint, const std::string& beside) {
    const auto result = read(in_joint, beside);
    if (!result) return faults_of(result);
    std::string warnings;
    for (const Fault& note : result->notes)
      if (note.severity == Severity::warning) warnings += (warnings.empty() ? "warned " : ", ") + note.rule;
    return warnings;
  };
  // loops and forces, which no tree has
  for (const char* beside :
       {"<drake:ball_constraint><drake:ball_constraint_body_A name='base'/></drake:ball_constraint>",
        "<drake:linear_bushing_rpy><drake:bushing_frameA name='f'/></drake:linear_bushing_rpy>",
        "<drake:linear_spring_damper name='s'/>", "<drake:joint name='k' type='ball'/>",
        "<gravity>0 0 -1.6</gravity>"}) {
    CAPTURE(beside);
    CHECK(said("", beside) == "5 element-unknown");
  }
  CHECK(said("", "<loop_joint name='l' type='revolute'><link1 link='base'/><link2 link='arm'/></loop_joint>") ==
        "5 loop-unread");
  CHECK(said("", "<drake:collision_filter_group name='g'/><frame name='f' link='base'/>") == "");
  CHECK(said("<dynamics damping='1' drake:spring='4'/>", "") == "4 attribute-unknown");
  CHECK(said("<drake:gear_ratio value='160'/><drake:rotor_inertia>1e-4</drake:rotor_inertia>", "") ==
        "warned dynamics-unused");

  // Drake's own word for a mimic
  const std::string hand = body("hand");
  const auto follower = [&](const std::string& inside) {
    return read("", hand + joint("k", "continuous", "arm", "hand", inside));
  };
  const auto followed = follower("<drake:mimic joint='j' multiplier='2' offset='0.5'/>");
  REQUIRE(followed);
  REQUIRE(followed->links[1].mimic);
  CHECK(followed->links[1].mimic->ratio == 2);
  CHECK(followed->links[1].mimic->offset == 0.5);
  CHECK(follower("<mimic joint='j' multiplier='2'/><drake:mimic joint='j' multiplier='2'/>"));
  CHECK(faults_of(follower("<mimic joint='j'/><drake:mimic joint='j' multiplier='2'/>")) == "6 element-twice");
  CHECK(faults_of(follower("<drake:mimic joint='nobody'/>")).find("mimic-unknown") != std::string::npos);

  // Gazebo
  for (const char* inside :
       {"<turnGravityOff>true</turnGravityOff>", "<gravity>0</gravity>", "<springStiffness>5</springStiffness>",
        "<dampingFactor>0.5</dampingFactor>", "<inertial><mass>7</mass></inertial>", "<static>true</static>",
        "<joint name='extra' type='revolute'><parent>base</parent><child>arm</child></joint>", "<velocity_decay/>"}) {
    CAPTURE(inside);
    CHECK(said("", "<gazebo reference='arm'>" + std::string(inside) + "</gazebo>") == "warned gazebo-dynamics");
  }
  CHECK(said("",
             "<gazebo reference='arm'><turnGravityOff>false</turnGravityOff><gravity>1</gravity><mu1>0.5</mu1>"
             "<springStiffness>0.0</springStiffness><implicitSpringDamper>1</implicitSpringDamper></gazebo>") == "");

  // MuJoCo: its gravity is that of the file
  const auto moon = read("", "<mujoco><compiler balanceinertia='false'/><option gravity='0 0 -1.6'/></mujoco>");
  REQUIRE(moon);
  CHECK(moon->gravity.z == -1.6);
  CHECK(said("", "<mujoco><option gravity='0 0 -1.6'/></mujoco>") == "warned mujoco-dynamics");
  CHECK(said("", "<mujoco><compiler meshdir='m' settotalmass='-1' inertiafromgeom='auto'/></mujoco>") == "");
  for (const char* attribute : {"settotalmass='3'", "inertiafromgeom='true'", "boundmass='0.1'"})
    CHECK(said("", "<mujoco><compiler " + std::string(attribute) + "/></mujoco>") == "warned mujoco-dynamics");
  CHECK(read("", "<mujoco><option gravity='0 0 -1.6'/></mujoco><torsor gravity='0 0 -2'/>")->gravity.z == -2);
}

TEST_CASE("the rotor of Drake counts with the gear of Drake, and two gears are refused") {
  const auto read = [](const std::string& reduction, const std::string& drake, const std::string& joint_side = "") {
    return read_urdf(one_joint("continuous", "",
                               "<transmission name='t'><type>SimpleTransmission</type><joint name='j'>" + joint_side +
                                   "</joint><actuator name='m'>" + reduction + "<drake:rotor_inertia value='1e-4'/>" +
                                   drake + "</actuator></transmission>"),
                     "arm.urdf");
  };
  const auto n = [](const char* x) { return "<mechanicalReduction>" + std::string(x) + "</mechanicalReduction>"; };
  const auto ratio = [](const char* x) { return "<drake:gear_ratio value='" + std::string(x) + "'/>"; };
  // at the joint: 1e-4 times the square of the gear, as Drake has it
  const auto at_joint = [](const Result<Description>& d) { return build(*d)->rotor.at(0); };
  CHECK(at_joint(read("", ratio("100"))) == doctest::Approx(1));
  CHECK(at_joint(read(n("1"), ratio("100"))) == doctest::Approx(1));
  CHECK(at_joint(read(n("-100"), ratio("100"))) == doctest::Approx(1));
  CHECK(read(n("-100"), ratio("100"))->links[0].rotor->gear == -100);
  CHECK(read(n("-1"), ratio("100"))->links[0].rotor->gear == -100);
  // the reductions of both sides are one gear
  CHECK(read(n("25"), ratio("100"), n("4"))->links[0].rotor->gear == 100);
  CHECK(faults_of(read(n("50"), ratio("100"))) == "5 rotor-gear");
  CHECK(faults_of(read("", ratio("0"))) == "5 rotor-gear");
  // without a gear of its own Drake takes 1: said
  const auto alone = read(n("50"), "");
  CHECK(at_joint(alone) == doctest::Approx(0.25));
  CHECK(std::ranges::count_if(alone->notes, [](const Fault& note) {
          return note.rule == "rotor-gear" && note.severity == Severity::warning;
        }) == 1);
}

TEST_CASE("limits that mean none are none") {
  const auto zero = only_link("revolute", "<limit lower='-1' upper='1' effort='0' velocity='0'/>").limits;
  CHECK(std::isinf(zero.effort));
  CHECK(std::isinf(zero.velocity));
  const auto huge = only_link("prismatic", "<limit lower='-1e16' upper='1e16' effort='1e16' velocity='1e30'/>").limits;
  for (const double x : {-huge.lower, huge.upper, huge.effort, huge.velocity}) CHECK(x == INFINITY);
  const auto half = only_link("prismatic", "<limit upper='0.04' effort='1' velocity='1'/>").limits;
  CHECK(half.lower == 0);
  CHECK(half.upper == 0.04);
}

TEST_CASE("our own element carries gravity and source") {
  const auto d = read_arm(robot("<torsor gravity='0 -9.8062 0' source='a book'/>" + body("base") + body("arm") +
                                joint("j", "fixed", "base", "arm")));
  CHECK(apart(d.gravity, Vec3<double>{0, -9.8062, 0}) == 0);
  CHECK(d.source == "a book");
  CHECK(d.notes.empty());
  CHECK(d.name == "test");
  CHECK(read_arm("<robot>" + body("base") + body("arm") + joint("j", "fixed", "base", "arm") + "</robot>").name ==
        "arm");
}

TEST_CASE("many thousand links cost no more than their number, in whatever order they come") {
  const int many = draws(1) == 1 ? 25'000 : 100'000;  // what costs its square takes minutes for either
  const std::string text = chain(many);
  CHECK(processor_seconds([&] { CHECK(read_arm(text).links.size() == static_cast<std::size_t>(many)); }) < patience);
  std::string reverse = "<robot name='r'><link name='l0'/>";
  for (int i = many; i >= 1; --i) {
    const std::string n = std::to_string(i);
    reverse += body("l" + n) + joint("j" + n, "fixed", "l" + std::to_string(i - 1), "l" + n);
  }
  CHECK(processor_seconds([&] { CHECK(read_arm(reverse + "</robot>").links.front().name == "l1"); }) < patience);
}

TEST_CASE("files made to exhaust a reader are an error within seconds") {
  const int many = draws(1) == 1 ? 25'000 : 100'000;  // what costs its square takes minutes for either
  const auto refused = [](const std::string& text, const std::string& rule) {
    std::string found;
    CHECK(processor_seconds([&] {
            const auto result = read_urdf(text, "hostile.urdf");
            for (const Fault& error : result.faults()) found += error.rule + ' ';
          }) < patience);
    CHECK(found.find(rule) != std::string::npos);
  };
  const std::string same = robot(repeated(body("same"), many));
  refused(same, "link-name");
  refused(same, "more");
  const auto joints = [many](const std::string& child) {
    std::string text;
    for (int i = 0; i < many; ++i) text += joint("j" + std::to_string(i), "fixed", "a", child);
    return text;
  };
  refused(robot(body("a") + body("b") + joints("b")), "two-parents");
  refused(robot(body("a") + body("b") + joints("nobody")), "child-unknown");
  refused(one_joint("revolute", "<origin xyz='" + std::string(10'000'000, '1') + " 0 0'/>"), "number");
  refused(one_joint("revolute", "<origin xyz='" + repeated("1 ", 5'000'000) + "'/>"), "vector-length");
  refused("<robot>" + repeated("<link>", 500'000), "xml-syntax");
  refused("<robot>" + repeated("<link>", 500'000) + repeated("</link>", 500'000) + "</robot>", "xml-depth");
  refused(robot(body("a") + repeated("<" + std::string(10'000, 'x') + "/>", 1000)), "robot-empty");
  // every link a root of its own ring
  std::string rings;
  for (int i = 0; i < many; ++i)
    rings += body("l" + std::to_string(i)) +
             joint("j" + std::to_string(i), "fixed", "l" + std::to_string(i), "l" + std::to_string(i));
  refused(robot(rings), "parent-cycle");
}

TEST_CASE("a second transmission of a joint is noted if it says the same, and else a fault, in either order") {
  const auto transmission = [](const std::string& reduction) {
    return "<transmission name='t'><type>SimpleTransmission</type><joint name='j'/><actuator name='m'>"
           "<mechanicalReduction>" +
           reduction + "</mechanicalReduction></actuator></transmission>\n";
  };
  for (const std::string reduction : {"50", "1"}) {
    CAPTURE(reduction);
    const std::string one = transmission(reduction);
    CHECK(notes(read_arm(one_joint("continuous", "", one))).empty());
    CHECK(notes(read_arm(one_joint("continuous", "", one + one))) == "6 transmission-twice");
    CHECK(read_arm(one_joint("continuous", "", one + one + one)).notes[0].what ==
          "a joint has a second transmission, with the same numbers (and 1 more times)");
  }
  for (const auto& two : {transmission("1") + transmission("50"), transmission("50") + transmission("1")})
    CHECK(faults_of(read_urdf(one_joint("continuous", "", two), "r.urdf")) == "6 transmission-twice");
}

TEST_CASE("a name that is not UTF-8 is called that, in a text that is not read it does not matter") {
  const auto refused = read_urdf(robot(body("base") + body("caf\xe9") + joint("j", "fixed", "base", "caf\xe9")), "r");
  REQUIRE_FALSE(refused);
  CHECK(refused.faults()[0].rule == "name-text");
  CHECK(refused.faults()[0].what.ends_with("is not UTF-8"));
  CHECK(refused.faults()[0].remedy.find("ISO-8859-1") != std::string::npos);
  const std::string latin = "<?xml version='1.0' encoding='ISO-8859-1'?>";
  const std::string cafe = robot(body("base") + body("caf\xe9") + joint("j", "fixed", "base", "caf\xe9"));
  CHECK(read_arm(latin + cafe).links[0].name == "caf\u00e9");
  CHECK(notes(read_arm(one_joint("continuous", "", "<gazebo>caf\xe9</gazebo>"))) == "5 element-ignored");
}

TEST_CASE("a URDF that holds macros is refused where nobody expands them") {
  const auto read = read_urdf("<robot name='a'>\n<xacro:include filename='b'/></robot>", "arm.urdf");
  REQUIRE(!read);
  CHECK(read.faults()[0].rule == "xacro");
  CHECK(read.faults()[0].where.line == 2);
}

namespace {

std::string versioned(const std::string& version, const std::string& origin, const std::string& limit) {
  return "<robot name='test' version='" + version + "'>\n" + body("base") + body("arm") +
         joint("j", "revolute", "base", "arm", "<origin " + origin + "/>\n<axis xyz='0 0 1'/><limit " + limit + "/>") +
         "</robot>";
}
constexpr const char* whole_limit = "lower='-1' upper='1' effort='10' velocity='2'";

std::string rules_of(const std::string& text) {
  std::string rules;
  const auto read = read_urdf(text, "arm.urdf");
  for (const Fault& error : read.faults()) rules += (rules.empty() ? "" : ", ") + error.rule;
  return rules;
}

}  // namespace

TEST_CASE("URDF 1.1 turns by quaternions, 1.0 refuses them, and none has two rotations") {
  const char* quaternion = "xyz='0 0 1' quat_xyzw='0.5 0.5 0.5 0.5'";
  const Description by_quaternion = read_arm(versioned("1.1", quaternion, whole_limit));
  const Description by_angles =
      read_arm(versioned("1.0", "xyz='0 0 1' rpy='1.5707963267948966 0 1.5707963267948966'", whole_limit));
  const Mat3<double> R = std::get<JointPlacement>(by_quaternion.links[0].geometry).X_parent_joint.R,
                     S = std::get<JointPlacement>(by_angles.links[0].geometry).X_parent_joint.R;
  for (const Vec3<double>& column : {R.x - S.x, R.y - S.y, R.z - S.z}) CHECK(norm(column) < 1e-15);
  CHECK(R.x.y == doctest::Approx(1));  // x goes to y
  CHECK(rules_of(versioned("1.2", quaternion, whole_limit)) == "");
  CHECK(rules_of(versioned("1.0", quaternion, whole_limit)) == "rotation-quaternion");
  CHECK(rules_of(one_joint("continuous", "<origin quat_xyzw='0 0 0 1'/>")) == "rotation-quaternion");
  CHECK(rules_of(versioned("1.1", "rpy='0 0 0' quat_xyzw='0 0 0 1'", whole_limit)) == "rotation-twice");
  CHECK(rules_of(versioned("1.1", "quat_xyzw='0 0 0 2'", whole_limit)) == "quaternion-length");
  CHECK(rules_of(versioned("1.1", "quat_xyzw='0 0 1'", whole_limit)) == "vector-length");
}

TEST_CASE("the version of a URDF is one of three, and a file that says it is held to it") {
  for (const char* version : {"1", "2.0", "1.3", "0.9", "1.0.0", "1.", "-1.0", "1.c", "1.0~pre6", ""}) {
    CAPTURE(version);
    CHECK(rules_of(versioned(version, "", whole_limit)) == "urdf-version");
  }
  CHECK(rules_of(versioned("1.0", "", "lower='-1' upper='1' velocity='2'")) == "attribute-missing, limit-missing");
  CHECK(rules_of(versioned("1.2", "", "lower='-1' upper='1' velocity='2'")) == "");
  CHECK(rules_of("<robot name='a' version='1.0'>" + body("base") + body("arm") + joint("j", "revolute", "base", "arm") +
                 "</robot>") == "element-missing");
}

TEST_CASE("limits of acceleration, deceleration and jerk are of URDF 1.2") {
  const std::string all = std::string(whole_limit) + " acceleration='5' deceleration='6' jerk='70'";
  const Limits limits = read_arm(versioned("1.2", "", all)).links[0].limits;
  CHECK(limits.acceleration == 5);
  CHECK(limits.deceleration == 6);
  CHECK(limits.jerk == 70);
  const Description before = read_arm(versioned("1.0", "", all));
  CHECK(std::isinf(before.links[0].limits.acceleration));
  CHECK(std::ranges::count(before.notes, "limit-version", &Fault::rule) == 3);
  CHECK(std::isinf(read_arm(versioned("1.2", "", whole_limit)).links[0].limits.jerk));
}

TEST_CASE("a limit of 0 in the later versions is none, and noted") {
  const auto d = read_arm("<robot name='r' version='1.2'>" + body("base") + body("arm") +
                          joint("j", "continuous", "base", "arm",
                                "<limit effort='1' velocity='1' acceleration='0' deceleration='2' jerk='0'/>") +
                          "</robot>");
  CHECK(notes(d) == "3 limit-zero, 3 limit-zero");
  CHECK(std::isinf(d.links[0].limits.jerk));
}

TEST_CASE("a lower limit above the upper one means none, and is noted") {
  const Description arm = read_arm(one_joint("revolute", "<limit lower='1' upper='-1' effort='10' velocity='1'/>"));
  CHECK(std::isinf(arm.links[0].limits.lower));
  CHECK(std::isinf(arm.links[0].limits.upper));
  CHECK(std::ranges::count(arm.notes, "limit-reversed", &Fault::rule) == 1);
}

TEST_CASE("very many transmissions and mimics cost no more than their number") {
  std::string text = chain(20'000);
  text.resize(text.size() - std::string("</robot>").size());
  for (int i = 1; i <= 20'000; ++i)
    text += "<transmission name='t'><type>SimpleTransmission</type><joint name='j" + std::to_string(i) +
            "'/><actuator name='m'><mechanicalReduction>2</mechanicalReduction></actuator></transmission>\n";
  CHECK(processor_seconds([&] { CHECK(read_arm(text + "</robot>").links.back().rotor->gear == 2); }) < patience);
}

TEST_CASE("a chain of mimics costs no more than its length, and the last follows the first through all of them") {
  constexpr int links = 20'000;
  Description robot = read_arm(chain(links));
  for (int i = 1; i < links; ++i)
    // each follows the one before it, which stands before or after it in the file
    robot.links[static_cast<std::size_t>(i)].mimic =
        Mimic{robot.links[static_cast<std::size_t>(i - 1)].joint_name, i % 2 ? 2.0 : 0.5, 0.25, {}};
  for (LinkDescription& link : robot.links) link.limits = {};
  CHECK(processor_seconds([&] {
          const auto model = build(robot);
          REQUIRE(model);
          REQUIRE(model->nv == 1);
          // ratios 2, 1, 2, 1, ... and offsets b[i] = 1/4 + r b[i - 1]
          double ratio = 1, offset = 0;
          for (int i = 1; i < links; ++i) {
            const double r = i % 2 ? 2.0 : 0.5;
            offset = 0.25 + r * offset;
            ratio *= r;
          }
          CHECK((*model)[links - 1].ratio == ratio);
          CHECK((*model)[links - 1].offset == offset);
          CHECK(examine(robot, *model).findings.size() > 0);
        }) < patience);
}

TEST_CASE("mutated files give a robot that builds or a list of faults, never anything else") {
  static const std::string pieces[] = {"<joint name='x' type='fixed'>",
                                       "</joint>",
                                       "<link name='",
                                       "nan",
                                       "-inf",
                                       "1e308",
                                       "-1",
                                       "0",
                                       "\"",
                                       "'",
                                       "<",
                                       ">",
                                       "/>",
                                       "<!--",
                                       "-->",
                                       "]]>",
                                       "&",
                                       "&amp;",
                                       "xyz=",
                                       "\n",
                                       "\xff",
                                       std::string(1, '\0'),
                                       "<mimic joint='j1'/>",
                                       "<axis xyz='0 0 0'/>"};
  testing::Random random(11);
  int sound = 0, faulty = 0;
  for (int run = 0; run < testing::draws(3000); ++run) {
    const std::string text = testing::mutated(chain(3), {pieces, std::span(pieces).subspan(3, 5)}, random);
    const auto result = read_urdf(text, "mutant.urdf");
    ++(result ? sound : faulty);
    if (result && !build(*result)) FAIL_CHECK("read but not built:\n" << text);
    if (!result && result.faults().empty()) FAIL_CHECK("refused without a fault:\n" << text);
  }
  CHECK(sound > 100);
  CHECK(faulty > 100);
}

TEST_CASE("an element in the wrong case is named with the right spelling, in a sound file and in a refused one") {
  const std::string robot =
      "<robot name='r'><link name='w'/><link name='a'/><joint name='j' type='continuous'>"
      "<parent link='w'/><child link='a'/></joint>";
  const auto sound = read_urdf(robot + "<Link name='b'/></robot>", "r.urdf");
  REQUIRE(sound);
  REQUIRE(sound->notes.size() == 1);
  CHECK(sound->notes[0].remedy == "did you mean \"link\"?");
  const auto empty = read_urdf("<robot name='r'>\n<Link name='b'/>\n</robot>", "r.urdf");
  REQUIRE_FALSE(empty);
  REQUIRE(empty.faults().size() == 2);
  CHECK(empty.faults()[1].remedy == "did you mean \"link\"?");
  CHECK(empty.faults()[1].where.line == 2);
}

TEST_CASE("armature of <dynamics> is a rotor at the joint, beside that of a motor, and every command warns") {
  const auto read = [](const std::string& type, const std::string& more = "") {
    return read_urdf("<robot name='r'>" + body("base") + body("arm") +
                         joint("j", type, "base", "arm", "<dynamics damping='2' armature='0.05'/>") + more + "</robot>",
                     "arm.urdf");
  };
  const auto plain = read("continuous");
  REQUIRE(plain);
  REQUIRE(plain->links[0].rotor);
  CHECK(plain->links[0].rotor->inertia == 0.05);
  CHECK(plain->links[0].rotor->gear == 1);
  CHECK(plain->links[0].friction.value().viscous == 2);
  CHECK(build(*plain)->rotor == std::vector<double>{0.05});
  CHECK(std::ranges::count_if(plain->notes, [](const Fault& note) {
          return note.rule == "dynamics-armature" && note.severity == Severity::warning;
        }) == 1);
  const auto geared =
      read("continuous",
           "<transmission name='t'><type>transmission_interface/SimpleTransmission</type><joint name='j'/>"
           "<actuator name='m'><mechanicalReduction>50</mechanicalReduction><drake:rotor_inertia value='1e-4'/>"
           "</actuator></transmission>");
  REQUIRE(geared);
  CHECK(geared->links[0].rotor.value().gear == 50);
  CHECK(build(*geared)->rotor[0] == doctest::Approx(0.05 + 1e-4 * 2500).epsilon(1e-14));
  const auto negative = read_urdf("<robot name='r'>" + body("base") + body("arm") +
                                      joint("j", "continuous", "base", "arm", "<dynamics armature='-1'/>") + "</robot>",
                                  "arm.urdf");
  REQUIRE_FALSE(negative);
  CHECK(negative.faults()[0].rule == "rotor-inertia");
}
