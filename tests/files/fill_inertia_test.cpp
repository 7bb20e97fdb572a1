// Masses from shapes: a robot of our own (tests/meshes) with closed forms by hand; files outside the roots stay closed.
#include "torsor/files/fill_inertia.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "tests/support/places.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/urdf_writer.hpp"

using namespace torsor;

namespace {

const std::string tub = places::in_project("tests/meshes/tub_description/urdf/tub.urdf");

Description tub_robot() {
  auto robot = load_robot(tub);
  REQUIRE(robot);
  return *std::move(robot);
}

FilledRobot fill_tub(const InertiaOptions& options) {
  MeshFiles files({}, tub);
  auto filled = fill_inertia(tub_robot(), options, files);
  for (const Fault& fault : filled.faults()) MESSAGE(to_string(fault));
  REQUIRE(filled);
  return *std::move(filled);
}

const FilledLink& row_of(const InertiaFilling& filling, const std::string& name) {
  for (const FilledLink& row : filling.links)
    if (row.link == name) return row;
  FAIL("no link " << name);
  return filling.links.front();
}

std::string refused_rule(const InertiaOptions& options) {
  MeshFiles files({}, tub);
  const auto filled = fill_inertia(tub_robot(), options, files);
  REQUIRE_FALSE(filled);
  return filled.faults().front().rule;
}

/// One link with this shape, in a file of its own.
Faults faults_with_mesh(const std::string& name, const std::filesystem::path& folder, const LoadOptions& load = {}) {
  const std::string file = (folder / "one.urdf").string();
  std::ofstream(file) << "<robot name='one'><link name='a'/><link name='b'><collision><geometry><mesh filename='"
                      << name
                      << "'/></geometry></collision></link><joint name='j' type='continuous'><parent link='a'/><child "
                         "link='b'/></joint></robot>";
  const auto robot = load_robot(file);
  REQUIRE(robot);
  MeshFiles files(load, file);
  const auto filled = fill_inertia(*robot, {.density = 1000}, files);
  REQUIRE(filled);
  if (filled->faults.empty()) CHECK(row_of(filled->filling, "b").state == LinkFilling::filled);
  return filled->faults;
}

}  // namespace

TEST_CASE("links get the mass, centre and moments that their shapes have in closed form") {
  const FilledRobot filled = fill_tub({.density = 1000});
  CHECK(filled.faults.empty());
  const InertiaFilling& f = filled.filling;
  REQUIRE(f.links.size() == 8);
  CHECK(f.links.front().link == "base");

  const FilledLink& base = row_of(f, "base");
  CHECK(base.state == LinkFilling::filled);
  CHECK(*base.mass == doctest::Approx(62.5));
  CHECK_FALSE(base.watertight);

  // a cylinder and a sphere, summed though they overlap
  const FilledLink& post = row_of(f, "post");
  const double cylinder = std::numbers::pi / 64 * 1000, sphere = 4 * std::numbers::pi / 3 / 64 * 1000;
  CHECK(*post.mass == doctest::Approx(cylinder + sphere).epsilon(1e-13));
  CHECK(post.centre.z == doctest::Approx((0.5 * cylinder + sphere) / (cylinder + sphere)).epsilon(1e-13));
  CHECK(post.source == "collision: 1 cylinder, 1 sphere");

  // the L: 2 units^3 of 1/8 m, turned by 90 degrees, and moved
  const FilledLink& angle = row_of(f, "angle");
  CHECK(angle.source == "visual: 1 mesh");
  CHECK(*angle.watertight);
  CHECK(*angle.mass == doctest::Approx(1000 * 2.0 / 512).epsilon(1e-12));
  CHECK(angle.centre.x == doctest::Approx(0.5 - 1.25 / 8).epsilon(1e-12));
  CHECK(angle.centre.y == doctest::Approx(0.75 / 8).epsilon(1e-12));
  CHECK(std::abs(angle.centre.z) < 1e-15);
  REQUIRE(angle.shapes.size() == 1);
  CHECK(angle.shapes[0].unit == 0.125);

  // mirrored by its scale, and still the right way out
  const FilledLink& mirrored = row_of(f, "mirrored");
  CHECK(*mirrored.mass == doctest::Approx(1000 * 2 * 0.125 * 0.125 * 0.25).epsilon(1e-13));
  CHECK(mirrored.centre.y == doctest::Approx(-1.25 / 8).epsilon(1e-13));
  CHECK_FALSE(mirrored.shapes[0].mesh->inside_out);

  // a cavity is left out; filled it would be the upper bound
  const FilledLink& hollow = row_of(f, "hollow");
  CHECK(*hollow.mass == doctest::Approx(1000 * (0.125 - 1.0 / 64)).epsilon(1e-13));
  CHECK(*hollow.mass_least == doctest::Approx(*hollow.mass));
  CHECK(*hollow.mass_most == doctest::Approx(125));
  CHECK(hollow.centre.x == doctest::Approx(0.25));
  const double moment = (125 * 0.25 - 1000.0 / 64 * 0.0625) / 6;
  for (const double each : hollow.moments) CHECK(each == doctest::Approx(moment).epsilon(1e-12));

  // a box without its lid: closed it is the box, and so is its hull
  const FilledLink& open = row_of(f, "open");
  CHECK_FALSE(*open.watertight);
  CHECK(open.shapes[0].model == ShapeModel::closed);
  CHECK(*open.mass == doctest::Approx(125));
  CHECK(*open.mass_least == 0);
  CHECK(*open.mass_most == doctest::Approx(125));
  REQUIRE(open.moments_sheet);
  REQUIRE(open.moments_hull);
  CHECK((*open.moments_hull)[0] == doctest::Approx(125 * 0.5 / 12).epsilon(1e-12));

  CHECK(row_of(f, "known").state == LinkFilling::kept);
  CHECK(*row_of(f, "known").mass == 1.5);
  CHECK(row_of(f, "tool0").state == LinkFilling::bare);
  double total = 0;
  for (const FilledLink& row : f.links) total += row.mass.value_or(0);
  CHECK(f.total_mass == doctest::Approx(total));
}

