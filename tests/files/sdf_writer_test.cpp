// Robots written as SDF and read again: the same torques, coordinates and frames; through URDF, too; and what an SDF
// cannot say.
#include "torsor/files/sdf_writer.hpp"

#include <doctest/doctest.h>

#include "tests/files/written_format.hpp"
#include "torsor/files/sdf_reader.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const WrittenFormat sdf{"again.sdf", write_sdf,
                        [](std::string_view text, const std::string& file) { return read_sdf(text, file); },
                        [](Description& d) {
                          for (TransmissionDescription& t : d.transmissions) t.rotor_inertia.clear();
                        },
                        [](Description d) { return d; }};

}  // namespace

TEST_CASE("every robot of the library comes back from SDF with its torques, coordinates and tool") {
  sdf.keeps_built_in_robots();
}

TEST_CASE("random trees of every joint and drive keep their torques in an SDF") { sdf.keeps_random_trees(11, 60); }

TEST_CASE("URDF to SDF and back keeps torques and coordinates") { sdf.keeps_urdf(); }

TEST_CASE("SDF to SDF keeps links, joints of two axes, springs, screws and frames") {
  for (const std::string name : {"arm", "rover", "cell"}) {
    CAPTURE(name);
    const std::string path = places::in_project("tests/sdf/") + name + ".sdf";
    const auto d = read_sdf(contents(path), path);
    REQUIRE(d);
    std::string text;
    const Description back = sdf.keeps(*d);
    sdf.again(*d, &text);
    CHECK(back.links.size() == d->links.size());
    CHECK((name != "rover" || text.find("type=\"universal\"") != std::string::npos));
    CHECK(text.find(name == "arm" ? "version=\"1.10\"" : "version=\"1.7\"") != std::string::npos);
  }
}

TEST_CASE("MJCF to SDF keeps torques, couplings and several joints of a body") {
  for (const std::string name : {"arm", "floating", "compiled", "parts"}) {
    CAPTURE(name);
    sdf.keeps(mjcf_of_tests(name));
  }
}

TEST_CASE("shapes and meshes go to SDF and come back") {
  const auto d = read_urdf(
      "<robot name='r'><link name='base'/><link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial>"
      "<visual><origin xyz='1 2 3'/><geometry><mesh filename='package://r/meshes/l.stl' scale='2 2 "
      "2'/></geometry></visual>"
      "<collision><geometry><cylinder radius='0.1' length='0.4'/></geometry></collision></link>"
      "<link name='lens'><visual><origin xyz='0 0 1'/><geometry><sphere radius='0.2'/></geometry></visual></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='l'/></joint>"
      "<joint name='k' type='fixed'><origin xyz='0 0 1'/><parent link='l'/><child link='lens'/></joint></robot>",
      "r.urdf");
  REQUIRE(d);
  std::string text;
  const Description back = sdf.again(*d, &text);
  CHECK(text.find("<uri>package://r/meshes/l.stl</uri>") != std::string::npos);
  CHECK(text.find("<frame name=\"lens\" attached_to=\"l\">") != std::string::npos);
  const auto urdf = write_urdf(back);
  REQUIRE(urdf);
  CHECK(urdf->find("<mesh filename=\"package://r/meshes/l.stl\" scale=\"2 2 2\"/>") != std::string::npos);
  CHECK(urdf->find("<origin xyz=\"1 2 3\"") != std::string::npos);
  CHECK(urdf->find("<cylinder radius=\"0.1\" length=\"0.4\"/>") != std::string::npos);
  // what a link without mass shows is on the link that carries it
  CHECK(urdf->find("<origin xyz=\"0 0 2\"") != std::string::npos);
}

TEST_CASE("names that links, joints and tools share come back as they were") {
  Description d;
  d.name = "r";
  d.links = {plain_link("a", "base"), plain_link("b", "a")};
  d.links[1].mimic = Mimic{"a", 2, 0.1, {}};
  const Description back = sdf.again(d);
  CHECK(built(back).velocity_names == built(d).velocity_names);
  REQUIRE(back.links.back().mimic);
  CHECK(back.links.back().mimic->joint == "a");
  CHECK(torque_difference(built(d), built(back)) < 1e-14);
}

TEST_CASE("what an SDF cannot hold is refused with what to do") {
  Description d;
  d.name = "r";
  d.links.resize(1);
  d.links[0].name = d.links[0].joint_name = "l";
  CHECK(sdf.rules(d) == "");
  d.links[0].kind = JointKind::helical;
  d.links[0].pitch = 0.1;
  CHECK(sdf.rules(d) == "");
  d.links[0].kind = JointKind::planar;
  CHECK(sdf.rules(d) == "sdf-joint");
  d.links[0].kind = JointKind::free;
  CHECK(sdf.rules(d) == "");
  d.base.p = {1, 0, 0};
  CHECK(sdf.rules(d) == "sdf-free");
  d.base = {};
  d.links[0].kind = JointKind::revolute;
  d.links[0].rotor = Rotor{0.1, 1, true, {}};
  CHECK(sdf.rules(d) == "sdf-rotor");
  d.links[0].kind = JointKind::spherical;
  d.links[0].rotor = Rotor{.inertia = 0.1};
  CHECK(sdf.rules(d) == "sdf-rotor");
  d.links[0].kind = JointKind::revolute;
  d.links[0].rotor.reset();
  d.links[0].friction.emplace();
  d.links[0].friction->coulomb_positive = 1;
  CHECK(sdf.rules(d) == "sdf-friction");
}

TEST_CASE("names with :: are no names in an SDF, and come back from it") {
  const auto nested = read_sdf(
      "<sdf version='1.9'><model name='m'><link name='base'><inertial><mass>1</mass></inertial></link>"
      "<link name='grip__finger'/><joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
      "<joint name='v' type='revolute'><parent>base</parent><child>grip__finger</child><axis/></joint>"
      "<model name='grip'><link name='finger'><inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass></inertial></link>"
      "<frame name='tip'><pose>0.3 0 0 0 0 0</pose></frame></model>"
      "<joint name='j' type='revolute'><parent>base</parent><child>grip::finger</child><axis><xyz>0 1 "
      "0</xyz></axis></joint>"
      "</model></sdf>",
      "nested.sdf");
  for (const Fault& error : nested.faults()) MESSAGE(to_string(error));
  REQUIRE(nested);
  std::string written;
  const Description back = sdf.again(*nested, &written);
  for (std::size_t at = written.find(" name=\""); at != std::string::npos; at = written.find(" name=\"", at + 1)) {
    const std::string name = written.substr(at, written.find('"', at + 7) - at);
    CHECK_MESSAGE(name.find("::") == std::string::npos, name);
  }
  for (const char* key : {"<child>", "<parent>", "relative_to=\"", "attached_to=\""})
    for (std::size_t at = written.find(key); at != std::string::npos; at = written.find(key, at + 1))
      CHECK(written.substr(at, written.find('\n', at) - at).find("::") == std::string::npos);
  const auto names = [](const Description& d) {
    std::string text;
    for (const LinkDescription& l : d.links) text += l.name + ' ' + l.joint_name + ' ';
    for (const ToolDescription& tool : d.tools) text += tool.name + ' ';
    return text;
  };
  CHECK(names(back) == names(*nested));
  CHECK(names(back).find("grip::finger ") != std::string::npos);
  CHECK(names(back).find("grip::tip ") != std::string::npos);
  CHECK(torque_difference(built(*nested), built(back), 20) < 1e-12);
  CHECK(tool_residual(*nested, back) < 1e-12);
}
