// What the scenes of Collada and glTF share: poses that may stretch and mirror, and triangles from strips, fans and polygons.
#pragma once

#include <span>

#include "torsor/model/triangle_mesh.hpp"

namespace torsor::detail {

/// x -> A x + p.
struct Affine {
  Mat3<double> A = Mat3<double>::identity();
  Vec3<double> p = {};
};

inline Affine operator*(const Affine& a, const Affine& b) { return {a.A * b.A, a.A * b.p + a.p}; }

/// Triangles over a list of corners: each three of them, a strip (every second one turned) or a fan.
enum class Corners { triples, strip, fan };
inline void append_triangles(std::span<const std::uint32_t> corners, Corners kind,
                             std::vector<TriangleMesh::Triangle>& to) {
  for (std::size_t k = 2; k < corners.size(); k += kind == Corners::triples ? 3 : 1) {
    const std::uint32_t c = corners[k], b = corners[k - 1];
    if (kind == Corners::fan)
      to.push_back({corners[0], b, c});
    else if (kind == Corners::strip && k % 2 == 1)
      to.push_back({b, corners[k - 2], c});
    else
      to.push_back({corners[k - 2], b, c});
  }
}

}  // namespace torsor::detail
