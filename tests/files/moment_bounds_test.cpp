// Bounds of the moments of open and hollow meshes: holes are cut into closed meshes, whose own moments lie between the bounds
// of what is left; the extremes are closed forms.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tests/support/meshes.hpp"
#include "torsor/files/fill_inertia.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/convex_hull.hpp"
#include "torsor/model/mass_spread.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using PrincipalMoments = std::array<double, 3>;

/// A robot with one link of this mesh, in a folder that is gone after it.
class OneMesh {
 public:
  explicit OneMesh(const TriangleMesh& mesh) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream obj(folder_ / "b.obj");
    for (const Vec3<double>& v : mesh.vertices) obj << fmt::format("v {} {} {}\n", v.x, v.y, v.z);
    for (const TriangleMesh::Triangle& t : mesh.triangles)
      obj << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    std::ofstream(folder_ / "one.urdf")
        << "<robot name='one'><link name='a'/><link name='b'><collision><origin xyz='1 2 3' rpy='0.3 -0.4 "
           "1'/><geometry>"
           "<mesh filename='b.obj'/></geometry></collision></link><joint name='j' type='continuous'><parent link='a'/>"
           "<child link='b'/></joint></robot>";
  }
  ~OneMesh() { std::filesystem::remove_all(folder_); }
  OneMesh(const OneMesh&) = delete;
  OneMesh& operator=(const OneMesh&) = delete;

  FilledLink filled(const InertiaOptions& options) const {
    const std::string file = (folder_ / "one.urdf").string();
    const auto robot = load_robot(file);
    REQUIRE(robot);
    MeshFiles files({}, file);
    const auto filled = fill_inertia(*robot, options, files);
    REQUIRE(filled);
    for (const Fault& fault : filled->faults) MESSAGE(to_string(fault));
    const auto row = std::ranges::find(filled->filling.links, "b", &FilledLink::link);
    REQUIRE(row != filled->filling.links.end());
    REQUIRE(row->moments_least);
    REQUIRE(row->moments_most);
    return *row;
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "torsor_moment_bounds";
};

PrincipalMoments moments_of(const MeshBody& body, double mass) {
  return mass_spread(mass, body.tensor_per_mass * mass).moments;
}

void check_within(const FilledLink& row, const PrincipalMoments& truth) {
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK((*row.moments_least)[k] <= truth[k] * (1 + 1e-9));
    CHECK((*row.moments_most)[k] >= truth[k] * (1 - 1e-9));
    CHECK((*row.moments_least)[k] <= row.moments[k]);
    CHECK((*row.moments_most)[k] >= row.moments[k]);
  }
}

/// Each triangle as four, so that a hole takes no corner away.
TriangleMesh divided(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3<double> p[] = {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const Vec3<double>& v : {p[0], p[1], p[2], (p[0] + p[1]) * 0.5, (p[1] + p[2]) * 0.5, (p[2] + p[0]) * 0.5})
      out.vertices.push_back(v);
    for (const TriangleMesh::Triangle& t : {TriangleMesh::Triangle{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      out.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return out;
}

/// Some triangles taken away, never the last one at a corner: what closes the hole lies in the hull of the rest.
TriangleMesh with_holes(TriangleMesh mesh, Random& random) {
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return norm(mesh.vertices[a] - mesh.vertices[b]) < 1e-9; };
  for (int hole = 0; hole < 6; ++hole) {
    const auto at = mesh.triangles.begin() + random.below(static_cast<int>(mesh.triangles.size()));
    const TriangleMesh::Triangle gone = *at;
    mesh.triangles.erase(at);
    const bool bare = std::ranges::any_of(gone, [&](std::uint32_t v) {
      return std::ranges::none_of(mesh.triangles, [&](const TriangleMesh::Triangle& t) {
        return std::ranges::any_of(t, [&](std::uint32_t w) { return same(v, w); });
      });
    });
    if (bare) mesh.triangles.push_back(gone);
  }
  return mesh;
}

}  // namespace

TEST_CASE("the moments of a closed mesh lie between the bounds of the same mesh with holes") {
  Random random(17);
  int open = 0, wide = 0;
  for (int draw = 0; draw < draws(24); ++draw) {
    TriangleMesh whole;
    if (draw % 3 == 0) {
      std::vector<Vec3<double>> points;
      for (int k = 0; k < 25; ++k) points.push_back(random.vector(1));
      whole = *convex_hull(points);
    } else if (draw % 3 == 1) {
      // an L: not convex
      whole = prism({{0, 0, 0}, {2, 0, 0}, {2, 0.2, 0}, {0.2, 0.2, 0}, {0.2, 3, 0}, {0, 3, 0}}, random.uniform(0.1, 1),
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}});
    } else {
      whole = regular_prism(5 + random.below(9), random.uniform(0.1, 1), random.uniform(0.1, 3));
    }
    const MeshSolid truth = mesh_solid(whole);
    REQUIRE(truth.watertight);
    const TriangleMesh cut = with_holes(divided(divided(whole)), random);
    const MeshSolid found = mesh_solid(cut);
    open += !found.closed;
    const OneMesh one(cut);

    const double density = random.uniform(500, 8000), mass = density * truth.solid.size;
    const FilledLink by_density = one.filled({.density = density});
    check_within(by_density, moments_of(truth.solid, mass));
    CHECK(*by_density.mass_least <= mass);
    CHECK(*by_density.mass_most >= mass * (1 - 1e-12));
    const FilledLink by_mass = one.filled({.masses = {{"b", mass}}});
    check_within(by_mass, moments_of(truth.solid, mass));
    // any other body with these walls: thin ones, or all of the hull
    REQUIRE(truth.hull);
    check_within(by_mass, moments_of(truth.sheet, mass));
    check_within(by_mass, moments_of(*truth.hull, mass));
    check_within(by_density, moments_of(*truth.hull, density * truth.hull->size));
    wide += (*by_density.moments_least)[0] == 0;
  }
  CHECK(open == draws(24));
  CHECK(wide == draws(24));
}

