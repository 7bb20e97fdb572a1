// Meshes of our own, whose volume and inertia are known, and what tests do to them.
#pragma once

#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/model/triangle_mesh.hpp"

namespace torsor::testing {

/// A prism over a polygon in the plane z = 0, its corners against the clock; flat triangles `cap` cut the polygon.
inline TriangleMesh prism(const std::vector<Vec3<double>>& polygon, double height,
                          const std::vector<TriangleMesh::Triangle>& cap) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(polygon.size());
  mesh.vertices = polygon;
  for (const Vec3<double>& p : polygon) mesh.vertices.push_back(p + Vec3<double>{0, 0, height});
  for (const auto& [a, b, c] : cap) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({n + a, n + b, n + c});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

/// With its middle at the origin.
inline TriangleMesh box_mesh(const Vec3<double>& size) {
  const double x = size.x / 2, y = size.y / 2, z = -size.z / 2;
  return prism({{-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z}}, size.z, {{0, 1, 2}, {0, 2, 3}});
}

/// A prism over a regular polygon of n corners: nearly a cylinder, from z = 0 on.
inline TriangleMesh regular_prism(int n, double radius, double height) {
  std::vector<Vec3<double>> polygon;
  std::vector<TriangleMesh::Triangle> cap;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    polygon.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    if (k >= 2) cap.push_back({0, static_cast<std::uint32_t>(k - 1), static_cast<std::uint32_t>(k)});
  }
  return prism(polygon, height, cap);
}

/// A ball of rings and meridians.
inline TriangleMesh ball_mesh(int rings, int meridians, double radius) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, 0, -radius});
  for (int r = 1; r < rings; ++r)
    for (int m = 0; m < meridians; ++m) {
      const double latitude = std::numbers::pi * (double(r) / rings - 0.5),
                   longitude = 2 * std::numbers::pi * m / meridians;
      mesh.vertices.push_back({radius * std::cos(latitude) * std::cos(longitude),
                               radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)});
    }
  mesh.vertices.push_back({0, 0, radius});
  const auto at = [&](int r, int m) {
    return static_cast<std::uint32_t>(r == 0       ? 0
                                      : r == rings ? 1 + (rings - 1) * meridians
                                                   : 1 + (r - 1) * meridians + m % meridians);
  };
  for (int r = 0; r < rings; ++r)
    for (int m = 0; m < meridians; ++m) {
      if (r > 0) mesh.triangles.push_back({at(r, m), at(r, m + 1), at(r + 1, m)});
      if (r + 1 < rings) mesh.triangles.push_back({at(r, m + 1), at(r + 1, m + 1), at(r + 1, m)});
    }
  return mesh;
}

/// Each triangle with corners of its own, as an STL has them, in any order.
inline TriangleMesh soup(const TriangleMesh& mesh, Random& random) {
  TriangleMesh out;
  std::vector<TriangleMesh::Triangle> triangles = mesh.triangles;
  for (std::size_t k = triangles.size(); k > 1; --k)
    std::swap(triangles[k - 1], triangles[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
  for (const auto& t : triangles) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    const std::size_t turn = static_cast<std::size_t>(random.below(3));
    for (std::size_t c = 0; c < 3; ++c) out.vertices.push_back(mesh.vertices[t[(c + turn) % 3]]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

inline void turn_over(TriangleMesh& mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

}  // namespace torsor::testing
