// Meshes written in every format that is read, for the tests of the readers.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>

#include "torsor/model/triangle_mesh.hpp"

namespace torsor::testing {

inline std::string stl_text(const TriangleMesh& mesh) {
  std::string text = "solid made for a test\n";
  for (const auto& t : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const std::uint32_t v : t)
      text += fmt::format("  vertex {} {} {}\n", mesh.vertices[v].x, mesh.vertices[v].y, mesh.vertices[v].z);
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid made for a test\n";
}

inline void append_bytes(std::string& bytes, std::uint32_t x, int size = 4) {
  for (int k = 0; k < size; ++k) bytes += static_cast<char>(x >> (8 * k) & 0xFFU);
}
inline void append_float(std::string& bytes, double x) {
  append_bytes(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
}
inline void append_point(std::string& bytes, const Vec3<double>& p) {
  for (const double x : {p.x, p.y, p.z}) append_float(bytes, x);
}

inline std::string stl_binary(const TriangleMesh& mesh) {
  std::string bytes(80, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    append_point(bytes, {});
    for (const std::uint32_t v : t) append_point(bytes, mesh.vertices[v]);
    append_bytes(bytes, 0, 2);
  }
  return bytes;
}

inline std::string obj_text(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3<double>& v : mesh.vertices) text += fmt::format("v {} {} {}\n", v.x, v.y, v.z);
  for (const auto& [a, b, c] : mesh.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  return text;
}

struct ColladaScene {
  std::string unit = "1", up = "Z_UP", nodes = "<node><instance_geometry url='#shape'/></node>", shared_nodes, pieces;
};

inline std::string collada_text(const TriangleMesh& mesh, const ColladaScene& scene = {}) {
  std::string points, corners;
  for (const Vec3<double>& v : mesh.vertices) points += fmt::format("{} {} {}\n", v.x, v.y, v.z);
  for (const auto& [a, b, c] : mesh.triangles) corners += fmt::format("{} {} {}\n", a, b, c);
  const std::string pieces =
      !scene.pieces.empty()
          ? scene.pieces
          : fmt::format(
                "<triangles count='{}'><input semantic='VERTEX' source='#corners' offset='0'/><p>{}</p></triangles>",
                mesh.triangles.size(), corners);
  return fmt::format(
      "<COLLADA version='1.4.1'><asset><unit name='u' "
      "meter='{}'/><up_axis>{}</up_axis></asset><library_geometries><geometry id='shape'><mesh>"
      "<source id='points'><float_array id='numbers' count='{}'>{}</float_array><technique_common><accessor "
      "source='#numbers' count='{}' stride='3'>"
      "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' "
      "type='float'/></accessor></technique_common></source>"
      "<vertices id='corners'><input semantic='POSITION' "
      "source='#points'/></vertices>{}</mesh></geometry></library_geometries>{}"
      "<library_visual_scenes><visual_scene "
      "id='scene'>{}</visual_scene></library_visual_scenes><scene><instance_visual_scene "
      "url='#scene'/></scene></COLLADA>",
      scene.unit, scene.up, 3 * mesh.vertices.size(), points, mesh.vertices.size(), pieces, scene.shared_nodes,
      scene.nodes);
}

inline std::string base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 3; ++b)
      bits = bits << 8U | (k + b < bytes.size() ? static_cast<unsigned char>(bytes[k + b]) : 0U);
    for (std::size_t d = 0; d < 4; ++d) out += k + d > bytes.size() ? '=' : digits[bits >> (18 - 6 * d) & 63U];
  }
  return out;
}

/// Corners, then two bytes for each corner of a triangle, or four where there are many.
inline std::string gltf_buffer(const TriangleMesh& mesh) {
  std::string bytes;
  for (const Vec3<double>& v : mesh.vertices) append_point(bytes, v);
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t v : t) append_bytes(bytes, v, mesh.vertices.size() > 65535 ? 4 : 2);
  return bytes;
}

struct GltfScene {
  std::string nodes = R"([{"mesh": 0}])", uri;
};

inline std::string gltf_json(std::size_t vertices, std::size_t corners, bool indexed, const std::string& buffer,
                             const std::string& nodes) {
  const bool large = vertices > 65535;
  return fmt::format(
      R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": {}, "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}{}}}]}}],
"accessors": [{{"bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3"}}, {{"bufferView": 1, "componentType": {}, "count": {}, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteLength": {}}}, {{"buffer": 0, "byteOffset": {}, "byteLength": {}}}], "buffers": [{}]}})",
      nodes, indexed ? R"(, "indices": 1)" : "", vertices, large ? 5125 : 5123, corners, 12 * vertices, 12 * vertices,
      (large ? 4 : 2) * corners, buffer);
}

/// With indices, or each triangle with corners of its own.
inline std::string gltf_text(const TriangleMesh& mesh, bool indexed, const GltfScene& scene = {}) {
  TriangleMesh own;
  if (!indexed)
    for (const auto& t : mesh.triangles)
      for (const std::uint32_t v : t) own.vertices.push_back(mesh.vertices[v]);
  const TriangleMesh& written = indexed ? mesh : own;
  const std::string bytes = gltf_buffer(written);
  const std::string uri = scene.uri.empty() ? "data:application/octet-stream;base64," + base64(bytes) : scene.uri;
  return gltf_json(written.vertices.size(), 3 * written.triangles.size(), indexed,
                   fmt::format(R"({{"uri": "{}", "byteLength": {}}})", uri, bytes.size()), scene.nodes);
}

inline std::string glb_bytes(const TriangleMesh& mesh) {
  std::string binary = gltf_buffer(mesh);
  std::string json = gltf_json(mesh.vertices.size(), 3 * mesh.triangles.size(), true,
                               fmt::format(R"({{"byteLength": {}}})", binary.size()), R"([{"mesh": 0}])");
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  for (const std::size_t x : {std::size_t{2}, 12 + 8 + json.size() + 8 + binary.size(), json.size()})
    append_bytes(bytes, static_cast<std::uint32_t>(x));
  append_bytes(bytes, 0x4E4F534AU);
  bytes += json;
  append_bytes(bytes, static_cast<std::uint32_t>(binary.size()));
  append_bytes(bytes, 0x004E4942U);
  return bytes + binary;
}

}  // namespace torsor::testing
