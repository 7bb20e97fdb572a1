#include "torsor/files/mesh_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

std::string ending_of_mesh(std::string_view file) {
  const std::size_t point = file.rfind('.');
  std::string ending(point == std::string_view::npos ? "" : file.substr(point));
  for (char& c : ending) c = static_cast<char>('A' <= c && c <= 'Z' ? c | 0x20 : c);
  return ending;
}

/// What every format must give in the end.
Faults faults_of(const MeshFile& read, const std::string& file) {
  if (read.mesh.triangles.empty())
    return {detail::mesh_fault(file, 0, "", "mesh-empty", "it has no triangles", "give a mesh with a surface")};
  for (const Vec3<double>& v : read.mesh.vertices)
    // squares and cubes of coordinates must stay finite
    if (!(std::abs(v.x) <= 1e30 && std::abs(v.y) <= 1e30 && std::abs(v.z) <= 1e30))
      return {detail::mesh_fault(file, 0, fmt::format("corner {} {} {}", v.x, v.y, v.z), "mesh-number",
                                 "it is no point of a body")};
  return {};
}

}  // namespace

bool is_mesh_name(std::string_view file) {
  const std::string ending = ending_of_mesh(file);
  return ending == ".stl" || ending == ".obj" || ending == ".msh" || ending == ".dae" || ending == ".gltf" ||
         ending == ".glb";
}

Result<MeshFile> read_mesh(std::string_view bytes, const std::string& file, const ReadMeshFile& beside) {
  const std::string ending = ending_of_mesh(file);
  if (!is_mesh_name(file))
    return detail::mesh_fault(file, 0, "", "mesh-format",
                              fmt::format("\"{}\" is no kind of mesh that is read", excerpt(ending)),
                              "use .stl, .obj, .dae, .gltf, .glb or .msh");
  if (bytes.empty()) return detail::mesh_fault(file, 0, "", "mesh-empty", "the file is empty");
  Result<MeshFile> read = ending == ".stl"   ? detail::read_stl(bytes, file)
                          : ending == ".obj" ? detail::read_obj(bytes, file)
                          : ending == ".msh" ? detail::read_msh(bytes, file)
                          : ending == ".dae" ? detail::read_collada(bytes, file)
                                             : detail::read_gltf(bytes, file, beside);
  if (!read) return read;
  if (Faults faults = faults_of(*read, file); !faults.empty()) return faults;
  return read;
}

}  // namespace torsor
