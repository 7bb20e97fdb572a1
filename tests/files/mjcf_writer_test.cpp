// Robots written as MJCF and read again: the same torques, the same frames; through URDF, too; and what an MJCF cannot say.
#include "torsor/files/mjcf_writer.hpp"

#include <doctest/doctest.h>

#include "tests/files/written_format.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const WrittenFormat mjcf{"again.xml", write_mjcf,
                         [](std::string_view text, const std::string& file) { return read_mjcf(text, file); },
                         [](Description& d) {
                           for (LinkDescription& l : d.links)
                             if (l.kind == JointKind::helical) l.kind = JointKind::prismatic;
                         },
                         depth_first};

}  // namespace

TEST_CASE("every robot of the library comes back from MJCF with its torques and its tool") {
  mjcf.keeps_built_in_robots();
}

TEST_CASE("random trees of every joint and drive keep their torques") { mjcf.keeps_random_trees(7, 40); }

TEST_CASE("URDF to MJCF and back keeps torques and coordinates") { mjcf.keeps_urdf(); }

TEST_CASE("MJCF to MJCF keeps springs, couplings, several joints on a body and transmissions") {
  for (const std::string name : {"arm", "floating", "compiled", "parts", "wrist", "armature"}) {
    CAPTURE(name);
    const Description d = mjcf_of_tests(name), back = mjcf.keeps(d);
    // no body without mass was added or lost
    CHECK(back.links.size() == d.links.size());
    REQUIRE(back.transmissions.size() == d.transmissions.size());
    if (!d.transmissions.empty()) {
      CHECK(back.transmissions[0].motors == d.transmissions[0].motors);
      CHECK(back.transmissions[0].matrix[0][0] == doctest::Approx(d.transmissions[0].matrix[0][0]));
    }
  }
}

TEST_CASE("coordinates of a tree come in the order of the tree") {
  Description d;
  d.name = "tree";
  d.links = {plain_link("a", "base"), plain_link("b", "base"), plain_link("c", "a")};
  std::string order;
  for (const LinkDescription& link : depth_first(d).links) order += link.name;
  CHECK(order == "acb");
  CHECK(torque_difference(built(d), built(mjcf.again(d))) < 1e-12);
}

TEST_CASE("the default tool of a robot without tools is that of the written one, wherever it stands in the file") {
  const auto d = read_urdf(
      "<robot name='r'><link name='base_link'/><link name='l'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><link name='tool0'/><link name='base'/>"
      "<joint name='j' type='continuous'><parent link='base_link'/><child link='l'/></joint>"
      "<joint name='t' type='fixed'><origin xyz='0.3 0 0'/><parent link='l'/><child link='tool0'/></joint>"
      "<joint name='b' type='fixed'><parent link='base_link'/><child link='base'/></joint></robot>",
      "r.urdf");
  REQUIRE(d);
  REQUIRE(built(*d).frames.back().name == "tool0");
  const Description back = mjcf.again(*d);
  CHECK(built(back).frames.back().name == "tool0");
  CHECK(tool_residual(*d, back) < 1e-15);
}

TEST_CASE("shapes become geoms, and meshes stay where they are") {
  const auto d = read_urdf(
      "<robot name='r'><link name='base'/><link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial>"
      "<visual><origin xyz='1 2 3'/><geometry><mesh filename='package://r/meshes/l.stl' scale='2 2 "
      "2'/></geometry></visual>"
      "<visual><geometry><mesh filename='l.dae'/></geometry></visual>"
      "<collision><geometry><cylinder radius='0.1' length='0.4'/></geometry></collision></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='l'/><limit velocity='2' "
      "effort='3'/></joint></robot>",
      "r.urdf");
  REQUIRE(d);
  std::vector<std::string> told;
  const auto text = write_mjcf(*d, &told);
  REQUIRE(text);
  CHECK(text->find("<mesh name=\"l_1\" file=\"r/meshes/l.stl\" scale=\"2 2 2\"/>") != std::string::npos);
  CHECK(text->find("<geom type=\"mesh\" mesh=\"l_1\" pos=\"1 2 3\"") != std::string::npos);
  CHECK(text->find("<geom type=\"cylinder\" size=\"0.1 0.2\" group=\"3\"/>") != std::string::npos);
  CHECK(text->find("actuatorfrcrange=\"-3 3\"") != std::string::npos);
  CHECK(told.size() == 3);  // where meshes are, what MuJoCo cannot read, velocity limits
}

TEST_CASE("what an MJCF cannot hold is refused with what to do") {
  Description d;
  d.name = "r";
  d.links.resize(1);
  d.links[0].name = d.links[0].joint_name = "l";
  CHECK(mjcf.rules(d) == "");
  d.links[0].kind = JointKind::helical;
  CHECK(mjcf.rules(d) == "mjcf-joint");
  d.links[0].kind = JointKind::planar;
  CHECK(mjcf.rules(d) == "mjcf-joint");
  d.links[0].kind = JointKind::free;
  CHECK(mjcf.rules(d) == "");
  d.base.p = {1, 0, 0};
  CHECK(mjcf.rules(d) == "mjcf-free");
  d.base = {};
  d.links[0].kind = JointKind::revolute;
  d.links[0].rotor = Rotor{0.1, 1, true, {}};
  CHECK(mjcf.rules(d) == "mjcf-rotor");
  d.links[0].rotor.reset();
  d.links[0].friction.emplace();
  d.links[0].friction->coulomb_positive = 1;
  CHECK(mjcf.rules(d) == "mjcf-friction");
}

TEST_CASE("a link called world is a body with another name, which MJCF keeps for what stands still") {
  auto robot = read_urdf(
      "<robot name='r'><link name='base'/><link name='world'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='j' type='revolute'><parent link='base'/><child link='world'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>",
      "world.urdf");
  REQUIRE(robot);
  std::vector<std::string> told;
  const auto text = write_mjcf(*robot, &told);
  REQUIRE(text);
  const auto back = read_mjcf(*text, "world.xml");
  for (const Fault& error : back.faults()) MESSAGE(to_string(error));
  REQUIRE(back);
  CHECK(back->links.back().name == "world_link");
  CHECK(std::ranges::any_of(told, [](const std::string& note) { return note.find("\"world_link\"") != note.npos; }));
  // a name that is taken already stays that of its owner
  robot->base_name = "world_link";
  robot->links[0].parent = robot->base_name;
  const auto other = write_mjcf(*robot);
  REQUIRE(other);
  CHECK(read_mjcf(*other, "world.xml"));
}