TEST_CASE("a mass whose tensor is 0 is called a point") {
  Description robot = tub_robot();
  robot.links.front().parts = {Part{.mass = 1, .com = {}, .tensor = {}}};
  MeshFiles files({}, tub);
  const auto filled = fill_inertia(robot, {}, files);
  REQUIRE(filled);
  const FilledLink& row = row_of(filled->filling, robot.links.front().name);
  CHECK(row.state == LinkFilling::kept);
  CHECK(row.source == "the file: a point, its tensor is 0");
}

TEST_CASE("a total mass is shared by volume among those that have none") {
  const FilledRobot filled = fill_tub({.total_mass = 18, .masses = {{"angle", 2.5}}});
  const InertiaFilling& f = filled.filling;
  CHECK(f.total_mass == doctest::Approx(18).epsilon(1e-14));
  CHECK(*row_of(f, "angle").mass == 2.5);
  CHECK(*row_of(f, "known").mass == 1.5);
  REQUIRE(f.density);
  for (const char* name : {"base", "post", "mirrored", "hollow", "open"})
    CHECK(*row_of(f, name).mass == doctest::Approx(*f.density * *row_of(f, name).volume).epsilon(1e-14));
}

TEST_CASE("the robot that is written and read again has these inertias") {
  const FilledRobot filled = fill_tub({.density = 1200});
  const auto text = write_urdf(filled.description);
  REQUIRE(text);
  const auto back = read_robot_text(*text, "back.urdf");
  REQUIRE(back);
  const auto model = build(*back), wanted = build(filled.description);
  REQUIRE(model);
  REQUIRE(wanted);
  for (int i = 0; i < model->size(); ++i) {
    CHECK((*model)[i].inertia.m == doctest::Approx((*wanted)[i].inertia.m).epsilon(1e-14));
    CHECK((*model)[i].inertia.I.xx == doctest::Approx((*wanted)[i].inertia.I.xx).epsilon(1e-13));
  }
}

TEST_CASE("what does not fit the robot is refused") {
  CHECK(refused_rule({.masses = {{"angel", 1}}}) == "link-unknown");
  CHECK(refused_rule({.masses = {{"known", 1}}}) == "mass-known");
  CHECK(refused_rule({.masses = {{"tool0", 1}}}) == "shape-missing");
  CHECK(refused_rule({.masses = {{"angle", -1}}}) == "mass-value");
  CHECK(refused_rule({.density = 0}) == "density-value");
  CHECK(refused_rule({.density = 1000, .total_mass = 18}) == "density-twice");
  CHECK(refused_rule({.total_mass = 1}) == "total-mass");
  MeshFiles files({}, tub);
  const auto visual = fill_inertia(tub_robot(), {.density = 1000, .shapes = {.shapes = ShapeChoice::visual}}, files);
  REQUIRE(visual);
  CHECK(row_of(visual->filling, "post").state == LinkFilling::failed);
  REQUIRE(visual->faults.size() == 1);
  CHECK(visual->faults[0].rule == "mesh-missing");
  CHECK(row_of(visual->filling, "hollow").state == LinkFilling::bare);
}

