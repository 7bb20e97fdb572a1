// MSH, the binary mesh of MuJoCo, little-endian: the numbers of vertices, normals, texture coordinates and faces (32 bits
// each); three floats per vertex and per normal, two per texture coordinate; three places of vertices per face; and no byte more.
// The order of the corners says which side is outside.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "torsor/files/mesh_reader.hpp"

namespace torsor::detail {
namespace {

std::uint32_t msh_word(std::string_view bytes, std::size_t at) {
  std::uint32_t x = 0;
  for (std::size_t k = 4; k-- > 0;) x = x << 8U | static_cast<unsigned char>(bytes[at + k]);
  return x;
}

}  // namespace

Result<MeshFile> read_msh(std::string_view bytes, const std::string& file) {
  constexpr std::size_t head = 16;
  if (bytes.size() < head)
    return mesh_fault(file, 0, "", "msh-size",
                      fmt::format("it has {} bytes, and begins with four numbers of four", bytes.size()),
                      "write it once more");
  std::array<std::size_t, 4> count{};
  for (std::size_t k = 0; k < 4; ++k) count[k] = msh_word(bytes, 4 * k);
  const auto [vertices, normals, textures, faces] = count;
  // numbers below 2^32 in 64 bits: no overflow
  const std::size_t expected = head + 12 * vertices + 12 * normals + 8 * textures + 12 * faces;
  if (bytes.size() != expected)
    return mesh_fault(
        file, 0, "", "msh-size",
        fmt::format("{} vertices, {} normals, {} texture coordinates and {} faces take {} bytes, and it has {}",
                    vertices, normals, textures, faces, expected, bytes.size()),
        "write it once more; .msh is MuJoCo's own binary format, not that of other programs");
  MeshFile read{.mesh = {}, .format = "MSH"};
  read.mesh.vertices.reserve(vertices);
  for (std::size_t k = 0; k < vertices; ++k) {
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = static_cast<double>(std::bit_cast<float>(msh_word(bytes, head + 12 * k + 4 * i)));
      if (!std::isfinite(x[i]))
        return mesh_fault(file, 0, fmt::format("vertex {}", k + 1), "mesh-number", "a coordinate is not finite");
    }
    read.mesh.vertices.push_back({x[0], x[1], x[2]});
  }
  const std::size_t first = expected - 12 * faces;
  read.mesh.triangles.reserve(faces);
  for (std::size_t k = 0; k < faces; ++k) {
    TriangleMesh::Triangle triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      triangle[i] = msh_word(bytes, first + 12 * k + 4 * i);
      if (triangle[i] >= vertices)
        return mesh_fault(file, 0, fmt::format("face {}", k + 1), "msh-index",
                          fmt::format("it has vertex {} of {}, counted from 0", triangle[i], vertices));
    }
    read.mesh.triangles.push_back(triangle);
  }
  return read;
}

}  // namespace torsor::detail
