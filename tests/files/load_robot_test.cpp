// Where robots come from: disk, standard input, or the library itself; and what is said when they do not.
#include "torsor/files/load_robot.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "torsor/files/embedded_robots.hpp"

using namespace torsor;
namespace fs = std::filesystem;

namespace {

constexpr const char* small_robot = "[[link]]\nname = \"only\"\njoint = \"revolute\"\nmass = 1\n";

// a folder of its own for each test, gone afterwards
struct Folder {
  fs::path path = fs::temp_directory_path() / ("torsor_load_robot_" + std::to_string(std::hash<const void*>{}(this)));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

std::string rule_of(const std::string& name) {
  const auto robot = load_robot(name);
  REQUIRE_FALSE(robot);
  REQUIRE(robot.faults().size() == 1);
  CHECK_FALSE(robot.faults()[0].remedy.empty());
  return robot.faults()[0].rule;
}

}  // namespace

TEST_CASE("every embedded robot loads by its name and builds") {
  REQUIRE(embedded_robots().size() >= 4);
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = load_robot(std::string(embedded.name));
    REQUIRE(robot);
    CHECK(build(*robot));
    CHECK_FALSE(robot->source.empty());
    CHECK(robot->file == std::string(embedded.name) + ".toml");
  }
}

TEST_CASE("a file is read from disk, with or without the ending") {
  const Folder folder;
  for (const char* name : {"arm.toml", "arm"}) {
    const std::string path = folder.file(name, small_robot);
    const auto robot = load_robot(path);
    REQUIRE(robot);
    CHECK(robot->name == "arm");
    CHECK(robot->file == path);
    CHECK(robot->links[0].where.file == path);
    CHECK(robot->links[0].where.line == 1);
  }
}

TEST_CASE("an unknown name is answered with the known ones and the nearest") {
  const auto robot = load_robot("pumma560");
  REQUIRE_FALSE(robot);
  const std::string text = to_string(robot.faults()[0]);
  CHECK(text.find("did you mean \"puma560\"?") != std::string::npos);
  for (const EmbeddedRobot& embedded : embedded_robots()) CHECK(text.find(embedded.name) != std::string::npos);
  CHECK(rule_of("") == "robot-unknown");
}

TEST_CASE("what cannot be read is said plainly") {
  const Folder folder;
  CHECK(rule_of((folder.path / "nothing.toml").string()) == "file-read");
  CHECK(rule_of("./no/such/robot") == "file-read");
  for (const std::string& directory : {folder.path.string(), std::string("."), std::string("..")}) {
    const auto robot = load_robot(directory);
    REQUIRE_FALSE(robot);
    CHECK(robot.faults()[0].what == "it is a directory");
    CHECK(robot.faults()[0].where.file == directory);
  }
  CHECK(rule_of(folder.file("empty.toml", "")) == "file-empty");
  CHECK(rule_of(folder.file("blank.toml", " \r\n\t\n")) == "file-empty");
}

TEST_CASE("a file above 64 MB is refused, one of 64 MB is not") {
  const Folder folder;
  const std::string comment(std::size_t{64} << 20U, '#');
  std::string just = comment;
  just.replace(0, std::string(small_robot).size(), small_robot);
  CHECK(load_robot(folder.file("just.toml", just)));
  CHECK(rule_of(folder.file("large.toml", comment + '#')) == "file-size");
}

TEST_CASE("XML is read as URDF, by its ending or its first sign") {
  const Folder folder;
  const std::string text =
      "<robot name='urdf arm'><link name='base'/><link name='arm'/><joint name='j' type='continuous'>"
      "<parent link='base'/><child link='arm'/></joint></robot>";
  for (const char* name : {"arm.urdf", "arm", "arm.xml", "arm.urdf.xacro"}) {
    const auto robot = load_robot(folder.file(name, text));
    REQUIRE(robot);
    CHECK(robot->name == "urdf arm");
  }
  CHECK(load_robot(folder.file("mark.xml", "\xEF\xBB\xBF\n " + text)));
  CHECK(rule_of(folder.file("toml.urdf", small_robot)) == "xml-root");
  CHECK(rule_of(folder.file("macro.xacro", "<robot name='a'><xacro:include filename='b'/></robot>")) == "xacro-file");
  CHECK(rule_of("nothing.urdf") == "file-read");
}

TEST_CASE("XML is read as MJCF where its root is <mujoco>, whatever stands before it") {
  const std::string mjcf =
      "<?xml version='1.0'?><!-- <robot> > --><mujoco><worldbody><body name='b'><joint/><geom "
      "size='0.1'/></body></worldbody></mujoco>";
  for (const char* name : {"robot.xml", "robot.urdf", "robot.mjcf", "robot.sdf", "text"}) {
    CAPTURE(name);
    const auto robot = read_robot_text(mjcf, name);
    REQUIRE(robot);
    CHECK(robot->base_name == "world");
  }
}

TEST_CASE("the ending says what a file is, the content only where there is none") {
  const Folder folder;
  const std::string binary("\0\x01\xff\r\n", 5), xml = "<robot name='a'><link name='b'/></robot>";
  CHECK(rule_of(folder.file("binary.toml", binary)) == "toml-syntax");
  CHECK(rule_of(folder.file("binary.urdf", binary)) == "xml-syntax");
  CHECK(rule_of(folder.file("binary.xml", binary)) == "xml-syntax");
  CHECK(rule_of(folder.file("binary", binary)) == "toml-syntax");
  CHECK(rule_of(folder.file("xml.toml", xml)) == "toml-syntax");
  CHECK(rule_of(folder.file("wide.toml", std::string("\xFF\xFE[\0", 4))) == "toml-syntax");
  CHECK(rule_of(folder.file("wide", std::string("\0<\0r", 4))) != "toml-syntax");
}

TEST_CASE("a dash reads standard input") {
  const Folder folder;
  REQUIRE(std::freopen(folder.file("input", small_robot).c_str(), "rb", stdin));
  const auto robot = load_robot("-");
  REQUIRE(robot);
  CHECK(robot->links[0].name == "only");
  CHECK(robot->file == "standard input");
  CHECK(rule_of("-") == "file-empty");
}

TEST_CASE("text in memory is read like a file, and named in faults as the caller says") {
  const auto robot = read_robot_text(small_robot, "text");
  REQUIRE(robot);
  CHECK(robot->links.size() == 1);
  const auto urdf = read_robot_text(
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/>"
      "</joint></robot>",
      "text");
  REQUIRE(urdf);
  CHECK(urdf->name == "r");
  const auto empty = read_robot_text(" \n", "text");
  REQUIRE_FALSE(empty);
  CHECK(empty.faults()[0].rule == "file-empty");
  CHECK(empty.faults()[0].where.file == "text");
}