TEST_CASE("open meshes are what they are said to be") {
  const auto with = [](OpenMesh open, double thickness = 0) {
    return fill_tub({.density = 1000, .shapes = {.open = open, .thickness = thickness}}).filling;
  };
  const InertiaFilling hull = with(OpenMesh::hull), sheet = with(OpenMesh::sheet, 0.01);
  CHECK(row_of(hull, "open").shapes[0].model == ShapeModel::hull);
  CHECK(*row_of(hull, "open").mass == doctest::Approx(125).epsilon(1e-12));
  // five squares of 0.25 m^2
  CHECK(row_of(sheet, "open").shapes[0].model == ShapeModel::sheet);
  CHECK(*row_of(sheet, "open").mass == doctest::Approx(1000 * 1.25 * 0.01).epsilon(1e-12));
  CHECK(row_of(sheet, "open").centre.z == doctest::Approx(0.2).epsilon(1e-12));  // (4 * 0.25 + 0) / 5
  CHECK(*row_of(sheet, "angle").mass == doctest::Approx(1000 * 2.0 / 512).epsilon(1e-12));
  MeshFiles files({}, tub);
  const auto refused = fill_inertia(tub_robot(), {.density = 1000, .shapes = {.open = OpenMesh::refused}}, files);
  REQUIRE(refused);
  REQUIRE(refused->faults.size() == 1);
  CHECK(refused->faults[0].rule == "mesh-open");
}

TEST_CASE("files are found by package, model, file and path, and none is opened outside the roots") {
  namespace fs = std::filesystem;
  const fs::path work = fs::temp_directory_path() / "torsor_mesh_roots";
  fs::remove_all(work);
  fs::create_directories(work / "robot/urdf");
  fs::create_directories(work / "other/meshes");
  const fs::path mesh = places::in_project("tests/meshes/tub_description/meshes/angle.obj");
  fs::copy(mesh, work / "other/meshes/angle.obj");
  fs::copy(mesh, work / "robot/urdf/near.obj");
  const auto rule_of = [&](const std::string& name, const LoadOptions& load = {}) {
    const Faults faults = faults_with_mesh(name, work / "robot/urdf", load);
    return faults.empty() ? std::string("found") : faults.front().rule;
  };
  const std::string absolute = (work / "other/meshes/angle.obj").string();
  CHECK(rule_of("near.obj") == "found");
  CHECK(rule_of("./near.obj") == "found");
  CHECK(rule_of("file://" + (work / "robot/urdf/near.obj").string()) == "found");
  CHECK(rule_of("../../other/meshes/angle.obj") == "mesh-outside");
  CHECK(rule_of(absolute) == "mesh-outside");
  CHECK(rule_of("file://" + absolute) == "mesh-outside");
  CHECK(rule_of("/etc/passwd.stl") == "mesh-outside");
  CHECK(rule_of("package://other/meshes/angle.obj") == "mesh-package");
  CHECK(rule_of("http://somewhere/angle.obj") == "mesh-name");
  CHECK(rule_of("missing.obj") == "mesh-missing");
  CHECK(rule_of("package://other/meshes/angle.obj", {.packages = {{"other", (work / "other").string()}}}) == "found");
  CHECK(rule_of("package://other/meshes/angle.obj", {.package_folders = {work.string()}}) == "found");
  CHECK(rule_of("model://other/meshes/angle.obj", {.package_folders = {work.string()}}) == "found");
  CHECK(rule_of("package://other/../robot/urdf/near.obj", {.packages = {{"other", (work / "other").string()}}}) ==
        "found");
  CHECK(rule_of("package://other/../../x.obj", {.packages = {{"other", (work / "other").string()}}}) == "mesh-outside");
  // a link in a root that leads out of it
  fs::create_symlink(absolute, work / "robot/urdf/link.obj");
  CHECK(rule_of("link.obj") == "mesh-outside");
  fs::remove_all(work);
}
