// SDF files read: what versions, frames and includes mean, faults named with file and line, and no file takes long.
// That torques and poses are Drake's is what tests/sdf/corpus_test.sh sees to.
#include "torsor/files/sdf_reader.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <numbers>

#include "tests/files/file_text.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/model/linear_spring.hpp"
#include "torsor/files/urdf_reader.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description sound_sdf(Result<Description> robot) {
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  return *std::move(robot);
}
Description sdf_of(const std::string& text) { return sound_sdf(read_sdf(text, "robot.sdf")); }

std::string sdf_model(const std::string& parts, const std::string& version = "1.11") {
  return "<sdf version='" + version + "'><model name='m'>" + parts + "</model></sdf>";
}
const std::string held_link =
    "<link name='a'/><joint name='hold' type='fixed'><parent>world</parent><child>a</child></joint>";
const std::string sdf_ball =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string sdf_joint(const std::string& inside, const std::string& type = "revolute") {
  return held_link + "<link name='b'><pose>1 0 0 0 0 1.5707963267948966</pose>" + sdf_ball +
         "</link><joint name='j' type='" + type + "'><parent>a</parent><child>b</child>" + inside + "</joint>";
}

const LinkDescription& sdf_link_named(const Description& d, const std::string& name) {
  for (const LinkDescription& link : d.links)
    if (link.name == name) return link;
  FAIL("no link " << name);
  return d.links.front();
}
Vec3<double> sdf_axis(const Description& d, const std::string& link) {
  return std::get<JointPlacement>(sdf_link_named(d, link).geometry).axis;
}
bool has_sdf_note(const Description& d, const std::string& rule, Severity severity = Severity::error) {
  for (const Fault& note : d.notes)
    if (note.rule == rule) return severity == Severity::error || note.severity == severity;
  return false;
}
std::string sdf_rules(const std::string& text) { return faults_of(read_sdf(text, "robot.sdf")); }

torsor::detail::OpenUri opens_sdf(std::vector<std::pair<std::string, std::string>> files) {
  return [files](const std::string& uri, const std::string&) -> Result<torsor::detail::SdfText> {
    for (const auto& [name, text] : files)
      if (name == uri) return torsor::detail::SdfText{text, name};
    return Fault{{}, "", "include-read", "there is no such file", "none"};
  };
}

