// A surface as triangles: what a mesh file holds of geometry. Corners run against the clock seen from outside.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torsor/spatial/mat3.hpp"

namespace torsor {

struct TriangleMesh {
  using Triangle = std::array<std::uint32_t, 3>;
  std::vector<Vec3<double>> vertices;
  std::vector<Triangle> triangles;  // three places in `vertices` each
};

/// The mesh after x -> A x + p. A mirror turns every triangle over, so that the outside stays outside.
inline void transform(TriangleMesh& mesh, const Mat3<double>& A, const Vec3<double>& p = {}) {
  for (Vec3<double>& v : mesh.vertices) v = A * v + p;
  if (dot(cross(A.x, A.y), A.z) < 0)
    for (TriangleMesh::Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// Each coordinate times its own factor; a negative one is a mirror.
inline void scale(TriangleMesh& mesh, const Vec3<double>& factors) {
  transform(mesh, {{factors.x, 0, 0}, {0, factors.y, 0}, {0, 0, factors.z}});
}

/// Adds the triangles of another mesh.
inline void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const TriangleMesh::Triangle& t : other.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace torsor
