#include "torsor/files/urdf_patch.hpp"

#include <doctest/doctest.h>

#include "tests/support/mutate.hpp"
#include "tests/support/random.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const std::string urdf = R"(<?xml version="1.0"?>
<!-- a <link name="upper"> in a comment is none -->
<robot   name="arm" >
	<link name='base'/>
  <link name="upper">   <!-- keep me -->
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <inertial>
      <inertia iyy="2"   ixx="1" izz="3" ixy="0" ixz="0" iyz="0"/> <!-- odd order -->
      <mass  value = "4.0" />
      <origin rpy="0.1 0 0" xyz='0 0 0'/>
    </inertial>
  </link>
  <link name="fore">
    <collision><geometry><sphere radius="1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <limit effort="5" velocity="1" lower="-1" upper="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/></joint>
  <gazebo><link name="fore"/></gazebo>
</robot>
)";

/// The text without what stands between quotes.
std::string skeleton(const std::string& text) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    if (c == '"' || c == '\'') inside = !inside;
    if (!inside) out += c;
  }
  return out;
}

}  // namespace

TEST_CASE("numbers are changed in place, and every other byte stays") {
  const auto patched = patch_urdf(urdf, {{"upper", 7.5, {0.1, 0.2, 0.3}, {0.5, 0.6, 0.7, 0.01, 0.02, 0.03}}},
                                  {{.joint = "shoulder", .upper = 2.25, .effort = 40}});
  REQUIRE(patched);
  std::string expected = urdf;
  const auto swap = [&](const std::string& from, const std::string& to) {
    const std::size_t at = expected.find(from);
    REQUIRE(at != std::string::npos);
    expected.replace(at, from.size(), to);
  };
  swap(R"(iyy="2"   ixx="1" izz="3" ixy="0" ixz="0" iyz="0")",
       R"(iyy="0.6"   ixx="0.5" izz="0.7" ixy="0.01" ixz="0.02" iyz="0.03")");
  swap(R"(value = "4.0")", R"(value = "7.5")");
  swap(R"(rpy="0.1 0 0" xyz='0 0 0')", R"(rpy="0 0 0" xyz='0.1 0.2 0.3')");
  swap(R"(effort="5" velocity="1" lower="-1" upper="1")", R"(effort="40" velocity="1" lower="-1" upper="2.25")");
  CHECK(*patched == expected);
}

TEST_CASE("what is missing is added where it belongs, and the reader finds it") {
  const auto patched =
      patch_urdf(urdf, {{"fore", 2, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}}, {"base", 9, {}, {2, 2, 2, 0, 0, 0}}},
                 {{.joint = "elbow", .velocity = 3, .effort = 8}});
  REQUIRE(patched);
  const auto robot = read_urdf(*patched, "patched.urdf");
  REQUIRE(robot);
  CHECK(inertia_of(robot->base_parts).m == 9);
  REQUIRE(robot->links.size() == 2);
  CHECK(robot->links[1].name == "fore");
  CHECK(inertia_of(robot->links[1].parts).m == 2);
  CHECK(inertia_of(robot->links[1].parts).h.z == doctest::Approx(0.2));
  CHECK(robot->links[1].limits.effort == 8);
  CHECK(robot->links[1].limits.velocity == 3);
  CHECK(patched->find("<!-- odd order -->") != std::string::npos);
  // a second time nothing is added
  const auto again =
      patch_urdf(*patched, {{"fore", 2, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}}, {"base", 9, {}, {2, 2, 2, 0, 0, 0}}},
                 {{.joint = "elbow", .velocity = 3, .effort = 8}});
  REQUIRE(again);
  CHECK(*again == *patched);
}

TEST_CASE("any numbers come back from the reader as they went in, and layout never changes") {
  Random random(71);
  for (int draw = 0; draw < draws(100); ++draw) {
    const InertialEdit edit{"upper",
                            random.uniform(0.1, 50),
                            random.vector(0.5),
                            {random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2),
                             random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)}};
    const auto patched = patch_urdf(urdf, {edit});
    REQUIRE(patched);
    CHECK(skeleton(*patched) == skeleton(urdf));
    const auto robot = read_urdf(*patched, "patched.urdf");
    REQUIRE(robot);
    const Part& part = robot->links[0].parts.at(0);
    CHECK(part.mass == edit.mass);
    CHECK(part.com.x == edit.com.x);
    CHECK(part.tensor.xy == edit.tensor.xy);
    CHECK(part.tensor.zz == edit.tensor.zz);
  }
}

TEST_CASE("names that are not there, twice there or asked for twice are refused; so is what is no XML") {
  const auto rule = [](const Result<std::string>& result) { return result ? std::string() : result.faults()[0].rule; };
  CHECK(rule(patch_urdf(urdf, {{"nobody", 1, {}, {}}})) == "urdf-patch");
  CHECK(rule(patch_urdf(urdf, {{"upper", 1, {}, {}}, {"upper", 2, {}, {}}})) == "urdf-patch");
  CHECK(rule(patch_urdf(R"(<robot name="r"><link name="a"/><link name="a"/></robot>)", {{"a", 1, {}, {}}})) ==
        "urdf-patch");
  // of two that are equal, which a reader takes with a note, one would keep the old numbers
  const std::string mass =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  const std::string again = R"(<robot name="r"><link name="a">)" + mass + mass + "</link></robot>";
  CHECK(rule(patch_urdf(again, {{"a", 2, {}, {1, 1, 1}}})) == "urdf-patch");
  CHECK(rule(patch_urdf(urdf, {{"upper", std::numeric_limits<double>::quiet_NaN(), {}, {}}})) == "inertia");
  CHECK_FALSE(patch_urdf("<robot name=\"r\"><link", {}).faults().empty());
  // lines of a text from elsewhere end as they did
  const auto dos = patch_urdf("<robot name=\"r\">\r\n  <link name=\"a\"/>\r\n</robot>\r\n", {{"a", 1, {}, {}}});
  REQUIRE(dos);
  CHECK(dos->find("<link name=\"a\">\r\n    <inertial>\r\n") != std::string::npos);
}

TEST_CASE("whatever the bytes, there is a text or a fault") {
  Random random(72);
  for (int draw = 0; draw < draws(300); ++draw) {
    const std::vector<std::string> pieces{"<link name=\"upper\">", "</link>",   "<!--", "-->", "/>", "'", "\"",
                                          "<inertial/>",           "<![CDATA[", "&amp;"},
        numbers{"1e400", "nan", ""};
    const std::string text = mutated(urdf, {pieces, numbers}, random);
    const auto patched = patch_urdf(text, {{"upper", 7.5, {0.1, 0.2, 0.3}, {0.5, 0.6, 0.7, 0, 0, 0}}},
                                    {{.joint = "elbow", .effort = 8}});
    CHECK((patched || !patched.faults().empty()));
  }
}