TEST_CASE("the bounds of a hollow box are the box with and without its cavity") {
  TriangleMesh hollow = box_mesh({4, 4, 4}), cavity = box_mesh({2, 2, 2});
  for (TriangleMesh::Triangle& t : cavity.triangles) std::swap(t[1], t[2]);
  append(hollow, cavity);
  const OneMesh one(hollow);
  const double full = 64 * 16.0 / 6, empty = full - 8 * 4.0 / 6;
  const FilledLink by_density = one.filled({.density = 10});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK((*by_density.moments_least)[k] == doctest::Approx(10 * empty).epsilon(1e-12));
    CHECK((*by_density.moments_most)[k] == doctest::Approx(10 * full).epsilon(1e-12));
  }
  // of 6 kg the density lies between 6/64 and 6/56; the corners are too far away to matter
  const FilledLink by_mass = one.filled({.masses = {{"b", 6}}});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK((*by_mass.moments_least)[k] == doctest::Approx(6.0 / 64 * empty).epsilon(1e-12));
    CHECK((*by_mass.moments_most)[k] == doctest::Approx(6.0 / 56 * full).epsilon(1e-12));
  }
  // half of the cavity filled, a block of 2 x 2 x 1 beside the middle
  const auto half_filled = [&](double density) {
    const Sym3<double> walls = Sym3<double>{empty, empty, empty, 0, 0, 0} * density,
                       block = Sym3<double>{5, 5, 8, 0, 0, 0} * (density * 4 / 12);
    Inertia<double> J = inertia_about_centre(density * 56, Vec3<double>{}, walls);
    J += inertia_about_centre(density * 4, Vec3<double>{0, 0, 0.5}, block);
    return mass_spread(J.m, tensor_about_centre(J)).moments;
  };
  check_within(by_density, half_filled(10));
  check_within(by_mass, half_filled(6.0 / 60));
}

TEST_CASE("the moments of what is closed, or a primitive, are their own bounds") {
  const FilledLink row = OneMesh(box_mesh({0.1, 0.2, 0.3})).filled({.density = 2700});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK((*row.moments_least)[k] == doctest::Approx(row.moments[k]).epsilon(1e-12));
    CHECK((*row.moments_most)[k] == doctest::Approx(row.moments[k]).epsilon(1e-12));
  }
}

TEST_CASE("a mass in an open box is bounded by its corners") {
  TriangleMesh open = box_mesh({2, 4, 6});
  open.triangles.pop_back();
  open.triangles.pop_back();
  const FilledLink row = OneMesh(open).filled({.masses = {{"b", 3}}});
  // turned in its link, the box around it is larger: half its diagonal is the least that could be far
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK((*row.moments_least)[k] == 0);
    CHECK((*row.moments_most)[k] >= 3 * (k == 0 ? 5 : 14));
    CHECK((*row.moments_most)[k] <= 3 * 3 * 14);
  }
}
