// What meshes enclose: closed forms, and a count of cells whose middles lie inside, which knows no formula of ours.
#include "torsor/model/mesh_solid.hpp"

#include <doctest/doctest.h>

#include "tests/support/meshes.hpp"
#include "torsor/model/convex_hull.hpp"
#include "torsor/model/shape.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

void check_near(const Vec3<double>& a, const Vec3<double>& b, double size) { CHECK(norm(a - b) <= size); }

void check_tensor(const Sym3<double>& a, const Sym3<double>& b, double relative) {
  const double size = std::abs(b.xx) + std::abs(b.yy) + std::abs(b.zz);
  for (const double off : {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz})
    CHECK(std::abs(off) <= relative * size);
}

Mat3<double> stretch(Random& random) {
  return {random.vector(1) + Vec3<double>{2, 0, 0}, random.vector(1) + Vec3<double>{0, 2, 0},
          random.vector(1) + Vec3<double>{0, 0, 2}};
}

/// The signed solid angle of a triangle seen from the origin (Van Oosterom & Strackee 1983): whether a point is inside.
double solid_angle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const double x = norm(a), y = norm(b), z = norm(c);
  return 2 * std::atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}
double winding(const TriangleMesh& mesh, const Vec3<double>& p) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += solid_angle(mesh.vertices[a] - p, mesh.vertices[b] - p, mesh.vertices[c] - p);
  return sum / (4 * std::numbers::pi);
}

const std::vector<Vec3<double>> ell{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
TriangleMesh ell_mesh() { return prism(ell, 0.5, {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}); }

}  // namespace

TEST_CASE("a box, moved and turned, has the closed form of a box") {
  Random random(1);
  for (int draw = 0; draw < draws(20); ++draw) {
    const Vec3<double> size{random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)},
        at = random.vector(3);
    const Mat3<double> R = random.rotation();
    TriangleMesh mesh = box_mesh(size);
    transform(mesh, R, at);
    const MeshSolid found = mesh_solid(soup(mesh, random));
    CHECK(found.watertight);
    CHECK(found.closed);
    CHECK_FALSE(found.inside_out);
    CHECK(found.triangles == 12);
    CHECK(found.shells == 1);
    const Solid wanted = solid_box(size);
    CHECK(found.solid.size == doctest::Approx(wanted.volume).epsilon(1e-13));
    check_near(found.solid.centre, at, 1e-14);
    check_tensor(found.solid.tensor_per_mass, rotate(R, wanted.tensor_per_mass), 1e-12);
    CHECK(found.sheet.size ==
          doctest::Approx(2 * (size.x * size.y + size.y * size.z + size.z * size.x)).epsilon(1e-13));
    REQUIRE(found.hull);
    CHECK(found.hull->size == doctest::Approx(wanted.volume).epsilon(1e-12));
    check_tensor(found.hull->tensor_per_mass, rotate(R, wanted.tensor_per_mass), 1e-12);
    CHECK(found.sound());
  }
}

TEST_CASE("prisms over regular polygons have the closed form of polygons, and tend to the cylinder") {
  for (const int n : {3, 4, 7, 12, 200}) {
    CAPTURE(n);
    const double a = 0.3, h = 0.8, t = 2 * std::numbers::pi / n;
    const MeshSolid found = mesh_solid(regular_prism(n, a, h));
    CHECK(found.watertight);
    // area n/2 a^2 sin t; second moment of area about an axis in the plane, over the area: a^2 (2 + cos t) / 12
    const double volume = n / 2.0 * a * a * std::sin(t) * h, about = a * a * (2 + std::cos(t)) / 12;
    CHECK(found.solid.size == doctest::Approx(volume).epsilon(1e-13));
    check_near(found.solid.centre, {0, 0, h / 2}, 1e-14);
    check_tensor(found.solid.tensor_per_mass, {about + h * h / 12, about + h * h / 12, 2 * about, 0, 0, 0}, 1e-12);
    if (n == 200) check_tensor(found.solid.tensor_per_mass, solid_cylinder(a, h).tensor_per_mass, 1e-3);
  }
}

TEST_CASE("balls of ever more triangles tend to the sphere with the square of their size") {
  double before = 1;
  for (const int n : {8, 16, 32, 64}) {
    const MeshSolid found = mesh_solid(ball_mesh(n, 2 * n, 0.5));
    CHECK(found.watertight);
    CHECK(found.shells == 1);
    const double off = 1 - found.solid.size / solid_sphere(0.5).volume;
    CHECK(off > 0);
    if (n > 8) CHECK(off / before == doctest::Approx(0.25).epsilon(0.05));
    before = off;
    REQUIRE(found.hull);
    CHECK(found.hull->size == doctest::Approx(found.solid.size).epsilon(1e-10));  // its corners lie on a sphere
  }
}

