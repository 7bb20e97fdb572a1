// Meshes as people have them: STL (both kinds), OBJ, MSH, Collada (DAE), glTF (.gltf, .glb). Only triangles are taken, or polygons
// cut into triangles; colours, normals and textures are passed over. docs/meshes.md says what of each format is read.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/model/triangle_mesh.hpp"
#include "torsor/result.hpp"

namespace torsor {

struct MeshFile {
  TriangleMesh mesh;  // in metres, along the axes of the file, whatever it calls up
  std::string format;
  double unit = 1;           // metres of a unit of the file; applied already
  std::string up_axis = "";  // what a Collada file calls up: X_UP, Y_UP or Z_UP; of glTF always Y_UP; not applied
};

/// Reads a file that a mesh names; a fault where it cannot or must not be.
using ReadMeshFile = std::function<Result<std::string>(const std::string& path)>;

/// The mesh in these bytes, by the ending of the file's name; or what is wrong with it. `beside` reads buffers that a .gltf
/// keeps in files of their own, by their names as the file writes them.
Result<MeshFile> read_mesh(std::string_view bytes, const std::string& file, const ReadMeshFile& beside);

/// Whether the name ends as that of a mesh that is read.
bool is_mesh_name(std::string_view file);

namespace detail {

/// No mesh has more triangles than this; copies of copies in a scene could.
constexpr std::size_t most_triangles = 5'000'000;

Result<MeshFile> read_stl(std::string_view bytes, const std::string& file);
Result<MeshFile> read_msh(std::string_view bytes, const std::string& file);
Result<MeshFile> read_obj(std::string_view bytes, const std::string& file);
Result<MeshFile> read_collada(std::string_view text, const std::string& file);
Result<MeshFile> read_gltf(std::string_view bytes, const std::string& file, const ReadMeshFile& beside);

inline Fault mesh_fault(const std::string& file, int line, std::string offender, std::string rule, std::string what,
                        std::string remedy = "export the mesh again") {
  return {{file, line}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)};
}

}  // namespace detail
}  // namespace torsor