double sdf_seconds(const std::string& text, bool& read) {
  // of the processor: whoever else runs on the machine does not count
  const std::clock_t start = std::clock();
  read = static_cast<bool>(read_sdf(text, "robot.sdf"));
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("an axis is in the frame that the version of its file says") {
  const std::string plain = "<axis><xyz>1 0 0</xyz></axis>";
  const std::string flag = "<axis><xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>";
  // the link is turned by a right angle: x of the model is -y of the link
  CHECK(norm(sdf_axis(sdf_of(sdf_model(sdf_joint(plain), "1.4")), "b") - Vec3<double>{0, -1, 0}) < 1e-15);
  for (const std::string version : {"1.5", "1.6"}) {
    CHECK(norm(sdf_axis(sdf_of(sdf_model(sdf_joint(plain), version)), "b") - Vec3<double>{1, 0, 0}) < 1e-15);
    CHECK(norm(sdf_axis(sdf_of(sdf_model(sdf_joint(flag), version)), "b") - Vec3<double>{0, -1, 0}) < 1e-15);
  }
  for (const std::string version : {"1.7", "1.8", "1.9", "1.10", "1.11", "1.12"}) {
    CHECK(norm(sdf_axis(sdf_of(sdf_model(sdf_joint(plain), version)), "b") - Vec3<double>{1, 0, 0}) < 1e-15);
    CHECK(norm(sdf_axis(sdf_of(sdf_model(sdf_joint("<axis><xyz expressed_in='a'>1 0 0</xyz></axis>"), version)), "b") -
               Vec3<double>{0, -1, 0}) < 1e-15);
    CHECK(sdf_rules(sdf_model(sdf_joint(flag), version)).ends_with("element-unknown"));
  }
  // of 1.7, and read in 1.5 and 1.6 as others read it; in 1.4 an axis was that of the model
  const std::string later = "<axis><xyz expressed_in='a'>1 0 0</xyz></axis>";
  for (const std::string version : {"1.5", "1.6"}) {
    const Description d = sdf_of(sdf_model(sdf_joint(later), version));
    CHECK(norm(sdf_axis(d, "b") - Vec3<double>{0, -1, 0}) < 1e-15);
    CHECK(has_sdf_note(d, "axis-later"));
    CHECK(sdf_rules(sdf_model(sdf_joint("<axis><xyz expressed_in='a'>1 0 0</xyz><use_parent_model_frame>1"
                                        "</use_parent_model_frame></axis>"),
                              version))
              .ends_with("axis-frame"));
  }
  CHECK(sdf_rules(sdf_model(sdf_joint(later), "1.4")).ends_with("attribute-unknown"));
}

TEST_CASE("relative_to is read in files older than it, as others read it, and frame in them means the same") {
  const auto of = [](const std::string& attribute, const std::string& version) {
    return sdf_model(held_link + "<link name='b'><pose>1 0 0 0 0 0.5</pose>" + sdf_ball +
                         "</link><link name='c'><pose " + attribute + ">1 0 0 0 0 0</pose>" + sdf_ball +
                         "</link><joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"
                         "<joint name='k' type='fixed'><parent>b</parent><child>c</child></joint>",
                     version);
  };
  const auto place = [](const Description& d) {
    return std::get<JointPlacement>(sdf_link_named(d, "c").geometry).X_parent_joint.p;
  };
  for (const std::string version : {"1.4", "1.5", "1.6"}) {
    CAPTURE(version);
    const Description later = sdf_of(of("relative_to='b'", version));
    CHECK(norm(place(later) - Vec3<double>{1, 0, 0}) < 1e-15);
    CHECK(has_sdf_note(later, "pose-later"));
    const Description own = sdf_of(of("frame='b'", version));
    CHECK(norm(place(own) - Vec3<double>{1, 0, 0}) < 1e-15);
    CHECK_FALSE(has_sdf_note(own, "pose-later"));
    CHECK(norm(place(sdf_of(of("", version)))) < 1e-15);  // of the model, where b is
    CHECK(sdf_rules(of("relative_to='b' frame='a'", version)).ends_with("pose-format"));
  }
  CHECK(sdf_rules(of("frame='b'", "1.7")).ends_with("pose-format"));
}

TEST_CASE("poses in degrees and by quaternions are those in radians") {
  const auto of = [](const std::string& pose) {
    return std::get<JointPlacement>(
               sdf_link_named(
                   sdf_of(
                       sdf_model("<link name='a'>" + pose +
                                 "</link><joint name='j' type='fixed'><parent>world</parent><child>a</child></joint>")),
                   "a")
                   .geometry)
        .X_parent_joint;
  };
  const Transform<double> X = of("<pose>1 2 3 0.5235987755982988 0 1.0471975511965976</pose>");
  for (const std::string pose : {"<pose degrees='true'>1 2 3 30 0 60</pose>",
                                 "<pose rotation_format='euler_rpy' degrees='true'>1 2 3 30 0 60</pose>",
                                 "<pose rotation_format='quat_xyzw'>1 2 3 0.22414386804201341 0.1294095225512604 "
                                 "0.48296291314453416 0.83651630373780794</pose>"}) {
    CHECK(norm(of(pose).R.x - X.R.x) + norm(of(pose).R.y - X.R.y) + norm(of(pose).p - X.p) < 1e-15);
  }
  // Drake's rotors belong to joints of one degree of freedom
  CHECK(sdf_rules(sdf_model(sdf_joint("<drake:rotor_inertia>0.1</drake:rotor_inertia>", "ball")))
            .ends_with("rotor-kind"));
  CHECK(sdf_rules(sdf_model("<link name='a'><pose rotation_format='quat_xyzw'>0 0 0 1 1 0 0</pose></link>")) ==
        "1 quaternion-length");
}

TEST_CASE("limits, laws, couplings and threads are those of the file") {
  const Description d = sdf_of(sdf_model(
      sdf_joint("<axis><xyz>0 0 "
                "1</xyz><limit><lower>-1</lower><upper>inf</upper><effort>-1</effort><velocity>3</velocity></limit>"
                "<dynamics><damping>2</damping><friction>3</friction><spring_stiffness>4</"
                "spring_stiffness><spring_reference>0.5</spring_reference></dynamics></axis>") +
      "<link name='c'>" + sdf_ball +
      "</link><joint name='k' type='screw'><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz><mimic joint='j'>"
      "<multiplier>2</multiplier><offset>0.3</offset><reference>0.1</reference></mimic></axis><thread_pitch>-100</"
      "thread_pitch></joint>"));
  const LinkDescription& b = sdf_link_named(d, "b");
  CHECK(b.limits.lower == -1);
  CHECK(std::isinf(b.limits.upper));
  CHECK(std::isinf(b.limits.effort));
  CHECK(b.limits.velocity == 3);
  CHECK(b.friction->viscous == 2);
  CHECK(b.friction->coulomb_negative == 3);
  CHECK(torsor::detail::as_spring(b.friction->table)->rest == 0.5);
  const LinkDescription& c = sdf_link_named(d, "c");
  CHECK(c.kind == JointKind::helical);
  CHECK(c.pitch == doctest::Approx(0.01));
  REQUIRE(c.mimic);
  CHECK(c.mimic->joint == "j");
  CHECK(c.mimic->ratio == 2);
  CHECK(c.mimic->offset == doctest::Approx(0.1));
  const Description turns =
      sdf_of(sdf_model(sdf_joint("<axis/><screw_thread_pitch>0.5</screw_thread_pitch>", "screw")));
  CHECK(sdf_link_named(turns, "b").pitch == doctest::Approx(0.5 / (2 * std::numbers::pi)));
}

TEST_CASE("a link without mass has the mass that the format gives it, where it can move") {
  const Description d = sdf_of(sdf_model(
      held_link + "<link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child><axis/></joint>"));
  CHECK(sdf_link_named(d, "a").parts.empty());
  REQUIRE(sdf_link_named(d, "b").parts.size() == 1);
  CHECK(sdf_link_named(d, "b").parts.front().mass == 1);
  CHECK(sdf_link_named(d, "b").parts.front().tensor.yy == 1);
  CHECK(has_sdf_note(d, "inertia-assumed"));
}

TEST_CASE("an inertial that is automatic is that of the collision shapes") {
  const auto link = [](const std::string& inertial, const std::string& collisions) {
    return sdf_of(
        sdf_model(held_link + "<link name='b'>" + inertial + collisions +
                  "</link><joint name='j' type='revolute'><parent>a</parent><child>b</child><axis/></joint>"));
  };
  const std::string box =
      "<collision name='c'><pose>1 0 0 0 0 1.5707963267948966</pose><density>500</density><geometry><box>"
      "<size>1 2 3</size></box></geometry></collision>";
  const std::string ball = "<collision name='d'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";
  const Description one = link("<inertial auto='true'/>", box);
  const Inertia<double> I = inertia_of(sdf_link_named(one, "b").parts);
  CHECK(I.m == doctest::Approx(3000));
  CHECK(I.h.x == doctest::Approx(3000));
  // turned by a right angle, so that the 2 m lie along x; about the link's origin
  CHECK(I.I.xx == doctest::Approx(3000 * (1 + 9) / 12.0));
  CHECK(I.I.yy == doctest::Approx(3000 * (4 + 9) / 12.0 + 3000));
  CHECK(I.I.zz == doctest::Approx(3000 * (1 + 4) / 12.0 + 3000));
  CHECK(has_sdf_note(one, "inertia-auto-used"));
  // a density of all shapes, and the one of water where nothing is said
  const double volume = 4 * std::numbers::pi / 3 * 1e-3;
  CHECK(inertia_of(sdf_link_named(link("<inertial auto='true'/>", ball), "b").parts).m ==
        doctest::Approx(1000 * volume));
  CHECK(
      inertia_of(sdf_link_named(link("<inertial auto='true'><density>10</density></inertial>", ball + box), "b").parts)
          .m == doctest::Approx(10 * volume + 3000));
  // with a mass it is scaled to that
  const Inertia<double> scaled =
      inertia_of(sdf_link_named(link("<inertial auto='true'><mass>6</mass></inertial>", box), "b").parts);
  CHECK(scaled.m == doctest::Approx(6));
  CHECK(scaled.I.xx == doctest::Approx(6 * (1 + 9) / 12.0));
  // what cannot be worked out is refused
  const auto refused = [&](const std::string& collisions) {
    return sdf_rules(sdf_model("<link name='b'><inertial auto='true'/>" + collisions + "</link>"));
  };
  CHECK(refused("") == "1 inertia-auto");
  CHECK(refused("<collision name='c'><geometry><mesh><uri>a.stl</uri></mesh></geometry></collision>") ==
        "1 inertia-auto");
  CHECK(refused("<collision name='c'><geometry><sphere><radius>-1</radius></sphere></geometry></collision>") ==
        "1 shape-dimensions");
}

TEST_CASE("what is not computed is a warning, what is passed over a note") {
  const Description d =
      sdf_of(sdf_model("<link name='a'><gravity>0</gravity><velocity_decay><linear>0.1</linear></velocity_decay>"
                       "<sensor name='s' type='imu'/></link><plugin name='p' filename='f'/>"));
  CHECK(has_sdf_note(d, "gravity-unused", Severity::warning));
  CHECK(has_sdf_note(d, "decay-unused", Severity::warning));
  CHECK(has_sdf_note(d, "element-ignored"));
  CHECK(has_sdf_note(d, "model-floats"));
  CHECK(sdf_link_named(d, "a").kind == JointKind::free);
}

TEST_CASE("gravity is the world's, -9.8 where it says nothing, ours where there is no world") {
  const std::string m = "<model name='m'><link name='a'/></model>";
  CHECK(sdf_of("<sdf version='1.6'><world name='w'><gravity>1 2 3</gravity>" + m + "</world></sdf>").gravity.z == 3);
  CHECK(
      sdf_of("<sdf version='1.5'><world name='w'><physics><gravity>0 0 -1.6</gravity></physics>" + m + "</world></sdf>")
          .gravity.z == -1.6);
  CHECK(sdf_of("<sdf version='1.6'><world name='w'>" + m + "</world></sdf>").gravity.z == -9.8);
  CHECK(sdf_of("<sdf version='1.6'>" + m + "</sdf>").gravity.z == -9.81);
}

TEST_CASE("joints the other way round keep their coordinates and torques") {
  // the same two links, once joined from the world on and once towards it
  const std::string links = "<link name='a'><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>" + sdf_ball +
                            "</link><link name='b'><pose>-0.3 0.1 0.5 0 1 0</pose>" + sdf_ball + "</link>";
  const auto with = [&](const std::string& ends, const std::string& axes) {
    return sdf_of(sdf_model(
        links +
        "<joint name='w' type='revolute'><parent>world</parent><child>a</child><axis><xyz>1 2 3</xyz></axis></joint>"
        "<joint name='j' type='universal'><pose relative_to='a'>0.1 0 0.2 0.3 0 0</pose>" +
        ends + axes + "</joint>"));
  };
  const Description straight =
      with("<parent>a</parent><child>b</child>", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 1</xyz></axis2>");
  Description turned =
      with("<parent>b</parent><child>a</child>", "<axis2><xyz>-1 0 0</xyz></axis2><axis><xyz>0 -1 -1</xyz></axis>");
  CHECK(built(straight).velocity_names == std::vector<std::string>{"w", "j.axis", "j.axis2"});
  CHECK(built(turned).velocity_names == std::vector<std::string>{"w", "j.axis2", "j.axis"});
  std::swap(turned.links[1].joint_name, turned.links[2].joint_name);
  CHECK(torque_difference(built(straight), built(turned)) < 1e-14);
}

TEST_CASE("included models stand where they are put, once and in no circle") {
  const std::string wheel =
      "<sdf version='1.5'><model name='wheel'><link name='rim'>" + sdf_ball + "</link></model></sdf>";
  const std::string car =
      "<include><uri>wheel</uri><name>left</name><pose>0 1 0 0 0 "
      "0</pose></include><include><uri>wheel</uri><name>right</name><pose>0 -1 0 0 0 0</pose></include>";
  const Description d = sound_sdf(read_sdf(
      sdf_model(car + "<joint name='j' type='fixed'><parent>left::rim</parent><child>right::rim</child></joint>"),
      "car.sdf", opens_sdf({{"wheel", wheel}})));
  CHECK(sdf_link_named(d, "right::rim").parent == "left::rim");
  CHECK(std::get<JointPlacement>(sdf_link_named(d, "right::rim").geometry).X_parent_joint.p.y == -2);

  const std::string again = sdf_model("<include><uri>a</uri></include>");
  CHECK(faults_of(read_sdf(again, "main.sdf", opens_sdf({{"a", again}}))) == "1 include-cycle");
  // two of each on every level would be a million: the files are few
  const auto twice = [](const std::string& uri) {
    return "<link name='l'/><include><uri>" + uri + "</uri><name>x</name></include><include><uri>" + uri +
           "</uri><name>y</name></include>";
  };
  std::vector<std::pair<std::string, std::string>> files;
  for (int k = 0; k < 20; ++k)
    files.emplace_back("f" + std::to_string(k), sdf_model(twice("f" + std::to_string(k + 1))));
  const auto many = read_sdf(sdf_model(twice("f0")), "main.sdf", opens_sdf(files));
  REQUIRE_FALSE(many);
  CHECK((many.faults().front().rule == "include-cycle" || many.faults().front().rule == "include-count"));
  CHECK(faults_of(read_sdf(sdf_model(car), "car.sdf",
                           opens_sdf({{"wheel", "<sdf version='1.5'>\n<model name='m'><link/></model></sdf>"}}))) ==
        "2 link-name, 2 link-name");
}

TEST_CASE("a URDF is included as a model") {
  const std::string urdf =
      "<robot name='arm'><link name='base'/><link name='hand_link'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>"
      "<joint name='j' type='prismatic'><origin xyz='0 0 1'/><parent link='base'/><child link='hand_link'/><axis "
      "xyz='1 0 0'/><limit lower='0' upper='1' effort='2' velocity='3'/></joint></robot>";
  Description d = sound_sdf(
      read_sdf(sdf_model("<include><uri>arm.urdf</uri><pose>1 0 0 0 0 0</pose></include>"
                         "<joint name='hold' type='fixed'><parent>world</parent><child>arm::base</child></joint>"),
               "cell.sdf", opens_sdf({{"arm.urdf", urdf}})));
  CHECK(sdf_link_named(d, "arm::hand_link").limits.effort == 2);
  CHECK(sdf_link_named(d, "arm::hand_link").joint_name == "arm::j");
  d.links.back().joint_name = "j";
  CHECK(torque_difference(built(sound_sdf(read_urdf(urdf, "arm.urdf"))), built(d)) < 1e-15);
}

TEST_CASE("files outside the folders that were given are not opened") {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / "torsor_sdf_outside";
  fs::remove_all(top);
  fs::create_directories(top / "robot");
  fs::create_directories(top / "elsewhere" / "secret");
  const std::string part = "<sdf version='1.9'><model name='p'><link name='l'/></model></sdf>";
  std::ofstream(top / "elsewhere" / "secret" / "model.sdf") << part;
  fs::create_symlink(top / "elsewhere" / "secret" / "model.sdf", top / "robot" / "link.sdf");
  const std::string file = (top / "robot" / "robot.sdf").string();
  const auto rule = [&](const std::string& uri, const LoadOptions& options = {}) {
    const auto robot = read_sdf(sdf_model("<include><uri>" + uri + "</uri></include>"), file, options);
    return robot ? std::string() : robot.faults().front().rule;
  };
  CHECK(rule("../elsewhere/secret/model.sdf") == "include-outside");
  CHECK(rule((top / "elsewhere" / "secret" / "model.sdf").string()) == "include-outside");
  CHECK(rule("file://" + (top / "elsewhere" / "secret").string()) == "include-outside");
  CHECK(rule("link.sdf") == "include-outside");
  CHECK(rule("model://../elsewhere/secret") == "include-read");
  CHECK(rule("https://example.org/model") == "include-read");
  CHECK(rule("model://secret") == "include-read");
  LoadOptions options;
  options.package_folders = {(top / "elsewhere").string()};
  CHECK(rule("model://secret", options).empty());
  CHECK(rule("secret", options).empty());
  fs::remove_all(top);
}

TEST_CASE("each fault of an SDF is named by its rule and line") {
  const auto [files, names] = check_broken_files(
      "tests/broken", ".sdf", [](const std::string& text, const std::string& file) { return read_sdf(text, file); });
  CHECK(files >= 9);
  CHECK(names.size() >= 20);
}

TEST_CASE("large, deep and hostile SDF files are read or refused within two seconds") {
  bool read = false;
  std::string wide, chain;
  for (int i = 0; i < 20'000; ++i)
    wide += "<link name='l" + std::to_string(i) + "'/><frame name='f" + std::to_string(i) + "' attached_to='l" +
            std::to_string(i) + "'/>";
  CHECK(sdf_seconds(sdf_model(wide), read) < 2);
  CHECK(read);
  for (int i = 0; i < 10'000; ++i) {
    const std::string k = std::to_string(i), up = i == 0 ? "world" : "l" + std::to_string(i - 1);
    chain += "<link name='l" + k + "'><pose relative_to='j" + k + "'/></link><joint name='j" + k +
             "' type='revolute'><pose relative_to='" + (i == 0 ? "__model__" : up) + "'>0 0 1 0 0 0</pose><parent>" +
             up + "</parent><child>l" + k + "</child><axis/></joint>";
  }
  CHECK(sdf_seconds(sdf_model(chain), read) < 2);
  CHECK(read);
  std::string circle;
  for (int i = 0; i < 50'000; ++i)
    circle += "<frame name='f" + std::to_string(i) + "'><pose relative_to='f" + std::to_string((i + 1) % 50'000) +
              "'/></frame>";
  CHECK(sdf_seconds(sdf_model("<link name='l'/>" + circle), read) < 2);
  CHECK_FALSE(read);
  CHECK(sdf_seconds(
            "<sdf version='1.9'>" + repeated("<model name='m'>", 100'000) + repeated("</model>", 100'000) + "</sdf>",
            read) < 2);
  CHECK_FALSE(read);
  std::string bomb = "<!DOCTYPE m [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 40; ++i)
    bomb += "<!ENTITY a" + std::to_string(i) + " '&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";'>";
  CHECK(sdf_seconds(bomb + "]><sdf version='&a39;'/>", read) < 2);
  CHECK_FALSE(read);
}