TEST_CASE("a stretched solid has the integral of the points that lie inside") {
  Random random(2);
  for (int draw = 0; draw < draws(3); ++draw) {
    TriangleMesh mesh = ell_mesh();
    transform(mesh, stretch(random), random.vector(1));
    const MeshSolid found = mesh_solid(mesh);
    REQUIRE(found.watertight);
    // middles of cells of the box around it, counted where the surface winds around them
    Vec3<double> low = mesh.vertices[0], high = low;
    for (const Vec3<double>& v : mesh.vertices) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    constexpr int n = 48;
    const Vec3<double> step = (high - low) * (1.0 / n);
    double volume = 0;
    Vec3<double> first;
    Sym3<double> second;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const Vec3<double> p = low + Vec3<double>{(i + 0.5) * step.x, (j + 0.5) * step.y, (k + 0.5) * step.z};
          const double w = winding(mesh, p);
          CHECK(std::abs(w - std::round(w)) < 1e-6);
          if (w < 0.5) continue;
          volume += step.x * step.y * step.z;
          first += p;
          const Vec3<double> r = p - found.solid.centre;
          second += Sym3<double>{
              r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y, -r.x * r.y, -r.x * r.z, -r.y * r.z};
        }
    const double count = volume / (step.x * step.y * step.z);
    CHECK(found.solid.size == doctest::Approx(volume).epsilon(0.01));
    check_near(found.solid.centre, first * (1 / count), 0.01 * norm(high - low));
    check_tensor(found.solid.tensor_per_mass, second * (1 / count), 0.01);
  }
}

TEST_CASE("a linear map takes volume by its determinant and second moments by congruence") {
  Random random(3);
  for (int draw = 0; draw < draws(20); ++draw) {
    const TriangleMesh mesh = ell_mesh();
    const MeshBody before = enclosed_body(mesh);
    Mat3<double> A = stretch(random);
    if (draw % 2 == 1) A.x = -A.x;  // a mirror
    const Vec3<double> p = random.vector(2);
    TriangleMesh moved = mesh;
    transform(moved, A, p);
    const MeshSolid after = mesh_solid(moved);
    CHECK_FALSE(after.inside_out);
    CHECK(after.solid.size == doctest::Approx(before.size * std::abs(dot(cross(A.x, A.y), A.z))).epsilon(1e-12));
    check_near(after.solid.centre, A * before.centre + p, 1e-12);
    const auto moments = [](const Sym3<double>& I) {
      const double half = (I.xx + I.yy + I.zz) / 2;
      return Sym3<double>{half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
    };
    const Sym3<double> S = moments(before.tensor_per_mass);
    const Mat3<double> ASAt = A * full(S) * ~A;
    check_tensor(moments(after.solid.tensor_per_mass), symmetric(ASAt), 1e-12);
  }
}

TEST_CASE("the L is two boxes") {
  const MeshSolid found = mesh_solid(ell_mesh());
  const double a = 1, b = 1;  // 1 x 1 x 0.5 beside 1 x 3 x 0.5
  CHECK(found.solid.size == doctest::Approx((a * b + 3) * 0.5).epsilon(1e-14));
  check_near(found.solid.centre, {(1.5 * 1 + 0.5 * 3) / 4, (0.5 * 1 + 1.5 * 3) / 4, 0.25}, 1e-14);
  CHECK(found.hull->size == doctest::Approx(2.5).epsilon(1e-13));
}

TEST_CASE("meshes that are inside out, or partly so, are turned and said to be") {
  Random random(4);
  TriangleMesh mesh = ell_mesh();
  const MeshSolid right = mesh_solid(mesh);
  turn_over(mesh);
  const MeshSolid turned = mesh_solid(mesh);
  CHECK(turned.inside_out);
  CHECK(turned.watertight);
  CHECK(turned.cavities == 0);
  CHECK(turned.solid.size == right.solid.size);
  check_near(turned.solid.centre, right.solid.centre, 1e-15);
  for (int draw = 0; draw < draws(20); ++draw) {
    TriangleMesh mixed = ell_mesh();
    for (auto& t : mixed.triangles)
      if (random.chance(0.3)) std::swap(t[0], t[1]);
    const MeshSolid found = mesh_solid(soup(mixed, random));
    CHECK(found.watertight);
    CHECK(found.rewound);
    CHECK(found.solid.size == doctest::Approx(2).epsilon(1e-13));
    check_tensor(found.solid.tensor_per_mass, right.solid.tensor_per_mass, 1e-12);
  }
}

TEST_CASE("holes are found, closed by fans, and bounded by the hull") {
  TriangleMesh mesh = ball_mesh(8, 12, 1);
  const double whole = mesh_solid(mesh).solid.size;
  mesh.triangles.erase(mesh.triangles.begin() + 50);
  const MeshSolid found = mesh_solid(mesh);
  CHECK_FALSE(found.watertight);
  CHECK_FALSE(found.closed);
  CHECK(found.open_edges == 3);
  CHECK(found.sound());
  // the fan over a triangle is the triangle
  CHECK(found.solid.size == doctest::Approx(whole).epsilon(1e-13));
  REQUIRE(found.hull);
  CHECK(found.solid.size <= found.hull->size * (1 + 1e-12));
  // a single sheet encloses nothing
  const MeshSolid sheet = mesh_solid({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  CHECK_FALSE(sheet.sound());
  CHECK_FALSE(sheet.hull);
  CHECK(sheet.sheet.size == doctest::Approx(0.5));
}

TEST_CASE("cavities are left out, pieces beside each other are added, stray ones are found") {
  TriangleMesh outer = box_mesh({2, 2, 2}), inner = box_mesh({1, 1, 1}), apart = box_mesh({1, 1, 1});
  turn_over(inner);
  TriangleMesh hollow = outer;
  append(hollow, inner);
  const MeshSolid found = mesh_solid(hollow);
  CHECK(found.watertight);
  CHECK(found.shells == 2);
  CHECK(found.cavities == 1);
  CHECK(found.stray_shells == 0);
  CHECK(found.solid.size == doctest::Approx(7).epsilon(1e-14));
  CHECK(found.filled.size == doctest::Approx(8).epsilon(1e-14));
  CHECK(found.filled.tensor_per_mass.xx == doctest::Approx(8.0 / 12).epsilon(1e-13));
  // (8 * 8/12 - 1 * 2/12) / 7
  CHECK(found.solid.tensor_per_mass.xx == doctest::Approx((8 * 8.0 / 12 - 2.0 / 12) / 7).epsilon(1e-13));
  transform(apart, Mat3<double>::identity(), {5, 0, 0});
  TriangleMesh two = outer;
  append(two, apart);
  CHECK(mesh_solid(two).solid.size == doctest::Approx(9).epsilon(1e-14));
  CHECK(mesh_solid(two).cavities == 0);
  turn_over(apart);
  TriangleMesh stray = outer;
  append(stray, apart);
  CHECK(mesh_solid(stray).stray_shells == 1);
  CHECK_FALSE(mesh_solid(stray).sound());
}

TEST_CASE("solids that touch along an edge are closed, though not watertight") {
  TriangleMesh one = box_mesh({1, 1, 1}), other = box_mesh({1, 1, 1});
  transform(other, Mat3<double>::identity(), {1, 1, 0});
  append(one, other);
  const MeshSolid found = mesh_solid(one);
  CHECK(found.closed);
  CHECK_FALSE(found.watertight);
  CHECK(found.solid.size == doctest::Approx(2).epsilon(1e-14));
  CHECK(found.sound());
}

TEST_CASE("corners that differ by rounding are welded where that closes the mesh") {
  Random random(5);
  TriangleMesh mesh = soup(ell_mesh(), random);
  for (Vec3<double>& v : mesh.vertices) v += random.vector(1e-10);
  const MeshSolid found = mesh_solid(mesh);
  CHECK(found.watertight);
  CHECK(found.weld_distance > 0);
  CHECK(found.solid.size == doctest::Approx(2).epsilon(1e-8));
  for (Vec3<double>& v : mesh.vertices) v += random.vector(1e-4);
  CHECK_FALSE(mesh_solid(mesh).watertight);
}

TEST_CASE("a strip with one side has no inside") {
  // a Moebius strip of n quadrilaterals
  TriangleMesh mesh;
  constexpr std::uint32_t n = 12;
  for (std::uint32_t k = 0; k < n; ++k) {
    const double a = 2 * std::numbers::pi * k / n;
    for (const double side : {-0.2, 0.2})
      mesh.vertices.push_back({(1 + side * std::cos(a / 2)) * std::cos(a), (1 + side * std::cos(a / 2)) * std::sin(a),
                               side * std::sin(a / 2)});
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t a = 2 * k, b = 2 * k + 1, c = k + 1 < n ? 2 * k + 2 : 1, d = k + 1 < n ? 2 * k + 3 : 0;
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({b, c, d});
  }
  const MeshSolid found = mesh_solid(mesh);
  CHECK_FALSE(found.orientable);
  CHECK_FALSE(found.sound());
}
